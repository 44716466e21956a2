/**
 * A CloudFront Function for viewer requests (JavaScript runtime 2.0): reads the request, looks up its table in a key value
 * store, and turns what the rules decide into a request for an object of the bucket, or into an answer. Keeps to the
 * language that rules.ts names.
 */
import { METHODS } from '../../respond/methods.ts';
import { type Asked, type Decision, decide, locate, NOTHING, type Place } from './rules.ts';

export interface CloudFrontRequest {
  readonly method: string;
  uri: string;
  /** Names and values percent-encoded as they were given; of a repeated one all, in `multiValue`. */
  querystring: Record<string, CloudFrontField>;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, CloudFrontField>>;
}

export interface CloudFrontField {
  readonly value: string;
  readonly multiValue?: readonly { readonly value: string }[];
}

export interface CloudFrontResponse {
  readonly statusCode: number;
  readonly headers: Record<string, { value: string }>;
  body?: string;
}

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
  const key = place.at ? readFolder(place.at) : place.key;
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

function readAsked(given: CloudFrontRequest): Asked {
  const pairs: string[] = [];
  Object.keys(given.querystring).forEach(name => {
    const field = given.querystring[name]!;
    (field.multiValue || [field]).forEach(one => {
      pairs.push(name + (one.value && '=' + one.value));
    });
  });
  return {
    method: given.method,
    url: given.uri,
    query: pairs.join('&'),
    html: /text\/html/i.test(given.headers.accept ? given.headers.accept.value : ''),
    root: '',
    origin: 'https://' + given.headers.host!.value,
  };
}

/**
 * The request for the file that is the answer, without its query, which no cache need tell apart; or an answer. `entry`
 * is what the table has of the place's key; empty where it has nothing.
 */
function respond(
  given: CloudFrontRequest,
  asked: Asked,
  place: Place,
  entry: string,
): CloudFrontRequest | CloudFrontResponse {
  let decision = decide(asked, place, entry);
  const folder = readFolder(decision);
  if (folder) decision = entry ? { status: 301, location: given.uri + '/' } : NOTHING;
  if (decision.file !== undefined) {
    // The bucket keeps releases side by side; a deployment puts the name of its release in place of the mark.
    given.uri = (decision.file.indexOf('releases/') === 0 ? '/' : '/releases/@RELEASE@/') + decision.file;
    given.querystring = {};
    return given;
  }
  const fields: CloudFrontResponse['headers'] = {
    'access-control-allow-origin': { value: '*' },
    'cache-control': { value: 'no-store' },
    'x-content-type-options': { value: 'nosniff' },
  };
  const methods = { value: METHODS };
  if (decision.location) fields.location = { value: decision.location };
  if (decision.status === 405) fields.allow = methods;
  if (decision.status === 204) {
    fields['access-control-allow-methods'] = methods;
    fields['access-control-allow-headers'] = { value: '*' };
    fields['access-control-max-age'] = { value: '86400' };
  }
  const answer: CloudFrontResponse = { statusCode: decision.status, headers: fields };
  if (decision.text) fields['content-type'] = { value: 'application/json' };
  if (decision.text && given.method !== 'HEAD') answer.body = decision.text;
  return answer;
}

/**
 * The path in its tree, with a leading slash, of what may be a folder; empty for files. A bucket has no folders, so only
 * the name tells one: no file but SHA256SUMS is without an extension.
 */
function readFolder(decision: Decision): string {
  if (!decision.file || !/(^|\/)[a-z0-9_=-]+$/.test(decision.file)) return '';
  return ('/' + decision.file).replace(/^\/releases\/[\da-f-]{19}(?=\/|$)/, '') || '/';
}
