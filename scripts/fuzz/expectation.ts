/** The expected answer to a question, from SQL on the lake's tables. */
import type { DuckDBConnection } from '@duckdb/node-api';
import type { LogicalType } from './contract-tables.ts';
import { type LakeTable, name, text } from './lake-tables.ts';
import type { Question } from './question.ts';

const PAGE = 10_000;

export type Cell = string | number | boolean | null;

export interface Expectation {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  readonly detail: string;
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
  question: Question,
): Promise<Expectation> {
  const detail = question.detail ?? table.defaultLevel;
  const offset = question.offset ?? 0;
  const limit = question.limit ?? (question.format === 'json' ? PAGE : null);
  const counts = [...(table.counts.get(detail) ?? [])].filter(([year]) => isAsked(question, year));
  const found = await connection.runAndReadAll(renderQuestion(table, question, detail, offset, limit));
  const rows = found.getRows() as Cell[][];
  const more = limit !== null && rows.length > limit;
  const page = more ? rows.slice(0, limit) : rows;
  const filtered =
    Object.keys(question.filters).length > 0 ||
    question.places !== undefined ||
    (question.ranges ?? []).length > 0;
  const stored = !filtered && counts.length === 1 && !more && offset % PAGE === 0 && page.length > 0;
  const last = !more && (page.length > 0 || offset === 0) ? offset + page.length : null;
  return {
    columns: table.columns.map(column => column.name),
    rows: page,
    detail,
    years: table.year === null ? [] : counts.map(([year]) => year),
    offset,
    limit,
    saidLimit: stored ? PAGE : limit,
    more,
    total: filtered ? last : counts.reduce((sum, [, count]) => sum + count, 0),
    counted: await countRows(connection, table, question, detail, filtered && last === null),
  };
}

/** Null where the manifest cannot tell the number, or the page tells it anyway. */
async function countRows(
  connection: DuckDBConnection,
  table: LakeTable,
  question: Question,
  detail: string,
  isUnknown: boolean,
): Promise<number | null> {
  const { filters, places, ranges = [] } = question;
  if (!isUnknown || places || ranges.length > 0 || Object.keys(filters).length !== 1) return null;
  const rows = renderQuestion(table, question, detail, 0, null);
  const found = await connection.runAndReadAll(`SELECT count(*)::INTEGER FROM (${rows})`);
  return Number(found.getRows()[0]?.[0]);
}

function isAsked({ year: exact, year_min: min, year_max: max }: Question, year: number): boolean {
  return (
    (exact === undefined || year === exact) &&
    (min === undefined || year >= min) &&
    (max === undefined || year <= max)
  );
}

/** Asks for one row more than the limit, to see if any follow. */
function renderQuestion(
  table: LakeTable,
  question: Question,
  detail: string,
  offset: number,
  limit: number | null,
): string {
  const where: string[] = [];
  if (table.kind === 'dataset') where.push(`"level of detail" = ${text(detail)}`);
  if (question.year !== undefined) where.push(`"year" = ${question.year}`);
  if (question.year_min !== undefined) where.push(`"year" >= ${question.year_min}`);
  if (question.year_max !== undefined) where.push(`"year" <= ${question.year_max}`);
  for (const [param, values] of Object.entries(question.filters)) {
    // A column named like a parameter that every dataset has is asked for by a name of its own.
    const own = [param, param.replace(/_column$/, '')];
    const { name: column = param, type = 'string' } = table.columns.find(one => own.includes(one.name)) ?? {};
    where.push(`(${values.map(value => `${name(column)} = ${literal(value, type)}`).join(' OR ')})`);
  }
  for (const { column, bound, value } of question.ranges ?? []) {
    const { type = 'string', utc = false } = table.columns.find(one => one.name === column) ?? {};
    // Without the Z, which sorts after the decimals of a second.
    const left = utc ? `rtrim(${name(column)}, 'Z')` : name(column);
    const right = utc ? value.replace(/Z$/, '') : value;
    where.push(`${left} ${bound === 'min' ? '>=' : '<='} ${literal(right, type)}`);
  }
  if (question.places) {
    const { columns: parts, keys } = question.places;
    const isPlace = (codes: readonly (string | null)[]) =>
      parts.map((column, index) => equals(table, column, codes[index] ?? null)).join(' AND ');
    where.push(`(${keys.map(isPlace).join(' OR ')})`);
  }
  const columns = table.columns.map(column => name(column.name)).join(', ');
  const inUtc = new Set(table.columns.flatMap(column => (column.utc ? [column.name] : [])));
  const sorted = (column: string) => (inUtc.has(column) ? `rtrim(${name(column)}, 'Z')` : name(column));
  const order = table.order.map(column => `${sorted(column)} ASC NULLS FIRST`).join(', ');
  const page = limit === null ? '' : ` LIMIT ${limit + 1}`;
  const condition = where.length === 0 ? '' : ` WHERE ${where.join(' AND ')}`;
  return `SELECT ${columns} FROM ${table.sqlName}${condition} ORDER BY ${order}${page} OFFSET ${offset}`;
}

function equals(table: LakeTable, column: string, code: string | null): string {
  const type = table.columns.find(one => one.name === column)?.type ?? 'string';
  return code === null ? `${name(column)} IS NULL` : `${name(column)} = ${literal(code, type)}`;
}

function literal(value: string, type: LogicalType): string {
  return type === 'string' || type === 'date' || type === 'timestamp' ? text(value) : value;
}
