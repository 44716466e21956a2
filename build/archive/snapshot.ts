/** `civic snapshot`: a built tree as one archive, the same bytes for the same release on any machine. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, mkdtemp, open, rename, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { emailOf, serviceSlug } from '../catalog/tree-description.ts';
import type { PageMaker } from '../documents/people-pages.ts';
import { UnableError } from '../failure.ts';
import { SAMPLE_NOTICE } from '../format/envelope.ts';
import { PAGES } from '../format/paths.ts';
import { withSession } from '../lake/database.ts';
import { PROGRAM } from '../memory/build-state.ts';
import type { Reporter } from '../report.ts';
import { lockWorkspace, type Workspace, workspaceOf } from '../tree/workspace.ts';
import { archiveBytes, archiveFormat, bagEntries, type Packing } from './archive-stream.ts';
import { BAG, bagInfoText, DECLARATION } from './bag.ts';
import { readFormatText } from './format-text.ts';
import { isOwnArchive } from './own-archive.ts';
import { readmeText } from './readme.ts';
import { readSourceTree, type SourceTree } from './tree-files.ts';
import { writePart } from './tree-part.ts';

export interface SnapshotOptions {
  /** Name of the archive; its ending says the format. */
  readonly out: string;
  /** Datasets to take, as `domain/topic` with `*`; null takes all. */
  readonly only: string | null;
  /** Threads and memory of DuckDB, for the documents of a part; one thread where it is not said. */
  readonly limits?: { readonly jobs: number; readonly memory: string };
  /** Who makes the pages of a part, where it has any. */
  readonly openPages?: () => Promise<PageMaker>;
}

export interface SnapshotResult {
  readonly out: string;
  /** Of what is in the archive: a part has a release of its own. */
  readonly release: string;
  /** Files of the payload. */
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
  const within = path.relative(path.resolve(folder), workspace.out);
  if (!within.startsWith('..') && !path.isAbsolute(within)) {
    throw new UnableError(
      'output-in-tree',
      `${out} is within the tree, which would no longer be as it was published. Name a file elsewhere.`,
    );
  }
  const tree = await readSourceTree(folder);
  const unlock = await lockWorkspace(workspace);
  const temporary = await mkdtemp(path.join(os.tmpdir(), 'civic-'));
  try {
    await refuseForeign(workspace.out);
    const database = {
      threads: limits.jobs,
      memoryLimit: limits.memory,
      temporaryFolder: path.join(temporary, 'database'),
    };
    const hasPages = only !== null && tree.lists.expected.has(PAGES.search);
    const pages = (hasPages && (await openPages?.())) || null;
    const part =
      only === null
        ? null
        : await withSession(database, session =>
            writePart(tree, only, path.join(temporary, 'part'), session, pages),
          );
    const { release, files, lists } = part ?? { ...tree, release: tree.manifest.release };
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    const packing: Packing = {
      folder: `${serviceSlug({ service: tree.service.service })}-${release}`,
      files,
      lists,
      tags: await tagFiles(tree, { release, only, oxum: `${bytes}.${files.length}` }),
      released: new Date(`${tree.manifest.date}T00:00:00Z`),
      onFile: (done, what) => {
        if (done % 50 === 0 || done === files.length)
          report({ kind: 'progress', stage: 'snapshot', done, total: files.length, what });
      },
    };
    const format = archiveFormat(out) ?? 'zip';
    const kept = await keepBeginning(workspace);
    // A zip only copies: nothing opens what is left of one.
    const left = kept && format === 'tar.zst' ? createReadStream(workspace.temporary) : null;
    const parts = archiveBytes(format, bagEntries(packing), left);
    const written = await writeParts(workspace.staging, parts);
    await rename(workspace.staging, workspace.out);
    return { out: workspace.out, release, files: files.length, ...written };
  } finally {
    await rm(workspace.staging, { recursive: true, force: true });
    await rm(workspace.temporary, { recursive: true, force: true });
    await rm(temporary, { recursive: true, force: true });
    await unlock();
  }
}

/** Of what interrupted snapshots left, the longest beginning stands aside. Whether there is one. */
async function keepBeginning({ staging, temporary }: Workspace): Promise<boolean> {
  const [written, aside] = await Promise.all(
    [staging, temporary].map(async file => (await stat(file).catch(() => null))?.size ?? 0),
  );
  if (written !== undefined && written > (aside ?? 0)) await rename(staging, temporary);
  else await rm(staging, { recursive: true, force: true });
  return (await stat(temporary).catch(() => null))?.isFile() === true;
}

/** An archive of ours is replaced; anything else that has the name is somebody's. */
async function refuseForeign(out: string): Promise<void> {
  const info = await stat(out).catch(() => null);
  if (info === null || (info.isFile() && (await isOwnArchive(out)))) return;
  throw new UnableError(
    'output-not-ours',
    `${out} is there and is no archive of a tree, so it is not touched. Name another file, or remove this one yourself.`,
  );
}

interface Words {
  readonly release: string;
  readonly only: string | null;
  /** Bytes and files of the payload, as BagIt writes them. */
  readonly oxum: string;
}

async function tagFiles(
  { manifest, service }: SourceTree,
  { release, only, oxum }: Words,
): Promise<[string, string][]> {
  const sampleNotice = manifest.sample === true ? SAMPLE_NOTICE : null;
  const held = only ?? manifest.extract?.only;
  const whole = only === null ? (manifest.extract?.release ?? null) : manifest.release;
  const part = held === undefined ? null : { release: whole, only: held };
  const info = bagInfoText([
    ['Source-Organization', service.attribution ?? service.service],
    ['Contact-Email', emailOf(service)],
    ['External-Description', [sampleNotice, service.description].filter(Boolean).join(' ')],
    ['External-Identifier', release],
    ['Internal-Sender-Identifier', service.service],
    [
      'Internal-Sender-Description',
      part &&
        `A part (${part.only}) of ${part.release === null ? 'the service' : `release ${part.release}`}.`,
    ],
    ['Bagging-Date', manifest.date],
    ['Payload-Oxum', oxum],
    ['Bag-Software-Agent', PROGRAM],
  ]);
  const readme = readmeText({ ...service, release, sampleNotice, part });
  return [
    [BAG.readme, readme],
    [BAG.format, await readFormatText()],
    [BAG.declaration, DECLARATION],
    [BAG.info, info],
  ];
}

/** Writes a file to the disk, all of it; where it cannot, nothing is left. */
async function writeParts(
  file: string,
  parts: AsyncIterable<Uint8Array>,
): Promise<{ readonly bytes: number; readonly sha256: string }> {
  await mkdir(path.dirname(file), { recursive: true });
  const handle: FileHandle = await open(file, 'wx');
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    for await (const part of parts) {
      hash.update(part);
      bytes += part.length;
      await handle.writeFile(part);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  return { bytes, sha256: hash.digest('hex') };
}
