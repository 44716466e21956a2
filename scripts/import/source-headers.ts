import type { Shape } from './importer.ts';
import type { SourceRecord } from './source-csv.ts';

/** Where a shape's columns stand in a file. */
export interface HeaderMatch {
  readonly shape: Shape;
  /** Index of the header among the file's records: titles may stand above it. */
  readonly record: number;
  /** Column name to cell index; optional columns that the file lacks are absent. */
  readonly cells: ReadonlyMap<string, number>;
  readonly unused: readonly string[];
}

/** What is wrong with the header that is nearest to one; `near` where one of the records is like a header at all. */
export interface HeaderProblem {
  readonly problem: string;
  readonly near: boolean;
}

/** Titles and notes above the header are looked through, but not a whole file. */
const RECORDS_TO_SEARCH = 20;

/** The first shape that a header among the first records satisfies, or what is wrong with the nearest. */
export function matchHeaders(
  shapes: readonly Shape[],
  records: readonly SourceRecord[],
): HeaderMatch | HeaderProblem {
  const candidates = records.slice(0, RECORDS_TO_SEARCH);
  let nearest: { missing: readonly string[]; shape: Shape } | undefined;
  for (const shape of shapes) {
    for (const [record, { cells }] of candidates.entries()) {
      const found = locate(shape, cells);
      if ('twice' in found) return { problem: twice(found.twice, cells), near: true };
      const missing = shape.columns
        .filter(column => column.required && !found.cells.has(column.name))
        .map(column => column.headers[0]!);
      if (missing.length === 0) {
        const other = cells.find(cell => shape.otherPlaces?.test(plainHeader(cell)));
        if (other !== undefined) return { problem: otherPlaces(other), near: true };
        const used = new Set(found.cells.values());
        return { shape, record, cells: found.cells, unused: cells.filter((_, index) => !used.has(index)) };
      }
      const required = shape.columns.filter(column => column.required).length;
      if (missing.length < required && (!nearest || missing.length < nearest.missing.length)) {
        nearest = { missing, shape };
      }
    }
  }
  if (!nearest) {
    const header = shapes[0]!.columns.filter(column => column.required).map(column => column.headers[0]);
    return { problem: `no line holds the expected headers (${header.join(', ')})`, near: false };
  }
  const { missing, shape } = nearest;
  const plural = missing.length === 1 ? 'column' : 'columns';
  return {
    problem: `the ${plural} ${missing.join(', ')} of ${shape.name} ${missing.length === 1 ? 'is' : 'are'} missing`,
    near: true,
  };
}

function locate(
  shape: Shape,
  header: readonly string[],
): { readonly cells: Map<string, number> } | { readonly twice: readonly [number, number] } {
  const cells = new Map<string, number>();
  const plain = header.map(plainHeader);
  for (const column of shape.columns) {
    const names = column.headers.map(plainHeader);
    // Headers are tried in order, so that a file with both the code and a look-alike gives the code.
    for (const name of names) {
      const index = plain.indexOf(name);
      if (index === -1) continue;
      const second = plain.indexOf(name, index + 1);
      if (second !== -1) return { twice: [index, second] };
      cells.set(column.name, index);
      break;
    }
  }
  return { cells };
}

function plainHeader(header: string): string {
  return header.toLowerCase().replace(/[^a-z0-9]/g, '');
}

function otherPlaces(header: string): string {
  return `the column ${header} says that its rows are of other places than the dataset has: take the file of another level`;
}

function twice([first, second]: readonly [number, number], header: readonly string[]): string {
  return `the column ${header[first]} stands twice (cells ${first + 1} and ${second + 1}): remove one`;
}
