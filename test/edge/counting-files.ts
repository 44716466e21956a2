/** Files that count what is read of them, and can be told to fail. */
import type { Files } from '../../site/edge/files/files.ts';

export interface CountingFiles extends Files {
  readonly reads: { readonly path: string; readonly bytes: number }[];
}

export function countReads(files: Files): CountingFiles {
  const reads: { path: string; bytes: number }[] = [];
  return {
    reads,
    stat: (path, signal) => files.stat(path, signal),
    async read(path, range, signal) {
      const found = await files.read(path, range, signal);
      reads.push({ path, bytes: found?.bytes.length ?? 0 });
      return found;
    },
  };
}
