/**
 * Copies of rows by the values of columns: what the build writes and lists, and that the edge's answers from
 * them are right.
 */
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type CopyEntry, copiesByPlace, type DatasetManifest } from '../../build/format/manifest.ts';
import { datasetManifestPath } from '../../build/format/paths.ts';
import { withSession } from '../../build/lake/database.ts';
import { compareCopy } from '../../build/slice/format-comparison.ts';
import { createFolderFiles } from '../../site/edge/adapters/folder.ts';
import { Catalog } from '../../site/edge/catalog.ts';
import { planQuestion } from '../../site/edge/handler.ts';
import { ColumnCache } from '../../site/edge/rows/column-cache.ts';
import { Scan } from '../../site/edge/rows/scan.ts';
import { countReads } from '../edge/tree/fixture.ts';
import { readTreeJson, undated } from '../publishers/built-tree.ts';
import { keptTimes } from '../publishers/kept-trees.ts';
import { duckdb, quoted, temporaryFolder } from '../publishers/publisher-folder.ts';
import { visitRows, visitsFile } from '../publishers/surveys.ts';
import { BUDGET } from './executors.ts';

const survey = await keptTimes();

const copiesOf = async (topic: string, out = survey.out): Promise<readonly CopyEntry[]> =>
  (await readTreeJson<DatasetManifest>(out, datasetManifestPath('survey', topic))).copies.filter(
    ({ counted }) => counted,
  );
const COLUMNS = ['kind', 'Open?', 'score', 'seen_on', 'age'].sort();

describe('the files', () => {
  test('of columns with few values; values are in the order of the rows, with dependent columns', async () => {
    // A single slice has too few rows for a copy by two values.
    for (const [topic, columns] of [
      ['visits', COLUMNS],
      ['quarters', COLUMNS],
      ['things', COLUMNS.filter(name => name !== 'Open?')],
    ] as const)
      expect([topic, (await copiesOf(topic)).map(({ by }) => by[0]).sort()]).toEqual([topic, columns]);
    const kind = (await copiesOf('visits')).find(({ by }) => by[0] === 'kind');
    expect(kind?.counted?.values).toEqual(['I’m', 'rain', 'total', 'é ü "ß"', '\ue000', '𝒳']);
    expect(kind?.counted?.attributes).toEqual({ family: ['dry', 'wet', 'all', 'wet', null, 'wet'] });
    expect((await copiesOf('visits')).map(({ file }) => path.basename(file.path))).toContain(
      'sites.column.6.2001.parquet',
    );
  });

  test('by place: 2,048 rows in every row group but the last, and a place is in one or two', async () => {
    const manifest = await survey.json<DatasetManifest>(datasetManifestPath('survey', 'visits'));
    const { rows, row_groups: groups } = copiesByPlace(manifest).find(
      ({ detail }) => detail === 'sites',
    )!.file;
    expect(rows).toBeGreaterThan(8 * 2048);
    expect(groups.slice(0, -1).map(group => group.rows)).toEqual(Array(Math.floor(rows / 2048)).fill(2048));
    const site = manifest.key_columns.indexOf('site');
    const holding = groups.filter(
      ({ min, max }) => String(min[site]) <= 's041' && String(max[site]) >= 's041',
    );
    expect([1, 2]).toContain(holding.length);
  });

  test('a reader of Parquet skips row groups by their statistics', async () => {
    const { file } = (await copiesOf('visits')).find(({ by }) => by[0] === 'age')!;
    const name = quoted(path.join(survey.out, 'api/v1/survey/visits', file.path));
    const groups = await duckdb(
      `SELECT stats_min_value AS least, stats_max_value AS greatest FROM parquet_metadata(${name}) WHERE path_in_schema = 'age'`,
    );
    const holding = groups.filter(({ least, greatest }) => Number(least) <= 5 && Number(greatest) >= 5);
    expect(groups.length).toBeGreaterThan(6);
    expect(holding.length).toBeLessThan(3);
  });

  test('other rows, another order and other counts are found', async () => {
    await survey.verify();
    const folder = path.join(survey.out, 'api/v1/survey/visits');
    const manifest = await survey.json<DatasetManifest>(datasetManifestPath('survey', 'visits'));
    const entry = manifest.copies.find(({ by }) => by[0] === 'kind')!;
    const original = path.join(folder, entry.file.path);
    const slices = entry.years.map(year => path.join(folder, `year=${year}/sites.parquet`));
    const scratch = path.join(await temporaryFolder(), 'copy.parquet');
    const compare = (file: string, made = entry) =>
      withSession({ threads: 1, memoryLimit: '400MB', temporaryFolder: os.tmpdir() }, session =>
        compareCopy(session, { ...manifest, entry: made, file, slices }),
      );
    const compareRows = async (select: string) => {
      const from = select.replace('FROM', `FROM read_parquet(${quoted(original)})`);
      await duckdb(`COPY (SELECT ${from}) TO ${quoted(scratch)} (FORMAT parquet)`);
      return compare(scratch);
    };
    expect(await compareRows('* FROM')).toBeNull();
    const other = "CASE WHEN age = 3 AND site = 's007' AND kind = 'rain' THEN 0 ELSE count END AS count";
    expect(await compareRows(`* REPLACE (${other}) FROM`)).toMatch(/does not hold the rows/);
    expect(await compareRows('* FROM ORDER BY kind, site, age, year')).toMatch(/not in the order of kind/);
    const { values, rows } = entry.counted!;
    const moved = rows.with(0, [rows[0]![0]! + 1, rows[0]![1]! - 1, rows[0]![2]!]);
    for (const wrong of [{ values: values.with(1, 'snow') }, { rows: moved }]) {
      const counted = { ...entry.counted!, ...wrong };
      expect(await compare(original, { ...entry, counted })).toMatch(/counts other rows/);
    }
  });

  test('a copy is not written again unless a slice of it changes', async () => {
    const changed = await survey.copyBuilt();
    await changed.writeRows({ [visitsFile(2002)]: visitRows(2002, 'sites', ' + 2') });
    const before = await copiesOf('stays');
    await changed.build();
    expect(await copiesOf('stays', changed.out)).toEqual(before);
    expect(await copiesOf('visits', changed.out)).not.toEqual(await copiesOf('visits'));
    const fresh = await changed.copy();
    await fresh.build();
    const news = /feed\.(xml|json)|release-notes|SHA256SUMS|^manifest\.json|index\.html/;
    const rows = async (out: string) =>
      Object.fromEntries(Object.entries(await undated(out)).filter(([name]) => !news.test(name)));
    expect(await rows(changed.out)).toEqual(await rows(fresh.out));
  });
});

