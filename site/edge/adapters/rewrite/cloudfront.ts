/**
 * A CloudFront Function for viewer requests (JavaScript runtime 2.0). It reads the request's table from a key
 * value store, and turns the decision of the rules into a request for an object of the bucket, or into an
 * answer. Uses only the syntax that rules.ts allows.
 */
import { ACCEPTS_HTML, METHODS } from '../../respond/headers.ts';
import { type Asked, type Decision, decide, locate, NOTHING, type Place } from './rules.ts';

interface CloudFrontRequest {
  readonly method: string;
  uri: string;
  /** Names and values stay percent-encoded. `multiValue` has all values of a repeated name. */
  querystring: Record<string, CloudFrontField>;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, CloudFrontField>>;
}

interface CloudFrontField {
  readonly value: string;
  readonly multiValue?: readonly { readonly value: string }[];
}

interface CloudFrontResponse {
  readonly statusCode: number;
  readonly headers: Record<string, { value: string }>;
  body?: string;
}

interface KeyValueStore {
  /** Rejects if the key is missing. */
  get(key: string): Promise<string>;
  exists(key: string): Promise<boolean>;
}

/**
 * Uses `then`, because the engine allows `await` only as a statement of its own, and a minifier changes that.
 */
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
 * Keys begin with their release, so that a function never reads another release's table. A part of an entry
 * that ends in `|` continues under the key with `#2`, `#3`, and so on.
 */
function findEntry(store: KeyValueStore, key: string, part: number): Promise<string> {
  const name = '@RELEASE@/' + key + (part > 1 ? '#' + part : '');
  return store.get(name).then(
    text =>
      text.slice(-1) === '|' ? findEntry(store, key, part + 1).then(rest => text.slice(0, -1) + rest) : text,
    error =>
      // Only a store that works and has the release can say that a key is missing.
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
      pairs.push(name && !one.value ? name : name + '=' + one.value);
    });
  });
  return {
    method: given.method,
    url: given.uri,
    query: pairs.join('&'),
    html: ACCEPTS_HTML.test(given.headers.accept ? given.headers.accept.value : ''),
    root: '',
    origin: 'https://' + given.headers.host!.value,
  };
}

/**
 * The request for the file, without the query so that caches share it; or an answer. `entry`: the table's
 * text for the place's key, empty if it has none.
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
    // The bucket keeps releases side by side; a deployment replaces the placeholder with the release's name.
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
 * If the decision may be a folder, its path in the tree, with a leading slash; empty for files. A bucket has
 * no folders, so the name decides: every file except SHA256SUMS has an extension.
 */
function readFolder(decision: Decision): string {
  if (!decision.file || !/(^|\/)[a-z0-9_=-]+$/.test(decision.file)) return '';
  return ('/' + decision.file).replace(/^\/releases\/[\da-f-]{19}(?=\/|$)/, '') || '/';
}
