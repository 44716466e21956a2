/** A tree of some datasets of the sample, for faults to be tried on. */
import path from 'node:path';
import { build } from '../../build/pipeline/build.ts';
import { openExplorer } from '../../site/explorer/page-maker.ts';
import { writeSampleLake } from '../georgia/sample/lake.ts';

/** Between them they have one year and many, small files and files of many blocks. */
const SOME = ['census/employment', 'education/attendance', 'immigration/quarterly_detainer_reports'] as const;

export const CONTRACTS = 'contracts';

export interface FaultFolder {
  readonly lake: string;
  readonly tree: string;
}

/** Writes the lake and its tree into `folder`. Another seed gives other figures in the same slices. */
export async function writeSampleTree(folder: string, seed = 1): Promise<FaultFolder> {
  const lake = path.join(folder, 'lake');
  const tree = path.join(folder, 'tree');
  const written = await writeSampleLake({
    ...{ out: lake, scale: 'small', seed, contracts: CONTRACTS, only: SOME },
  });
  if (!written.ok) throw new Error(JSON.stringify(written.problems));
  await buildSampleTree(lake, tree, '2026-11-21');
  return { lake, tree };
}

/** Compiled, the pages' bundle stands beside the scripts; elsewhere the tree has no pages. */
export async function buildSampleTree(lake: string, out: string, releaseDate: string): Promise<void> {
  const pages = await openExplorer(path.resolve(import.meta.dirname, '../..'));
  await build(
    {
      ...{ contracts: CONTRACTS, data: lake, out, only: null, strict: false, releaseDate },
      ...{ previous: null, baseUrl: null, jobs: 2, memory: '800MB', pages },
    },
    () => undefined,
  );
}
