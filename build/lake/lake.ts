/** Opens a lake in a folder, or in a bucket through the command `aws`. */

import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { someOf } from '../format/shown-text.ts';
import { reasonOf, refusedPath, UnableError } from '../system-error.ts';
import { runTool } from '../tool.ts';
import { type Ignored, type LakeFile, listLake } from './lake-files.ts';

export interface Lake {
  /** A folder, or `s3://bucket/prefix`. */
  readonly location: string;
  /** As of opening, sorted by path. */
  readonly files: readonly LakeFile[];
  /** Whether `_sample.json` at the root declares the lake a synthetic sample. */
  readonly sample: boolean;
  readonly ignored: ReadonlyMap<string, Ignored>;
  /** Makes files available at their `absolute` paths. */
  readonly fetch: (files: readonly LakeFile[], onFetched?: OnFetched) => Promise<void>;
  readonly list: () => Promise<readonly LakeFile[]>;
}

type OnFetched = (done: number, total: number, what: string) => void;

/** Whether any disk accepts it as a path below the lake's root. */
function isLakePath(name: string): boolean {
  if (/[\0-\x1f\x7f\\]/.test(name)) return false;
  return name.split('/').every(one => one !== '' && one !== '.' && one !== '..' && one.length <= 255);
}

interface LakeChange {
  readonly path: string;
  readonly change: 'changed' | 'gone' | 'new';
}

/** Sorted by path. */
export function compareListings(before: readonly LakeFile[], after: readonly LakeFile[]): LakeChange[] {
  const old = new Map(before.map(file => [file.path, file.fingerprint]));
  const now = new Map(after.map(file => [file.path, file.fingerprint]));
  return [...new Set([...old.keys(), ...now.keys()])].sort().flatMap((path): LakeChange[] => {
    if (!now.has(path)) return [{ path, change: 'gone' }];
    if (!old.has(path)) return [{ path, change: 'new' }];
    return old.get(path) === now.get(path) ? [] : [{ path, change: 'changed' }];
  });
}

const SAMPLE_MARKER = '_sample.json';

/** Copies of a bucket's objects are kept in `cache`. Throws UnableError. */
export async function openLake(location: string, cache: string): Promise<Lake> {
  const store = /^s3:/i.test(location) ? openBucketLake(location, cache) : folderLake(location);
  const files = await store.list();
  const marker = files.find(file => file.path === SAMPLE_MARKER);
  if (marker !== undefined) await store.fetch([marker]);
  return { location, files, sample: marker !== undefined && (await isSample(marker)), ...store };
}

function folderLake(folder: string): Pick<Lake, 'fetch' | 'list' | 'ignored'> {
  const ignored = new Map<string, Ignored>();
  return {
    ignored,
    fetch: async () => undefined,
    list: async () => {
      try {
        const listed = listLake(folder);
        for (const [name, why] of listed.ignored) ignored.set(name, why);
        return listed.files;
      } catch (error) {
        const file = refusedPath(error) ?? folder;
        throw new UnableError(
          'lake-unreadable',
          `The program cannot read ${path.resolve(folder) === file ? folder : file}: ${reasonOf(error)}. Name the lake's folder.`,
        );
      }
    },
  };
}

async function isSample(marker: LakeFile): Promise<boolean> {
  try {
    const content: unknown = JSON.parse(await readFile(marker.absolute, 'utf8'));
    return typeof content === 'object' && content !== null && 'sample' in content && content.sample === true;
  } catch {
    return false;
  }
}

interface Bucket {
  readonly name: string;
  /** Without outer slashes; may be ''. */
  readonly prefix: string;
  readonly location: string;
}

interface StoredObject {
  readonly Key: string;
  readonly Size: number;
  readonly LastModified: string;
  readonly ETag?: string;
}

type BucketLake = Pick<Lake, 'fetch' | 'list' | 'ignored'>;

/** Per run of `aws`: command lines stay short, and failures cost little. */
const BATCH = { files: 200, bytes: 256_000_000 };

/**
 * Lists and fetches objects with the command `aws`. A cached file is named by a hash of its object's state,
 * so it is complete and current, an interrupted fetch can continue, and object names never become file names.
 * Throws UnableError.
 */
function openBucketLake(location: string, cache: string): BucketLake {
  const bucket = parseBucket(location);
  const ignored = new Map<string, Ignored>();
  const known = new Map<string, StoredObject>();
  return {
    ignored,
    list: async () => {
      const files: LakeFile[] = [];
      for (const object of await listObjects(bucket)) {
        const name = object.Key.slice(bucket.prefix === '' ? 0 : bucket.prefix.length + 1);
        if (!isLakePath(name)) {
          // An empty object whose name ends in a slash marks a folder.
          if (!name.endsWith('/')) ignored.set(name, 'name');
          continue;
        }
        const file = lakeFile(bucket, cache, name, object);
        known.set(path.basename(file.absolute), object);
        files.push(file);
      }
      return files.sort((a, b) => (a.path < b.path ? -1 : 1));
    },
    fetch: async (files, onFetched = () => undefined) => {
      await removeOthers(cache, known);
      const lacking: LakeFile[] = [];
      for (const file of files) if (!(await isThere(file))) lacking.push(file);
      let done = 0;
      for (const batch of batchesOf(lacking)) {
        await fetchBatch(bucket, cache, batch);
        done += batch.length;
        onFetched(done, lacking.length, batch.at(-1)?.path ?? '');
      }
    },
  };
}

