/** The address of the page of one figure. */
import type { Scalar } from '../../../build/format/documents.ts';
import { PAGES } from '../../../build/format/paths.ts';
import { formatQuery, joinItems } from '../../query/query-string.ts';
import { listKey } from '../../query/table.ts';
import type { Question } from './question.ts';
import { root } from './tree-root.ts';

export function figureAddress(
  { dataset: { key, table }, detail }: Pick<Question, 'dataset' | 'detail'>,
  figure: string,
  cellOf: (column: string) => Scalar | null,
): string {
  const year = { param: 'year', column: table.columns[table.year]?.name ?? '' };
  const parts = [year, ...listKey(table)].map(({ param, column }) => ({
    name: param,
    value: cellOf(column),
  }));
  const pairs = [{ name: 'detail', value: detail }, ...parts, { name: 'figure', value: figure }]
    .filter(({ value }) => value !== null)
    .map(({ name, value }) => ({ name, value: joinItems([String(value)]) }));
  return new URL(`${PAGES.figure}/#${key}${formatQuery(pairs)}`, root).href;
}
