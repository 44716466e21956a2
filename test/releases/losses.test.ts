/** A published year, level or dataset may only go if its contract says so, and a changed schema has the required version. */
import { existsSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../build/contract/diagnostic.ts';
import { RefusedError } from '../../build/failure.ts';
import type { SchemaDocument } from '../../build/format/documents.ts';
import type { DatasetManifest } from '../../build/format/manifest.ts';
import { compressLosses, describeLosses } from '../../build/releases/withdrawals.ts';
import type { Overrides } from '../publishers/built-tree.ts';
import { keptWeather } from '../publishers/kept-trees.ts';
import type { Publisher } from '../publishers/publisher-folder.ts';
import { RAINFALL, REGIONS, rainFile, rainfallRows, TRAMS } from '../publishers/weather.ts';

const original = await keptWeather();

/** The warnings of a build, or the errors of a refused one, one per line. */
async function said(folder: Publisher, overrides: Overrides = {}): Promise<string> {
  const told = (severity: string, found: readonly Diagnostic[]) =>
    found.map(one => `${severity} ${path.basename(one.file)} ${one.code} ${one.message}`).join('\n');
  try {
    const { events } = await folder.build({ releaseDate: '2031-06-01', ...overrides });
    return told(
      'warning',
      events.flatMap(one => (one.kind === 'warnings' ? one.diagnostics : [])),
    );
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    return told(
      'error',
      error.diagnostics.filter(one => one.severity === 'error'),
    );
  }
}

async function refused(folder: Publisher, overrides: Overrides = {}): Promise<string> {
  const before = existsSync(folder.out) ? await folder.contents() : null;
  const text = await said(folder, overrides);
  expect(text).toMatch(/^error /);
  if (before !== null) expect(await folder.contents()).toEqual(before);
  return text;
}

async function done(folder: Publisher): Promise<string> {
  const text = await said(folder);
  expect(text).not.toMatch(/^error /m);
  await folder.verify();
  return text;
}

async function thinner(...files: readonly string[]): Promise<Publisher> {
  const folder = await original.copyBuilt();
  for (const file of files) await rm(path.join(folder.data, file), { recursive: true });
  return folder;
}

/** The contract of rainfall with some of its text replaced. */
const changed = (...changes: readonly (readonly [string, string])[]) =>
  changes.reduce((text, [from, to]) => {
    expect(text).toContain(from);
    return text.replace(from, to);
  }, RAINFALL);
const rain = (folder: Publisher, ...changes: readonly (readonly [string, string])[]) =>
  folder.writeContracts({ 'rain/rainfall.yaml': changed(...changes) });
const word = (entry: string) =>
  ['customProperties:\n', `customProperties:\n  - { property: withdrawn, value: ${entry} }\n`] as const;
const MAJOR = ['version: 1.2.0', 'version: 2.0.0'] as const;
const LEVEL_YEARS = [
  'default_detail, value: regions }\n',
  'default_detail, value: regions }\n      - { property: level_years, value: { stations: 2021-2022 } }\n',
] as const;
const slicesOf = async (folder: Publisher) =>
  (await folder.json<DatasetManifest>('api/v1/climate/rainfall/manifest.json')).slices.map(
    one => `${one.year}/${one.detail}`,
  );

describe('a lake with less', () => {
  test('that lacks a year is refused with the declaration that would allow it, which works', async () => {
    const folder = await thinner('climate/rainfall/year=2019');
    const text = await refused(folder);
    expect(text).toMatch(/lake slices-withdrawn-silently climate\/rainfall \(2019\): /);
    expect(text).toContain('raise version from 1.2.0 to 2.0.0');
    const lines = /add - (\{ property: withdrawn, value: \{.*?\} \})/.exec(text)?.[1] ?? '';
    expect(lines).toBe('{ property: withdrawn, value: { date: 2031-06-01, reason: "…", years: [2019] } }');
    await rain(folder, ['customProperties:\n', `customProperties:\n  - ${lines}\n`]);
    expect(await refused(folder)).toMatch(/version-not-raised .*years? 2019 removed.*2\.0\.0/);
    await rain(folder, ['customProperties:\n', `customProperties:\n  - ${lines}\n`], MAJOR);
    expect(await done(folder)).not.toMatch(/lake-missing-slice/);
    expect(await slicesOf(folder)).not.toContain('2019/nation');
    const schema = 'api/v1/datasets/climate/rainfall/index.json';
    expect((await folder.json<SchemaDocument>(schema)).withdrawn_slices).toEqual([
      { date: '2031-06-01', reason: '…', replacement: null, years: [2019], levels: [] },
    ]);
    const notes = await folder.text('release-notes.md');
    expect(notes).toContain('withdrawn on 2031-06-01 (2019): …');
  });

  test('a level, or a level of a year', async () => {
    const files = [2019, 2021, 2022].map(year => rainFile(year, 'stations'));
    const text = await refused(await thinner(...files, rainFile(2019, 'nation')));
    expect(text.split('\n')).toHaveLength(1);
    expect(text).toMatch(
      /\(the level stations; nation of 2019\): published.*levels: \[stations\] \}, .* years: \[2019\], levels: \[nation\] \}\]/,
    );
    const run = await refused(await thinner(rainFile(2021, 'nation'), rainFile(2022, 'nation')));
    expect(run).toMatch(/years: "2021-2022", levels: \[nation\] \}/);
  });

  test('datasets, and a dimension that nothing joins any more', async () => {
    expect(await refused(await thinner('transit'))).toMatch(
      /lake dataset-withdrawn-silently transit\/trams: published/,
    );
    const text = await refused(await thinner('climate'));
    expect(text).toMatch(/dataset-withdrawn-silently climate\/rainfall/);
    expect(text).toMatch(
      /dimension-withdrawn-silently climate\/_dimensions\/stations: .*The lake has no climate\/_dimensions\/stations\.parquet/,
    );
  });

  test('whose slice has half of its rows is refused unless an erratum says so; the notes count them', async () => {
    const folder = await original.copyBuilt();
    const rows = `SELECT * FROM (${rainfallRows(2021, 'stations')}) WHERE season <> 'wet'`;
    await folder.writeRows({ [rainFile(2021, 'stations')]: rows });
    const text = await refused(folder);
    expect(text).toMatch(/rows-lost climate\/rainfall: .*2021 stations: /);
    const [entry = ''] = /\{ property: errata, .*?\}\] \}/.exec(text) ?? [];
    await rain(folder, ['customProperties:\n', `customProperties:\n  - ${entry}\n`]);
    expect(await done(folder)).toMatch(/rows-lost climate\/rainfall: .*2021 stations: /);
    const notes = await folder.text('release-notes.md');
    expect(notes).toMatch(/2021 stations: \d+ rows removed \(\d+ rows became \d+\)/);
  });

  test('known from --previous alone, and from the tree that is replaced', async () => {
    const folder = await original.copy();
    await rm(path.join(folder.data, 'climate/rainfall/year=2019'), { recursive: true });
    const manifest = path.join(original.out, 'manifest.json');
    expect(await refused(folder, { previous: manifest })).toMatch(
      /\(2019\): published in release \S+ with 27 rows,/,
    );
    await done(folder);
    const full = await thinner('climate/rainfall/year=2019');
    expect(await refused(full, { previous: path.join(folder.out, 'manifest.json') })).toMatch(
      /\(2019\): published in release \S+ with 27 rows,/,
    );
  });
});