test.each([
  ['kind=rain&year=2002', true],
  ['kind=rain,total&format=csv', true],
  ['family=wet&year_min=2002&format=csv', true],
  ['age=3&kind=rain', false],
  ['score=0.25&offset=900&limit=20', true],
])('%s: what is read is what the plan said; its rows are counted: %s', async (query, isCounted) => {
  const files = countReads(createFolderFiles(survey.out));
  const plan = await planQuestion(await new Catalog(files).current(), '/api/v1/survey/visits', `?${query}`);
  if (plan?.kind !== 'scan') throw new Error(`${query} is no scan`);
  expect(plan.sources.every(({ file }) => file.path.includes('/_copies/'))).toBe(true);
  const scan = new Scan(plan, { files, cache: new ColumnCache(1 << 30), budget: BUDGET, signal: undefined });
  let rows = 0;
  for await (const picked of scan.pick(plan.request.limit)) rows += picked.rows.length;
  const ofRows = files.reads.filter(({ path: file }) => file.endsWith('.parquet'));
  expect(ofRows.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(plan.bytes);
  expect(plan.total !== null).toBe(isCounted);
  if (plan.total !== null && plan.request.offset === 0) expect(rows).toBe(plan.total);
  // Each range of rows begins and ends within a row group.
  const values = plan.request.conditions.flatMap(one =>
    one.bound === 'key' && one.param !== 'place' ? one.keys : [],
  );
  const stretches = plan.sources.length * values.length;
  expect(plan.rows).toBeLessThanOrEqual((plan.total ?? 4096) + stretches * 4096);
});
