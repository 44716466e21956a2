/**
 * Some bytes of an archive say nothing that its files' hashes cover: headers, padding. What a snapshot wrote can be
 * written again from the files, so that a single byte that differs is found there too.
 */
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { type ArchiveFormat, archiveBytes } from './archive-stream.ts';
import { ByteSource } from './byte-source.ts';
import type { ArchiveEntry } from './entry.ts';
import type { Unpacked } from './unpack.ts';

export interface RepackingDifference {
  /** The first byte that differs, from the archive's start. */
  readonly at: number;
  /** The entry that was being written there. */
  readonly entry: string;
}

/** Archives that another program, or another version of this one, packed differ all over: that is no damage. */
const MOST_DAMAGE = 0.01;

/** Null where the archive is the same to the byte, or is none that this program packed. */
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
  for await (const part of archiveBytes(format, entries())) {
    const there = await stored.take(part.length);
    if (there.length < part.length) return null;
    if (Buffer.compare(part, there) !== 0) {
      for (let i = 0; i < part.length; i++) {
        if (part[i] === there[i]) continue;
        first ??= { at: total + i, entry: current };
        different++;
      }
    }
    total += part.length;
  }
  const whole = (await stored.take(1)).length === 0;
  return whole && different <= Math.max(1, total * MOST_DAMAGE) ? first : null;
}
