/** Copies of the small dataset, as a build would write them: by the values of a column, in files of some years. */
import type { CopyEntry } from '../../../build/format/manifest.ts';
import { compareRows, type Value } from '../../../site/query/order.ts';
import { allRows, position, type Row, YEARS } from './rows.ts';

/** A copy, before it is written. */
export interface MadeCopy {
  readonly entry: Omit<CopyEntry, 'file'>;
  readonly path: string;
  readonly rows: readonly Row[];
}

/** Columns with the attributes that follow from them. */
export const COPIED: Readonly<Record<string, readonly string[]>> = {
  area_code: ['area_type'],
  group: [],
  step: [],
  open: [],
};

/** Whether the manifest says how many rows of a level have the values of a filter. */
export function isCounted(detail: string, filters: Readonly<Record<string, readonly string[]>>): boolean {
  const [only = '', ...others] = Object.keys(filters);
  const counted = Object.entries(COPIED).flatMap(([column, attributes]) => [column, ...attributes]);
  return detail === 'units' && others.length === 0 && counted.includes(only);
}

/** `years`: how many a file has; `without`: a year whose rows no file has. */
export function makeCopies(
  detail: string,
  order: readonly string[],
  { years: length, without }: { readonly years: number; readonly without?: number },
): MadeCopy[] {
  const years = YEARS[detail]!.filter(year => year !== without);
  const runs: (readonly number[])[] = [];
  for (let i = 0; i < years.length; i += length) runs.push(years.slice(i, i + length));
  return Object.entries(COPIED).flatMap(([column, attributes]) =>
    runs.map(run => makeCopy(detail, order, column, attributes, run)),
  );
}

function makeCopy(
  detail: string,
  order: readonly string[],
  column: string,
  attributes: readonly string[],
  years: readonly number[],
): MadeCopy {
  const names = [...new Set([column, ...order])];
  const rows = allRows(detail)
    .filter(row => years.includes(Number(row[0])))
    .sort(compareRows(names.map(position)));
  const having = new Map<Value, Row[]>();
  for (const row of rows) {
    const value = row[position(column)] ?? null;
    having.set(value, having.get(value) ?? []);
    having.get(value)!.push(row);
  }
  const groups = [...having.values()];
  const following = attributes.map(name => [name, groups.map(([first]) => first?.[position(name)] ?? null)]);
  return {
    path: `_copies/${detail}.${column}.${years[0]}.parquet`,
    rows,
    entry: {
      detail,
      by: [column],
      years,
      rows: rows.length,
      counted: {
        values: [...having.keys()],
        rows: groups.map(held => years.map(year => held.filter(row => row[0] === year).length)),
        ...(following.length > 0 && { attributes: Object.fromEntries(following) }),
      },
    },
  };
}
