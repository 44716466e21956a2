/** The sample lake: the same for a seed, in figures that add up, and in a folder that held nothing else. */
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type SampleOptions, writeSampleLake } from '../../scripts/georgia/sample/lake.ts';
import { keptFolder } from '../kept-folder.ts';
import { contents as digest } from '../publishers/built-tree.ts';
import { duckdb, temporaryFolder } from '../publishers/publisher-folder.ts';
import { LAKE_SOURCES, makeSampleLake, sampleLake } from './sample-lake.ts';

const only = ['census/employment', 'education/ccrpi_graduation_rate'];
const lake = await sampleLake();
const some = await keptFolder('lake-of-two', LAKE_SOURCES, out => makeSampleLake(out, { only }));

async function writeLake(options: Partial<SampleOptions> = {}): Promise<string> {
  const out = join(await temporaryFolder(), 'lake');
  await makeSampleLake(out, options);
  return out;
}

test('is the same to the byte for the same seed, whichever other datasets are written, and says what it is', async () => {
  const all = await digest(lake);
  expect(await digest(await writeLake())).toEqual(all);
  const few = await digest(some);
  expect(all).toMatchObject(few);
  const other = await digest(await writeLake({ only, seed: 2 }));
  for (const path of ['_sample.json', 'census/employment/year=2024/tracts.parquet'])
    expect(other[path]).not.toBe(few[path]);
  const marker = JSON.parse(await readFile(join(some, '_sample.json'), 'utf8'));
  const notice = expect.stringMatching(/^Synthetic sample data: /);
  expect(marker).toMatchObject({ sample: true, seed: 1, scale: 'small', notice });
});

describe('the folder', () => {
  const write = (out: string, options: Partial<SampleOptions>) =>
    writeSampleLake({ out, scale: 'small', seed: 2, only, ...options });

  test('is replaced where it is a sample lake', async () => {
    const out = join(await temporaryFolder(), 'lake');
    await cp(some, out, { recursive: true });
    await writeFile(join(out, 'left-over.txt'), '');
    expect(await write(out, { only: ['census/employment'] })).toMatchObject({ ok: true });
    expect(await readdir(out)).not.toContain('left-over.txt');
    expect(await readdir(join(out, 'education'))).toEqual(['_dimensions']);
    expect(await readdir(dirname(out))).toEqual(['lake']);
  });

  test.each<
    [what: string, code: string, from: string | null, options: () => Promise<Partial<SampleOptions>>]
  >([
    ['it is anything else', 'not-a-sample-lake', null, async () => ({})],
    [
      'a dataset cannot be written',
      'no-contract',
      some,
      async () => ({ contracts: await temporaryFolder() }),
    ],
    ['nobody knows a dataset', 'unknown-dataset', some, async () => ({ only: ['education/atendance'] })],
  ])('is left as it was where %s', async (_, code, from, options) => {
    const out = join(await temporaryFolder(), 'lake');
    if (from === null) await mkdir(out).then(() => writeFile(join(out, 'one.jpg'), 'x'));
    else await cp(from, out, { recursive: true });
    const before = await digest(out);
    const problems = expect.arrayContaining([expect.objectContaining({ code })]);
    expect(await write(out, await options())).toMatchObject({ ok: false, problems });
    expect(await digest(out)).toEqual(before);
    expect(await readdir(dirname(out))).toEqual(['lake']);
  });
});

/** The rows of a dataset in the small lake. */
const rows = (dataset: string, level = '*') =>
  `read_parquet('${join(lake, dataset)}/*/${level}.parquet', hive_partitioning = false)`;
const yearly = (dataset: string, column: string, level: string, where = 'true') =>
  `(SELECT year, sum(${column}) AS n FROM ${rows(dataset, level)} WHERE ${where} GROUP BY year)`;
const levels = (parts: string, whole: string) =>
  `SELECT p.n AS parts, w.n AS whole FROM ${parts} p JOIN ${whole} w USING (year)`;
const students = (level: string) =>
  yearly('education/attendance', 'num_students', level, "demographic = 'all'");
const workers = (level: string) => yearly('census/employment', 'num_civilian_labor_force', level);
const people = (dataset: string) =>
  `(SELECT district_code, school_code, grade_level, sum(num_population) AS n FROM ${rows(dataset, 'schools')} GROUP BY ALL)`;

test.each([
  ['students of schools and of the state', levels(students('schools'), students('states'))],
  ['students of districts and of the state', levels(students('districts'), students('states'))],
  ['workers of counties and of the state', levels(workers('counties'), workers('states'))],
  ['workers of school districts and of the state', levels(workers('districts'), workers('states'))],
  ['workers of tracts and of the state', levels(workers('tracts'), workers('states'))],
  [
    'graduates in both datasets of the cohort',
    `SELECT c.num_graduates AS parts, g.num_graduates AS whole
     FROM ${rows('education/ccrpi_graduation_rate', 'schools')} c
     JOIN ${rows('education/graduation_rate_4_year_cohort', 'schools')} g USING (year, district_code, school_code, demographic)
     WHERE c.rate_type = '4_year' AND c.num_graduates IS NOT NULL`,
  ],
  [
    'the highest SAT score and that or the recent one, whichever is higher',
    `SELECT greatest(r.avg_score, h.avg_score) AS parts, h.avg_score AS whole
     FROM ${rows('education/sat_scores_recent', 'schools')} r
     JOIN ${rows('education/sat_scores_highest', 'schools')} h USING (year, district_code, school_code, demographic, test_component)
     WHERE h.avg_score IS NOT NULL`,
  ],
  [
    'people of a zone in block groups and in tracts',
    `SELECT b.n AS parts, t.n AS whole FROM ${people('education/school_attendance_zone_block_groups')} b
     JOIN ${people('education/school_attendance_zone_tracts')} t USING (district_code, school_code, grade_level)`,
  ],
])('has the same %s', async (_, sql) => {
  const [found] = await duckdb(
    `SELECT count(*) FILTER (parts <> whole)::INTEGER AS wrong, count(*) > 0 AS compared FROM (${sql})`,
  );
  expect(found).toEqual({ wrong: 0, compared: true });
});
