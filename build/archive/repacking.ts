/**
 * The hashes of files do not cover an archive's headers and padding. To find a damaged byte there, `civic verify` packs
 * the unpacked files again and compares the bytes.
 */
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { type ArchiveFormat, archiveBytes } from './archive-stream.ts';
import { ByteSource } from './byte-source.ts';
import type { ArchiveEntry } from './entry.ts';
import type { Unpacked } from './unpack.ts';

export interface RepackingDifference {
  /** Offset of the first byte that differs. */
  readonly at: number;
  /** The entry at that offset. */
  readonly entry: string;
}

/** If more bytes differ, another program or version packed the archive: that is not damage. */
const MOST_DAMAGE = 0.01;

/** Null if the archive is the same byte for byte, or this program version did not pack it. */
export async function findRepackingDifference(
  archive: string,
  format: ArchiveFormat,
  folder: string,
  { files }: Unpacked,
): Promise<RepackingDifference | null> {
  let current = files[0]?.name ?? '';
  async function* entries(): AsyncGenerator<ArchiveEntry> {
    for (const { name, bytes, modified } of files) {
      current = name;
      yield {
        name,
        bytes,
        modified,
        read: () => createReadStream(path.join(folder, name), { highWaterMark: 1 << 20 }),
      };
    }
  }
  const stored = new ByteSource(createReadStream(archive, { highWaterMark: 1 << 20 }));
  let first: RepackingDifference | null = null;
  let different = 0;
  let total = 0;
  for await (const chunk of archiveBytes(format, entries())) {
    const there = await stored.take(chunk.length);
    if (there.length < chunk.length) return null;
    if (Buffer.compare(chunk, there) !== 0) {
      for (let i = 0; i < chunk.length; i++) {
        if (chunk[i] === there[i]) continue;
        first ??= { at: total + i, entry: current };
        different++;
      }
    }
    total += chunk.length;
  }
  const whole = (await stored.take(1)).length === 0;
  return whole && different <= Math.max(1, total * MOST_DAMAGE) ? first : null;
}
