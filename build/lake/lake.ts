/** A lake, wherever it is: what it holds is listed first, and files are brought near before their rows are read. */
import { readFile } from 'node:fs/promises';
import { type LakeFile, listLake } from './lake-files.ts';

export interface Lake {
  /** As it was named: a folder, or `s3://bucket/prefix`. */
  readonly location: string;
  /** Every file when the lake was opened, sorted by path. */
  readonly files: readonly LakeFile[];
  /** Whether the lake says that it is a synthetic sample (`_sample.json` at its root). */
  readonly sample: boolean;
  /** Brings files to where their `absolute` says. */
  readonly fetch: (files: readonly LakeFile[]) => Promise<void>;
  /** The files as they are now. */
  readonly list: () => Promise<readonly LakeFile[]>;
}

/** Why a lake cannot be read, and what to do. */
export class LakeError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const SAMPLE_MARKER = '_sample.json';

/** A lake at a bucket keeps copies of its objects in `cache`; a folder needs none. Throws LakeError. */
export async function openLake(location: string, cache: string): Promise<Lake> {
  const store = /^s3:/i.test(location)
    ? await import('./bucket-lake.ts').then(({ openBucketLake }) => openBucketLake(location, cache))
    : folderLake(location);
  const files = await store.list();
  const marker = files.find(file => file.path === SAMPLE_MARKER);
  if (marker !== undefined) await store.fetch([marker]);
  return { location, files, sample: marker !== undefined && (await isSample(marker)), ...store };
}

function folderLake(folder: string): Pick<Lake, 'fetch' | 'list'> {
  return {
    fetch: async () => undefined,
    list: () =>
      listLake(folder).catch((error: unknown) => {
        const why = error instanceof Error ? error.message : String(error);
        throw new LakeError('lake-unreadable', `${folder} cannot be read (${why}). Name the lake's folder.`);
      }),
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

/** A path within a lake that names one file below its root, on any disk. */
export function isLakePath(name: string): boolean {
  if (/[\0-\x1f\x7f\\]/.test(name)) return false;
  return name.split('/').every(part => part !== '' && part !== '.' && part !== '..' && part.length <= 255);
}

export interface LakeChange {
  readonly path: string;
  readonly change: 'changed' | 'gone' | 'new';
}

/** Files that are not as they were, sorted by path. */
export function compareListings(before: readonly LakeFile[], after: readonly LakeFile[]): LakeChange[] {
  const old = new Map(before.map(file => [file.path, file.fingerprint]));
  const now = new Map(after.map(file => [file.path, file.fingerprint]));
  return [...new Set([...old.keys(), ...now.keys()])].sort().flatMap((path): LakeChange[] => {
    if (!now.has(path)) return [{ path, change: 'gone' }];
    if (!old.has(path)) return [{ path, change: 'new' }];
    return old.get(path) === now.get(path) ? [] : [{ path, change: 'changed' }];
  });
}
