/** `civic verify --repair`: takes what is damaged in a tree from a second copy of the same release. */
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { mkdir, readFile, utimes } from 'node:fs/promises';
import path from 'node:path';
import { RefusedError, UnableError } from '../failure.ts';
import { BLOCK_BYTES, type TreeManifest } from '../format/manifest.ts';
import { ROOT } from '../format/paths.ts';
import { isRegularFile } from '../lake/lake-files.ts';
import type { Reporter } from '../report.ts';
import { digestFile, digestText } from '../slice/file-digest.ts';
import { damagedBlocks } from './damaged-blocks.ts';
import { replaceFile } from './durability.ts';
import { misshapen, TREE_MANIFEST } from './manifest-shape.ts';
import { type KnownFile, parseChecksums, readManifests } from './previous-tree.ts';
import { parseJson } from './tree-source.ts';

/** A second copy: a folder, or the address of a host. */
interface Copy {
  readonly name: string;
  /** The bytes from `start` up to `end`, or of the whole file; null if there is no such file. */
  read(file: string, range?: { readonly start: number; readonly end: number }): Promise<Buffer | null>;
}

/**
 * Replaces damaged files and blocks, and adds missing files. Every byte is checked before it takes a place. Throws
 * UnableError if the copy is of another release, RefusedError if it is damaged in the same place.
 */
export async function repairTree(folder: string, from: string, report: Reporter): Promise<void> {
  const copy = /^https?:/i.test(from) ? addressCopy(from) : folderCopy(from);
  const sums = await copy.read(ROOT.checksums);
  const manifest = await copy.read(ROOT.manifest);
  const listed = parseChecksums(sums?.toString('utf8') ?? '');
  if (!sums || !manifest || listed.get(ROOT.manifest) !== digestText(manifest)) {
    throw new UnableError(
      'not-a-tree',
      `${from} has no ${ROOT.checksums} that matches its ${ROOT.manifest}. Name a whole copy of the tree.`,
    );
  }
  expectSameRelease(
    folder,
    listed,
    await readFile(path.join(folder, ROOT.checksums), 'utf8').catch(() => ''),
    from,
  );
  const known = await filesOf(copy, manifest);
  let files = 0;
  let bytes = 0;
  for (const [name, sha256] of listed) {
    const target = path.join(folder, name);
    if (isRegularFile(target) && digestFile(target).sha256 === sha256) continue;
    const found = await soundBytes(copy, name, sha256, target, known.get(name));
    await mkdir(path.dirname(target), { recursive: true });
    await replaceFile(target, found.content);
    const modified = known.get(name)?.modified;
    if (modified !== undefined) await utimes(target, new Date(modified), new Date(modified));
    files++;
    bytes += found.fetched;
  }
  const own = path.join(folder, ROOT.checksums);
  if (!isRegularFile(own) || digestFile(own).sha256 !== digestText(sums)) {
    await replaceFile(own, sums);
    files++;
    bytes += sums.length;
  }
  const what =
    files === 0 ? 'Nothing was damaged' : `${files} ${files === 1 ? 'file is' : 'files are'} repaired`;
  report({ kind: 'note', text: `${what}; ${bytes} bytes came from ${from}.` });
}

/** Most lines of two lists of one release are the same, whatever damage either has. */
function expectSameRelease(
  folder: string,
  listed: ReadonlyMap<string, string>,
  own: string,
  from: string,
): void {
  const lines = parseChecksums(own);
  const same = [...lines].filter(([name, sha256]) => listed.get(name) === sha256).length;
  const agree = lines.size === 0 || (lines.get(ROOT.manifest) ?? '') === listed.get(ROOT.manifest);
  if (agree || same >= Math.max(lines.size, listed.size) - 1) return;
  throw new UnableError(
    'other-release',
    `${from} is of another release than ${folder}. Name a copy of the same release, or copy the whole tree anew.`,
  );
}

/** What the copy's manifests say of its files. */
async function filesOf(copy: Copy, text: Buffer): Promise<ReadonlyMap<string, KnownFile>> {
  const manifest = parseJson<TreeManifest>(text.toString('utf8'));
  if (manifest === null || misshapen(TREE_MANIFEST, manifest) !== null) return new Map();
  const { files } = await readManifests(manifest, async <T>(file: string, sha256: string) => {
    const found = await copy.read(file);
    return found !== null && digestText(found) === sha256 ? parseJson<T>(found.toString('utf8')) : null;
  });
  return files;
}

interface SoundBytes {
  readonly content: Buffer;
  /** Bytes that came from the copy. */
  readonly fetched: number;
}

/** The file's right bytes, of which only damaged blocks come from the copy if the rest is there. */
async function soundBytes(
  copy: Copy,
  name: string,
  sha256: string,
  target: string,
  known: KnownFile | undefined,
): Promise<SoundBytes> {
  const damaged = known && isRegularFile(target) ? damagedBlocks(target, known) : null;
  if (damaged !== null) {
    const content = await readFile(target);
    let fetched = 0;
    for (const block of damaged) {
      const start = block * BLOCK_BYTES;
      const part = await copy.read(name, { start, end: Math.min(content.length, start + BLOCK_BYTES) });
      part?.copy(content, start);
      fetched += part?.length ?? 0;
    }
    if (digestText(content) === sha256) return { content, fetched };
  }
  const whole = await copy.read(name);
  if (whole !== null && digestText(whole) === sha256) return { content: whole, fetched: whole.length };
  const message = `The file is damaged here, and ${whole === null ? 'missing' : 'damaged'} in ${copy.name} too. Name another copy.`;
  throw new RefusedError([{ severity: 'error', code: 'tree-corrupt-file', file: name, message }]);
}

function folderCopy(folder: string): Copy {
  return {
    name: folder,
    async read(file, range) {
      const place = path.join(folder, file);
      if (!isRegularFile(place)) return null;
      if (range === undefined) return readFile(place);
      const bytes = Buffer.alloc(Math.max(0, Math.min(range.end, statSync(place).size) - range.start));
      const handle = openSync(place, 'r');
      try {
        return bytes.subarray(0, readSync(handle, bytes, 0, bytes.length, range.start));
      } finally {
        closeSync(handle);
      }
    },
  };
}

function addressCopy(address: string): Copy {
  const base = address.endsWith('/') ? address : `${address}/`;
  return {
    name: address,
    async read(file, range) {
      const url = base + file.split('/').map(encodeURIComponent).join('/');
      const headers = { 'Accept-Encoding': 'identity' };
      const asked = range ? { ...headers, Range: `bytes=${range.start}-${range.end - 1}` } : headers;
      const response = await fetch(url, { headers: asked }).catch(() => null);
      if (response === null)
        throw new UnableError('unreachable', `${base} cannot be reached. Name another copy.`);
      if (!response.ok) return null;
      const bytes = Buffer.from(await response.arrayBuffer());
      // A host may send the whole file instead of a part.
      return range && response.status === 200 ? bytes.subarray(range.start, range.end) : bytes;
    },
  };
}
