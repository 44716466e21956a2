/** The records of a text, delimited or JSON, and the header among them. */
import type { Shape, SourceColumn } from './importer.ts';
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
    const problem = text.problem ?? findSwallowedRows(text.records, match.record, delimiter);
    return problem === undefined ? { records: text.records, match, unit: 'line' } : { problem, near: true };
  }
  return problems.find(({ near }) => near) ?? problems[0]!;
}

interface DelimitedText {
  readonly records: readonly SourceRecord[];
  /** The text ends within a quote, and the records after it are missing. */
  readonly problem?: string;
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

/** Parses delimited text (RFC 4180; comma, semicolon or tab; LF, CRLF or CR), without blank lines. */
export function parseDelimited(content: string, delimiter = delimitersOf(content)[0]!): DelimitedText {
  const records: SourceRecord[] = [];
  let cells: string[] = [];
  let cell = '';
  let quoted = false;
  let line = 1;
  let begun = 1;
  let opened = 1;
  const endCell = () => {
    cells.push(plainCell(cell));
    cell = '';
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
      else quoted = false;
    } else if (char === '"' && cell.trim() === '') {
      quoted = true;
      opened = line;
      cell = '';
    } else if (char === delimiter) endCell();
    else if (breaks) {
      endRecord();
      begun = line;
    } else if (char !== '\r') cell += char;
  }
  if (quoted) {
    const problem = `the quote that opens on line ${opened} never closes: remove it, or close it`;
    return { records, problem };
  }
  endRecord();
  return { records };
}

/** Excel writes `="0103"` so that a code keeps its zeros. */
function plainCell(cell: string): string {
  const text = cell.trim();
  if (text.startsWith('="') && text.endsWith('"')) return text.slice(2, -1).trim();
  return /[\u00a0\u2007\u202f]/.test(text) ? text.replace(/[\u00a0\u2007\u202f]+/g, ' ') : text;
}

/**
 * A quote that nobody closed takes in rows up to the next one: its cell has a line as wide as the header, which a note of
 * several lines hasn't.
 */
