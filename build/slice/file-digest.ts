/** Hashes files as manifests list them. */
import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { BLOCK_BYTES, type RowGroup } from '../format/manifest.ts';

const BUFFER = Buffer.allocUnsafe(16 * BLOCK_BYTES);
const LINE_FEED = 10;

/** In bounded memory. Synchronous, so that one buffer serves all files. */
export function digestFile(path: string): { readonly bytes: number; readonly sha256: string } {
  const hash = createHash('sha256');
  let bytes = 0;
  for (const chunk of chunksOf(path)) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

interface PublishedDigest {
  readonly file: { readonly bytes: number; readonly sha256: string; readonly blocks?: string };
  readonly lines: number;
}

/** As a whole and block by block, in one pass. */
export function digestPublished(path: string): PublishedDigest {
  const hash = createHash('sha256');
  const blocks: Buffer[] = [];
  let bytes = 0;
  let lines = 0;
  for (const chunk of chunksOf(path)) {
    hash.update(chunk);
    bytes += chunk.length;
    lines += countLineFeeds(chunk);
    blocks.push(...blockHashes(chunk));
  }
  return { file: { bytes, sha256: hash.digest('hex'), ...blockList(bytes, blocks) }, lines };
}

export function digestContent(content: Uint8Array): PublishedDigest['file'] {
  const bytes = content.length;
  const blocks = bytes > BLOCK_BYTES ? blockHashes(content) : [];
  return { bytes, sha256: digestText(content), ...blockList(bytes, blocks) };
}

/** Adds the hash of each row group of a Parquet file. */
export function digestGroups(path: string, groups: readonly RowGroup[]): RowGroup[] {
  const file = openSync(path, 'r');
  try {
    return groups.map(group => {
      const hash = createHash('sha256');
      const end = group.start + group.sizes.reduce((sum, size) => sum + size, 0);
      for (let at = group.start; at < end; ) {
        const length = readSync(file, BUFFER, 0, Math.min(BUFFER.length, end - at), at);
        if (length === 0) throw new Error(`${path} ends within a row group.`);
        hash.update(BUFFER.subarray(0, length));
        at += length;
      }
      return { ...group, sha256: hash.digest('hex') };
    });
  } finally {
    closeSync(file);
  }
}

/** Whole blocks, except the last. Each chunk is valid until the next. */
function* chunksOf(path: string): Generator<Buffer> {
  const file = openSync(path, 'r');
  try {
    for (;;) {
      let length = 0;
      while (length < BUFFER.length) {
        const read = readSync(file, BUFFER, length, BUFFER.length - length, null);
        if (read === 0) break;
        length += read;
      }
      if (length > 0) yield BUFFER.subarray(0, length);
      if (length < BUFFER.length) return;
    }
  } finally {
    closeSync(file);
  }
}

function blockHashes(content: Uint8Array): Buffer[] {
  const hashes: Buffer[] = [];
  for (let at = 0; at < content.length; at += BLOCK_BYTES)
    hashes.push(
      createHash('sha256')
        .update(content.subarray(at, at + BLOCK_BYTES))
        .digest(),
    );
  return hashes;
}

/** A file of one block only has the hash of the whole. */
function blockList(bytes: number, hashes: readonly Buffer[]): { readonly blocks?: string } {
  return bytes > BLOCK_BYTES ? { blocks: Buffer.concat(hashes).toString('base64') } : {};
}

function countLineFeeds(chunk: Buffer): number {
  let lines = 0;
  for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, at + 1)) lines++;
  return lines;
}

export function digestText(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex');
}
