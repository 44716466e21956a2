/** The expected answer to a question, from SQL on the lake's tables, and its comparison with a given answer. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { identifier as name, literal as text } from '../../build/lake/sql.ts';
import type { LakeTable } from './lake.ts';
import type { Question } from './questions.ts';

const PAGE = 10_000;

export type Cell = string | number | boolean | null;

export interface Expectation {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** Other fields of a JSON page. */
  readonly page: Readonly<Record<string, unknown>>;
  /** The offset of the next page. */
  readonly next: number | null;
  /** The values that a page's `total` may have. */
  readonly totals: readonly (number | null)[];
}

export async function expectAnswer(
  connection: DuckDBConnection,
  { table, asked, ...question }: Question,
): Promise<Expectation> {
  const { offset = 0, format = 'json' } = question;
  const limit = question.limit ?? (format === 'json' ? PAGE : null);
  const detail = question.detail ?? table.defaultLevel;
  const query = async (sql: string) => (await connection.runAndReadAll(sql)).getRows() as Cell[][];
  const filters = asked.filter(({ echo }) => echo !== null).sort((a, b) => (a.param < b.param ? -1 : 1));
  const years = asked.filter(({ echo }) => echo === null);
  const level = detail === null ? [] : [`"level of detail" = ${text(detail)}`];
  const matches = (some: Question['asked']) =>
    [...level, ...some.map(({ sql }) => `(${sql})`)].join(' AND ') || 'true';
  const where = matches(asked);
  const counts = await query(
    `SELECT ${table.year === undefined ? 0 : name(table.year)}, count(*) FROM ${table.sqlName} WHERE ${matches(years)} GROUP BY ALL ORDER BY ALL`,
  );
  const order = table.order.map(column => {
    const isUtc = table.columns.find(one => one.name === column)?.utc;
    // The Z would sort after the decimals of a second.
    return `${isUtc ? `rtrim(${name(column)}, 'Z')` : name(column)} ASC NULLS FIRST`;
  });
  const columns = table.columns.map(column => column.name);
  // One row more than the limit, to see if any follow.
  const page = limit === null ? '' : ` LIMIT ${limit + 1}`;
  const all = await query(
    `SELECT ${columns.map(name)} FROM ${table.sqlName} WHERE ${where} ORDER BY ${order}${page} OFFSET ${offset}`,
  );
  const more = limit !== null && all.length > limit;
  const rows = more ? all.slice(0, limit) : all;
  const isStored =
    filters.length === 0 && counts.length === 1 && !more && offset % PAGE === 0 && rows.length > 0;
  const last = !more && (rows.length > 0 || offset === 0) ? offset + rows.length : null;
  const total = filters.length > 0 ? last : counts.reduce((sum, [, count]) => sum + Number(count), 0);
  // The manifest may have it: for some columns it counts each value's rows.
  const only = filters.length === 1 ? table.parameters.get(filters[0]!.param) : undefined;
  const isCounted = last === null && only?.kind === 'column' && only.bound === 'key';
  const counted = isCounted ? await query(`SELECT count(*) FROM ${table.sqlName} WHERE ${where}`) : [];
  const facts = {
    detail,
    years: table.year === undefined ? [] : counts.map(([year]) => year),
    filters: Object.fromEntries(filters.map(({ param, echo }) => [param, echo])),
  };
  return {
    columns,
    rows,
    // A stored page states its own limit.
    page: { ...(detail !== null && facts), offset, limit: isStored ? PAGE : limit, count: rows.length },
    next: more ? offset + (limit ?? 0) : null,
    totals: [total, ...counted.map(([count]) => Number(count))],
  };
}

interface Page extends Readonly<Record<string, unknown>> {
  readonly total: number | null;
  readonly next: string | null;
  readonly data: readonly Readonly<Record<string, Cell>>[];
}

/** The first difference, in words; null if there is none. */
export async function compareAnswer(
  response: Response,
  { format = 'json', table }: Question,
  wanted: Expectation,
): Promise<string | null> {
  if (response.status !== 200) return `status ${response.status}: ${await response.text()}`;
  switch (format) {
    case 'json': {
      const page = JSON.parse(await response.text()) as Page;
      return comparePage(page, wanted) ?? compareObjects(page.data, wanted, table);
    }
    case 'csv':
      return compareLines(await response.text(), wanted);
    case 'parquet':
      return compareObjects(
        await parquetReadObjects({ file: await response.arrayBuffer(), compressors, parsers: TEXTS }),
        wanted,
        table,
      );
    default:
      return format satisfies never;
  }
}

function comparePage(page: Page, wanted: Expectation): string | null {
  for (const [field, value] of Object.entries(wanted.page))
    if (!isEqual(page[field], value))
      return `${field} is ${JSON.stringify(page[field])}, not ${JSON.stringify(value)}`;
  if (!wanted.totals.includes(page.total)) return `total is ${page.total}, not ${wanted.totals}`;
  const next = page.next === null ? null : new URL(page.next, 'http://edge.test').searchParams.get('offset');
  if (next === (wanted.next === null ? null : String(wanted.next))) return null;
  return `next is ${page.next}, not ${wanted.next}`;
}

function compareObjects(
  objects: readonly Readonly<Record<string, unknown>>[],
  { columns, rows }: Expectation,
  table: LakeTable,
): string | null {
  const utc = new Set(table.columns.flatMap(column => (column.utc ? [column.name] : [])));
  for (const [at, object] of objects.slice(0, rows.length).entries()) {
    if (!isEqual(Object.keys(object), columns)) return `row ${at} has ${Object.keys(object)}`;
    for (const [i, column] of columns.entries()) {
      const [found, wanted] = [plain(object[column], utc.has(column)), rows[at]?.[i]];
      if (found !== wanted)
        return `row ${at}, ${column}: ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`;
    }
  }
  return objects.length === rows.length ? null : `${objects.length} rows, not ${rows.length}`;
}

/** Dates and timestamps as texts, which keep all decimals. */
const TEXTS = {
  dateFromDays: (days: number) => new Date(days * 86_400_000).toISOString().slice(0, 10),
  timestampFromMicroseconds: (micros: bigint) => {
    const text = new Date(Number(micros / 1000n)).toISOString().slice(0, 23);
    return `${text}${String(((micros % 1000n) + 1000n) % 1000n).padStart(3, '0')}`
      .replace(/(\.\d*?)0+$/, '$1')
      .replace(/\.$/, '');
  },
};

/** Parquet's timestamps in UTC have no Z, JSON's have one. */
function plain(value: unknown, inUtc: boolean): unknown {
  if (inUtc && typeof value === 'string') return `${value.replace(/Z$/, '')}Z`;
  return typeof value === 'bigint' ? Number(value) : value;
}

/** Compares a CSV with the form in FORMAT.md, to the byte. */
function compareLines(found: string, { columns, rows }: Expectation): string | null {
  const write = (cell: Cell) =>
    typeof cell === 'string' && /^$|[,"\n]/.test(cell)
      ? `"${cell.replaceAll('"', '""')}"`
      : String(cell ?? '');
  const wanted = [columns, ...rows].map(row => `${row.map(write)}\r\n`);
  let at = 0;
  for (const line of wanted) {
    if (!found.startsWith(line, at)) return `${found.slice(at, at + 300)}, not ${line}`;
    at += line.length;
  }
  return at === found.length ? null : `${found.slice(at, at + 300)}, not the end`;
}

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
