/** A tree of the sample lake: some datasets of every domain, built once for a file of tests. */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { build } from '../../build/pipeline.ts';
import type { HostTarget } from '../../build/publish/host-profile.ts';
import type { PageMaker } from '../../build/publish/people-pages.ts';
import { writeSampleLake } from '../../scripts/sample/lake.ts';

export const CONTRACTS = path.resolve(import.meta.dirname, '../../contracts');

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

export function useSampleTree(
  datasets: readonly string[] = SOME,
  { host = null, openPages = () => null }: SampleTreeOptions = {},
): SampleTree {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'sample-tree-'));
    const lake = path.join(folder, 'lake');
    const written = await writeSampleLake({
      out: lake,
      scale: 'small',
      seed: 1,
      contracts: CONTRACTS,
      only: datasets,
    });
    if (!written.ok) throw new Error(JSON.stringify(written.problems));
    await build(
      {
        contracts: CONTRACTS,
        data: lake,
        out: path.join(folder, 'tree'),
        only: null,
        strict: false,
        releaseDate: '2026-11-21',
        previous: null,
        baseUrl: null,
        host,
        jobs: 2,
        memory: '800MB',
        pages: openPages(),
      },
      () => undefined,
    );
  }, 180_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return {
    get lake() {
      return path.join(folder, 'lake');
    },
    get tree() {
      return path.join(folder, 'tree');
    },
  };
}