describe('a contract that declares less', () => {
  test('says so by its major version, and the rest of the lake is one warning', async () => {
    const folder = await original.copyBuilt();
    await rain(folder, ['[stations, regions, nation]', '[regions, nation]']);
    expect(await refused(folder)).toMatch(/version-not-raised .*level stations removed/);
    await rain(folder, ['[stations, regions, nation]', '[regions, nation]'], MAJOR);
    const text = await done(folder);
    expect(text.match(/lake-unknown-level/g)).toHaveLength(1);
    expect(text).toMatch(/lake-unknown-level .*no level "stations".*\(3 files, 2019, 2021 to 2022\)/);
    expect((await slicesOf(folder)).join()).not.toContain('stations');
  });

  test.each([
    [
      'a level by its word',
      word('{ date: 2031-06-01, reason: "Gone.", levels: [stations] }'),
      /level stations removed/,
    ],
    ['years of one level, by level_years', LEVEL_YEARS, /stations of 2019 removed/],
  ])('withdraws %s, under a major version', async (_, change, lost) => {
    const folder = await original.copyBuilt();
    await rain(folder, change);
    expect(await refused(folder)).toMatch(lost);
    await rain(folder, change, MAJOR);
    const text = await done(folder);
    if (change !== LEVEL_YEARS)
      expect(text).toMatch(/lake-withdrawn-slice climate\/rainfall withdraws stations/);
    expect(await slicesOf(folder)).not.toContain('2019/stations');
  });
});

