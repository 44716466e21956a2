/** A tree of the sample lake: some datasets of every domain. */
import { createHash } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { PageMaker } from '../../build/documents/people-pages.ts';
import type { HostTarget } from '../../build/hosts/host-profile.ts';
import { datasets as samples } from '../../scripts/georgia/sample/datasets.ts';
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

interface SampleTreeOptions {
  readonly host?: HostTarget | null;
  readonly openPages?: () => PageMaker | null;
}

/** A tree of no host in particular is kept and shared: tests read it, and change copies. */
export function useSampleTree(
  datasets: readonly string[] = SOME,
  { host = null, openPages = () => null }: SampleTreeOptions = {},
): SampleTree {
  const folders = { lake: '', tree: '' };
  let own: string | null = null;
  beforeAll(async () => {
    const name = createHash('sha256').update(datasets.join()).digest('hex').slice(0, 8);
    folders.lake =
      datasets.length === samples.length
        ? await sampleLake()
        : await keptFolder(`lake-of-${name}`, PART_SOURCES, out => copyDatasets(out, datasets));
    const buildInto = (out: string) =>
      makeTree({
        ...{ contracts: CONTRACTS, data: folders.lake, out },
        ...{ releaseDate: '2026-11-21', host, pages: openPages() },
      });
    if (host === null) {
      const kind = openPages() === null ? 'tree' : 'pages';
      folders.tree = await keptFolder(`${kind}-of-${name}`, TREE_SOURCES, buildInto);
      return;
    }
    own = await mkdtemp(path.join(os.tmpdir(), 'sample-tree-'));
    folders.tree = path.join(own, 'tree');
    await buildInto(folders.tree);
  }, 180_000);
  afterAll(async () => {
    if (own !== null) await rm(own, { recursive: true, force: true });
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
