/** A row of a source file: its trimmed cells, and the line on which it begins. */
export interface SourceRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

export interface DelimitedText {
  readonly records: readonly SourceRecord[];
  /** Quoted cells that hold line breaks. */
  readonly wrapped: readonly WrappedCell[];
  /** The problem with a quote, after which nothing was read. */
  readonly problem?: string;
}

export interface WrappedCell {
  /** Index of its record. */
  readonly record: number;
  /** The line on which its quote opens. */
  readonly line: number;
  /** The most delimiters on one of its lines after the first. */
  readonly delimiters: number;
}

/**
 * Decodes a file of unknown encoding: UTF-8 (without its BOM), UTF-16 with a BOM, or else Windows-1252, which contains
 * Latin-1.
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
 * Parses delimited text (RFC 4180; comma, semicolon or tab; LF, CRLF or CR). Skips lines without a filled
 * cell. An unclosed quote swallows the rows below it, which must not go unnoticed: it is a problem if it swallows the
 * rest of the text, or some lines up to a quote in the middle of a cell.
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
  // True once the cell's quotes have closed around a line break.
  let wraps = false;
  const endCell = () => {
    cells.push(plainCell(cell));
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

/** A cell without the space around it, with plain spaces, and out of the `="0103"` that spares a code its zeros. */
function plainCell(cell: string): string {
  const text = cell.trim();
  if (text.startsWith('="') && text.endsWith('"')) return text.slice(2, -1).trim();
  return /[\u00a0\u2007\u202f]/.test(text) ? text.replace(/[\u00a0\u2007\u202f]+/g, ' ') : text;
}

/** The problem with a quoted cell that contains a line as wide as the header; notes of several lines contain none. */
export function findSwallowedRows(text: DelimitedText, header: number): string | undefined {
  const width = text.records[header]!.cells.length;
  // The header of a single column may have two lines itself.
  const cell = text.wrapped.find(
    ({ record, delimiters }) =>
      delimiters >= width - 1 && (record > header || (record === header && width > 1)),
  );
  return cell && swallowed(cell.line);
}

function swallowed(line: number): string {
  return `the quote that opens on line ${line} does not close there and takes in rows below: remove it, or close it`;
}

/** The most delimiters on a later line of a cell; undefined if it has one line. */
function delimitersBelow(cell: string, delimiter: string): number | undefined {
  if (!/[\r\n]/.test(cell)) return undefined;
  const lines = cell.split(/\r\n|\r|\n/).slice(1);
  return lines.reduce((most, line) => Math.max(most, line.split(delimiter).length - 1), 0);
}

/** The delimiters, beginning with the commonest on the first line that has any. */
export function delimitersOf(content: string): string[] {
  const first = content.split(/[\r\n]/, 40).find(line => /[,;\t]/.test(line)) ?? '';
  const uses = (delimiter: string) => first.split(delimiter).length;
  return [',', ';', '\t'].sort((a, b) => uses(b) - uses(a));
}
