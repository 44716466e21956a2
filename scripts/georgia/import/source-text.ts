/** The records of a text, delimited or JSON, and the header among them. */
import type { Shape } from './importer.ts';
import { type HeaderMatch, type HeaderProblem, matchHeaders, type Renamed } from './source-headers.ts';
import type { SourcePart, SourceRecord } from './source-parts.ts';

export interface SourceText {
  readonly records: readonly SourceRecord[];
  readonly match: HeaderMatch;
  /** Lines, rows of a sheet, or items of a JSON document. */
  readonly unit: 'line' | 'row' | 'item';
}

export function parseSource(
  content: SourcePart['content'],
  shapes: readonly Shape[],
  renamed: Renamed = new Map(),
): SourceText | HeaderProblem {
  if (!(content instanceof Uint8Array)) {
    const match = matchHeaders(shapes, content, renamed);
    return 'problem' in match ? match : { records: content, match, unit: 'row' };
  }
  const text = decodeText(content);
  if (text.includes('\0')) {
    const problem =
      'holds NUL characters: it is damaged, or UTF-16 without a byte order mark; save it as CSV in UTF-8';
    return { problem, near: true };
  }
  const other = otherDownload(text);
  if (other !== undefined) return { problem: other, near: true };
  return /^\s*[[{]/.test(text) ? parseJson(text, shapes, renamed) : parseText(text, shapes, renamed);
}

/** Downloads that people mistake for the file. */
function otherDownload(text: string): string | undefined {
  if (/^\s*<(!doctype|html)/i.test(text)) return 'is a web page: download the file that it links';
  return /^\ufeff?"?Label \(Grouping\)/i.test(text)
    ? 'is a table as data.census.gov shows it, without codes of places: download its archive (ZIP)'
    : undefined;
}

/** The beginning of a table in JSON. Delimited text may begin with a bracket too, in a title such as `[Draft] Rates`. */
const JSON_TABLE = /^\s*[[{][\s[{]*"/;

function parseJson(content: string, shapes: readonly Shape[], renamed: Renamed): SourceText | HeaderProblem {
  let records: SourceRecord[] | undefined;
  try {
    records = parseJsonTable(content);
  } catch (error) {
    // A truncated response of the Census Bureau must not be read as delimited text.
    const text = JSON_TABLE.test(content) ? undefined : parseText(content, shapes, renamed);
    if (text !== undefined && (!('problem' in text) || text.near)) return text;
    const reason = (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ');
    return {
      problem: `begins like JSON, but is not valid: ${reason}; download it again, or correct it there`,
      near: true,
    };
  }
  if (records === undefined)
    return { problem: 'is JSON, but not a table: expected objects, or arrays under a header', near: true };
  const repeated = findRepeatedKey(content);
  if (repeated !== undefined) return { problem: repeated, near: true };
  const match = matchHeaders(shapes, records, renamed);
  return 'problem' in match ? match : { records, match, unit: 'item' };
}

/** A title may have another delimiter than the rows: the first delimiter that yields a header counts. */
function parseText(content: string, shapes: readonly Shape[], renamed: Renamed): SourceText | HeaderProblem {
  const problems: HeaderProblem[] = [];
  for (const delimiter of delimitersOf(content)) {
    const text = parseDelimited(content, delimiter);
    if (text.records.length === 0 && text.problem === undefined) return { problem: 'is empty', near: false };
    const match = matchHeaders(shapes, text.records, renamed);
    if ('problem' in match) {
      // An unclosed quote may include the header.
      const quote = problems.length === 0 ? text.problem : undefined;
      problems.push(quote === undefined ? match : { problem: quote, near: true });
      continue;
    }
    const problem = text.problem ?? findSwallowedRows(text, match.record);
    return problem === undefined ? { records: text.records, match, unit: 'line' } : { problem, near: true };
  }
  return problems.find(({ near }) => near) ?? problems[0]!;
}

interface DelimitedText {
  readonly records: readonly SourceRecord[];
  /** Quoted cells with line breaks. */
  readonly wrapped: readonly WrappedCell[];
  /** A problem with a quote. Records after it are missing. */
  readonly problem?: string;
}

interface WrappedCell {
  /** Index of its record. */
  readonly record: number;
  /** The line on which its quote opens. */
  readonly line: number;
  /** The most delimiters on one of its lines after the first. */
  readonly delimiters: number;
}

/** The encoding is UTF-8, UTF-16 with a BOM, or else Windows-1252, which contains Latin-1. */
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
 * Parses delimited text (RFC 4180; comma, semicolon or tab; LF, CRLF or CR), without blank lines. An unclosed
 * quote takes in the rows below it: that is a problem if it takes in the rest of the text, or some lines up
 * to a quote in the middle of a cell.
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

/** Excel writes `="0103"` so that a code keeps its zeros. */
function plainCell(cell: string): string {
  const text = cell.trim();
  if (text.startsWith('="') && text.endsWith('"')) return text.slice(2, -1).trim();
  return /[\u00a0\u2007\u202f]/.test(text) ? text.replace(/[\u00a0\u2007\u202f]+/g, ' ') : text;
}

/**
 * A quoted cell with a line as wide as the header has taken in rows; a note of several lines has no such
 * line.
 */
function findSwallowedRows(text: DelimitedText, header: number): string | undefined {
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

/** The most delimiters on a line of the cell after its first; undefined if it has one line. */
function delimitersBelow(cell: string, delimiter: string): number | undefined {
  if (!/[\r\n]/.test(cell)) return undefined;
  const lines = cell.split(/\r\n|\r|\n/).slice(1);
  return lines.reduce((most, line) => Math.max(most, line.split(delimiter).length - 1), 0);
}

/** The most common delimiter of the first line that has any comes first. */
function delimitersOf(content: string): string[] {
  const first = content.split(/[\r\n]/, 40).find(line => /[,;\t]/.test(line)) ?? '';
  const uses = (delimiter: string) => first.split(delimiter).length;
  return [',', ';', '\t'].sort((a, b) => uses(b) - uses(a));
}

/**
 * Records of a JSON document, the first of them the header. Three layouts are read: an object of objects by key
 * (`{"13001": {"fips": "13001", …}}`), an array of objects, and an array of arrays whose first row is the header,
 * as the Census Bureau's API responds. Nested values and null are blank cells. Undefined for any other layout.
 *
 * @throws SyntaxError if the text is not JSON
 */
export function parseJsonTable(content: string): SourceRecord[] | undefined {
  const document: unknown = JSON.parse(content);
  if (typeof document !== 'object' || document === null) return undefined;
  const items: unknown[] = Array.isArray(document) ? document : Object.values(document);
  if (items.length === 0) return undefined;
  if (items.every(item => Array.isArray(item))) {
    return items.map((row, index) => ({ line: index + 1, cells: row.map(jsonCell) }));
  }
  if (!items.every(isPlainObject)) return undefined;
  const header = [...new Set(items.flatMap(item => Object.keys(item)))];
  const rows = items.map((item, index) => ({
    line: index + 1,
    cells: header.map(name => jsonCell(item[name])),
  }));
  return [{ line: 0, cells: header }, ...rows];
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function jsonCell(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value).trim()
    : '';
}

/**
 * Finds a key that an object has twice: a parser silently drops the first. The document must be valid JSON.
 */
function findRepeatedKey(content: string): string | undefined {
  // The lines of each open object's keys; undefined for an array.
  const open: (Map<string, number> | undefined)[] = [];
  let line = 1;
  let atKey = false;
  for (const [token] of content.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],\n]/g)) {
    const keys = open.at(-1);
    if (token === '\n') line++;
    else if (token === '{' || token === '[') {
      open.push(token === '{' ? new Map() : undefined);
      atKey = token === '{';
    } else if (token === '}' || token === ']') open.pop();
    else if (token === ',') atKey = keys !== undefined;
    else if (atKey && keys !== undefined) {
      const key = JSON.parse(token) as string;
      const before = keys.get(key);
      if (before !== undefined)
        return `holds ${token} twice in one object (lines ${before}, ${line}): remove the wrong one`;
      keys.set(key, line);
      atKey = false;
    }
  }
  return undefined;
}
