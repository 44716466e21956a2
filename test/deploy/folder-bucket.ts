/** A bucket of R2 whose objects are the files of a folder. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';

export function folderBucket(root: string) {
  const read = (key: string) => readFile(path.join(root, key)).catch(() => null);
  const object = { etag: 'e', uploaded: new Date(0) };
  return {
    async head(key: string) {
      const bytes = await read(key);
      return bytes && { ...object, size: bytes.length };
    },
    async get(key: string, { range }: { range?: { offset: number; length: number } } = {}) {
      const bytes = await read(key);
      if (bytes === null) return null;
      const part = range ? bytes.subarray(range.offset, range.offset + range.length) : bytes;
      return { ...object, size: bytes.length, arrayBuffer: async () => new Uint8Array(part).buffer };
    },
  };
}
