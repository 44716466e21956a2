/** What must still travel to a bucket: local files, compared with what is there. Pure. */
import type { LocalFile } from './local-tree.ts';

export interface StoredObject {
  readonly bytes: number;
  /** Without quotes. */
  readonly etag: string;
}

export interface UploadPlan {
  /** To be copied from the release before. */
  readonly copy: readonly LocalFile[];
  readonly send: readonly LocalFile[];
}

/**
 * `there`: objects of the release, by path; `before`: hashes of the release before. What cannot be proved to be the
 * same is brought again.
 */
export function planUpload(
  files: ReadonlyMap<string, LocalFile>,
  there: ReadonlyMap<string, StoredObject>,
  before: ReadonlyMap<string, string>,
): UploadPlan {
  const missing = [...files.values()].filter(file => {
    const object = there.get(file.path);
    return object === undefined || compareObject(file, object) !== 'same';
  });
  // Copies are chosen by the endings of names.
  const copied = (file: LocalFile) => before.get(file.path) === file.sha256 && extensionOf(file.path) !== '';
  return { copy: missing.filter(copied), send: missing.filter(file => !copied(file)) };
}

/** Of the same length but with another ETag: other bytes, or a bucket whose ETags are no hashes of them. */
export function compareObject(file: LocalFile, { bytes, etag }: StoredObject): 'same' | 'other' | 'unproved' {
  if (bytes !== file.bytes) return 'other';
  return file.etags.includes(etag) ? 'same' : 'unproved';
}

/**
 * Files that are not there as they are here. Where some ETags are hashes of the bytes, all are; in a bucket that is
 * encrypted with a key of its own none is, and the lengths must do.
 */
export function findWrong(
  files: ReadonlyMap<string, LocalFile>,
  there: ReadonlyMap<string, StoredObject>,
): LocalFile[] {
  const compared = [...files.values()].map(file => {
    const object = there.get(file.path);
    return { file, result: object === undefined ? 'other' : compareObject(file, object) };
  });
  const hashed = compared.some(({ result }) => result === 'same');
  return compared
    .filter(({ result }) => result === 'other' || (hashed && result === 'unproved'))
    .map(({ file }) => file);
}

/** With its dot; empty where a name has none. */
export function extensionOf(path: string): string {
  return /\.[A-Za-z0-9]+$/.exec(path.slice(path.lastIndexOf('/') + 1))?.[0] ?? '';
}
