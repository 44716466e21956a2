/** Lists found places as links to their pages. */
import { PAGES } from '../../../build/format/paths.ts';
import { formatPlace, type Place } from '../view/place-address.ts';

interface PlaceListProps {
  readonly root: URL;
  readonly places: readonly Place[];
  /** Shows at most this many. */
  readonly most: number;
}

export function PlaceList({ root, places, most }: PlaceListProps) {
  return (
    <>
      <ul class="rows compact">
        {places.slice(0, most).map(({ dimension, name, within, key }) => (
          <li key={`${dimension.id} ${key.join(' ')}`}>
            <a href={new URL(`${PAGES.places}/?${formatPlace(dimension, key)}`, root).href}>{name}</a>{' '}
            <span class="hint">
              {dimension.title}
              {within && ` · ${within}`} · {key.join(' ')}
            </span>
          </li>
        ))}
      </ul>
      {places.length > most && <p class="hint">And {places.length - most} more: add a word to find fewer.</p>}
    </>
  );
}
