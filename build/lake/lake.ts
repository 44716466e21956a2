/** A lake in a folder or a bucket: it lists its files first, and fetches them before their rows are read. */
import type { Ignored, LakeFile } from './lake-files.ts';

export interface Lake {
  /** The name that the user gave: a folder, or `s3://bucket/prefix`. */
  readonly location: string;
  /** Every file when the lake was opened, sorted by path. */
  readonly files: readonly LakeFile[];
  /** Whether the lake declares itself a synthetic sample (`_sample.json` at its root). */
  readonly sample: boolean;
  /** Entries that a build ignores, and why. */
  readonly ignored: ReadonlyMap<string, Ignored>;
  /** Fetches files to their `absolute` paths. */
  readonly fetch: (files: readonly LakeFile[], onFetched?: OnFetched) => Promise<void>;
  /** Lists the files again. */
  readonly list: () => Promise<readonly LakeFile[]>;
}

export type OnFetched = (done: number, total: number, what: string) => void;

/** A lake cannot be read; the message says why, and what to do. */
export class LakeError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Whether a name is a path below the lake's root that any disk accepts. */
export function isLakePath(name: string): boolean {
  if (/[\0-\x1f\x7f\\]/.test(name)) return false;
  return name.split('/').every(one => one !== '' && one !== '.' && one !== '..' && one.length <= 255);
}

export interface LakeChange {
  readonly path: string;
  readonly change: 'changed' | 'gone' | 'new';
}

/** Lists the files that changed, sorted by path. */
export function compareListings(before: readonly LakeFile[], after: readonly LakeFile[]): LakeChange[] {
  const old = new Map(before.map(file => [file.path, file.fingerprint]));
  const now = new Map(after.map(file => [file.path, file.fingerprint]));
  return [...new Set([...old.keys(), ...now.keys()])].sort().flatMap((path): LakeChange[] => {
    if (!now.has(path)) return [{ path, change: 'gone' }];
    if (!old.has(path)) return [{ path, change: 'new' }];
    return old.get(path) === now.get(path) ? [] : [{ path, change: 'changed' }];
  });
}
