/** BagIt bags (RFC 8493): writing their files and verifying a folder. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { refused } from '../failure.ts';
import { isRegularFile, listFiles } from '../lake/lake-files.ts';
import type { ReportFault } from '../tree/tree-lists.ts';
import { type Unpacked, unpackArchive } from './zip.ts';

export const BAG = {
  declaration: 'bagit.txt',
  info: 'bag-info.txt',
  manifest: 'manifest-sha512.txt',
  tagManifest: 'tagmanifest-sha512.txt',
  payload: 'data/',
  /** A text for people; BagIt allows additional files. */
  readme: 'README.txt',
  format: 'FORMAT.md',
} as const;

export const DECLARATION = 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n';
const DECLARED = /^BagIt-Version: 1\.0\r?\nTag-File-Character-Encoding: UTF-8\r?\n?$/;

/** One `Label: value` per line; leaves out null values. */
export function bagInfoText(fields: readonly (readonly [label: string, value: string | null])[]): string {
  return fields
    .flatMap(([label, value]) => (value === null ? [] : [`${label}: ${value.replace(/\s+/g, ' ').trim()}\n`]))
    .join('');
}

/** `hash  path` lines, sorted by path. The RFC requires line ends and percent signs to be escaped. */
export function manifestText(hashes: ReadonlyMap<string, string>): string {
  return [...hashes]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, sha512]) => `${sha512}  ${path.replace(/[%\r\n]/g, encodeURIComponent)}\n`)
    .join('');
}

/** `wrong`: the number of the first invalid line, from 1; null if there is none. */
function parseBagManifest(text: string) {
  const hashes = new Map<string, string>();
  let wrong: number | null = null;
  for (const [i, line] of (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).entries()) {
    const [, sha512, name] = /^([0-9a-f]{128})[ \t]+\*?(.+?)\r?\n$/.exec(line) ?? [];
    const path = name?.replace(/%(25|0A|0D)/gi, decodeURIComponent);
    if (sha512 === undefined || path === undefined || hashes.has(path)) wrong ??= i + 1;
    else hashes.set(path, sha512);
  }
  return { hashes, wrong };
}

export function isBag(folder: string): boolean {
  return isRegularFile(path.join(folder, BAG.declaration));
}

export function isArchive(file: string): boolean {
  return /\.zip$/i.test(file) && isRegularFile(file);
}

/** `bag`: its folder in the given empty one. Throws RefusedError. */
export async function unpackBag(file: string, folder: string): Promise<Unpacked & { readonly bag: string }> {
  const unpacked = await unpackArchive(file, folder);
  const bag = path.join(folder, unpacked.root);
  if (!isBag(bag)) throw refused('not-a-bag', file, `The archive has no ${BAG.declaration}.`);
  return { ...unpacked, bag };
}

/** Reports faults to `wrong`, with paths relative to the bag. */
export async function verifyBag(
  folder: string,
  wrong: ReportFault,
  onFile: (done: number, total: number, name: string) => void,
): Promise<void> {
  const present = listFiles(folder);
  const isFile = (name: string) => isRegularFile(path.join(folder, name));
  const text = async (name: string) =>
    isFile(name) ? readFile(path.join(folder, name), 'utf8').catch(() => null) : null;
  if (!DECLARED.test((await text(BAG.declaration)) ?? ''))
    wrong(BAG.declaration, 'bag-declaration', 'The file is not a declaration as RFC 8493 requires.');
  const readList = async (list: string) => {
    const lines = await text(list);
    if (lines === null) {
      wrong(list, 'bag-missing-file', 'The bag lacks the file, so its content cannot be verified.');
      return undefined;
    }
    const { hashes, wrong: line } = parseBagManifest(lines);
    if (line !== null)
      wrong(list, 'bag-manifest', `Line ${line} is not a hash and a path, or repeats a path.`);
    return hashes;
  };
  const isPayload = (name: string) => name.startsWith(BAG.payload);
  const isTag = (name: string) => !isPayload(name) && name !== BAG.tagManifest;
  const lists = [
    { list: BAG.manifest, hashes: await readList(BAG.manifest), files: present.filter(isPayload) },
    { list: BAG.tagManifest, hashes: await readList(BAG.tagManifest), files: present.filter(isTag) },
  ];
  let done = 0;
  for (const { list, hashes, files } of lists) {
    const there = new Set(files);
    for (const name of hashes?.keys() ?? [])
      if (!there.has(name)) wrong(name, 'bag-missing-file', `${list} lists the file, but the bag lacks it.`);
    for (const name of files) {
      const listed = hashes?.get(name);
      const regular = isFile(name);
      if (listed !== undefined && !regular) {
        wrong(name, 'bag-missing-file', `${list} lists the file, but the bag has something else there.`);
        continue;
      }
      if (hashes !== undefined && listed === undefined)
        wrong(name, 'bag-extra-file', `The file is not in ${list}. Remove it, or copy the bag again.`);
      else if (listed !== undefined && listed !== (await hashFile(path.join(folder, name))))
        wrong(
          name,
          'bag-corrupt-file',
          `The file does not have the sha512 that ${list} lists. Copy it again.`,
        );
      onFile(++done, present.length - 1, name);
    }
  }
}

async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha512');
  await pipeline(createReadStream(file, { highWaterMark: 1 << 20 }), hash);
  return hash.digest('hex');
}
