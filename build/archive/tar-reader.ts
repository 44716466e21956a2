/** Reads the entries of a .tar.zst file in order, in bounded memory. */
import { createReadStream } from 'node:fs';
import { ByteSource } from './byte-source.ts';
import { ArchiveError, type FoundEntry } from './found-entry.ts';
import { FrameError, unzstdBytes } from './zstd-frames.ts';

const BLOCK = 512;
const CHUNK_BYTES = 1 << 20;
/** The largest record about an entry, in bytes. */
const MOST_RECORD_BYTES = 1 << 16;

/**
 * Throws ArchiveError at the current or the last entry. Reports a damaged frame to `onDamage` and still finds the
 * entries after it; the content of the frame is zeros or missing.
 */
export async function* readTar(
  file: string,
  onDamage: (message: string) => void,
): AsyncGenerator<FoundEntry> {
  const reading: Reading = { damaged: false, last: null, records: new Map() };
  const note = (error: FrameError) => {
    reading.damaged = true;
    onDamage(error.message);
  };
  const source = new ByteSource(readFrames(file, reading, note));
  try {
    yield* readEntries(source, reading);
  } finally {
    await source.end();
  }
}

async function* readFrames(
  file: string,
  reading: Reading,
  note: (error: FrameError) => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield* unzstdBytes(createReadStream(file, { highWaterMark: CHUNK_BYTES }), note);
  } catch (error) {
    if (!(error instanceof FrameError)) throw error;
    const where =
      reading.last === null ? '' : ' This is the last entry found; everything after it is lost too.';
    const message = `The program cannot read the archive: ${error.message}.${where} Copy it again.`;
    throw new ArchiveError(error.cut ? 'archive-truncated' : 'archive-corrupt', reading.last, message);
  }
}

interface Reading {
  /** Whether a frame was damaged, so that headers may be lost. */
  damaged: boolean;
  /** The last entry found. */
  last: string | null;
  /** Records about the next entry. */
  records: ReadonlyMap<string, string>;
}

async function* readEntries(source: ByteSource, reading: Reading): AsyncGenerator<FoundEntry> {
  for (;;) {
    const block = await source.take(BLOCK);
    if (reading.damaged && block.length === 0) return;
    if (block.length < BLOCK) throw cut(reading);
    if (reading.damaged && !isHeader(block)) continue;
    if (block.every(byte => byte === 0)) return expectEnd(source, reading);
    const header = parseHeader(block, reading);
    const { type, bytes } = header;
    if ('xgL'.includes(type)) {
      if (bytes > MOST_RECORD_BYTES) throw corrupt(reading, `a record about an entry has ${bytes} bytes`);
      const text = (await source.take(bytes)).toString('utf8');
      await skip(source, padding(bytes), reading);
      if (type === 'x') reading.records = parseRecords(text, reading);
      if (type === 'L') reading.records = new Map([['path', text.replace(/\0.*$/s, '')]]);
      continue;
    }
    const { records } = reading;
    const size = Number(records.get('size') ?? bytes);
    if (!Number.isSafeInteger(size) || size < 0) throw corrupt(reading, 'an entry has no size');
    const name = records.get('path') ?? header.name;
    reading.last = name;
    reading.records = new Map();
    const end = source.position + size;
    yield {
      name,
      kind: type === '0' || type === '\0' ? 'file' : type === '5' ? 'folder' : 'other',
      bytes: size,
      modified: header.modified,
      read: () => readUntil(source, end, reading),
    };
    await skip(source, end - source.position + padding(size), reading);
  }
}

async function* readUntil(source: ByteSource, end: number, reading: Reading): AsyncGenerator<Uint8Array> {
  while (source.position < end) {
    const chunk = await source.take(Math.min(CHUNK_BYTES, end - source.position));
    if (chunk.length === 0) throw cut(reading);
    yield chunk;
  }
}

async function skip(source: ByteSource, count: number, reading: Reading): Promise<void> {
  for await (const _ of readUntil(source, source.position + count, reading));
}

/** Throws unless only zeros follow the end. */
async function expectEnd(source: ByteSource, reading: Reading): Promise<void> {
  for (;;) {
    const chunk = await source.take(CHUNK_BYTES);
    if (chunk.length === 0) return;
    if (chunk.some(byte => byte !== 0)) throw corrupt(reading, 'it has bytes after its end');
  }
}

function padding(bytes: number): number {
  return (BLOCK - (bytes % BLOCK)) % BLOCK;
}

interface Header {
  readonly name: string;
  readonly type: string;
  readonly bytes: number;
  readonly modified: Date;
}

/** Whether a block has a valid header checksum; a block of zeros has not. */
function isHeader(block: Buffer): boolean {
  const sum = block.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0);
  return readNumber(block, 148, 8) === sum;
}

function parseHeader(block: Buffer, reading: Reading): Header {
  const text = (at: number, length: number) => readText(block, at, length);
  if (!isHeader(block)) throw corrupt(reading, 'a header is damaged');
  const prefix = text(257, 6) === 'ustar' ? text(345, 155) : '';
  return {
    name: prefix === '' ? text(0, 100) : `${prefix}/${text(0, 100)}`,
    type: block.toString('latin1', 156, 157),
    bytes: readNumber(block, 124, 12),
    modified: new Date(readNumber(block, 136, 12) * 1000),
  };
}

function readText(block: Buffer, at: number, length: number): string {
  const field = block.subarray(at, at + length);
  const end = field.indexOf(0);
  return field.subarray(0, end < 0 ? length : end).toString('utf8');
}

function readNumber(block: Buffer, at: number, length: number): number {
  if (((block[at] ?? 0) & 0x80) === 0) return Number.parseInt(readText(block, at, length).trim() || '0', 8);
  // GNU tar writes larger numbers in binary.
  return Number(BigInt(`0x${block.subarray(at + 1, at + length).toString('hex')}`));
}

/** Parses `length keyword=value` records. */
function parseRecords(text: string, reading: Reading): Map<string, string> {
  const bytes = Buffer.from(text);
  const found = new Map<string, string>();
  for (let at = 0; at < bytes.length; ) {
    const length = Number.parseInt(bytes.toString('latin1', at, at + 8), 10);
    const record = bytes.toString('utf8', at, at + length);
    const match = /^\d+ ([^=]+)=(.*)\n$/s.exec(record);
    if (match?.[1] === undefined || !(length > 0))
      throw corrupt(reading, 'a record about an entry is damaged');
    found.set(match[1], match[2] ?? '');
    at += length;
  }
  return found;
}

function cut({ last }: Reading): ArchiveError {
  return new ArchiveError('archive-truncated', last, 'The archive ends early here. Copy it again.');
}

function corrupt({ last }: Reading, what: string): ArchiveError {
  const where = last === null ? '' : ' This is the last entry found.';
  return new ArchiveError(
    'archive-corrupt',
    last,
    `The program cannot read the archive: ${what}.${where} Copy it again.`,
  );
}
