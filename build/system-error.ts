/** Error codes of the operating system, in words. */

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'it, or a folder that it should be in, is a file',
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
  EIO: 'its disk cannot be read or written',
  ESTALE: 'its network disk has gone',
  EINVAL: 'its disk cannot do that',
  ENOTSUP: 'its disk cannot do that',
};

/** Why the system refuses a file or folder, as the end of a sentence; null for any other error. */
export function systemReason(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return WORDS[code] ?? null;
}

/** The same, or else the error's own message. */
export function reasonOf(error: unknown): string {
  return systemReason(error) ?? (error instanceof Error ? error.message : String(error));
}

/** The file or folder that the system refuses; null if it does not say. */
export function refusedPath(error: unknown): string | null {
  return error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : null;
}

/** Whether this process, or the machine, may not open another file now. DuckDB has no code for it. */
export function isFileShortage(error: unknown): boolean {
  return error instanceof Error && /\b(EMFILE|ENFILE)\b|Too many open files/i.test(error.message);
}

/** What to do then, as a sentence. */
export const FILE_SHORTAGE =
  'This process may not open more files at once. Raise the limit (ulimit -n), or give --jobs 1.';
