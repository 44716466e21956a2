/**
 * Checks the bytes of files against the hash of the whole, of blocks, or of row groups. An edge checks every
 * byte, each time it reads it, before it answers.
 */
import { BLOCK_BYTES, type ParquetFile, type PublishedFile } from '../../../build/format/manifest.ts';
import { type ByteRange, type Files, TreeMismatch } from './files.ts';
import { sha256 } from './sha256.ts';

/** `path`: from the tree's root. */
export type ListedFile = Pick<PublishedFile, 'path' | 'bytes' | 'sha256' | 'blocks'> &
  Partial<Pick<ParquetFile, 'row_groups'>>;

interface ProvedPart extends ByteRange {
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

/**
 * The parts that cover a range in order and without gaps: row groups if they make up the range, else blocks.
 * Null if only the hash of the whole file proves it.
 */
function partsOf(file: ListedFile, range: ByteRange): readonly ProvedPart[] | null {
  const groups = groupsOf(file, range);
  if (groups) return groups;
  const { bytes, blocks } = file;
  if (blocks === undefined) return bytes <= BLOCK_BYTES ? [wholeOf(file)] : null;
  const hashes = decodeBlocks(file, blocks);
  const parts: ProvedPart[] = [];
  for (let i = Math.floor(range.start / BLOCK_BYTES); i * BLOCK_BYTES < Math.min(range.end, bytes); i++) {
    const start = i * BLOCK_BYTES;
    parts.push({ start, end: Math.min(bytes, start + BLOCK_BYTES), sha256: hashes[i] ?? '' });
  }
  return parts;
}

function wholeOf({ bytes, sha256 }: ListedFile): ProvedPart {
  return { start: 0, end: bytes, sha256 };
}

function groupsOf({ row_groups = [] }: ListedFile, { start, end }: ByteRange): ProvedPart[] | null {
  const parts: ProvedPart[] = [];
  for (const group of row_groups) {
    if (group.start < start) continue;
    const at = parts.at(-1)?.end ?? start;
    if (group.sha256 === undefined || group.start !== at) return null;
    const next = at + group.sizes.reduce((sum, size) => sum + size, 0);
    parts.push({ start: at, end: next, sha256: group.sha256 });
    if (next >= end) return next === end ? parts : null;
  }
  return null;
}

/** Decoded once for each entry of a manifest. */
const DECODED = new WeakMap<ListedFile, readonly string[]>();

function decodeBlocks(file: ListedFile, blocks: string): readonly string[] {
  const known = DECODED.get(file);
  if (known) return known;
  const digits = Array.from(atob(blocks), byte => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('');
  const hashes = digits.match(/.{64}/g) ?? [];
  DECODED.set(file, hashes);
  return hashes;
}

/**
 * Throws TreeMismatch if the file is missing or has another length or other bytes. A part isn't checked in
 * older trees, which list no hashes of parts.
 */
export async function readListed(
  files: Files,
  file: ListedFile,
  range: ByteRange,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const end = Math.min(range.end, file.bytes);
  const whole = range.start === 0 && range.end >= file.bytes;
  const parts = partsOf(file, { start: range.start, end }) ?? (whole ? [wholeOf(file)] : []);
  const from = parts[0]?.start ?? range.start;
  const span = { start: from, end: parts.at(-1)?.end ?? end };
  const bytes = await readExactly(files, file, span, signal);
  for (const part of parts)
    await expectHash(file.path, part, bytes.subarray(part.start - from, part.end - from));
  return bytes.subarray(range.start - from, end - from);
}

/** Most bytes of a large file in memory at once. */
export const STEP = 256 << 10;

/** A range in parts, each checked before it is yielded. */
export async function* streamListed(
  files: Files,
  file: ListedFile,
  { start, end }: ByteRange,
  signal?: AbortSignal,
  step = STEP,
): AsyncGenerator<Uint8Array> {
  const parts = partsOf(file, { start, end });
  if (parts === null) {
    // Only the whole file can be checked.
    const whole = await readListed(files, file, { start: 0, end: file.bytes }, signal);
    yield whole.subarray(start, end);
    return;
  }
  for (let at = start; at < end; ) {
    const next = Math.min(end, Math.floor(at / step) * step + step);
    yield await readListed(files, file, { start: at, end: next }, signal);
    at = next;
  }
}

async function readExactly(
  files: Files,
  { path, bytes: size }: ListedFile,
  range: ByteRange,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  // Without a range, since a host may compress the files it sends whole.
  const whole = range.start === 0 && range.end >= size;
  const found = await files.read(path, whole ? null : range, signal);
  if (!found) throw new TreeMismatch(path, 'is in the manifest but not in the tree');
  if (found.size !== size)
    throw new TreeMismatch(path, `has ${found.size} bytes, but the manifest says ${size}`);
  const wanted = range.end - range.start;
  if (found.bytes.length !== wanted)
    throw new TreeMismatch(path, `gave only ${found.bytes.length} of ${wanted} bytes`);
  return found.bytes;
}

async function expectHash(path: string, part: ProvedPart, bytes: Uint8Array): Promise<void> {
  if ((await sha256(bytes)) !== part.sha256)
    throw new TreeMismatch(
      path,
      `has other bytes than the manifest says, between ${part.start} and ${part.end - 1}`,
    );
}
