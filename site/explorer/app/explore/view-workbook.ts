/** The workbook of a view: what its columns are called, and its notes. */
import type { Workbook } from '../../../edge/respond/workbook.ts';
import { t } from '../../messages/messages.ts';
import { composeNotices } from '../../view/notices.ts';
import type { ViewState } from '../../view/question.ts';
import type { Rows } from '../../view/rows.ts';
import { deriveColumns } from '../../view/table-columns.ts';
import { titleView } from '../../view/wording.ts';
import { apiAddress } from './share-tools.tsx';

/** Without what all workbooks of a page share. */
export type PageWorkbook = Pick<Workbook, 'columns' | 'facts' | 'meanings'>;

export function viewWorkbook(state: ViewState, rows: Rows): PageWorkbook {
  const { key, schema, manifest, table } = state.dataset;
  const { name, unit, emptyCell, description } = t.workbook;
  const shown = new Map(deriveColumns(state, rows).map(column => [column.name, column]));
  const described = new Map(schema.columns.map(column => [column.name, column]));
  const titleOf = (column: string) => described.get(column)?.label || shown.get(column)?.label || column;
  return {
    columns: table.columns.map(column => {
      const title = titleOf(column.name);
      const { width = Math.max(10, title.length + 2), names } = shown.get(column.name) ?? {};
      const words = names && names.size > 0 && { title: t.workbook.inWords(title), of: names };
      return { title, width, utc: column.utc, ...(words && { words }) };
    }),
    facts: [
      [t.nouns.dataset, `${schema.title} (${key})`],
      [t.workbook.sample, manifest.sample === true ? t.frame.sample : ''],
      [t.nouns.rows, titleView(state)],
      [t.workbook.address, apiAddress(state)],
      [t.workbook.count, String(rows.rows)],
      [t.nouns.version, schema.version],
      [t.nouns.release, manifest.release],
      [t.nouns.source, schema.source ?? ''],
      [t.nouns.licence, manifest.license ?? ''],
      [t.nouns.attribution, manifest.attribution ?? ''],
      [t.workbook.notice, composeNotices(state).join(' ')],
      [t.workbook.usage, schema.usage],
      [t.workbook.limitations, schema.limitations],
    ],
    meanings: [
      [t.nouns.column, name, unit, emptyCell, description],
      ...table.columns.map(column => {
        const known = described.get(column.name);
        const { nullable, nullMeaning = t.workbook.notAtLevel } = shown.get(column.name) ?? {
          nullable: true,
        };
        return [
          titleOf(column.name),
          column.name,
          known?.unit ?? '',
          nullable ? nullMeaning : '',
          known?.description ?? '',
        ];
      }),
    ],
  };
}
