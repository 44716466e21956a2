/**
 * What the browser keeps so that visited pages work offline: files with a hash in their name, and the last
 * answer of every other file, used only if the host can't be reached.
 */
import type { KeepMessage } from '../fetch.ts';

const STORES = {
  /** Scripts, styles and the database, with a hash in their names. */
  assets: { name: 'civic-assets', most: 100 },
  read: { name: 'civic-read', most: 500 },
} as const;

type Store = (typeof STORES)[keyof typeof STORES];

/** Larger answers are downloads. */
const LARGEST = 8 << 20;

/** Milliseconds without an answer after which a kept one is used. */
const STAND_IN_AFTER = 8_000;

/**
 * `root`: the tree's address with a final slash. `later` gets the work of keeping the answer, which goes on
 * while it arrives. Rejects as `fetch` does if the host can't be reached and nothing is kept.
 */
export async function answerKept(
  root: string,
  request: Request,
  later: (work: Promise<void>) => void,
): Promise<Response> {
  const key = keyOf(request);
  const store = storeOf(root, request.url);
  if (store === STORES.assets) {
    const kept = await find(store, key);
    if (kept) return kept;
  }
  const asked = fetch(request).then(response => {
    later(keep(store, key, response));
    return response;
  });
  const findKept = async () => (await find(store, key)) ?? (await findPart(store, request));
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise(done => {
    timer = setTimeout(done, STAND_IN_AFTER);
  });
  try {
    return await Promise.race([asked, silence.then(async () => (await findKept()) ?? asked)]);
  } catch (error) {
    const kept = await findKept();
    if (kept) return kept;
    if (request.mode === 'navigate') return absentPage(root);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Skips what is already kept and what can't be fetched. */
export async function keepPage(root: string, { page, files }: KeepMessage): Promise<void> {
  const own = files.filter(url => url.startsWith(root));
  const wanted = [{ url: page, key: pageKey(page) }, ...own.map(url => ({ url, key: url }))];
  for (const { url, key } of wanted) {
    const store = storeOf(root, url);
    if (url.startsWith(root) && !(await find(store, key)))
      await fetch(url, url === page ? { headers: { Accept: 'text/html' } } : {}).then(
        response => keep(store, key, response),
        () => undefined,
      );
  }
}

function storeOf(root: string, url: string): Store {
  return url.startsWith(`${root}assets/`) ? STORES.assets : STORES.read;
}

/** A page has one key whatever its query. A range has its own key. */
function keyOf(request: Request): string {
  if (request.mode === 'navigate') return pageKey(request.url);
  const range = request.headers.get('range');
  const [url = ''] = request.url.split('#', 1);
  return range === null ? url : `${url}${url.includes('?') ? '&' : '?'}kept-range=${range}`;
}

function pageKey(url: string): string {
  return `${url.split(/[?#]/, 1)[0]}?kept-page`;
}

async function find({ name }: Store, key: string): Promise<Response | null> {
  const kept = await (await caches.open(name)).match(key, { ignoreVary: true });
  const part = kept?.headers.get('kept-status');
  if (!kept || part === null || part === undefined) return kept ?? null;
  return new Response(kept.body, { status: Number(part), headers: kept.headers });
}

/** Cuts a range out of a whole kept file. */
async function findPart(store: Store, request: Request): Promise<Response | null> {
  const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.get('range') ?? '');
  const whole = range && (await find(store, request.url));
  if (!range || !whole) return null;
  const bytes = await whole.arrayBuffer();
  const first = Number(range[1]);
  const last = Math.min(bytes.byteLength - 1, range[2] === '' ? Infinity : Number(range[2]));
  return new Response(bytes.slice(first, last + 1), {
    status: 206,
    headers: { 'Content-Range': `bytes ${first}-${last}/${bytes.byteLength}` },
  });
}

async function keep({ name, most }: Store, key: string, response: Response): Promise<void> {
  const length = response.headers.get('content-length');
  const isSmall = length === null ? !/\.(csv|parquet)$/.test(key) : Number(length) <= LARGEST;
  if ((response.status !== 200 && response.status !== 206) || !isSmall) return;
  const copy = response.clone();
  const headers = new Headers(copy.headers);
  // The Cache API refuses 206, so the status is in a header of ours.
  if (copy.status === 206) headers.set('kept-status', '206');
  try {
    const cache = await caches.open(name);
    await cache.put(key, new Response(copy.body, { headers }));
    const keys = await cache.keys();
    await Promise.all(keys.slice(0, Math.max(0, keys.length - most)).map(old => cache.delete(old)));
  } catch {
    // A full or forbidden store keeps nothing; the answer is unaffected.
  }
}

function absentPage(root: string): Response {
  const home = root.replaceAll(/[<>"&]/g, '');
  const text = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Not reachable</title><h1>This page cannot be reached</h1><p>The host does not answer, and this page was not visited before. Pages that you visited still work: <a href="${home}index.html">all data</a>. Reload to try again.</p></html>`;
  return new Response(text, { status: 503, headers: { 'Content-Type': 'text/html; charset=utf-8' } });
}
