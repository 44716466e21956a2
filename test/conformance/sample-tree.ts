/** The small sample lake of all our datasets and its tree with people's pages. Tests only read them. */
import { beforeAll } from 'vitest';
import { CONTRACTS, makeTree, sampleLake, TREE_SOURCES } from '../georgia/sample-lake.ts';
import { keptFolder } from '../kept-folder.ts';
import { openPages } from '../publishers/kept-trees.ts';

export function useSampleTree() {
  const folders = { lake: '', tree: '' };
  beforeAll(async () => {
    Object.assign(folders, { lake: await sampleLake(), tree: await sampleTree() });
  });
  return folders;
}

export async function sampleTree(): Promise<string> {
  const data = await sampleLake();
  return keptFolder('tree-of-all', TREE_SOURCES, out =>
    makeTree({ contracts: CONTRACTS, data, out, releaseDate: '2026-11-21', host: null, pages: openPages() }),
  );
}
