/**
 * A lake in a bucket of S3 or a compatible server. The command `aws` lists and fetches the objects. The cache names each
 * file by a hash of its object's state, so a cached file is complete and current, unchanged objects are not fetched
 * again, an interrupted fetch can go on, and an object's name never becomes a file name.
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { awsEndpoint, runAws } from './aws.ts';
import { isLakePath, type Lake, LakeError } from './lake.ts';
import type { Ignored, LakeFile } from './lake-files.ts';

interface Bucket {
  readonly name: string;
  /** Without a slash at either end; may be ''. */
  readonly prefix: string;
  readonly location: string;
}

/** An object in the server's listing. */
interface StoredObject {
  readonly Key: string;
  readonly Size: number;
  readonly LastModified: string;
  readonly ETag?: string;
}

type BucketLake = Pick<Lake, 'fetch' | 'list' | 'ignored'>;

/** Limits of one run of `aws`: the command line stays short, and a failure costs little. */
const BATCH = { files: 200, bytes: 256_000_000 };

/** Throws LakeError if the location is invalid. */
export function openBucketLake(location: string, cache: string): BucketLake {
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
    throw new LakeError(
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

/** Removes cached files of deleted or changed objects, and the leftovers of an interrupted fetch. */
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
      const more = changed.length > 5 ? `, and ${changed.length - 5} more` : '';
      throw new LakeError(
        'lake-changed',
        `Somebody replaced or removed objects of ${location} during the fetch: ${changed.slice(0, 5).join(', ')}${more}. Nothing was published; build again when nothing writes to the bucket.`,
      );
    }
  } finally {
    await rm(incoming, { recursive: true, force: true });
  }
}

/** When a file is complete, aws gives it the time of its object, to the second. */
async function isFetched(fetched: string, { bytes, modified }: LakeFile): Promise<boolean> {
  const info = await stat(fetched).catch(() => null);
  return info?.size === bytes && Math.floor(info.mtimeMs / 1000) === Math.floor(modified / 1000);
}
