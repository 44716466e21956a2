/** Trees of the sample that tests share: some datasets of every domain, with people's pages, and all. */
import { cp } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll } from 'vitest';
import { CONTRACTS, LAKE_SOURCES, makeTree, sampleLake, TREE_SOURCES } from '../georgia/sample-lake.ts';
import { keptFolder } from '../kept-folder.ts';
import { openPages } from '../publishers/kept-weather.ts';

const SOURCES = ['test/conformance/sample-tree.ts'];

interface SampleTree {
  readonly lake: string;
  readonly tree: string;
}

/**
 * Together they have every kind of filter, level and view, composite keys, booleans, gaps, and one year or
 * many, and what searches find.
 */
export const SAMPLED = [
  'census/employment',
  'census/labor_force_by_nativity',
  'education/attendance',
  'education/ccrpi_climate_star_rating',
  'education/graduation_rate_4_year_cohort',
  'education/salaries_and_benefits',
  'education/sat_scores_recent',
  'education/school_attendance_zone_tracts',
  'immigration/ice_detention_stays',
  'immigration/quarterly_detainer_reports',
  'immigration/undocumented_population_characteristics',
] as const;

/** Tests only read it, and copy it to change it. */
export function useSampleTree(): SampleTree {
  const folders = { lake: '', tree: '' };
  beforeAll(async () => {
    Object.assign(folders, await treeOfSome());
  });
  return folders;
}

/** `cache` has the tree's rows. */
async function treeOfSome(): Promise<SampleTree & { readonly cache: string }> {
  const lake = await keptFolder('lake-of-some', [...LAKE_SOURCES, ...SOURCES], copyDatasets);
  const options = { contracts: CONTRACTS, data: lake, releaseDate: '2026-11-21', host: null };
  const root = await keptFolder('tree-of-some', [...TREE_SOURCES, ...SOURCES], out =>
    makeTree({ ...options, out: within(out).out, cache: { folder: within(out).cache }, pages: openPages() }),
  );
  return { lake, tree: within(root).out, cache: within(root).cache };
}

const within = (root: string) => ({ out: path.join(root, 'tree'), cache: path.join(root, 'cache') });

/** Folder of the tree that is built from the sample lake, without people's pages. */
export async function sampleTree(): Promise<string> {
  const data = await sampleLake();
  // A third of the rows are there.
  const cache = { folder: (await treeOfSome()).cache };
  return keptFolder('tree-of-all', TREE_SOURCES, out =>
    makeTree({ contracts: CONTRACTS, data, out, releaseDate: '2026-01-02', cache }),
  );
}

/**
 * A dataset's rows don't depend on which others are written (test/georgia/sample-lake), so a part of the
 * sample is copied.
 */
async function copyDatasets(out: string): Promise<void> {
  const whole = await sampleLake();
  // Every domain's folder, since other domains may join its dimensions.
  const isTaken = (name: string) =>
    !name.includes('/') ||
    /(^|\/)_/.test(name) ||
    SAMPLED.some(key => key === name || name.startsWith(`${key}/`));
  await cp(whole, out, {
    recursive: true,
    preserveTimestamps: true,
    filter: file => file === whole || isTaken(path.relative(whole, file)),
  });
}