function parseBucket(location: string): Bucket {
  const [, name = '', rest = ''] = /^s3:\/\/([^/]*)(.*)$/i.exec(location) ?? [];
  const prefix = rest.replace(/^\/+|\/+$/g, '');
  // The command treats these characters as patterns.
  const plain = prefix === '' || (isLakePath(prefix) && !/[*?[\]]/.test(prefix));
  if (!/^[a-z0-9][a-z0-9._-]{1,62}$/i.test(name) || !plain) {
    throw new UnableError(
      'lake-location',
      `${JSON.stringify(location)} is not the name of a lake. Write s3://BUCKET or s3://BUCKET/FOLDER, without * ? [ ] in the name.`,
    );
  }
  return { name, prefix, location };
}

async function listObjects({ name, prefix, location }: Bucket): Promise<StoredObject[]> {
  const args = ['s3api', 'list-objects-v2', '--output', 'json', '--bucket', name];
  const text = await runAws(location, prefix === '' ? args : [...args, `--prefix=${prefix}/`]);
  // For an empty bucket, aws prints nothing, or an object without Contents.
  const listed = (text.trim() === '' ? {} : JSON.parse(text)) as { readonly Contents?: StoredObject[] };
  return listed.Contents ?? [];
}

function lakeFile(
  { name: bucket, prefix }: Bucket,
  cache: string,
  name: string,
  { ETag = '', Size, LastModified }: StoredObject,
): LakeFile {
  const modified = Date.parse(LastModified);
  const fingerprint = `${ETag}-${Size}-${modified}`;
  const kept = createHash('sha256')
    .update(JSON.stringify([awsEndpoint(), bucket, prefix, name, fingerprint]))
    .digest('hex');
  const absolute = path.join(cache, `${kept}.parquet`);
  return { path: name, absolute, bytes: Size, fingerprint, content: fingerprint, modified };
}

/** Deleted or changed objects, and the rest of an interrupted fetch. */
async function removeOthers(cache: string, known: ReadonlyMap<string, unknown>): Promise<void> {
  for (const name of await readdir(cache).catch(() => [])) {
    if (!known.has(name)) await rm(path.join(cache, name), { recursive: true, force: true });
  }
}

async function isThere({ absolute, bytes }: LakeFile): Promise<boolean> {
  return (await stat(absolute).catch(() => null))?.size === bytes;
}

function batchesOf(files: readonly LakeFile[]): LakeFile[][] {
  const batches: LakeFile[][] = [];
  let room = { files: 0, bytes: 0 };
  for (const file of files) {
    if (room.files < 1 || room.bytes < file.bytes) {
      batches.push([]);
      room = { ...BATCH };
    }
    batches.at(-1)?.push(file);
    room = { files: room.files - 1, bytes: room.bytes - file.bytes };
  }
  return batches;
}

async function fetchBatch(
  { name, prefix, location }: Bucket,
  cache: string,
  batch: readonly LakeFile[],
): Promise<void> {
  const incoming = path.join(cache, `incoming-${process.pid}`);
  await mkdir(incoming, { recursive: true });
  try {
    const source = prefix === '' ? `s3://${name}` : `s3://${name}/${prefix}`;
    const wanted = batch.map(
      file => `--include=${file.path.replace(/[[*?]/g, character => `[${character}]`)}`,
    );
    const args = ['s3', 'cp', '--recursive', '--only-show-errors', source, incoming, '--exclude=*'];
    // If one object fails, keep the others that arrived complete.
    const failure = await runAws(location, [...args, ...wanted]).then(
      () => null,
      (error: unknown) => error,
    );
    const changed: string[] = [];
    for (const file of batch) {
      if (await isFetched(path.join(incoming, file.path), file))
        await rename(path.join(incoming, file.path), file.absolute);
      else changed.push(file.path);
    }
    if (failure !== null) throw failure;
    if (changed.length > 0) {
      throw new UnableError(
        'lake-changed',
        `Somebody replaced or removed objects of ${location} during the fetch: ${someOf(changed, 5)}. Nothing was published; build again when nothing writes to the bucket.`,
      );
    }
  } finally {
    await rm(incoming, { recursive: true, force: true });
  }
}

/** aws sets a complete file's time to its object's, in whole seconds. */
async function isFetched(fetched: string, { bytes, modified }: LakeFile): Promise<boolean> {
  const info = await stat(fetched).catch(() => null);
  return info?.size === bytes && Math.floor(info.mtimeMs / 1000) === Math.floor(modified / 1000);
}

const HINT =
  'Check the name, and that the command aws has credentials (aws sts get-caller-identity). For a server other than Amazon, set AWS_ENDPOINT_URL.';

/** Empty for Amazon's own servers. */
function awsEndpoint(): string {
  return process.env.AWS_ENDPOINT_URL_S3 || process.env.AWS_ENDPOINT_URL || '';
}

/** `aws` uses its user's credentials, regions and proxies. Throws UnableError. */
async function runAws(location: string, args: readonly string[]): Promise<string> {
  const endpoint = awsEndpoint();
  // Versions before 2.13 ignore the variable.
  const named = endpoint === '' ? [] : [`--endpoint-url=${endpoint}`];
  try {
    return await runTool('aws', [...args, ...named], { environment: { AWS_PAGER: '' } });
  } catch (error) {
    if (!(error instanceof UnableError)) throw error;
    if (error.code === 'tool-missing')
      throw new UnableError(
        'aws-missing',
        `The program reads ${location} with the command aws, which is not installed. Install the AWS CLI, or copy the lake to a folder and name that folder.`,
      );
    // All full disks are reported in one place.
    if (/No space left|Errno 28/.test(error.message)) throw new Error('No space left');
    const why = error.message.split('\n').at(-1);
    throw new UnableError('lake-unreadable', `${location} cannot be read (${why}). ${HINT}`);
  }
}
