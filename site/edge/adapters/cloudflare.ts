/**
 * The edge as a Cloudflare Worker, over static assets or an R2 bucket that hold the tree. Static assets know no byte
 * ranges and keep no times; the Worker cuts ranges itself, and the manifest has the times.
 */
import { CURRENT, isRelease, ROOT, releaseFolder } from '../../../build/format/paths.ts';
import { type Handler, handleBy } from '../fetch.ts';
import type { FileBytes, FileStat, Files } from '../files/files.ts';
import { Kept } from '../files/kept.ts';
import { createEdge, type Edge } from '../handler.ts';
import { createReleaseEdge, type ReleaseHost } from '../releases.ts';
import { ColumnCache } from '../rows/column-cache.ts';
import type { Budget } from '../rows/scan.ts';

/** About a second of processor. With 4 MB, 13 % of ranges over all years were refused. */
const CLOUDFLARE_BUDGET: Budget = { bytes: 6 << 20, rows: 100_000 };

/** Memory for decoded columns, of the Worker's 128 MB. */
const COLUMNS_BYTES = 32 << 20;

/** Bytes of assets, which are read whole, that are kept to cut ranges from: the largest that there can be (25 MiB), and some more. */
const KEPT_BYTES = 32 << 20;

/** Redirects that a name of an asset may need, and one more. */
const MOST_TRIES = 3;

/** What of a binding to static assets is used. */
export interface AssetsBinding {
  fetch(request: Request): Promise<Response>;
}

/** What of a binding to an R2 bucket is used. */
export interface BucketBinding {
  head(key: string): Promise<BucketObject | null>;
  get(key: string, options?: { range?: { offset: number; length: number } }): Promise<BucketBody | null>;
}

interface BucketObject {
  readonly size: number;
  readonly etag: string;
  readonly uploaded: Date;
}

interface BucketBody extends BucketObject {
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** One of the two. */
export interface Environment {
  readonly ASSETS?: AssetsBinding;
  readonly TREE?: BucketBinding;
}

/** Milliseconds after which a bucket is asked again which release is online. */
const REFRESH_AFTER = 10_000;

/** The handler of a Worker's requests. Keep it for as long as the Worker lives: it remembers the manifests. */
export function createWorkerHandler(
  { ASSETS, TREE }: Environment,
  refreshAfter: number = REFRESH_AFTER,
): Handler {
  const onError = (error: unknown) => console.error(error);
  const cache = new ColumnCache(COLUMNS_BYTES);
  const open = (files: Files, after: number) =>
    createEdge(files, { budget: CLOUDFLARE_BUDGET, cache, onError, refreshAfter: after });
  if (TREE)
    return handleBy(createReleaseEdge(findReleases(TREE, open, refreshAfter), { refreshAfter, onError }));
  // Assets are deployed with the Worker, as one.
  if (ASSETS) return handleBy(open(createAssetFiles(ASSETS), Number.POSITIVE_INFINITY));
  throw new Error('The Worker needs a binding: TREE, an R2 bucket, or ASSETS, static assets.');
}

/**
 * Releases in a bucket: `current` names the one that is online. A bucket without it holds a tree at its root, which may
 * be replaced at any time.
 */
function findReleases(
  bucket: BucketBinding,
  open: (files: Files, refreshAfter: number) => Edge,
  refreshAfter: number,
): ReleaseHost {
  return {
    async readCurrent() {
      const found = await bucket.get(CURRENT);
      if (!found) return '';
      const release = new TextDecoder().decode(await found.arrayBuffer()).trim();
      if (!isRelease(release)) throw new Error(`${CURRENT} names no release`);
      return `${releaseFolder(release)}/`;
    },
    async findRelease(release) {
      // Written last: a release that has it is whole.
      const whole = await bucket.head(`${releaseFolder(release)}/${ROOT.checksums}`);
      return whole && `${releaseFolder(release)}/`;
    },
    open: prefix =>
      open(createBucketFiles(bucket, prefix), prefix === '' ? refreshAfter : Number.POSITIVE_INFINITY),
  };
}

/** The files whose keys begin with a prefix. */
export function createBucketFiles(bucket: BucketBinding, prefix = ''): Files {
  return {
    async stat(path): Promise<FileStat | null> {
      const found = await bucket.head(prefix + path);
      return found && { bytes: found.size, modified: found.uploaded, etag: found.etag };
    },
    async read(path, range): Promise<FileBytes | null> {
      const part = range && { offset: range.start, length: range.end - range.start };
      const found = await bucket.get(prefix + path, part ? { range: part } : {});
      return found && { size: found.size, bytes: new Uint8Array(await found.arrayBuffer()) };
    },
  };
}

function createAssetFiles(assets: AssetsBinding): Files {
  const kept = new Kept<{ readonly bytes: Uint8Array; readonly etag: string | null }>(KEPT_BYTES);
  const fetchAsset = async (path: string) => {
    // Cloudflare redirects to a name's own spelling (`year%3D2021`), and Pages besides to a folder for its page. Neither is
    // another file; a folder's page for a name without its slash is.
    const own = [`/${path}`, `/${path.replace(/(^|(?<=\/))index\.html$|\.html$/, '')}`];
    let address = `https://assets.local/${path}`;
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const response = await assets.fetch(new Request(address, { redirect: 'manual' }));
      if (response.ok) return response;
      await response.body?.cancel();
      const location = response.headers.get('location');
      if (location === null) return null;
      const next = new URL(location, address);
      if (!own.includes(decodeURIComponent(next.pathname))) return null;
      address = next.href;
    }
    return null;
  };
  const readWhole = async (path: string) => {
    const held = kept.get(path);
    if (held) return held;
    const response = await fetchAsset(path);
    if (!response) return null;
    const etag = response.headers.get('etag')?.replace(/^W\/|"/g, '') ?? null;
    const asset = { bytes: new Uint8Array(await response.arrayBuffer()), etag };
    kept.keep(path, asset, asset.bytes.length);
    return asset;
  };
  return {
    async stat(path) {
      const found = await readWhole(path);
      return found && { bytes: found.bytes.length, modified: null, etag: found.etag };
    },
    async read(path, range) {
      const found = await readWhole(path);
      if (!found) return null;
      const { bytes } = found;
      return { size: bytes.length, bytes: range ? bytes.subarray(range.start, range.end) : bytes };
    },
  };
}
