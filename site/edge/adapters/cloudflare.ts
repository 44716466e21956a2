/**
 * The edge as a Cloudflare Worker, over static assets or an R2 bucket. Static assets have no byte ranges and
 * no times, so the Worker cuts ranges itself and takes times from the manifest.
 */
import { CURRENT, isRelease, ROOT, releaseFolder } from '../../../build/format/paths.ts';
import { withTools } from '../../mcp/tools-route.ts';
import { type Handler, handleBy } from '../fetch.ts';
import type { Files } from '../files/files.ts';
import { Kept } from '../files/kept.ts';
import { createEdge, type Edge } from '../handler.ts';
import { createReleaseEdge, type ReleaseHost } from '../releases.ts';
import { ColumnCache } from '../rows/column-cache.ts';
import type { Budget } from '../rows/scan.ts';

/** About a second of processor time. 4 MB refused 13 % of ranges over all years. */
const CLOUDFLARE_BUDGET: Budget = { bytes: 6 << 20, rows: 100_000 };

const WORKBOOKS = { cells: 100_000, open: () => import('../respond/workbook.ts') };
const LIMITS = { budget: CLOUDFLARE_BUDGET, workbooks: WORKBOOKS };

/** The Worker has 128 MB. */
const COLUMNS_BYTES = 32 << 20;

/** Assets are read whole and kept to cut ranges from. The largest can have 25 MiB. */
const KEPT_BYTES = 32 << 20;

/** The redirects that an asset's name can need, and one more. */
const MOST_TRIES = 3;

interface AssetsBinding {
  fetch(request: Request): Promise<Response>;
}

interface BucketBinding {
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

/** Milliseconds after which the bucket is asked again which release is online. */
const REFRESH_AFTER = 10_000;

/** Keep the handler for as long as the Worker lives: it remembers the manifests. */
export function createWorkerHandler(
  { ASSETS, TREE }: Environment,
  refreshAfter: number = REFRESH_AFTER,
): Handler {
  const onError = (error: unknown) => console.error(error);
  const cache = new ColumnCache(COLUMNS_BYTES);
  const open = (files: Files, after?: number) =>
    createEdge(files, { ...LIMITS, cache, onError, refreshAfter: after });
  const options = { refreshAfter, onError };
  if (TREE) return handleBy(withTools(createReleaseEdge(findReleases(TREE, open, refreshAfter), options)));
  // Assets are deployed together with the Worker.
  if (ASSETS) return handleBy(withTools(open(createAssetFiles(ASSETS))));
  throw new Error('The Worker needs a binding: TREE, an R2 bucket, or ASSETS, static assets.');
}

/**
 * `current` names the release that is online. A bucket without it holds a tree at its root, which can be
 * replaced at any time.
 */
function findReleases(
  bucket: BucketBinding,
  open: (files: Files, refreshAfter?: number) => Edge,
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
      // This file is written last, so a release that has it is complete.
      const whole = await bucket.head(`${releaseFolder(release)}/${ROOT.checksums}`);
      return whole && `${releaseFolder(release)}/`;
    },
    open: prefix => open(createBucketFiles(bucket, prefix), prefix === '' ? refreshAfter : undefined),
  };
}

export function createBucketFiles(bucket: BucketBinding, prefix = ''): Files {
  return {
    async stat(path) {
      const found = await bucket.head(prefix + path);
      return found && { bytes: found.size, modified: found.uploaded, etag: found.etag };
    },
    async read(path, range) {
      const part = range && { range: { offset: range.start, length: range.end - range.start } };
      const found = await bucket.get(prefix + path, part ?? {});
      return found && { size: found.size, bytes: new Uint8Array(await found.arrayBuffer()) };
    },
  };
}

function createAssetFiles(assets: AssetsBinding): Files {
  const kept = new Kept<{ readonly bytes: Uint8Array; readonly etag: string | null }>(KEPT_BYTES);
  const fetchAsset = async (path: string) => {
    // Cloudflare redirects to its own spelling of a name (`year%3D2021`), and Pages from index.html to its
    // folder. Any other redirect leads to another file.
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
