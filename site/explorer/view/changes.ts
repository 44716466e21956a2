/** What a release changed in a dataset, as figures. */
import type { ChangedRow, ChangedRowsDocument } from '../../../build/format/changes.ts';
import type { Scalar } from '../../../build/format/documents.ts';
import { spellName } from './format.ts';

type Value = Scalar | null;

/** A figure that a release revised, or a row that it added or removed. */
export interface FigureChange extends Pick<ChangedRow, 'change'> {
  /** The grain in words, such as `2024, counties, 13001`. */
  readonly key: string;
  /** The columns that differ and are still there; empty for a row that came or went. */
  readonly columns: readonly { readonly name: string; readonly old: Value; readonly now: Value }[];
}

/** The first rows that a release changed. `renamed`: new names of columns by their old ones. */
export function figureChanges(
  { data }: ChangedRowsDocument,
  renamed: Readonly<Record<string, string>>,
): FigureChange[] {
  return data.map(({ change, detail, key, old = {}, new: since = {} }) => {
    const parts = Object.values(key).flatMap(value => (value === null ? [] : [String(value)]));
    const columns = Object.entries(old).flatMap(([name, value]) => {
      const now = since[renamed[name] ?? name];
      return now === undefined ? [] : [{ name, old: value, now }];
    });
    return { key: [spellName(detail), ...parts].join(', '), change, columns };
  });
}
