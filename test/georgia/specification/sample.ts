/** The small sample, written and built once for all tests that read it. */
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { keptFolder } from '../../kept-folder.ts';
import { makeSampleLake, makeTree } from '../sample/made-sample.ts';
import { CONTRACTS } from './contracts.ts';
import { type LevelHistories, readFigureHistories } from './figure-histories.ts';
import { type FirstState, readFirstStates } from './first-states.ts';

/** What decides the bytes of a sample lake; of a tree, the builder does too. */
export const LAKE_SOURCES = ['contracts', 'scripts/georgia/sample', 'package-lock.json'];
export const TREE_SOURCES = [...LAKE_SOURCES, 'build', 'site', 'vite.config.ts'];

export const RELEASE_DATE = '2026-01-02';

/** Folder of the small sample lake of all datasets. */
export function sampleLake(): Promise<string> {
  return keptFolder('lake', LAKE_SOURCES, async out => {
    await makeSampleLake(out, { contracts: CONTRACTS });
  });
}

/** Folder of the tree that is built from the sample lake, its rows left out: documents alone. */
export async function sampleDocuments(): Promise<string> {
  const data = await sampleLake();
  return keptFolder(`documents-${RELEASE_DATE}`, TREE_SOURCES, async out => {
    const made = path.join(path.dirname(out), 'tree');
    await makeTree({ contracts: CONTRACTS, data, out: made, releaseDate: RELEASE_DATE });
    await writeFile(path.join(made, FIRST_STATES), JSON.stringify(await readFirstStates(made)));
    await writeFile(path.join(made, HISTORIES), JSON.stringify(await readFigureHistories(made)));
    for (const entry of await readdir(made, { recursive: true, withFileTypes: true })) {
      if (entry.isDirectory() && /^(year=\d+|history)$/.test(entry.name))
        await rm(path.join(entry.parentPath, entry.name), { recursive: true });
    }
    await rename(made, out);
  });
}

/** Beside the tree's documents, since only the whole tree has the rows for it. */
const FIRST_STATES = 'first-states.json';
const HISTORIES = 'figure-histories.json';

export async function sampleFirstStates(): Promise<readonly FirstState[]> {
  return JSON.parse(await readFile(path.join(await sampleDocuments(), FIRST_STATES), 'utf8'));
}

export async function sampleFigureHistories(): Promise<readonly LevelHistories[]> {
  return JSON.parse(await readFile(path.join(await sampleDocuments(), HISTORIES), 'utf8'));
}
