/** The bytes of an archive, made from a tree while it is read. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Diagnostic } from '../contract/diagnostic.ts';
import { RefusedError } from '../failure.ts';
import { ROOT } from '../format/paths.ts';
import { judgeHash, type ReportFault, type TreeLists } from '../tree/tree-lists.ts';
import { BAG, manifestText } from './bag.ts';
import { type ArchiveEntry, textEntry } from './entry.ts';
import { tarBytes } from './tar-format.ts';
import type { TreeFile } from './tree-files.ts';
import { zipBytes } from './zip-format.ts';
import { zstdBytes } from './zstd-frames.ts';

export type ArchiveFormat = 'zip' | 'tar.zst';

/** By the file's name; null where it names neither. */
export function archiveFormat(file: string): ArchiveFormat | null {
  if (/\.zip$/i.test(file)) return 'zip';
  return /\.(tar\.zst|tzst)$/i.test(file) ? 'tar.zst' : null;
}

/** `left`: the beginning that an interrupted run left. Only compressing takes longer than to look at what it holds. */
export function archiveBytes(
  format: ArchiveFormat,
  entries: AsyncIterable<ArchiveEntry>,
  left: AsyncIterable<Uint8Array> | null = null,
): AsyncGenerator<Uint8Array> {
  return format === 'zip' ? zipBytes(entries) : zstdBytes(tarBytes(entries), left);
}

export interface Packing {
  /** The archive's one folder. */
  readonly folder: string;
  readonly files: readonly TreeFile[];
  readonly lists: Pick<TreeLists, 'expected' | 'other'>;
  /** Tag files that stand before the payload, by name. */
  readonly tags: readonly (readonly [name: string, text: string])[];
  /** Of what has no time of its own. */
  readonly released: Date;
  readonly onFile: (done: number, name: string) => void;
}

/**
 * What a bag holds, in its order: words, payload, and last the hashes that were made on the way. A file that is not
 * as its tree says is not the end: the others are read too, and all that are wrong are refused together.
 */
export async function* bagEntries(packing: Packing): AsyncGenerator<ArchiveEntry> {
  const { folder, files, lists, tags, released, onFile } = packing;
  const found: Diagnostic[] = [];
  const wrong: ReportFault = (file, code, message) => found.push({ severity: 'error', code, file, message });
  const payload = new Map<string, string>();
  for (const [name, text] of tags) yield textEntry(`${folder}/${name}`, text, released);
  for (const [i, file] of files.entries()) {
    const path = `${BAG.payload}${file.name}`;
    const digests = { sha256: '', sha512: '' };
    const read = () => readHashed(file, digests);
    // Once something is wrong there will be no archive, and what is left is only looked at.
    if (found.length > 0) for await (const _ of read());
    else yield { name: `${folder}/${path}`, bytes: file.bytes, modified: new Date(file.modified), read };
    payload.set(path, digests.sha512);
    if (file.name !== ROOT.checksums) judgeHash(lists, file.name, digests.sha256, wrong);
    onFile(i + 1, file.name);
  }
  if (found.length > 0) throw new RefusedError(found);
  const manifest = manifestText(payload);
  yield textEntry(`${folder}/${BAG.manifest}`, manifest, released);
  const hashes = new Map(
    [...tags, [BAG.manifest, manifest] as const].map(([name, text]) => [name, sha512(text)]),
  );
  yield textEntry(`${folder}/${BAG.tagManifest}`, manifestText(hashes), released);
}

export function sha512(text: string): string {
  return createHash('sha512').update(text).digest('hex');
}

/** A file's bytes, and when they have all been read, their hashes. */
async function* readHashed(
  { where, bytes, name }: TreeFile,
  digests: { sha256: string; sha512: string },
): AsyncGenerator<Uint8Array> {
  const [short, long] = [createHash('sha256'), createHash('sha512')];
  let length = 0;
  for await (const part of createReadStream(where, { highWaterMark: 1 << 20 })) {
    short.update(part);
    long.update(part);
    length += part.length;
    yield part;
  }
  if (length !== bytes) throw new Error(`${name} changed while it was read.`);
  digests.sha256 = short.digest('hex');
  digests.sha512 = long.digest('hex');
}