describe('a changed schema', () => {
  const raised = (version: string) => ['version: 1.2.0', `version: ${version}`] as const;
  const ADDED = ['[all, wet, dry]', '[all, wet, dry, monsoon]'] as const;
  const METRIC = 'physicalType: int\n        customProperties: [{ property: column_role, value: metric }]';
  const BROKEN = [METRIC, METRIC.replace('metric', 'categorical')] as const;

  test('needs the next minor version for a value more, and a major one for another role', async () => {
    const folder = await original.copyBuilt();
    await rain(folder, ADDED, raised('1.2.9'));
    expect(await refused(folder)).toBe(
      'error rainfall.yaml version-not-raised climate/rainfall was published as 1.2.0, and what changed adds to what readers know (value monsoon of season added): raise version from 1.2.9 to 1.3.0 or more, or undo the change',
    );
    await rain(folder, BROKEN, raised('1.3.0'));
    expect(await refused(folder)).toMatch(/^error rainfall\.yaml version-not-raised .*$/);
    await rain(folder, ADDED, raised('1.3.0'));
    await done(folder);
  });

  test('needs none for prose and rules, and may have any if it is new; a dimension has a version too', async () => {
    const folder = await original.copyBuilt();
    await rain(folder, ['Rain of a season.', 'Rainfall.'], ['mustBeGreaterThan: 0', 'mustBeGreaterThan: 1']);
    await folder.writeContracts({
      'snow.yaml': RAINFALL.replaceAll('rainfall', 'snowfall').replace('version: 1.2.0', 'version: 0.0.1'),
    });
    const climate = path.join(folder.data, 'climate');
    await cp(path.join(climate, 'rainfall'), path.join(climate, 'snowfall'), { recursive: true });
    await done(folder);
    const more = `${REGIONS}        description: What it is called.\n      - name: region_area\n        logicalType: number\n`;
    await folder.writeContracts({ 'shared/regions.yaml': more });
    expect(await refused(folder)).toMatch(
      /version-not-raised regions was published as 1\.0\.0.*raise version from 1\.0\.0 to 1\.1\.0/,
    );
  });

  test('is compared with the release of --previous too, and not with a manifest without its contracts', async () => {
    const folder = await original.copy();
    await rain(folder, ADDED);
    const previous = path.join(original.out, 'manifest.json');
    expect(await refused(folder, { previous })).toMatch(/version-not-raised/);
    const alone = path.join(folder.root, 'manifest.json');
    await cp(previous, alone);
    expect(await said(folder, { previous: alone })).not.toMatch(/^error /);
  });
});

test('removed contracts are one cause', async () => {
  const folder = await original.copyBuilt();
  for (const name of ['rain/rainfall.yaml', 'trams.odcs.yaml', 'shared/stations.yaml'])
    await rm(path.join(folder.contracts, name));
  await folder.writeContracts({
    'other.yaml': TRAMS.replaceAll('trams', 'buses').replace(/ {4}quality:\n.*\n/, ''),
  });
  const transit = path.join(folder.data, 'transit');
  await cp(path.join(transit, 'trams'), path.join(transit, 'buses'), { recursive: true });
  const text = await refused(folder);
  expect(text.split('\n')).toHaveLength(2);
  expect(text).toMatch(/dataset-withdrawn-silently climate\/rainfall, transit\/trams: published/);
  expect(text).toMatch(/dimension-withdrawn-silently climate\/_dimensions\/stations: published/);
});

test('losses are named briefly', () => {
  const published = [2000, 2001, 2002, 2003].flatMap(year =>
    ['a', 'b', 'c'].map(detail => ({ year, detail })),
  );
  const told = (lost: (one: { year: number; detail: string }) => boolean) =>
    describeLosses(compressLosses(published, published.filter(lost)));
  expect(told(one => one.year < 2002)).toBe('2000 to 2001');
  expect(told(one => one.detail === 'b')).toBe('the level b');
  expect(told(one => one.detail !== 'a')).toBe('the levels b, c');
  expect(told(one => one.year === 2000 || (one.year > 2001 && one.detail !== 'c'))).toBe(
    'c of 2000; a, b of 2000, 2002 to 2003',
  );
  const later = [...published, { year: 1999, detail: 'd' }];
  expect(describeLosses(compressLosses(later, [{ year: 1999, detail: 'd' }]))).toBe('the level d');
});
