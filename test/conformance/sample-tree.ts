/** A tree of the sample lake: some datasets of every domain. */
import { createHash } from 'node:crypto';
import { cp } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll } from 'vitest';
import type { PageMaker } from '../../build/documents/people-pages.ts';
import { makeTree } from '../georgia/sample/made-sample.ts';
import { LAKE_SOURCES, sampleLake, TREE_SOURCES } from '../georgia/specification/sample.ts';
import { keptFolder } from '../kept-folder.ts';

export const CONTRACTS = path.resolve(import.meta.dirname, '../../contracts');

const PART_SOURCES = [...LAKE_SOURCES, 'test/conformance/sample-tree.ts'];

export interface SampleTree {
  readonly lake: string;
  readonly tree: string;
}

/** Datasets that between them have every kind of filter, composite keys, booleans, gaps, and one year or many. */
const SOME = [
  'census/employment',
  'census/labor_force_by_nativity',
  'education/attendance',
  'education/ccrpi_climate_star_rating',
  'education/school_attendance_zone_tracts',
  'education/sat_scores_recent',
  'immigration/quarterly_detainer_reports',
  'immigration/undocumented_population_characteristics',
] as const;

/** Kept and shared: tests read it, and change copies. */
export function useSampleTree(
  datasets: readonly string[] = SOME,
  { openPages = () => null }: { readonly openPages?: () => PageMaker | null } = {},
): SampleTree {
  const folders = { lake: '', tree: '' };
  beforeAll(async () => {
    const name = createHash('sha256').update(datasets.join()).digest('hex').slice(0, 8);
    folders.lake = await keptFolder(`lake-of-${name}`, PART_SOURCES, out => copyDatasets(out, datasets));
    const pages = openPages();
    folders.tree = await keptFolder(`${pages ? 'pages' : 'tree'}-of-${name}`, TREE_SOURCES, out =>
      makeTree({
        contracts: CONTRACTS,
        data: folders.lake,
        out,
        releaseDate: '2026-11-21',
        host: null,
        pages,
      }),
    );
  });
  return folders;
}

/** A dataset has the same rows whichever others are written (test/georgia/sample), so a part of the sample is copied. */
async function copyDatasets(out: string, datasets: readonly string[]): Promise<void> {
  const whole = await sampleLake();
  // Every domain's folder, since its dimensions may be joined from another.
  const isTaken = (name: string) =>
    !name.includes('/') ||
    /(^|\/)_/.test(name) ||
    datasets.some(key => key === name || name.startsWith(`${key}/`));
  await cp(whole, out, {
    recursive: true,
    preserveTimestamps: true,
    filter: file => file === whole || isTaken(path.relative(whole, file)),
  });
}
