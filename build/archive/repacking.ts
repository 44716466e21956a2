/**
 * The hashes of files do not cover an archive's headers. To find a damaged byte there, `civic verify` packs the unpacked
 * files again and compares the bytes.
 */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import type { ArchiveEntry } from './entry.ts';
import type { Unpacked } from './unpack.ts';
import { zipBytes } from './zip-writer.ts';

/** If more bytes differ, another program or version packed the archive: that is not damage. */
const MOST_DAMAGE = 0.01;

/** Offset of the first byte that differs; null if none does, or if this program version did not pack the archive. */
export async function findRepackingDifference(
  archive: string,
  folder: string,
  { files }: Unpacked,
): Promise<number | null> {
  async function* entries(): AsyncGenerator<ArchiveEntry> {
    for (const file of files)
      yield {
        ...file,
        read: () => createReadStream(path.join(folder, file.name), { highWaterMark: 1 << 20 }),
      };
  }
  const stored = await open(archive, 'r');
  try {
    let first: number | null = null;
    let different = 0;
    let total = 0;
    for await (const chunk of zipBytes(entries())) {
      const { buffer, bytesRead } = await stored.read(Buffer.alloc(chunk.length), 0, chunk.length, total);
      if (bytesRead < chunk.length) return null;
      if (!buffer.equals(chunk)) {
        for (let i = 0; i < chunk.length; i++) {
          if (chunk[i] === buffer[i]) continue;
          first ??= total + i;
          different++;
        }
      }
      total += chunk.length;
    }
    const whole = (await stored.stat()).size === total;
    return whole && different <= Math.max(1, total * MOST_DAMAGE) ? first : null;
  } finally {
    await stored.close();
  }
}
