/** Finds how a text file separates its columns, and where its table begins. */
import type { FileLayout } from '../contract/dataset.ts';
import {
  fieldsOf,
  MARKS,
  OpenQuoteError,
  type RecordDialect,
  readRecords,
  type TableRecord,
} from './delimited-records.ts';
import { type FoundHeader, findHeader, type HeaderProblem } from './table-header.ts';
import { readFirst } from './text-encoding.ts';

export interface TextDialect extends RecordDialect {
  readonly header: FoundHeader | HeaderProblem;
  /** Whether the table begins on the first line that is not blank, as DuckDB reads it. */
  readonly plain: boolean;
}

const DELIMITERS = [',', ';', '\t', '|'];

/** Records that are looked at for the header. */
const FIRST_RECORDS = 200;

/**
 * The delimiter is the one under which a line has most of the `expected` names; of equals, the one that gives most
 * columns. Returns null for a file without text.
 */
export function readDialect(
  file: string,
  delimiters: readonly string[] = DELIMITERS,
  expected: ReadonlySet<string> = new Set(),
  layout: FileLayout = {},
): TextDialect | null {
  const start = readFirst(file, 64).toString('utf8');
  const stated = /^"?sep=(.)"?(?:[\r\n]|$)/i.exec(start.replace(MARKS, ''))?.[1];
  // DuckDB does not see a quote behind a mark, so a header of several lines would end too early.
  const isOddlyMarked = /^\ufeff?ï»¿|^\ufeff"/.test(start);
  let best: { dialect: TextDialect; rank: readonly number[] } | null = null;
  for (const delimiter of stated === undefined ? delimiters : [stated]) {
    let records = firstRecords(file, { delimiter });
    if (stated !== undefined) records = records.slice(1);
    const quotedLines = areLinesQuoted(records, delimiters, expected);
    const own = quotedLines === null ? { delimiter } : { delimiter: quotedLines, quotedLines: true };
    if (quotedLines !== null) records = firstRecords(file, own);
    if (records.length === 0) continue;
    const header = findHeader(records, expected, layout);
    const names = 'names' in header ? header.names : (records[0]?.cells ?? []);
    const width = names.length === usualWidth(records) ? names.length : 1;
    const isFirst = width > 1 && 'names' in header && header.first === 0;
    const known = names.filter(name => expected.has(name)).length;
    const rank = [known, isFirst ? 1 : 0, width, names.length];
    // DuckDB loses all rows below a line break in a name that is another than those between lines.
    const hasLines = names.some(name => /[\r\n]/.test(name));
    const isOwn = stated !== undefined || quotedLines !== null || isOddlyMarked || hasLines;
    const plain = !isOwn && 'names' in header && header.plain;
    if (best === null || isGreater(rank, best.rank)) best = { dialect: { ...own, header, plain }, rank };
  }
  return best?.dialect ?? null;
}

function isGreater(a: readonly number[], b: readonly number[]): boolean {
  const at = a.findIndex((value, i) => value !== b[i]);
  return at >= 0 && (a[at] ?? 0) > (b[at] ?? 0);
}

export function delimitersOf(format: 'csv' | 'tsv'): readonly string[] {
  return format === 'tsv' ? ['\t'] : DELIMITERS;
}

/** An open quote ends them: the database finds it again, and its line. */
function firstRecords(file: string, dialect: RecordDialect): TableRecord[] {
  const found: TableRecord[] = [];
  try {
    for (const record of readRecords(file, dialect)) {
      found.push(record);
      if (found.length === FIRST_RECORDS) break;
    }
  } catch (error) {
    if (!(error instanceof OpenQuoteError)) throw error;
  }
  return found;
}

/** The number of cells that most records have; 1 if none is usual. */
function usualWidth(records: readonly TableRecord[]): number {
  const counts = new Map<number, number>();
  for (const { cells } of records) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  const [width = 1, count = 0] = [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0] ?? [];
  return count >= records.length * 0.6 ? width : 1;
}

/** The delimiter within lines that are quoted as a whole; null if they are not. */
function areLinesQuoted(
  records: readonly TableRecord[],
  delimiters: readonly string[],
  expected: ReadonlySet<string>,
): string | null {
  if (records.length < 2 || records.some(({ cells }) => cells.length !== 1)) return null;
  const lines = records.map(({ cells }) => cells[0] ?? '');
  // The contract calls a column by the whole line.
  if (expected.has((lines[0] ?? '').trim())) return null;
  for (const delimiter of delimiters) {
    const fields = lines.map(line => fieldsOf(line, delimiter));
    const [header = []] = fields;
    const isProse = lines.every(line => !line.includes(delimiter) || line.includes(`${delimiter} `));
    if (header.length > 1 && !isProse && fields.every(({ length }) => length === header.length))
      return delimiter;
  }
  return null;
}
