import type { Shape, SourceColumn } from './importer.ts';
import type { SourceRecord } from './source-parts.ts';

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
