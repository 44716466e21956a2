/** The expected answer to a question, from SQL on the lake's tables, and its comparison with a given answer. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { PAGE_ROWS } from '../../build/format/documents.ts';
import { identifier as name, rowOrder, literal as text } from '../../build/lake/sql.ts';
import { withTemporaryFolder } from '../../build/tree/workspace.ts';
import { type Cell, type LakeTable, readParquet, spelled } from './lake.ts';
import type { Question } from './questions.ts';

interface Expectation {
  readonly rows: readonly (readonly Cell[])[];
  /** Fields of a JSON page. `next`: the offset of the next one. */
  readonly page: Readonly<Record<string, unknown>>;
  /** Whether the page may have null as its total, since nothing has counted all rows. */
  readonly isUncounted: boolean;
}

export async function expectAnswer(
  connection: DuckDBConnection,
  { table, asked, ...question }: Question,
): Promise<Expectation> {
  const { offset = 0, format = 'json' } = question;
  const limit = question.limit ?? (format === 'json' ? PAGE_ROWS : null);
  const detail = question.detail ?? table.defaultLevel;
  const query = async (sql: string) => (await connection.runAndReadAll(sql)).getRows() as Cell[][];
  const filters = asked
    .filter(({ param }) => table.parameters.get(param)?.kind !== 'rule')
    .sort((a, b) => (a.param < b.param ? -1 : 1));
  const level = detail === null ? [] : [`"level of detail" = ${text(detail)}`];
  const matching = (some: Question['asked']) =>
    `FROM ${name(table.url)} WHERE ${[...level, ...some.map(({ sql }) => `(${sql})`)].join(' AND ') || true}`;
  const years = await query(
    `SELECT DISTINCT ${table.year === undefined ? 0 : name(table.year)} ${matching(asked.filter(one => !filters.includes(one)))} ORDER BY ALL`,
  );
  const [[total]] = (await query(`SELECT count(*)::DOUBLE ${matching(asked)}`)) as [[number]];
  const rows = await query(
    `SELECT ${table.columns.map(spelled)} ${matching(asked)} ORDER BY ${rowOrder(table.order, name(table.url))} LIMIT ${limit ?? 'ALL'} OFFSET ${offset}`,
  );
  const end = offset + rows.length;
  const next = end < total ? end : null;
  const isStored =
    filters.length === 0 &&
    years.length === 1 &&
    next === null &&
    offset % PAGE_ROWS === 0 &&
    rows.length > 0;
  const facts = {
    detail,
    years: table.year === undefined ? [] : years.flat(),
    filters: Object.fromEntries(
      filters.map(({ param, values }) => [param, [...new Set(values)].sort(byBytes)]),
    ),
  };
  return {
    rows,
    // A stored page states its own limit.
    page: {
      ...(detail !== null && facts),
      ...{ offset, limit: isStored ? PAGE_ROWS : limit, count: rows.length, total, next },
    },
    isUncounted: filters.length > 0 && (next !== null || (rows.length === 0 && offset > 0)),
  };
}

/** The API sorts texts by their bytes; JavaScript wouldn't. */
function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

interface Page extends Readonly<Record<string, unknown>> {
  readonly next: string | null;
  readonly data: readonly Readonly<Record<string, Cell>>[];
}

/** The first difference, in words; null if there is none. */
export async function compareAnswer(
  connection: DuckDBConnection,
  response: Response,
  { format = 'json', table }: Question,
  wanted: Expectation,
): Promise<string | null> {
  if (response.status !== 200) return `status ${response.status}: ${await response.text()}`;
  switch (format) {
    case 'json': {
      const page = (await response.json()) as Page;
      return comparePage(page, wanted) ?? compareRows(page.data, wanted.rows, table);
    }
    case 'csv':
      return compareLines(await response.text(), wanted.rows, table);
    case 'parquet':
      return withTemporaryFolder(async folder => {
        const file = path.join(folder, 'answer.parquet');
        await writeFile(file, Buffer.from(await response.arrayBuffer()));
        return compareRows(await readParquet(connection, file, table.columns), wanted.rows, table);
      });
    default:
      return format satisfies never;
  }
}

function comparePage(page: Page, { page: wanted, isUncounted }: Expectation): string | null {
  const next = page.next && Number(new URL(page.next, 'http://edge.test').searchParams.get('offset'));
  const found: Readonly<Record<string, unknown>> = { ...page, next };
  for (const [field, value] of Object.entries(wanted)) {
    if (field === 'total' && isUncounted && found[field] === null) continue;
    if (JSON.stringify(found[field]) !== JSON.stringify(value))
      return `${field} is ${JSON.stringify(found[field])}, not ${JSON.stringify(value)}`;
  }
  return null;
}

function compareRows(found: Page['data'], rows: Expectation['rows'], { columns }: LakeTable): string | null {
  for (const [at, row] of rows.entries()) {
    const wanted = JSON.stringify(Object.fromEntries(columns.map(({ name }, i) => [name, row[i]])));
    if (JSON.stringify(found[at]) !== wanted)
      return `row ${at} is ${JSON.stringify(found[at])}, not ${wanted}`;
  }
  return found.length === rows.length ? null : `${found.length} rows, not ${rows.length}`;
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
