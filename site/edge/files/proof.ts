/**
 * What proves the bytes of a file: the hash of the whole, of each block, of each row group. Every byte that an edge reads
 * is checked before anything of it is answered, and once where a file stays the same.
 */
import { BLOCK_BYTES, type ParquetFile, type PublishedFile } from '../../../build/format/manifest.ts';
import { type ByteRange, type FileStat, type Files, TreeMismatch } from './files.ts';
import { Kept } from './kept.ts';
import { sha256 } from './sha256.ts';

/** A file's length and hashes. */
export type Proof = Pick<PublishedFile, 'bytes' | 'sha256' | 'blocks'> &
  Partial<Pick<ParquetFile, 'row_groups'>>;

/** A part of a file that is hashed by itself. */
interface ProvedPart extends ByteRange {
  /** Tells the part from all others of the file. */
  readonly key: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

/**
 * The parts that cover a range, in order and without gaps: row groups where the range is made of them, else blocks. Null
 * where only the hash of the whole file would prove it.
 */
function partsOf(proof: Proof, range: ByteRange): readonly ProvedPart[] | null {
  const groups = groupsOf(proof, range);
  if (groups) return groups;
  const { bytes, blocks } = proof;
  if (blocks === undefined) return bytes <= BLOCK_BYTES ? [wholeOf(proof)] : null;
  const hashes = decodeBlocks(proof, blocks);
  const parts: ProvedPart[] = [];
  for (let i = Math.floor(range.start / BLOCK_BYTES); i * BLOCK_BYTES < Math.min(range.end, bytes); i++) {
    const start = i * BLOCK_BYTES;
    parts.push({ key: start, start, end: Math.min(bytes, start + BLOCK_BYTES), sha256: hashes[i] ?? '' });
  }
  return parts;
}

/** No block and no row group begins at half a byte. */
const WHOLE = 0.5;

function wholeOf({ bytes, sha256 }: Proof): ProvedPart {
  return { key: WHOLE, start: 0, end: bytes, sha256 };
}

function groupsOf({ row_groups = [] }: Proof, { start, end }: ByteRange): ProvedPart[] | null {
  const parts: ProvedPart[] = [];
  for (const group of row_groups) {
    if (group.start < start) continue;
    const at = parts.at(-1)?.end ?? start;
    if (group.sha256 === undefined || group.start !== at) return null;
    const next = at + group.sizes.reduce((sum, size) => sum + size, 0);
    // A row group begins behind the file's first bytes, and a block's number is not negative.
    parts.push({ key: -at, start: at, end: next, sha256: group.sha256 });
    if (next >= end) return next === end ? parts : null;
  }
  return null;
}

/** Decoded once for each entry of a manifest. */
const DECODED = new WeakMap<Proof, readonly string[]>();

function decodeBlocks(proof: Proof, blocks: string): readonly string[] {
  const known = DECODED.get(proof);
  if (known) return known;
  const digits = Array.from(atob(blocks), byte => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('');
  const hashes = digits.match(/.{64}/g) ?? [];
  DECODED.set(proof, hashes);
  return hashes;
}

/** The parts of a file that were found sound, while the file stays the same. */
interface Sound {
  readonly version: string;
  /** Of the whole file: another release's file may stand at the path. */
  readonly sha256: string;
  readonly parts: Set<number>;
}

/** Each tree has its own: a path of another release is another file. */
const SOUND = new WeakMap<Files, Kept<Sound>>();

/** Files whose sound parts are remembered. */
const MOST_FILES = 20_000;

function soundOf(files: Files): Kept<Sound> {
  const known = SOUND.get(files) ?? new Kept<Sound>(MOST_FILES);
  SOUND.set(files, known);
  return known;
}

function isSound(
  sound: Sound | undefined,
  version: string,
  proof: Proof,
  parts: readonly ProvedPart[],
): boolean {
  return (
    sound?.version === version &&
    sound.sha256 === proof.sha256 &&
    parts.every(part => sound.parts.has(part.key))
  );
}

function remember(
  files: Files,
  { path, entry: { sha256 } }: ProvedFile,
  version: string,
  parts: readonly ProvedPart[],
): void {
  const all = soundOf(files);
  let sound = all.get(path);
  if (sound?.version !== version || sound.sha256 !== sha256) {
    sound = { version, sha256, parts: new Set() };
    all.drop(path);
    all.keep(path, sound, 1);
  }
  for (const part of parts) sound.parts.add(part.key);
}

/** A file, with its path from the tree's root and what proves it. */
export interface ProvedFile {
  readonly path: string;
  readonly entry: Proof;
}

/**
 * Bytes of a file that is listed with its hashes. Throws TreeMismatch where the file is missing, has another length or
 * other bytes. A part of a file of an older tree, which lists no hashes of parts, is not checked.
 */
export async function readListed(
  files: Files,
  { path, entry }: ProvedFile,
  range: ByteRange,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const end = Math.min(range.end, entry.bytes);
  const whole = range.start === 0 && range.end >= entry.bytes;
  const parts = partsOf(entry, { start: range.start, end }) ?? (whole ? [wholeOf(entry)] : []);
  const sound = soundOf(files).get(path);
  if (parts.length > 0 && sound && isSound(sound, sound.version, entry, parts)) {
    const { bytes, version } = await readExactly(files, { path, entry }, { start: range.start, end }, signal);
    if (version === sound.version) return bytes;
  }
  const from = parts[0]?.start ?? range.start;
  const span = { start: from, end: parts.at(-1)?.end ?? end };
  const { bytes, version } = await readExactly(files, { path, entry }, span, signal);
  for (const part of parts) await expectHash(path, part, bytes.subarray(part.start - from, part.end - from));
  if (version !== undefined) remember(files, { path, entry }, version, parts);
  return bytes.subarray(range.start - from, end - from);
}

/** A read holds no more of a large file than this. */
const STEP = 4 << 20;

/**
 * Checks a range of a file without giving it: the blocks that the range touches, or the whole file where it lists no
 * hashes of parts. Resolves to the file's version, null where the host knows none.
 */
export async function proveRange(
  files: Files,
  file: ProvedFile,
  range: ByteRange | null,
  signal?: AbortSignal,
): Promise<string | null> {
  const { version } = await statListed(files, file, signal);
  await proveVersion(files, file, version, range, signal);
  return version ?? null;
}

/** The same for a file whose version is known: undefined where the host knows none. */
export async function proveVersion(
  files: Files,
  file: ProvedFile,
  version: string | undefined,
  range: ByteRange | null,
  signal?: AbortSignal,
): Promise<void> {
  const { path, entry } = file;
  const asked = range ?? { start: 0, end: entry.bytes };
  const parts = partsOf(entry, asked) ?? [wholeOf(entry)];
  if (version !== undefined && isSound(soundOf(files).get(path), version, entry, parts)) return;
  const end = parts.at(-1)?.end ?? 0;
  const begin = parts[0]?.start ?? 0;
  // A file without hashes of parts is one part, and is read as a whole.
  if (parts.length === 1) await readListed(files, file, { start: begin, end }, signal);
  else
    for (let at = begin; at < end; at += STEP)
      await readListed(files, file, { start: at, end: Math.min(end, at + STEP) }, signal);
}

/** A range of a file in parts, each checked before it is given. */
export async function* streamListed(
  files: Files,
  file: ProvedFile,
  range: ByteRange | null,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const { start, end } = range ?? { start: 0, end: file.entry.bytes };
  const parts = partsOf(file.entry, { start, end });
  if (parts === null) {
    // Only the whole file can be checked.
    const whole = await readListed(files, file, { start: 0, end: file.entry.bytes }, signal);
    yield whole.subarray(start, end);
    return;
  }
  for (let at = start; at < end; ) {
    const next = Math.min(end, Math.floor(at / STEP) * STEP + STEP);
    yield await readListed(files, file, { start: at, end: next }, signal);
    at = next;
  }
}

/** Throws TreeMismatch where a listed file is missing or has another length. */
export async function statListed(
  files: Files,
  { path, entry }: ProvedFile,
  signal?: AbortSignal,
): Promise<FileStat> {
  const stat = await files.stat(path, signal);
  if (!stat) throw missing(path);
  if (stat.bytes !== entry.bytes) throw wrongLength(path, entry.bytes, stat.bytes);
  return stat;
}

interface FoundBytes {
  readonly bytes: Uint8Array;
  readonly version: string | undefined;
}

async function readExactly(
  files: Files,
  { path, entry }: ProvedFile,
  range: ByteRange,
  signal?: AbortSignal,
): Promise<FoundBytes> {
  // A whole file is read without a range, since a host may compress the files that it sends whole.
  const whole = range.start === 0 && range.end >= entry.bytes;
  const found = await files.read(path, whole ? null : range, signal);
  if (!found) throw missing(path);
  if (found.size !== entry.bytes) throw wrongLength(path, entry.bytes, found.size);
  const wanted = range.end - range.start;
  if (found.bytes.length !== wanted)
    throw new TreeMismatch(path, `gave only ${found.bytes.length} of ${wanted} bytes`);
  return { bytes: found.bytes, version: found.version };
}

async function expectHash(path: string, part: ProvedPart, bytes: Uint8Array): Promise<void> {
  if ((await sha256(bytes)) !== part.sha256)
    throw new TreeMismatch(
      path,
      `has other bytes than the manifest says, between ${part.start} and ${part.end - 1}`,
    );
}

function missing(path: string): TreeMismatch {
  return new TreeMismatch(path, 'is in the manifest but not in the tree');
}

function wrongLength(path: string, said: number, found: number): TreeMismatch {
  return new TreeMismatch(path, `has ${found} bytes, but the manifest says ${said}`);
}
