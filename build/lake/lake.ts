/** A lake, wherever it is: what it holds is listed first, and files are brought near before their rows are read. */
import type { Ignored, LakeFile } from './lake-files.ts';

export interface Lake {
  /** As it was named: a folder, or `s3://bucket/prefix`. */
  readonly location: string;
  /** Every file when the lake was opened, sorted by path. */
  readonly files: readonly LakeFile[];
  /** Whether the lake says that it is a synthetic sample (`_sample.json` at its root). */
  readonly sample: boolean;
  /** What is not read though it stands in the lake, and why. */
  readonly ignored: ReadonlyMap<string, Ignored>;
  /** Brings files to where their `absolute` says. */
  readonly fetch: (files: readonly LakeFile[], onFetched?: OnFetched) => Promise<void>;
  /** The files as they are now. */
  readonly list: () => Promise<readonly LakeFile[]>;
}

export type OnFetched = (done: number, total: number, what: string) => void;

/** Why a lake cannot be read, and what to do. */
export class LakeError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
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
