/** A row of a source file as it stands there: trimmed cells, and the line on which it begins. */
export interface SourceRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

export interface DelimitedText {
  readonly records: readonly SourceRecord[];
  /** Quoted cells that hold line breaks. */
  readonly wrapped: readonly WrappedCell[];
  /** What is wrong with a quote, after which nothing was read. */
  readonly problem?: string;
}

export interface WrappedCell {
  /** Index of its record. */
  readonly record: number;
  /** The line on which its quote opens. */
  readonly line: number;
  /** The most delimiters that any of its lines has, the first left aside. */
  readonly delimiters: number;
}

/**
 * Text of a file whose encoding nobody wrote down: UTF-8 (a BOM is dropped), UTF-16 where a BOM says so, and
 * otherwise Windows-1252, which contains Latin-1.
 */
export function decodeText(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/**
 * Parses delimited text (RFC 4180; comma, semicolon or tab; LF, CRLF or CR). Lines without a single filled cell are
 * left out. A quote that nobody closed takes in the rows below it, and no row may be lost unseen: where it takes the
 * rest of the text, or some lines and then meets a quote in the middle of a cell, that is a problem.
 */
export function parseDelimited(content: string, delimiter = delimitersOf(content)[0]!): DelimitedText {
  const records: SourceRecord[] = [];
  const wrapped: WrappedCell[] = [];
  let cells: string[] = [];
  let cell = '';
  let quoted = false;
  let line = 1;
  let begun = 1;
  let opened = 1;
  // Whether the cell's quotes have closed around a line break.
  let wraps = false;
  const endCell = () => {
    cells.push(cell.trim());
    cell = '';
    wraps = false;
  };
  const endRecord = () => {
    endCell();
    if (cells.some(filled => filled !== '')) records.push({ line: begun, cells });
    cells = [];
  };
  for (let at = 0; at < content.length; at++) {
    const char = content[at]!;
    const breaks = char === '\n' || (char === '\r' && content[at + 1] !== '\n');
    if (breaks) line++;
    if (quoted) {
      if (char !== '"') cell += char;
      else if (content[at + 1] === '"') cell += content[at++];
      else {
        quoted = false;
        const delimiters = delimitersBelow(cell, delimiter);
        wraps = delimiters !== undefined;
        if (delimiters !== undefined) wrapped.push({ record: records.length, line: opened, delimiters });
      }
    } else if (char === '"' && cell.trim() === '') {
      quoted = true;
      opened = line;
      cell = '';
    } else if (char === delimiter) endCell();
    else if (breaks) {
      endRecord();
      begun = line;
    } else if (wraps && char.trim() !== '') return { records, wrapped, problem: swallowed(opened) };
    else if (char !== '\r') cell += char;
  }
  if (quoted) {
    const problem = `the quote that opens on line ${opened} never closes: remove it, or close it`;
    return { records, wrapped, problem };
  }
  endRecord();
  return { records, wrapped };
}

/** What is wrong with a quoted cell that has a line as wide as a row of the header's; notes of several lines have none. */
export function findSwallowedRows(text: DelimitedText, header: number): string | undefined {
  const width = text.records[header]!.cells.length;
  // The header of a single column may be two lines of words itself.
  const cell = text.wrapped.find(
    ({ record, delimiters }) =>
      delimiters >= width - 1 && (record > header || (record === header && width > 1)),
  );
  return cell && swallowed(cell.line);
}

function swallowed(line: number): string {
  return `the quote that opens on line ${line} does not close there and takes in rows below: remove it, or close it`;
}

/** The most delimiters on a line of a cell that is not its first; undefined where it has one line only. */
function delimitersBelow(cell: string, delimiter: string): number | undefined {
  if (!/[\r\n]/.test(cell)) return undefined;
  const lines = cell.split(/\r\n|\r|\n/).slice(1);
  return lines.reduce((most, line) => Math.max(most, line.split(delimiter).length - 1), 0);
}

/** The delimiters, first the one that the first line with any of them uses most. */
export function delimitersOf(content: string): string[] {
  const first = content.split(/[\r\n]/, 40).find(line => /[,;\t]/.test(line)) ?? '';
  const uses = (delimiter: string) => first.split(delimiter).length;
  return [',', ';', '\t'].sort((a, b) => uses(b) - uses(a));
}
