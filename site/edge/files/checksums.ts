/** The list of a tree's hashes. It proves the files that no manifest lists: pages, listings and manifests. */
import { ROOT } from '../../../build/format/paths.ts';
import { type Files, TreeMismatch } from './files.ts';
import { sha256 } from './sha256.ts';

/** By path; includes the list itself. */
export type Checksums = ReadonlyMap<string, string>;

/** The page with the digest of everything except itself and the lists of hashes. */
const INDEX = 'index.html';

const DIGEST = /<meta name="civic-digest" content="([0-9a-f]{64})"/;

/**
 * Null if the tree has no list, like a copy of some files. Throws TreeMismatch if the list is damaged or of
 * another release than `manifest`, the root manifest's hash: the digest in the root's page covers its lines.
 */
export async function readChecksums(files: Files, manifest: string): Promise<Checksums | null> {
  const found = await files.read(ROOT.checksums, null);
  if (!found) return null;
  const text = new TextDecoder().decode(found.bytes);
  const lines = text.split('\n');
  const known = new Map<string, string>();
  for (const line of lines.slice(0, -1)) {
    const parsed = /^([0-9a-f]{64}) {2}(.+)$/.exec(line);
    if (!parsed?.[1] || !parsed[2])
      throw new TreeMismatch(ROOT.checksums, "has a line that isn't a hash and a name");
    known.set(parsed[2], parsed[1]);
  }
  if (lines.at(-1) !== '') throw new TreeMismatch(ROOT.checksums, 'is cut off');
  if (known.get(ROOT.manifest) !== manifest)
    throw new TreeMismatch(
      ROOT.checksums,
      `lists another hash for ${ROOT.manifest}, which is damaged or of another release`,
    );
  await expectCovered(files, lines, known);
  known.set(ROOT.checksums, await sha256(found.bytes));
  return known;
}

async function expectCovered(files: Files, lines: readonly string[], known: Checksums): Promise<void> {
  const page = await files.read(INDEX, null);
  if (page && known.has(INDEX) && (await sha256(page.bytes)) !== known.get(INDEX))
    throw new TreeMismatch(INDEX, `has other bytes than ${ROOT.checksums} says`);
  const digest = page && DIGEST.exec(new TextDecoder().decode(page.bytes))?.[1];
  // Trees written by other programs may lack the page.
  if (!digest) return;
  const covered = lines.filter(
    line => line !== '' && !line.endsWith(`  ${INDEX}`) && !line.endsWith(ROOT.checksums),
  );
  const text = covered.map(line => `${line}\n`).join('');
  if ((await sha256(new TextEncoder().encode(text))) !== digest)
    throw new TreeMismatch(ROOT.checksums, `has other lines than the digest in ${INDEX} covers`);
}
