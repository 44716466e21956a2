import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';

export interface FileDigest {
  readonly bytes: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  /** Line feeds in the file. */
  readonly lines: number;
}

const BUFFER = Buffer.allocUnsafe(1 << 20);
const LINE_FEED = 10;

/** Hashes a file in bounded memory. It is synchronous, so that one buffer serves all files. */
export function digestFile(path: string, countLines = false): FileDigest {
  const hash = createHash('sha256');
  const file = openSync(path, 'r');
  let bytes = 0;
  let lines = 0;
  try {
    for (;;) {
      const length = readSync(file, BUFFER, 0, BUFFER.length, null);
      if (length === 0) break;
      const chunk = BUFFER.subarray(0, length);
      hash.update(chunk);
      bytes += length;
      if (countLines)
        for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, at + 1)) lines++;
    }
  } finally {
    closeSync(file);
  }
  return { bytes, sha256: hash.digest('hex'), lines };
}

export function digestText(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex');
}
