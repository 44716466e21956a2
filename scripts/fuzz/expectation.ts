/** The expected answer to a question, from SQL on the lake's tables. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { type LakeTable, name, text } from './lake.ts';
import type { Question } from './questions.ts';

const PAGE = 10_000;

export type Cell = string | number | boolean | null;

export interface Expectation {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** What a page of JSON says beside them. */
  readonly page: Readonly<Record<string, unknown>>;
  /** Where the next page begins. */
  readonly next: number | null;
  /** Rows of the whole answer, null if the page does not state them, or what else it may say. */
  readonly totals: readonly (number | null)[];
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
  const filters = asked.filter(({ echo }) => echo !== null).sort((a, b) => (a.param < b.param ? -1 : 1));
  const isStored =
    filters.length === 0 && counts.length === 1 && !more && offset % PAGE === 0 && rows.length > 0;
  const last = !more && (rows.length > 0 || offset === 0) ? offset + rows.length : null;
  const total = filters.length > 0 ? last : counts.reduce((sum, [, count]) => sum + count, 0);
  const [only] = filters;
  // The manifest may tell it: it counts the rows of the values of some columns.
  const isCounted = last === null && filters.length === 1 && only?.kind !== 'place' && only?.kind !== 'range';
  const counted = isCounted
    ? await connection.runAndReadAll(`SELECT count(*) FROM ${table.sqlName} WHERE ${where}`)
    : null;
  const facts = {
    detail,
    years: counts.map(([year]) => year).filter(year => year !== 0),
    filters: Object.fromEntries(filters.map(({ param, echo }) => [param, echo])),
  };
  return {
    columns,
    rows,
    // A stored page states its own limit and may have fewer rows.
    page: { ...(detail !== null && facts), offset, limit: isStored ? PAGE : limit, count: rows.length },
    next: more ? offset + (limit ?? 0) : null,
    totals: [total, ...(counted === null ? [] : [Number(counted.getRows()[0]?.[0])])],
  };
}
