/** The small sample, written and built once for all tests that read it. */
import { keptFolder } from '../../kept-folder.ts';
import { makeSampleLake, makeTree } from '../sample/made-sample.ts';
import { CONTRACTS } from './contracts.ts';

/** What decides the bytes of a sample lake; of a tree, the builder does too. */
export const LAKE_SOURCES = ['contracts', 'scripts/georgia/sample', 'package-lock.json'];
export const TREE_SOURCES = [...LAKE_SOURCES, 'build', 'site', 'vite.config.ts'];

/** Folder of the small sample lake of all datasets. */
export function sampleLake(): Promise<string> {
  return keptFolder('lake', LAKE_SOURCES, out => makeSampleLake(out, { contracts: CONTRACTS }));
}

/** Folder of the tree that is built from the sample lake, without people's pages. */
export async function sampleTree(): Promise<string> {
  const data = await sampleLake();
  return keptFolder('tree-of-all', TREE_SOURCES, out =>
    makeTree({ contracts: CONTRACTS, data, out, releaseDate: '2026-01-02' }),
  );
}