function findSwallowedRows(
  records: readonly SourceRecord[],
  header: number,
  delimiter: string,
): string | undefined {
  const width = records[header]!.cells.length;
  const isRow = (line: string) => line.split(delimiter).length >= width;
  const found = records
    // The header of a single column may have two lines itself.
    .slice(width > 1 ? header : header + 1)
    .find(({ cells }) =>
      cells.some(cell =>
        cell
          .split(/\r\n|\r|\n/)
          .slice(1)
          .some(isRow),
      ),
    );
  return (
    found &&
    `the quote that opens on line ${found.line} does not close there and takes in rows below: remove it, or close it`
  );
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

export interface HeaderMatch {
  readonly shape: Shape;
  /** Index of the header among the file's records; titles may precede it. */
  readonly record: number;
  /** One header for each cell; those of two rows are joined. */
  readonly header: readonly string[];
  /** Index of the first record below the header. */
  readonly body: number;
  /** Column name to cell index, of columns that the file has. */
  readonly cells: ReadonlyMap<string, number>;
  readonly unused: readonly string[];
}

/** The problem with the nearest header; `near` if any record resembles a header. */
export interface HeaderProblem {
  readonly problem: string;
  readonly near: boolean;
}

/** Records searched for the header, below titles and notes. */
const RECORDS_TO_SEARCH = 20;

interface Candidate {
  readonly shape: Shape;
  readonly found: number;
  readonly missing: readonly string[];
  readonly unknown: readonly string[];
}

/**
 * Finds the first shape whose required columns a header among the first records has, or the problem with the
 * nearest.
 */
export function matchHeaders(
  shapes: readonly Shape[],
  records: readonly SourceRecord[],
  renamed: Renamed = new Map(),
): HeaderMatch | HeaderProblem {
  const ignored = new Set(
    shapes.flatMap(({ columns }) => columns.filter(one => one.ignored).flatMap(plainHeaders)),
  );
  const nearest: Candidate[] = [];
  for (const shape of shapes) {
    const required = shape.columns.filter(column => column.required);
    const candidates: Candidate[] = [];
    for (const { record, cells, names, body } of headersOf(shape, records, renamed)) {
      const found = locate(shape, names);
      if ('twice' in found) return { problem: twice(found.twice, cells), near: true };
      const missing = required.filter(({ name }) => !found.cells.has(name)).map(({ headers }) => headers[0]!);
      const used = new Set(found.cells.values());
      const unused = cells.filter((_, index) => !used.has(index));
      const unknown = unused.filter(cell => cell !== '' && !ignored.has(plainHeader(cell)));
      if (missing.length === 0 && !(shape.exact && unknown.length > 0)) {
        const other = cells.find(cell => shape.otherPlaces?.test(plainHeader(cell)));
        if (other !== undefined) return { problem: otherPlaces(other), near: true };
        return { shape, record, header: cells, body, cells: found.cells, unused };
      }
      if (missing.length < required.length) candidates.push({ shape, found: used.size, missing, unknown });
    }
    // Prefers the header to a title above it or a row below.
    nearest.push(...candidates.sort((a, b) => b.found - a.found).slice(0, 1));
  }
  const [first] = nearest.sort(
    (a, b) => distance(a) - distance(b) || wrongColumns(a) - wrongColumns(b) || b.found - a.found,
  );
  if (first) return { problem: misfit(first), near: true };
  const header = shapes[0]!.columns.filter(column => column.required).map(column => column.headers[0]);
  return { problem: `no line holds the expected headers (${header.join(', ')})`, near: false };
}

/** Columns that the file lacks or has too many. A renamed column counts twice: as missing and as unknown. */
function distance({ missing, unknown }: Candidate): number {
  return Math.max(missing.length, unknown.length);
}

function wrongColumns({ missing, unknown }: Candidate): number {
  return missing.length + unknown.length;
}

function misfit({ shape, missing, unknown }: Candidate): string {
  const wrong = [
    ...(missing.length > 0 ? [`${listed(missing)} ${missing.length === 1 ? 'is' : 'are'} missing`] : []),
    ...(unknown.length > 0 ? [`${listed(unknown)} ${unknown.length === 1 ? 'is' : 'are'} too many`] : []),
  ];
  return `fits no known layout; the nearest is ${shape.name}: ${wrong.join('; ')}`;
}

/** Wide files have hundreds of headers. */
function listed(names: readonly string[]): string {
  const shown = names.slice(0, 8).join(', ');
  return names.length > 8 ? `${shown} and ${names.length - 8} more` : shown;
}

/** A record, or two, that may be a header. */
interface Header {
  readonly record: number;
  readonly body: number;
  readonly cells: readonly string[];
  /** For each cell the plain names by which a column finds it, the fullest first. */
  readonly names: readonly (readonly string[])[];
}

/** New names of columns by their plain old ones. */
export type Renamed = ReadonlyMap<string, string>;

function* headersOf(shape: Shape, records: readonly SourceRecord[], renamed: Renamed): Generator<Header> {
  for (const [record, { cells: found }] of records.slice(0, RECORDS_TO_SEARCH).entries()) {
    const cells = found.map(cell => renamed.get(plainHeader(cell)) ?? cell);
    yield { record, body: record + 1, cells, names: cells.map(cell => [plainHeader(cell)]) };
    const below = records[record + 1];
    if (shape.twoRows && below !== undefined)
      yield { record, body: record + 2, ...joinedHeader(found, below.cells) };
  }
}

/**
 * Joins a row of merged headers with the row below it: `Mathematics` over `Median SGP` is `Mathematics Median
 * SGP`. A merged header extends to the next one. Over a blank cell it gets the word blank.
 */
function joinedHeader(above: readonly string[], below: readonly string[]): Pick<Header, 'cells' | 'names'> {
  const cells: string[] = [];
  const names: string[][] = [];
  let over = '';
  for (const [index, own] of above.entries()) {
    const metric = below[index] ?? '';
    if (own !== '') over = own;
    const joined =
      metric !== '' ? `${over} ${metric}` : own !== '' ? own : over === '' ? '' : `${over} blank`;
    const unique =
      metric !== '' && below.filter(cell => plainHeader(cell) === plainHeader(metric)).length === 1;
    cells.push(joined.trim());
    names.push([plainHeader(joined), ...(unique ? [plainHeader(metric)] : [])]);
  }
  return { cells, names };
}

function locate(
  shape: Shape,
  header: readonly (readonly string[])[],
): { readonly cells: Map<string, number> } | { readonly twice: readonly [number, number] } {
  const cells = new Map<string, number>();
  const places = new Map<string, number[]>();
  for (const [index, names] of header.entries())
    for (const name of new Set(names)) places.set(name, [...(places.get(name) ?? []), index]);
  for (const column of shape.columns.filter(({ ignored }) => !ignored)) {
    // In this order: if a file has both the code and a look-alike, the code counts.
    for (const spelling of column.headers) {
      const name = plainHeader(spelling);
      const [index, second] = spelling.endsWith('…') ? beginningWith(places, name) : (places.get(name) ?? []);
      if (index === undefined) continue;
      if (second !== undefined) return { twice: [index, second] };
      cells.set(column.name, index);
      break;
    }
  }
  return { cells };
}

/** Cells whose name begins so, because the offices put thresholds of a grade into headers. */
function beginningWith(places: ReadonlyMap<string, readonly number[]>, name: string): number[] {
  const found = [...places].filter(([header]) => header.startsWith(name)).flatMap(([, indexes]) => indexes);
  return [...new Set(found)];
}

function plainHeaders({ headers }: SourceColumn): string[] {
  return headers.map(plainHeader);
}

/** A header without case, spaces and punctuation. */
export function plainHeader(header: string): string {
  return header.toLowerCase().replace(/[^a-z0-9]/g, '');
}

function otherPlaces(header: string): string {
  return `the column ${header} belongs to places that the dataset does not have: use the file of another level`;
}

function twice([first, second]: readonly [number, number], header: readonly string[]): string {
  return `the column ${header[first]} appears twice (cells ${first + 1} and ${second + 1}): remove one`;
}
