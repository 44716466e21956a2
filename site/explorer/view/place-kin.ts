/** The place that a place lies in, and the places that lie in it. */
import { findPlace, type Place, placeAt } from './place-address.ts';
import { takeFigureRows } from './figure.ts';
import type { PlaceSubject } from './place-figures.ts';
import type { Rows } from './rows.ts';
import type { SearchDimension, SearchDocument } from './search-document.ts';

/** Null if it lies in none here. */
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

export interface ListedPlaces {
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

/** The other places of rows about pairs: the schools whose zones a block group lies in. */
export function partnersOf(
  { dimensions }: SearchDocument,
  { dataset, rows: { detail } }: PlaceSubject,
  place: Place,
  rows: Rows,
): ListedPlaces[] {
  return dimensions.flatMap((dimension): ListedPlaces[] => {
    const pair = dimension.datasets.find(
      one => one.key === dataset.key && one.detail === detail && !one.alone,
    );
    if (dimension === place.dimension || pair === undefined) return [];
    const keys = new Set(
      takeFigureRows(rows, pair.params).map(row => pair.params.map(param => row[param]).join('\n')),
    );
    const found = dimension.places.filter(([, , ...key]) => keys.has(key.join('\n')));
    return found.length > 0 ? [{ dimension, places: found.map(entry => placeAt(dimension, entry)) }] : [];
  });
}
