/** Published files become a lake, and the lake a tree: the API's figures are those of the files. */
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { DatasetManifest } from '../../../build/format/manifest.ts';
import type { BuildEvent } from '../../../build/report.ts';
import type { ImportReport } from '../../../scripts/georgia/import/report.ts';
import { temporaryFolder } from '../../publishers/publisher-folder.ts';
import { CONTRACTS, makeTree } from '../sample-lake.ts';
import { EXTRACTS, scratchLake } from './import-case.ts';

/** Whole files are outside the project. They show that no row is lost, and that every rule holds for all. */
const DATA = path.join(import.meta.dirname, '../../../../shared/data');

const COHORT_2019 = 'sources/gosa/Graduation_Rate_2019_Dec2nd_2019.csv';
const COHORT_2021 = 'sources/ccrpi/2021_cohortGraduationRateStateDistrictSchoolbySubgroup.csv';
const COHORT_2022 = 'sources/ccrpi/2022_cohortGraduationRateStateDistrictSchoolbySubgroup.csv';
const RATES_2021 = 'sources/ccrpi/2021_graduationRatesbySubgroup.csv';
const RATES_2022 = 'sources/ccrpi/2022_graduationRatesbySubgroup.csv';
const PROGRESS_2021 = 'sources/ccrpi/2021_progressTowardsEngLangProfibySubgr.csv';
const PROGRESS_2022 = 'sources/ccrpi/2022_progressTowardsEngLangProfibySubgr.csv';
const ATTENDANCE = 'sources/gosa/Attendance_2023-24_2025-06-17_15_16_08.csv';
const GRADES = 'sources/gosa/eog_by_grade_all_students_2021_2024.csv';
const DISTRICTS = 'dimensions/districts.csv';
const SCHOOLS = 'dimensions/schools.csv';

/** In order: how many rows an import writes from the extracts, and from the whole files. */
const IMPORTS: readonly (readonly [string, readonly string[], number, number])[] = [
  ['demographics', [], 20, 20],
  ['districts', [DISTRICTS, SCHOOLS, PROGRESS_2022], 15, 255],
  ['schools', [SCHOOLS, DISTRICTS, COHORT_2019, COHORT_2021], 12, 2455],
  ['counties', ['dimensions/counties.csv'], 4, 159],
  ['tracts', ['dimensions/tract_geoids_2020.csv'], 7, 2796],
  ['block_groups', ['dimensions/block_group_geoids_2020.csv'], 3, 7446],
  ['attendance', [ATTENDANCE], 240, 38_025],
  ['ccrpi_graduation_rate', [COHORT_2021], 10, 677],
  ['ccrpi_graduation_rate', [RATES_2021], 10, 669],
  // 26 cohorts too small to publish have no row among the rates: 3 of districts, 23 of schools.
  ['ccrpi_graduation_rate', [RATES_2022, COHORT_2022], 56, 13_663],
  ['ccrpi_progress', [PROGRESS_2021, PROGRESS_2022], 24, 5395],
  ['graduation_rate_4_year_cohort', [COHORT_2019], 24, 12_257],
  ['georgia_milestones_end_of_grade', [GRADES], 33, 66_660],
  ['employment', ['sources/census/acs5_2023_georgia_counties.json'], 4, 159],
];

/**
 * Picked from the raw files, never through an importer: every level, kind of marker and dataset, and the groups that the
 * sources name otherwise. In the attendance of 2024 TFS in a tier is 0 (the tiers printed beside it add up to 100),
 * elsewhere NULL. A line without blanks before it names a dataset, a year and the columns that identify its rows.
 */
const FIGURES = readFileSync(path.join(import.meta.dirname, 'published-figures.txt'), 'utf8');

const files = [
  { name: 'extracts', whole: false, at: (file: string) => path.join(EXTRACTS, path.basename(file)) },
  { name: 'whole files', whole: true, at: (file: string) => path.join(DATA, file) },
];
describe.for(files)('published figures in the tree: $name', ({ whole, at }) => {
  if (whole && !existsSync(DATA)) return test.skip('skipped: no ../shared');
  const scratch = scratchLake();
  let folder: string;
  const events: BuildEvent[] = [];
  const reports: ImportReport[] = [];

  beforeAll(async () => {
    for (const [name, paths] of IMPORTS) reports.push(await scratch.report(name, paths.map(at)));
    folder = await temporaryFolder();
    const options = { contracts: CONTRACTS, data: scratch.lake, out: path.join(folder, 'dist') };
    await makeTree({ ...options, releaseDate: '2026-01-02' }, event => events.push(event));
  });

  test('each import writes its rows, and changes nothing that another one wrote', () => {
    const written = reports.map(report => report.written.reduce((sum, { rows }) => sum + rows, 0));
    const wanted = IMPORTS.map(([name, , few, all]) => [name, whole ? all : few]);
    expect(IMPORTS.map(([name], i) => [name, written[i]])).toEqual(wanted);
    expect(reports.flatMap(({ changes }) => changes)).toEqual([]);
  });

  test('rows are only dropped for documented reasons, and odd figures are kept and counted', () => {
    const dropped = reports.flatMap(({ importer, files: read }) =>
      read.flatMap(file => file.dropped.map(({ what }) => `${importer}: ${what}`)),
    );
    const reasons = ['all grades together', ...(whole ? ['no tested count'] : [])];
    expect(dropped.filter(text => !/^(districts|schools): /.test(text))).toEqual(
      reasons.map(reason => `georgia_milestones_end_of_grade: ${reason}`),
    );
    expect(reports.flatMap(({ importer, odd }) => odd.map(({ what }) => `${importer}: ${what}`))).toEqual([
      'attendance: num_students is 0, yet the group has rates',
      'ccrpi_graduation_rate: a five-year rate published in 2021, served as 2020: its cohort was due then',
    ]);
  });

  test('every figure is as published', async () => {
    const told: string[] = [];
    let rows: readonly Readonly<Record<string, string | number | null>>[] = [];
    let keys: readonly string[] = [];
    for (const line of FIGURES.trim().split('\n')) {
      if (!line.startsWith(' ')) {
        const [dataset, year, ...names] = line.split(' ');
        keys = names;
        rows = await rowsOf(`${dataset}`, Number(year));
        told.push(line);
        continue;
      }
      const cells = line.trim().split(' ');
      const column = cells[keys.length]!;
      const found = rows.filter(row =>
        keys.every((key, i) => String(row[key]) === cells[i]?.replace('NULL', 'null')),
      );
      const figures = found.map(row => String(row[column] ?? 'NULL'));
      told.push(`  ${[...cells.slice(0, keys.length + 1), ...figures].join(' ')}`);
    }
    expect(told.join('\n')).toBe(FIGURES.trim());
  });

  async function rowsOf(dataset: string, year: number) {
    const at = path.join(folder, 'dist/api/v1', dataset);
    const { slices } = JSON.parse(await readFile(path.join(at, 'manifest.json'), 'utf8')) as DatasetManifest;
    const pages = slices.filter(slice => slice.year === year).flatMap(slice => slice.files.json);
    return (await Promise.all(pages.map(page => readFile(path.join(at, page.path), 'utf8')))).flatMap(
      text => JSON.parse(text).data,
    );
  }

  test('every rule on the published figures holds', () => {
    const notices = events.flatMap(event => (event.kind === 'notices' ? event.outcomes : []));
    expect(notices.filter(({ outcome }) => outcome.result !== 'skipped')).toEqual([]);
  });
});
