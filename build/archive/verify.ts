/** `civic verify`: checks a tree, a bag, or an archive. */
import { createReadStream } from 'node:fs';
import { mkdtemp, open } from 'node:fs/promises';
import path from 'node:path';
import { RefusedError, refused, UnableError } from '../failure.ts';
import type { Reporter } from '../report.ts';
import { isRegularFile } from '../lake/lake-files.ts';
import { collectFaults } from '../tree/tree-lists.ts';
import { folderSource, sourceOf, type TreeSource } from '../tree/tree-source.ts';
import { type VerifyOptions, type VerifyResult, verifyTree } from '../tree/verify-tree.ts';
import { withTemporaryFolder } from '../tree/workspace.ts';
import { BAG, isArchive, isBag, unpackBag, verifyBag } from './bag.ts';
import { type ArchiveEntry, type Unpacked, zipBytes } from './zip.ts';

/** `against`: another copy of the tree, as a folder, an address, or an archive. */
export async function verify(
  location: string,
  { against, ...given }: Omit<VerifyOptions, 'against'> & { readonly against?: string | null },
  report: Reporter,
): Promise<VerifyResult> {
  return withTemporaryFolder(async temporary => {
    const other = against ? await openOther(against, await mkdtemp(path.join(temporary, 'other-'))) : null;
    const options = { ...given, against: other };
    if (isRegularFile(location))
      return await verifyArchive(location, await mkdtemp(path.join(temporary, 'own-')), options, report);
    return isBag(location)
      ? await verifyFolder(location, options, report)
      : await verifyTree(location, { ...options, asBuilt: true }, report);
  });
}

/** A tree in an archive or a bag has the archive's or bag's name in messages. */
async function openOther(location: string, temporary: string): Promise<TreeSource> {
  const inBag = (bag: string) => ({ ...folderSource(path.join(bag, BAG.payload)), name: location });
  if (isArchive(location)) return inBag((await unpackBag(location, temporary)).bag);
  return isBag(location) ? inBag(location) : sourceOf(location, temporary);
}

/** `temporary`: the folder to unpack into. */
async function verifyArchive(
  file: string,
  temporary: string,
  options: VerifyOptions,
  report: Reporter,
): Promise<VerifyResult> {
  if (!isArchive(file))
    throw new UnableError(
      'not-a-tree',
      `The name of ${file} does not end in .zip. Name an archive, or the root folder of a tree.`,
    );
  const unpacked = await unpackBag(file, temporary);
  const result = await verifyFolder(unpacked.bag, options, report);
  const difference = await findRepackingDifference(file, temporary, unpacked);
  if (difference !== null)
    throw refused(
      'archive-corrupt',
      file,
      `Byte ${difference} of the archive is damaged; its files are sound. Copy it again.`,
    );
  return { ...result, folder: path.resolve(file) };
}

/** Verifies a bag and the tree in it. A fault that both find is reported once. */
async function verifyFolder(folder: string, options: VerifyOptions, report: Reporter): Promise<VerifyResult> {
  const { found, wrong } = collectFaults();
  await verifyBag(folder, wrong, (done, total, what) => {
    if (done % 100 === 0 || done === total) report({ kind: 'progress', stage: 'bag', done, total, what });
  });
  const named = new Set(found.map(one => one.file));
  try {
    const result = await verifyTree(path.join(folder, BAG.payload), options, report);
    if (found.length > 0) throw new RefusedError(found);
    return { ...result, folder: path.resolve(folder) };
  } catch (error) {
    if (error instanceof UnableError && found.length > 0) throw new RefusedError(found);
    if (!(error instanceof RefusedError) || error.diagnostics === found) throw error;
    const inTree = error.diagnostics.map(one => ({ ...one, file: `${BAG.payload}${one.file}` }));
    throw new RefusedError([...found, ...inTree.filter(one => !named.has(one.file))]);
  }
}

/** If more bytes differ, another program or version packed the archive, and it isn't damaged. */
const MOST_DAMAGE = 0.01;

/**
 * Offset of the first byte that differs; null if none does, or if this version of the program didn't pack the
 * archive.
 */
async function findRepackingDifference(
  archive: string,
  folder: string,
  { files }: Unpacked,
): Promise<number | null> {
  const entries = files.map((file): ArchiveEntry => {
    const where = path.join(folder, file.name);
    return { ...file, read: () => createReadStream(where, { highWaterMark: 1 << 20 }) };
  });
  const stored = await open(archive, 'r');
  try {
    let first: number | null = null;
    let [different, total] = [0, 0];
    for await (const chunk of zipBytes(entries)) {
      const { buffer, bytesRead } = await stored.read(Buffer.alloc(chunk.length), 0, chunk.length, total);
      if (bytesRead < chunk.length) return null;
      const compared = buffer.equals(chunk) ? 0 : chunk.length;
      for (let i = 0; i < compared; i++) {
        if (chunk[i] === buffer[i]) continue;
        first ??= total + i;
        different++;
      }
      total += chunk.length;
    }
    const whole = (await stored.stat()).size === total;
    return whole && different <= Math.max(1, total * MOST_DAMAGE) ? first : null;
  } finally {
    await stored.close();
  }
}
