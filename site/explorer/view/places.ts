/** A place in a page's URL, `?dimension=stations&region=n&station=7`, and the places around it. */
import { PAGES } from '../../../build/format/paths.ts';
import { t } from '../messages/messages.ts';
import type { SearchDimension, SearchDocument } from './search-document.ts';
import { root } from './tree-root.ts';

export interface Place {
  readonly dimension: SearchDimension;
  /** The place's name, or its key if the dimension lacks it. */
  readonly name: string;
  /** The place around it; '' if unknown. */
  readonly within: string;
  readonly key: readonly string[];
}

/** The address of a place's page. */
export function placeAddress(dimension: Pick<SearchDimension, 'id' | 'key'>, key: readonly string[]): string {
  const pairs = dimension.key.map((column, i): [string, string] => [column, key[i] ?? '']);
  const query = new URLSearchParams([['dimension', dimension.id], ...pairs]);
  return new URL(`${PAGES.places}/?${query}`, root).href;
}

/** `county`; `school in Adams (school district)`. */
export function describePlace({ dimension: { kind, parent }, within }: Place): string {
  if (within === '') return kind;
  return t.places.within(kind, parent ? `${within} (${parent.kind})` : within);
}

/** Null if the URL names no place that exists. */
export function parsePlace({ dimensions }: SearchDocument, query: URLSearchParams): Place | null {
  const asked = query.get('dimension');
  const dimension =
    dimensions.find(({ id }) => id === asked) ?? dimensions.find(({ name }) => name === asked);
  const key = dimension?.key.map(column => query.get(column) ?? '');
  return (dimension && findPlace(dimension, key ?? [])) ?? null;
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

/** Null if the tree has no place around it. */
export function parentOf({ dimensions }: SearchDocument, place: Place): Place | null {
  const { parent, key } = place.dimension;
  const outer = dimensions.find(({ id }) => id === parent?.id);
  return outer
    ? findPlace(
        outer,
        outer.key.map(column => place.key[key.indexOf(column)] ?? ''),
      )
    : null;
}

interface ListedPlaces {
  readonly dimension: SearchDimension;
  /** By name. */
  readonly places: readonly Place[];
}

export function childrenOf({ dimensions }: SearchDocument, place: Place): ListedPlaces[] {
  return dimensions
    .filter(({ parent }) => parent?.id === place.dimension.id)
    .map(dimension => {
      const at = place.dimension.key.map(column => dimension.key.indexOf(column));
      const own = dimension.places.filter(([, , ...codes]) =>
        at.every((one, i) => codes[one] === place.key[i]),
      );
      const places = own.map(entry => placeAt(dimension, entry));
      return { dimension, places: places.sort((a, b) => (a.name < b.name ? -1 : 1)) };
    })
    .filter(({ places }) => places.length > 0);
}
