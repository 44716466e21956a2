/**
 * Writes a ZIP file of stored entries. It compresses nothing, because compressors differ between versions and these
 * bytes must not. Each header states the hash and length of its entry, so that programs can read the file as a stream.
 * Times are in UTC. ZIP64 appears only where a number needs it.
 */
import { crc32 } from 'node:zlib';
import type { ArchiveEntry } from './entry.ts';

/** Smaller entries are held in memory; larger ones are read twice, first for the hash. */
const HELD_BYTES = 16 << 20;

const MOST_32 = 0xffffffff;
const MOST_16 = 0xffff;
const VERSION = 45;
const UTF8_NAMES = 1 << 11;
/** A regular file, `rw-r--r--`. */
const MODE = 0o100644;

interface Placed {
  readonly name: Buffer;
  readonly bytes: number;
  readonly crc: number;
  readonly modified: Date;
  /** Offset of its header. */
  readonly offset: number;
}

export async function* zipBytes(entries: AsyncIterable<ArchiveEntry>): AsyncGenerator<Uint8Array> {
  const placed: Placed[] = [];
  let offset = 0;
  for await (const entry of entries) {
    const held: Uint8Array[] = [];
    let crc = 0;
    for await (const chunk of entry.read()) {
      crc = crc32(chunk, crc);
      // Copy it: the reader may use the same memory for the next chunk.
      if (entry.bytes <= HELD_BYTES) held.push(Uint8Array.from(chunk));
    }
    const one = { name: Buffer.from(entry.name), bytes: entry.bytes, crc, modified: entry.modified, offset };
    const header = localHeader(one);
    yield header;
    if (entry.bytes <= HELD_BYTES) yield* held;
    else yield* unchanged(entry, crc);
    placed.push(one);
    offset += header.length + entry.bytes;
  }
  let length = 0;
  for (const one of placed) {
    const record = centralRecord(one);
    length += record.length;
    yield record;
  }
  yield endOfDirectory(placed.length, length, offset);
}

async function* unchanged(entry: ArchiveEntry, expected: number): AsyncGenerator<Uint8Array> {
  let crc = 0;
  for await (const chunk of entry.read()) {
    crc = crc32(chunk, crc);
    yield chunk;
  }
  if (crc !== expected) throw new Error(`${entry.name} changed while it was read.`);
}

function localHeader({ name, bytes, crc, modified }: Placed): Buffer {
  const large = bytes >= MOST_32;
  const extra = Buffer.concat([large ? longNumbers([bytes, bytes]) : Buffer.alloc(0), unixTime(modified)]);
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50, 0);
  common(head, 4, { modified, crc, size: large ? MOST_32 : bytes, name, extra });
  return Buffer.concat([head, name, extra]);
}

function centralRecord({ name, bytes, crc, modified, offset }: Placed): Buffer {
  const large = bytes >= MOST_32;
  const far = offset >= MOST_32;
  const long = [...(large ? [bytes, bytes] : []), ...(far ? [offset] : [])];
  const extra = Buffer.concat([long.length > 0 ? longNumbers(long) : Buffer.alloc(0), unixTime(modified)]);
  const head = Buffer.alloc(46);
  head.writeUInt32LE(0x02014b50, 0);
  head.writeUInt16LE((3 << 8) | VERSION, 4);
  common(head, 6, { modified, crc, size: large ? MOST_32 : bytes, name, extra });
  head.writeUInt32LE((MODE << 16) >>> 0, 38);
  head.writeUInt32LE(far ? MOST_32 : offset, 42);
  return Buffer.concat([head, name, extra]);
}

interface Common {
  readonly modified: Date;
  readonly crc: number;
  readonly size: number;
  readonly name: Buffer;
  readonly extra: Buffer;
}

/** Writes the fields that both headers share. */
function common(head: Buffer, at: number, { modified, crc, size, name, extra }: Common): void {
  const { date, time } = dosTime(modified);
  head.writeUInt16LE(VERSION, at);
  head.writeUInt16LE(UTF8_NAMES, at + 2);
  head.writeUInt16LE(time, at + 6);
  head.writeUInt16LE(date, at + 8);
  head.writeUInt32LE(crc, at + 10);
  head.writeUInt32LE(size, at + 14);
  head.writeUInt32LE(size, at + 18);
  head.writeUInt16LE(name.length, at + 22);
  head.writeUInt16LE(extra.length, at + 24);
}

function longNumbers(numbers: readonly number[]): Buffer {
  const extra = Buffer.alloc(4 + 8 * numbers.length);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(8 * numbers.length, 2);
  for (const [i, number] of numbers.entries()) extra.writeBigUInt64LE(BigInt(number), 4 + 8 * i);
  return extra;
}

/** The time as seconds since 1970, because the older field has no time zone. */
function unixTime(modified: Date): Buffer {
  const seconds = Math.floor(modified.getTime() / 1000);
  if (seconds < 0 || seconds > 0x7fffffff) return Buffer.alloc(0);
  const extra = Buffer.alloc(9);
  extra.writeUInt16LE(0x5455, 0);
  extra.writeUInt16LE(5, 2);
  extra.writeUInt8(1, 4);
  extra.writeUInt32LE(seconds, 5);
  return extra;
}

function dosTime(modified: Date): { readonly date: number; readonly time: number } {
  const year = Math.min(2107, Math.max(1980, modified.getUTCFullYear()));
  return {
    date: ((year - 1980) << 9) | ((modified.getUTCMonth() + 1) << 5) | modified.getUTCDate(),
    time: (modified.getUTCHours() << 11) | (modified.getUTCMinutes() << 5) | (modified.getUTCSeconds() >> 1),
  };
}

function endOfDirectory(count: number, length: number, offset: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(count, MOST_16), 8);
  end.writeUInt16LE(Math.min(count, MOST_16), 10);
  end.writeUInt32LE(Math.min(length, MOST_32), 12);
  end.writeUInt32LE(Math.min(offset, MOST_32), 16);
  if (count < MOST_16 && length < MOST_32 && offset < MOST_32) return end;
  const large = Buffer.alloc(56);
  large.writeUInt32LE(0x06064b50, 0);
  large.writeBigUInt64LE(44n, 4);
  large.writeUInt16LE((3 << 8) | VERSION, 12);
  large.writeUInt16LE(VERSION, 14);
  for (const [i, number] of [count, count, length, offset].entries()) {
    large.writeBigUInt64LE(BigInt(number), 24 + 8 * i);
  }
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(offset + length), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([large, locator, end]);
}
