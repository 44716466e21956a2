/** Plans an upload: local files, compared with the objects of a bucket. Pure. */
import path from 'node:path';
import type { LocalFile } from './local-tree.ts';

export interface StoredObject {
  readonly bytes: number;
  /** Without quotes. */
  readonly etag: string;
}

export interface UploadPlan {
  /** Files to copy from the release before. */
  readonly copy: readonly LocalFile[];
  readonly send: readonly LocalFile[];
}

/**
 * `there`: objects of the release, by path; `before`: hashes of the release before. A file that may differ is sent
 * again.
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
  // aws chooses copies by the endings of names.
  const copied = (file: LocalFile) =>
    before.get(file.path) === file.sha256 && path.posix.extname(file.path) !== '';
  return { copy: missing.filter(copied), send: missing.filter(file => !copied(file)) };
}

/** `unproved`: the same length but another ETag, either of other bytes or of a bucket whose ETags are no hashes. */
function compareObject(file: LocalFile, { bytes, etag }: StoredObject): 'same' | 'other' | 'unproved' {
  if (bytes !== file.bytes) return 'other';
  return file.etags.includes(etag) ? 'same' : 'unproved';
}

/**
 * Files whose objects differ or are missing. If one ETag is a hash of the bytes, all are. In a bucket encrypted with a
 * key of its own none is, and only lengths are compared.
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
