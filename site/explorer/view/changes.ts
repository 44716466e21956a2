/** What a release changed in a dataset, as figures. */
import type { Scalar } from '../../../build/format/documents.ts';
import { spellName } from './format.ts';

type Value = Scalar | null;
type ChangedRow = Readonly<Record<string, Value>>;

/** A figure that a release revised, or a row that it added or removed. */
export interface FigureChange {
  /** The grain in words, such as `2024, counties, 13001`. */
  readonly key: string;
  readonly change: 'added' | 'removed' | 'revised';
  /** The columns that differ; empty for a row that came or went. */
  readonly columns: readonly { readonly name: string; readonly old: Value; readonly now: Value }[];
}

/** The first changes of a file of changed rows, if it is the document that the format describes. */
export function figureChanges(document: unknown, most: number): FigureChange[] {
  const rows = (document as { readonly data?: unknown } | null)?.data;
  if (!Array.isArray(rows)) return [];
  return rows.slice(0, most).map((row: ChangedRow) => {
    const { change, detail } = row;
    const kind = change === 'added' || change === 'removed' ? change : 'revised';
    const parts = Object.entries(row).flatMap(([name, value]) =>
      name.startsWith('key_') && value !== null ? [String(value)] : [],
    );
    const columns = Object.entries(row).flatMap(([column, old]) => {
      const name = /^old_(.+)$/.exec(column)?.[1];
      const now = name === undefined ? undefined : row[`new_${name}`];
      return name === undefined || now === undefined || now === old ? [] : [{ name, old, now }];
    });
    return {
      key: [spellName(String(detail)), ...parts].join(', '),
      change: kind,
      columns: kind === 'revised' ? columns : [],
    };
  });
}
