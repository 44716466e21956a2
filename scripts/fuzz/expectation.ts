/** The expected answer to a question, from SQL on the lake's tables. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { type LakeTable, name, text } from './lake.ts';
import type { Question } from './questions.ts';

const PAGE = 10_000;

export type Cell = string | number | boolean | null;

export interface Expectation {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  readonly detail: string | null;
  readonly years: readonly number[];
  readonly offset: number;
  /** Null means all rows. */
  readonly limit: number | null;
  /** The limit that the page states. A stored page states its own limit and may have fewer rows. */
  readonly saidLimit: number | null;
  /** True if rows follow. */
  readonly more: boolean;
  /** Rows of the whole answer; null if the page does not state them. */
  readonly total: number | null;
  /** The same, where the manifest may tell it: it counts the rows of the values of some columns. */
  readonly counted: number | null;
}

export async function expectAnswer(
  connection: DuckDBConnection,
  table: LakeTable,
  { asked, ...question }: Question,
): Promise<Expectation> {
  const { offset = 0, limit = question.format === 'json' ? PAGE : null } = question;
  const detail = question.detail ?? table.defaultLevel;
  const counts = [...(table.counts.get(detail ?? 'rows') ?? [])].filter(([year]) =>
    asked.every(({ hasYear }) => hasYear?.(year) ?? true),
  );
  const level = detail === null ? [] : [`"level of detail" = ${text(detail)}`];
  const where = [...level, ...asked.map(({ sql }) => `(${sql})`)].join(' AND ') || 'true';
  const order = table.order.map(column => {
    const isUtc = table.columns.find(one => one.name === column)?.utc;
    // Without the Z, which sorts after the decimals of a second.
    return `${isUtc ? `rtrim(${name(column)}, 'Z')` : name(column)} ASC NULLS FIRST`;
  });
  const columns = table.columns.map(column => column.name);
  // One row more than the limit, to see if any follow.
  const page = limit === null ? '' : ` LIMIT ${limit + 1}`;
  const found = await connection.runAndReadAll(
    `SELECT ${columns.map(name)} FROM ${table.sqlName} WHERE ${where} ORDER BY ${order}${page} OFFSET ${offset}`,
  );
  const all = found.getRows() as Cell[][];
  const more = limit !== null && all.length > limit;
  const rows = more ? all.slice(0, limit) : all;
  const filters = asked.filter(({ echo }) => echo !== null);
  const isStored =
    filters.length === 0 && counts.length === 1 && !more && offset % PAGE === 0 && rows.length > 0;
  const last = !more && (rows.length > 0 || offset === 0) ? offset + rows.length : null;
  const [only] = filters;
  let counted: number | null = null;
  if (last === null && filters.length === 1 && only?.kind !== 'place' && only?.kind !== 'range') {
    const sum = await connection.runAndReadAll(`SELECT count(*) FROM ${table.sqlName} WHERE ${where}`);
    counted = Number(sum.getRows()[0]?.[0]);
  }
  return {
    ...{ columns, rows, detail, offset, limit, more, counted },
    years: counts.map(([year]) => year).filter(year => year !== 0),
    saidLimit: isStored ? PAGE : limit,
    total: filters.length > 0 ? last : counts.reduce((sum, [, count]) => sum + count, 0),
  };
}
