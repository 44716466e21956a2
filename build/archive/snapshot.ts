/**
 * `civic snapshot`: packs a tree into one archive, with the same bytes for the same release on any machine.
 */
import { createHash, hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { PageMaker } from '../documents/pages.ts';
import { emailOf, serviceSlug } from '../documents/tree-description.ts';
import { RefusedError, UnableError } from '../failure.ts';
import { SAMPLE_NOTICE } from '../format/envelope.ts';
import { PAGES, ROOT } from '../format/paths.ts';
import { withSession } from '../lake/database.ts';
import type { Reporter } from '../report.ts';
import { collectFaults, judgeHash, type TreeLists } from '../tree/tree-lists.ts';
import { isWithin, lockWorkspace, withTemporaryFolder, workspaceOf } from '../tree/workspace.ts';
import { BAG, bagInfoText, DECLARATION, manifestText } from './bag.ts';
import { README_HEAD, readmeText } from './readme.ts';
import { readSourceTree, type SourceTree, type TreeFile, writeExtract } from './tree-extract.ts';
import { type ArchiveEntry, textEntry, zipBytes } from './zip.ts';

interface SnapshotOptions {
  readonly out: string;
  /** Datasets to pack, as `domain/topic` with `*`; null packs all. */
  readonly only: string | null;
  /** For DuckDB, which reads rows for the documents of an extract. */
  readonly limits?: { readonly jobs: number; readonly memory: string };
  /** Loads what renders an extract's pages. */
  readonly openPages?: () => Promise<PageMaker>;
}

interface SnapshotResult {
  readonly out: string;
  /** An extract has a release of its own. */
  readonly release: string;
  /** In the payload. */
  readonly files: number;
  /** Of the archive. */
  readonly bytes: number;
  /** Of the archive, lower-case hexadecimal. */
  readonly sha256: string;
}

export async function snapshot(
  folder: string,
  { out, only, limits = { jobs: 1, memory: '400MB' }, openPages }: SnapshotOptions,
  report: Reporter,
): Promise<SnapshotResult> {
  const workspace = workspaceOf(out);
  if (isWithin(workspace.out, folder)) {
    throw new UnableError(
      'output-in-tree',
      `${out} is inside the tree, and the archive would change what is published. Name a file elsewhere.`,
    );
  }
  const tree = await readSourceTree(folder);
  return withTemporaryFolder(async temporary => {
    const claim = await lockWorkspace(workspace);
    try {
      await refuseForeign(workspace.out);
      const database = { threads: limits.jobs, memoryLimit: limits.memory, temporaryFolder: temporary };
      const hasPages = only !== null && tree.lists.expected.has(PAGES.search);
      const pages = (hasPages && (await openPages?.())) || null;
      const { release, files } =
        only === null
          ? { ...tree, release: tree.manifest.release }
          : await withSession(database, session =>
              writeExtract(tree, only, path.join(temporary, 'extract'), session, pages),
            );
      const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
      const tags = await tagFiles(tree, release, only, `${bytes}.${files.length}`);
      const bag = `${serviceSlug({ service: tree.service.service })}-${release}`;
      const released = new Date(`${tree.manifest.date}T00:00:00Z`);
      const lists = {
        expected: new Map(files.map(({ name, sha256 }) => [name, sha256])),
        other: only === null ? tree.lists.other : new Map<string, string>(),
      };
      const entries = bagEntries(bag, files, lists, tags, released, (done, what) => {
        if (done % 50 === 0 || done === files.length)
          report({ kind: 'progress', stage: 'snapshot', done, total: files.length, what });
      });
      await rm(workspace.staging, { recursive: true, force: true });
      const written = await writeFile(workspace.staging, zipBytes(entries));
      await rename(workspace.staging, workspace.out);
      return { out: workspace.out, release, files: files.length, ...written };
    } finally {
      await rm(workspace.staging, { recursive: true, force: true });
      await claim.release();
    }
  });
}

/** Throws UnableError if `out` exists and isn't an archive that a snapshot wrote. */
async function refuseForeign(out: string): Promise<void> {
  const info = await stat(out).catch(() => null);
  if (info === null || (info.isFile() && (await isOwnArchive(out)))) return;
  throw new UnableError(
    'output-not-ours',
    `${out} exists and is not an archive of a tree. The program left it unchanged. Name another file, or remove this one yourself.`,
  );
}

/** The README is a snapshot's first entry. */
async function isOwnArchive(file: string): Promise<boolean> {
  const head = await createReadStream(file, { end: 4095 }).toArray();
  return Buffer.concat(head).includes(README_HEAD);
}

/** `oxum`: bytes and files of the payload, as BagIt writes them. */
async function tagFiles(
  { manifest, service }: SourceTree,
  release: string,
  only: string | null,
  oxum: string,
): Promise<[string, string][]> {
  const sampleNotice = manifest.sample === true ? SAMPLE_NOTICE : null;
  const held = only ?? manifest.extract?.only;
  const whole = only === null ? (manifest.extract?.release ?? null) : manifest.release;
  const extract = held === undefined ? null : { release: whole, only: held };
  const info = bagInfoText([
    ['Source-Organization', service.attribution ?? service.service],
    ['Contact-Email', emailOf(service) ?? null],
    ['External-Description', [sampleNotice, service.description].filter(Boolean).join(' ')],
    ['External-Identifier', release],
    ['Internal-Sender-Identifier', service.service],
    [
      'Internal-Sender-Description',
      extract &&
        `An extract (${extract.only}) of ${extract.release === null ? 'the service' : `release ${extract.release}`}.`,
    ],
    ['Bagging-Date', manifest.date],
    ['Payload-Oxum', oxum],
    ['Bag-Software-Agent', 'civic-data-service'],
  ]);
  const readme = readmeText({ ...service, release, sampleNotice, extract });
  return [
    [BAG.readme, readme],
    [BAG.format, await readFormatText()],
    [BAG.declaration, DECLARATION],
    [BAG.info, info],
  ];
}

async function writeFile(
  file: string,
  chunks: AsyncIterable<Uint8Array>,
): Promise<{ readonly bytes: number; readonly sha256: string }> {
  await mkdir(path.dirname(file), { recursive: true });
  const handle = await open(file, 'wx');
  const digest = createHash('sha256');
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      digest.update(chunk);
      bytes += chunk.length;
      await handle.writeFile(chunk);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  return { bytes, sha256: digest.digest('hex') };
}

/** FORMAT.md relative to this source, to its compiled module and to the bundle. */
const PLACES = ['../format/FORMAT.md', '../../../build/format/FORMAT.md', '../../build/format/FORMAT.md'];

async function readFormatText(): Promise<string> {
  for (const place of PLACES) {
    const text = await readFile(new URL(place, import.meta.url), 'utf8').catch(() => null);
    if (text !== null) return text;
  }
  throw new Error('The program cannot find build/format/FORMAT.md.');
}

/**
 * Yields a bag's tag files, payload, and manifests. If a file differs from the tree's checksums, still reads
 * the others, and throws one RefusedError for all. `released`: the modification time of files without their
 * own.
 */
async function* bagEntries(
  folder: string,
  files: readonly TreeFile[],
  lists: Pick<TreeLists, 'expected' | 'other'>,
  tags: readonly (readonly [name: string, text: string])[],
  released: Date,
  onFile: (done: number, name: string) => void,
): AsyncGenerator<ArchiveEntry> {
  const { found, wrong } = collectFaults();
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
    [...tags, [BAG.manifest, manifest] as const].map(([name, text]) => [name, hash('sha512', text)]),
  );
  yield textEntry(`${folder}/${BAG.tagManifest}`, manifestText(hashes), released);
}

/** Sets `digests` after the last byte. */
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
