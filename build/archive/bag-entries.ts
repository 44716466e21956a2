/** The entries of a bag, hashed while the tree is read. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Diagnostic } from '../contract/diagnostic.ts';
import { RefusedError } from '../failure.ts';
import { ROOT } from '../format/paths.ts';
import { judgeHash, type ReportFault, type TreeLists } from '../tree/tree-lists.ts';
import { BAG, manifestText } from './bag.ts';
import { type ArchiveEntry, textEntry } from './entry.ts';
import type { TreeFile } from './tree-files.ts';

export interface Packing {
  /** The archive's only top-level folder. */
  readonly folder: string;
  readonly files: readonly TreeFile[];
  readonly lists: Pick<TreeLists, 'expected' | 'other'>;
  /** Tag files before the payload. */
  readonly tags: readonly (readonly [name: string, text: string])[];
  /** Time of files that have none of their own. */
  readonly released: Date;
  readonly onFile: (done: number, name: string) => void;
}

/**
 * Yields the files of a bag in order: tag files, payload, and the hashes collected on the way. After a file that
 * contradicts its tree it reads the others too, and reports all of them together as a RefusedError.
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
    // After the first fault there will be no archive: only check the remaining files.
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

/** Yields a file's bytes, and sets `digests` after the last. */
async function* readHashed(
  { where, bytes, name }: TreeFile,
  digests: { sha256: string; sha512: string },
): AsyncGenerator<Uint8Array> {
  const [short, long] = [createHash('sha256'), createHash('sha512')];
  let length = 0;
  for await (const chunk of createReadStream(where, { highWaterMark: 1 << 20 })) {
    short.update(chunk);
    long.update(chunk);
    length += chunk.length;
    yield chunk;
  }
  if (length !== bytes) throw new Error(`${name} changed while it was read.`);
  digests.sha256 = short.digest('hex');
  digests.sha512 = long.digest('hex');
}
