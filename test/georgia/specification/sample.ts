/** The small sample, written and built once for all tests that read it. */
import { readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { keptFolder } from '../../kept-folder.ts';
import { makeSampleLake, makeTree } from '../sample/made-sample.ts';
import { CONTRACTS } from './contracts.ts';

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
    for (const entry of await readdir(made, { recursive: true, withFileTypes: true })) {
      if (entry.isDirectory() && /^(year=\d+|history)$/.test(entry.name))
        await rm(path.join(entry.parentPath, entry.name), { recursive: true });
    }
    await rename(made, out);
  });
}
