/** The CloudFront Function whose table is a key value store: what an entry point of the bundler is. */
import {
  type CloudFrontRequest,
  type CloudFrontResponse,
  findKey,
  readAsked,
  respond,
} from './cloudfront.ts';
import { locate } from './rules.ts';

/** What of a key value store is used. */
export interface KeyValueStore {
  /** Rejects a key that is not there. */
  get(key: string): Promise<string>;
  exists(key: string): Promise<boolean>;
}

/** Promises are chained: the engine knows `await` in a statement of its own alone, and a minifier keeps none. */
export function answer(
  request: CloudFrontRequest,
  store: KeyValueStore,
): Promise<CloudFrontRequest | CloudFrontResponse> {
  const asked = readAsked(request);
  const place = locate(asked);
  const key = findKey(place);
  return (key ? findEntry(store, key, 1) : Promise.resolve('')).then(entry =>
    respond(request, asked, place, entry),
  );
}

/**
 * Keys begin with their release, so that no function reads the table of another one. Parts of an entry end in `|` where
 * another follows, under the key with `#2`, `#3`, and so on.
 */
function findEntry(store: KeyValueStore, key: string, part: number): Promise<string> {
  const name = '@RELEASE@/' + key + (part > 1 ? '#' + part : '');
  return store.get(name).then(
    text =>
      text.slice(-1) === '|' ? findEntry(store, key, part + 1).then(rest => text.slice(0, -1) + rest) : text,
    error =>
      // A store that fails, or that lacks the release, is not taken for one that lacks the key.
      store.exists(name).then(held =>
        store.exists('@RELEASE@').then(whole => {
          if (held || !whole) throw error;
          return '';
        }),
      ),
  );
}
