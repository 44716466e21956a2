/** Writes rows as an Excel workbook: codes are text, an empty cell is NULL, and no cell is a formula. */
import { type CellValue, rangeRef, type WriteSheet, writeXlsx, XLSX_MAX_ROWS_PER_SHEET } from 'hucre/xlsx';
import type { Batch } from '../../../edge/rows/parquet.ts';
import { t } from '../../messages/messages.ts';
import type { ViewState } from '../../view/question.ts';
import type { Rows } from '../../view/rows.ts';
import { deriveColumns } from '../../view/table-columns.ts';
import { titleView } from '../../view/wording.ts';

export interface Workbook {
  readonly rows: number;
  readonly columns: readonly SheetColumn[];
  /** The second sheet: facts about the rows, and the meaning of each column. */
  readonly facts: readonly (readonly [string, string])[];
  readonly meanings: readonly (readonly string[])[];
}

interface SheetColumn {
  readonly title: string;
  /** Characters. */
  readonly width: number;
  /** The words of codes; empty if there are none. */
  readonly words: ReadonlyMap<string, string>;
}

/** Throws an Error if a workbook can't hold the rows. */
export async function renderWorkbook(
  { rows: count, columns, facts, meanings }: Workbook,
  batches: AsyncIterable<Batch>,
): Promise<Uint8Array> {
  if (count >= XLSX_MAX_ROWS_PER_SHEET) throw new Error(t.workbook.tooLong());
  // A column of codes is followed by one with their words.
  const sheetColumns = columns.flatMap(({ title, width, words }) =>
    words.size > 0
      ? [
          { title, width },
          { title: t.workbook.inWords(title), width },
        ]
      : [{ title, width }],
  );
  const rows: CellValue[][] = [sheetColumns.map(({ title }) => title)];
  for await (const batch of batches)
    for (let row = 0; row < batch.rows; row++)
      rows.push(
        columns.flatMap(({ words }, i) => {
          const value = batch.columns[i]![row] ?? null;
          return words.size > 0 ? [value, words.get(String(value)) ?? null] : [value];
        }),
      );
  const { notes, name, unit, emptyCell, description } = t.workbook;
  const about = facts.filter(([, value]) => value !== '');
  const titles = [t.nouns.column, name, unit, emptyCell, description];
  const explained = meanings.length > 0 ? [...about, [], titles, ...meanings] : about;
  const widths = sheetColumns.map(({ width }) => width);
  return writeXlsx({
    sheets: [
      {
        ...sheetOf(t.nouns.rows, rows, widths, 0),
        freezePane: { rows: 1 },
        autoFilter: { range: rangeRef(0, 0, rows.length - 1, widths.length - 1) },
      },
      sheetOf(notes, explained, [24, 40, 12, 50, 80], about.length + 1),
    ],
  });
}

/** `head` is the row of titles. */
function sheetOf(
  name: string,
  rows: readonly (readonly CellValue[])[],
  widths: readonly number[],
  head: number,
): WriteSheet {
  // An edited cell of a column of texts stays a text.
  const texts = widths.map((_, i) => rows.some((row, at) => at > head && typeof row[i] === 'string'));
  return {
    name,
    rows: rows.map(row => row.map(escapeText)),
    columns: widths.map((width, i) => ({ width, ...(texts[i] && { numFmt: '@' }) })),
    cells: new Map((rows[head] ?? []).map((_, i) => [`${head},${i}`, { style: { font: { bold: true } } }])),
  };
}

/** A text that looks like an escape of the format (`_x0041_`) is escaped. */
function escapeText(value: CellValue): CellValue {
  return typeof value === 'string' ? value.replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_') : value;
}

export function viewWorkbook(state: ViewState, rows: Rows): Workbook {
  const { key, schema, manifest, table } = state.dataset;
  const shown = new Map(deriveColumns(state, rows).map(column => [column.name, column]));
  const described = new Map(schema.columns.map(column => [column.name, column]));
  const titleOf = (name: string) => described.get(name)?.label || shown.get(name)?.label || name;
  return {
    rows: rows.rows,
    columns: table.columns.map(({ name }) => {
      const title = titleOf(name);
      const { width = Math.max(10, title.length + 2), names = new Map<string, string>() } =
        shown.get(name) ?? {};
      return { title, width, words: names };
    }),
    facts: [
      [t.nouns.dataset, `${schema.title} (${key})`],
      [t.workbook.sample, manifest.sample === true ? t.frame.sample : ''],
      [t.nouns.rows, titleView(state)],
      [t.workbook.count, String(rows.rows)],
      [t.nouns.version, schema.version],
      [t.nouns.release, manifest.release],
      [t.nouns.source, schema.source ?? ''],
      [t.nouns.licence, manifest.license ?? ''],
      [t.nouns.attribution, manifest.attribution ?? ''],
      [t.workbook.usage, schema.usage],
      [t.workbook.limitations, schema.limitations],
    ],
    meanings: table.columns.map(({ name }) => {
      const column = described.get(name);
      const { nullable, nullMeaning = t.workbook.notAtLevel } = shown.get(name) ?? { nullable: true };
      return [
        titleOf(name),
        name,
        column?.unit ?? '',
        nullable ? nullMeaning : '',
        column?.description ?? '',
      ];
    }),
  };
}
