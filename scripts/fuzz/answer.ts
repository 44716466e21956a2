/** Reads an answer's rows from each format and compares them with the expected ones. */
import { parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import type { Cell, Expectation } from './expectation.ts';
import type { LakeTable } from './lake.ts';
import type { Question } from './questions.ts';

interface Page extends Readonly<Record<string, unknown>> {
  readonly total: number | null;
  readonly next: string | null;
  readonly data: readonly Readonly<Record<string, Cell>>[];
}

/** The first difference, in words; null if there is none. */
export async function compareAnswer(
  response: Response,
  question: Question,
  table: LakeTable,
  wanted: Expectation,
): Promise<string | null> {
  if (response.status !== 200) return `status ${response.status}: ${await response.text()}`;
  switch (question.format) {
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
      return question.format satisfies never;
  }
}

function comparePage(page: Page, wanted: Expectation): string | null {
  for (const [field, value] of Object.entries(wanted.page))
    if (!isEqual(page[field], value))
      return `${field} is ${JSON.stringify(page[field])}, not ${JSON.stringify(value)}`;
  if (!wanted.totals.includes(page.total)) return `total is ${page.total}, not ${wanted.totals}`;
  const next = page.next === null ? null : new URL(page.next, 'http://edge.test').searchParams.get('offset');
  if (next === (wanted.next === null ? null : String(wanted.next))) return null;
  return `next is ${page.next}, and should begin at ${wanted.next}`;
}

function compareObjects(
  objects: readonly Readonly<Record<string, unknown>>[],
  wanted: Expectation,
  table: LakeTable,
): string | null {
  const utc = new Set(table.columns.flatMap(column => (column.utc ? [column.name] : [])));
  const [first] = objects;
  if (first && !isEqual(Object.keys(first), wanted.columns)) return `columns ${Object.keys(first).join()}`;
  return compareRows(
    objects.map(object => wanted.columns.map(column => plain(object[column], utc.has(column)))),
    wanted,
  );
}

function compareRows(
  rows: readonly (readonly unknown[])[],
  { rows: wanted, columns }: Expectation,
): string | null {
  for (const [index, row] of wanted.entries()) {
    const found = rows[index];
    if (!found) break;
    for (const [position, value] of row.entries()) {
      if (Object.is(found[position], value) || (found[position] === 0 && value === 0)) continue;
      return `row ${index}, ${columns[position]}: ${JSON.stringify(found[position])}, not ${JSON.stringify(value)}`;
    }
    if (found.length !== row.length) return `row ${index} has ${found.length} cells, not ${row.length}`;
  }
  return rows.length === wanted.length ? null : `${rows.length} rows, not ${wanted.length}`;
}

/** Dates and timestamps as texts, which hold all decimals. The Z of UTC is not part of a value in Parquet. */
const TEXTS = {
  dateFromDays: (days: number) => new Date(days * 86_400_000).toISOString().slice(0, 10),
  timestampFromMicroseconds: (micros: bigint) => {
    const text = new Date(Number(micros / 1000n)).toISOString().slice(0, 23);
    return `${text}${String(((micros % 1000n) + 1000n) % 1000n).padStart(3, '0')}`
      .replace(/(\.\d*?)0+$/, '$1')
      .replace(/\.$/, '');
  },
};

function plain(value: unknown, inUtc: boolean): unknown {
  if (inUtc && typeof value === 'string') return `${value.replace(/Z$/, '')}Z`;
  return typeof value === 'bigint' ? Number(value) : value;
}

/** As FORMAT.md has it, to the byte. */
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
