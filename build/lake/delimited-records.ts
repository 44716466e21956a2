/** Reads delimited text record by record, with the line that each begins on. */
import { closeSync, openSync, readSync } from 'node:fs';

/** A line of text, or a row of a sheet. */
export interface TableRecord {
  /** Counts from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  /** Places of cells that belong to a merged cell on their left. */
  readonly wide?: ReadonlySet<number>;
}

export interface RecordDialect {
  readonly delimiter: string;
  /** Whether each line is quoted as a whole, so that its fields are within. */
  readonly quotedLines?: boolean;
}

const CHUNK = 1 << 20;
/** Characters of a record; DuckDB reads no more. */
const LONGEST = 1 << 24;

/** Marks of UTF-8 at the start of a file; the second was read as Windows-1252 and written again. */
export const MARKS = /^(?:\ufeff|ï»¿)+/;

/** A quote that the file does not end. */
export class OpenQuoteError extends Error {
  readonly line: number;
  constructor(line: number) {
    super(`a quote that begins on line ${line} does not end`);
    this.line = line;
  }
}

/** The file's records without blank lines. Throws OpenQuoteError, and TypeError if the text is not UTF-8. */
export function* readRecords(file: string, dialect: RecordDialect): Generator<TableRecord> {
  const descriptor = openSync(file, 'r');
  try {
    yield* recordsOf(textOf(descriptor), dialect);
  } finally {
    closeSync(descriptor);
  }
}

function* textOf(descriptor: number): Generator<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });
  const buffer = Buffer.alloc(CHUNK);
  for (let isFirst = true; ; isFirst = false) {
    const bytes = readSync(descriptor, buffer, 0, CHUNK, null);
    const text = decoder.decode(buffer.subarray(0, bytes), { stream: bytes > 0 });
    yield isFirst ? text.replace(MARKS, '') : text;
    if (bytes === 0) return;
  }
}

/** `chunks` may cut the text anywhere. */
function* recordsOf(
  chunks: Iterable<string>,
  { delimiter, quotedLines = false }: RecordDialect,
): Generator<TableRecord> {
  let cells: string[] = [];
  let field = '';
  let size = 0;
  let quote: 'none' | 'open' | 'closed' = 'none';
  let line = 1;
  let begins = 1;
  let last = '';
  const record = (): TableRecord | null => {
    const all = [...cells, field];
    cells = [];
    field = '';
    size = 0;
    quote = 'none';
    if (all.length === 1 && all[0] === '') return null;
    return { line: begins, cells: quotedLines ? fieldsOf(all[0] ?? '', delimiter) : all };
  };
  for (const text of chunks) {
    for (let i = 0; i < text.length; i++) {
      const character = text[i]!;
      const isEnd = character === '\n' || character === '\r';
      // The second half of a Windows line end.
      const isRest = character === '\n' && last === '\r';
      last = character;
      if (isEnd && !isRest) line++;
      if (quote === 'open') {
        if (++size > LONGEST) throw new OpenQuoteError(begins);
        if (character === '"') quote = 'closed';
        else field += character;
        continue;
      }
      if (character === '"' && quote === 'closed') {
        field += '"';
        quote = 'open';
      } else if (character === '"' && field === '') quote = 'open';
      else if (character === delimiter && !quotedLines) {
        cells.push(field);
        field = '';
        quote = 'none';
      } else if (isEnd) {
        const found = isRest ? null : record();
        if (found !== null) yield found;
        begins = line;
      } else {
        if (++size > LONGEST) throw new OpenQuoteError(begins);
        field += character;
      }
    }
  }
  if (quote === 'open') throw new OpenQuoteError(begins);
  const found = record();
  if (found !== null) yield found;
}

/** The fields of one line. */
export function fieldsOf(text: string, delimiter: string): readonly string[] {
  try {
    const [first] = recordsOf([text], { delimiter });
    return first?.cells ?? [''];
  } catch {
    return [text];
  }
}
