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
  readonly rows: readonly (readonly Cell[])[];
  /** Other fields of a JSON page. `next`: the offset of the next one. */
  readonly page: Readonly<Record<string, unknown>>;
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
    `SELECT ${table.year === undefined ? 0 : name(table.year)}, count(*) FROM ${name(table.url)} WHERE ${matches(years)} GROUP BY ALL ORDER BY ALL`,
  );
  const selected = table.columns.map(column => name(column.name) + (column.utc ? " || 'Z'" : ''));
  const order = table.order.map(column => `${name(column)} NULLS FIRST`);
  // One row more than the limit, to see if any follow.
  const page = limit === null ? '' : ` LIMIT ${limit + 1}`;
  const all = await query(
    `SELECT ${selected} FROM ${name(table.url)} WHERE ${where} ORDER BY ${order}${page} OFFSET ${offset}`,
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
  const counted = isCounted ? await query(`SELECT count(*) FROM ${name(table.url)} WHERE ${where}`) : [];
  const facts = {
    detail,
    years: table.year === undefined ? [] : counts.map(([year]) => year),
    filters: Object.fromEntries(filters.map(({ param, echo }) => [param, echo])),
  };
  const next = more ? offset + limit : null;
  return {
    rows,
    // A stored page states its own limit.
    page: { ...(detail !== null && facts), offset, limit: isStored ? PAGE : limit, count: rows.length, next },
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
      return comparePage(page, wanted) ?? compareObjects(page.data, wanted.rows, table);
    }
    case 'csv':
      return compareLines(await response.text(), wanted.rows, table);
    case 'parquet':
      return compareObjects(
        await parquetReadObjects({ file: await response.arrayBuffer(), compressors, parsers: TEXTS }),
        wanted.rows,
        table,
      );
    default:
      return format satisfies never;
  }
}

function comparePage(page: Page, wanted: Expectation): string | null {
  const next = page.next && Number(new URL(page.next, 'http://edge.test').searchParams.get('offset'));
  const found: Readonly<Record<string, unknown>> = { ...page, next };
  for (const [field, value] of Object.entries(wanted.page))
    if (JSON.stringify(found[field]) !== JSON.stringify(value))
      return `${field} is ${JSON.stringify(found[field])}, not ${JSON.stringify(value)}`;
  return wanted.totals.includes(page.total) ? null : `total is ${page.total}, not ${wanted.totals}`;
}

function compareObjects(
  objects: readonly Readonly<Record<string, unknown>>[],
  rows: Expectation['rows'],
  { columns }: LakeTable,
): string | null {
  const utc = new Set(columns.flatMap(column => (column.utc ? [column.name] : [])));
  for (const [at, row] of rows.entries()) {
    const wanted = JSON.stringify(Object.fromEntries(columns.map(({ name }, i) => [name, row[i]])));
    const found = JSON.stringify(objects[at], (column, value) => plain(value, utc.has(column)));
    if (found !== wanted) return `row ${at} is ${found}, not ${wanted}`;
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
function compareLines(found: string, rows: Expectation['rows'], { columns }: LakeTable): string | null {
  const write = (cell: Cell) =>
    typeof cell === 'string' && /^$|[,"\n]/.test(cell)
      ? `"${cell.replaceAll('"', '""')}"`
      : String(cell ?? '');
  const wanted = [columns.map(column => column.name), ...rows].map(row => `${row.map(write)}\r\n`);
  let at = 0;
  for (const line of wanted) {
    if (!found.startsWith(line, at)) return `${found.slice(at, at + 300)}, not ${line}`;
    at += line.length;
  }
  return at === found.length ? null : `${found.slice(at, at + 300)}, not the end`;
}
