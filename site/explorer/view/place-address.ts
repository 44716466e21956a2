/** A place in a page's URL: `?dimension=stations&region=n&station=7`, with the dimension's key columns. */
import { PAGES } from '../../../build/format/paths.ts';
import type { SchemaDocument } from '../../../build/format/schema.ts';
import { t } from '../messages/messages.ts';
import type { SearchDimension, SearchDocument } from './search-document.ts';

export interface Place {
  readonly dimension: SearchDimension;
  /** The place's name, or its key if the dimension lacks it. */
  readonly name: string;
  /** The enclosing place; '' if unknown. */
  readonly within: string;
  readonly key: readonly string[];
}

/** Returns the query string of a place, without its question mark. */
export function formatPlace(dimension: SearchDimension, key: readonly string[]): string {
  const pairs = dimension.key.map((column, i): [string, string] => [column, key[i] ?? '']);
  return new URLSearchParams([['dimension', dimension.id], ...pairs]).toString();
}

/** Says what a place is: `county`; `school in Adams (school district)`. */
export function describePlace({ dimension: { kind, parent }, within }: Place): string {
  if (within === '') return kind;
  return t.places.within(kind, parent ? `${within} (${parent.kind})` : within);
}

/** Null if the URL names no place; `unknown` if it names a missing one. */
export function parsePlace(document: SearchDocument, query: URLSearchParams): Place | 'unknown' | null {
  const asked = query.get('dimension');
  if (asked === null) return null;
  const dimension =
    document.dimensions.find(one => one.id === asked) ?? document.dimensions.find(one => one.name === asked);
  const key = dimension?.key.map(column => query.get(column) ?? '');
  return (dimension && findPlace(dimension, key ?? [])) ?? 'unknown';
}

export function placeAt(
  dimension: SearchDimension,
  [name = '', within = '', ...key]: readonly string[],
): Place {
  return { dimension, name, within, key };
}

export function findPlace(dimension: SearchDimension, key: readonly string[]): Place | null {
  const entry = dimension.places.find(([, , ...own]) => own.every((code, i) => code === key[i]));
  return entry ? placeAt(dimension, entry) : null;
}

/** The page of the place that a column's code names; null if no dimension of one key column describes it. */
export function placeAddress(
  root: URL,
  { foreign_keys }: Pick<SchemaDocument, 'foreign_keys'>,
  column: string,
  code: string,
): string | null {
  const join = foreign_keys.find(key => key.column === column && key.target_columns.length === 1);
  if (!join) return null;
  const pairs = [
    ['dimension', join.target_object],
    [join.target_columns[0]!, code],
  ];
  return new URL(`${PAGES.places}/?${new URLSearchParams(pairs)}`, root).href;
}
