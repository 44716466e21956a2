/**
 * The small sample, written and built once for all tests that read it: kept in node_modules/.cache under the hash of
 * everything that decides its bytes, so that parallel files and later runs share it.
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { build } from '../../build/pipeline.ts';
import { writeSampleLake } from '../../scripts/sample/lake.ts';
import { CONTRACTS, PROJECT } from './contracts.ts';

const CACHE = path.join(PROJECT, 'node_modules/.cache/civic-specification');
/** What decides the bytes of the lake; of the documents, the builder does too. */
const LAKE_SOURCES = ['contracts', 'scripts/sample', 'package-lock.json'];
const DOCUMENT_SOURCES = [...LAKE_SOURCES, 'build'];
/** Seconds after which a folder that is being made counts as abandoned. */
const ABANDONED = 300;
/** Hours after which the samples of earlier sources are deleted. */
const KEPT = 1;

export const RELEASE_DATE = '2026-01-02';

/** Folder of the small sample lake of all datasets. */
export function sampleLake(): Promise<string> {
  return cached('lake', LAKE_SOURCES, async out => {
    const result = await writeSampleLake({ out, scale: 'small', seed: 1, contracts: CONTRACTS });
    if (!result.ok) throw new Error(result.problems.map(problem => problem.message).join('\n'));
  });
}

/** Folder of the tree that is built from the sample lake, its rows left out: documents alone. */
export async function sampleDocuments(): Promise<string> {
  const data = await sampleLake();
  return cached('documents', DOCUMENT_SOURCES, async out => {
    const made = path.join(path.dirname(out), 'tree');
    await build(
      {
        contracts: CONTRACTS,
        data,
        out: made,
        only: null,
        strict: false,
        jobs: 2,
        memory: '800MB',
        releaseDate: RELEASE_DATE,
        previous: null,
        baseUrl: null,
      },
      () => undefined,
    );
    for (const entry of await readdir(made, { recursive: true, withFileTypes: true })) {
      if (entry.isDirectory() && /^(year=\d+|history)$/.test(entry.name))
        await rm(path.join(entry.parentPath, entry.name), { recursive: true });
    }
    await rename(made, out);
  });
}

/** Makes a folder once; whoever comes second waits for the first. */
async function cached(
  name: string,
  sources: readonly string[],
  make: (out: string) => Promise<void>,
): Promise<string> {
  const done = path.join(CACHE, `${name}-${await sourceHash(sources)}`);
  const lock = `${done}.making`;
  await mkdir(CACHE, { recursive: true });
  while (!(await exists(done))) {
    const mine = await mkdir(lock).then(
      () => true,
      () => false,
    );
    if (!mine) {
      const age = await stat(lock).then(
        info => (Date.now() - info.mtimeMs) / 1000,
        () => 0,
      );
      if (age > ABANDONED) await rm(lock, { recursive: true, force: true });
      await wait(100);
      continue;
    }
    try {
      // Another may have finished between the look and the lock.
      if (await exists(done)) break;
      const made = path.join(lock, name);
      await make(made);
      await rename(made, done);
      await forgetOthers(name, done);
    } finally {
      await rm(lock, { recursive: true, force: true });
    }
  }
  return done;
}

async function sourceHash(sources: readonly string[]): Promise<string> {
  const hash = createHash('sha256').update(RELEASE_DATE);
  for (const source of sources) {
    const root = path.join(PROJECT, source);
    const files = (await stat(root)).isDirectory() ? await filesBeneath(root) : [root];
    for (const file of files) hash.update(path.relative(PROJECT, file)).update(await readFile(file));
  }
  return hash.digest('hex').slice(0, 16);
}

async function filesBeneath(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries
    .filter(entry => entry.isFile())
    .map(entry => path.join(entry.parentPath, entry.name))
    .sort();
}

async function forgetOthers(name: string, current: string): Promise<void> {
  for (const entry of await readdir(CACHE)) {
    const folder = path.join(CACHE, entry);
    if (folder === current || !entry.startsWith(`${name}-`)) continue;
    const info = await stat(folder).catch(() => null);
    if (info !== null && Date.now() - info.mtimeMs > KEPT * 3_600_000)
      await rm(folder, { recursive: true, force: true });
  }
}

function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
