/** A place in a page's URL: `?dimension=stations&region=n&station=7`, with the dimension's key columns. */
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

/** Null if the URL names no place; `unknown` if it names a missing one. */
export function parsePlace(document: SearchDocument, query: URLSearchParams): Place | 'unknown' | null {
  const asked = query.get('dimension');
  if (asked === null) return null;
  const dimension =
    document.dimensions.find(one => one.id === asked) ?? document.dimensions.find(one => one.name === asked);
  const key = dimension?.key.map(column => query.get(column));
  const entry = dimension?.places.find(([, , ...values]) => values.every((value, i) => value === key?.[i]));
  if (dimension === undefined || entry === undefined) return 'unknown';
  const [name = '', within = '', ...values] = entry;
  return { dimension, name, within, key: values };
}
