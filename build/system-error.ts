/** What the machine or the operating system can't do, in words. */

/** It can't be done now (a full disk, another build, a folder that no build wrote). Nothing was changed. */
export class UnableError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'it or one of its parent folders is a file',
  EISDIR: 'it is a folder',
  EEXIST: 'it already exists',
  EACCES: 'this user may not open or change it',
  EPERM: 'this user may not open or change it',
  EROFS: 'its disk is read-only',
  EBUSY: 'it is a mount point, or another program has it in use',
  EXDEV: 'it is a mount point, or on another disk',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'its name is too long for this disk',
  ENOTEMPTY: 'another program writes to it',
  EMFILE: 'this process has too many files open; raise the limit (ulimit -n), or give --jobs 1',
  ENFILE: 'this machine has too many files open',
  ENOSPC: 'its disk is full',
  EIO: 'its disk cannot be read or written',
  ESTALE: 'its network disk has gone',
  EINVAL: 'its disk cannot do that',
  ENOTSUP: 'its disk cannot do that',
};

/** The reason of a system error, as the end of a sentence; null for other errors. */
export function systemReason(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return WORDS[code] ?? null;
}

/** The same; the error's message if it isn't a system error. */
export function reasonOf(error: unknown): string {
  return systemReason(error) ?? (error instanceof Error ? error.message : String(error));
}

/** The file or folder of a system error; null if the error doesn't have it. */
export function refusedPath(error: unknown): string | null {
  return error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : null;
}

/** Whether there are too many open files. DuckDB has no code for it. */
export function isFileShortage(error: unknown): boolean {
  return error instanceof Error && /\b(EMFILE|ENFILE)\b|Too many open files/i.test(error.message);
}

export const FILE_SHORTAGE =
  'This process may not open more files at once. Raise the limit (ulimit -n), or give --jobs 1.';
