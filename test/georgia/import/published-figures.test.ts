/** The published files as a lake, the lake as a tree: figures that a reader of the API gets are those of the files. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RefusedError } from '../../../build/failure.ts';
import type { DatasetsDocument, RowFormat } from '../../../build/format/documents.ts';
import type { DatasetManifest, SliceEntry } from '../../../build/format/manifest.ts';
import type { SchemaDocument } from '../../../build/format/schema.ts';
import { build } from '../../../build/pipeline/build.ts';
import type { BuildOptions } from '../../../build/pipeline/build-options.ts';
import type { BuildEvent } from '../../../build/report.ts';
import type { ImportReport } from '../../../scripts/georgia/import/report.ts';
import { CONTRACTS, readOwnContracts } from '../specification/contracts.ts';
import { PUBLISHED_CELLS, type PublishedCell } from './published-cells.ts';
import { PUBLISHED_FILES, type PublishedFiles } from './published-files.ts';
import { scratchLake } from './scratch-lake.ts';

/** What the files hold: years and levels of each dataset, and no more. */
const HOLDINGS: Readonly<Record<string, { years: number[]; levels: string[] }>> = {
  'census/employment': { years: [2023], levels: ['counties'] },
  'education/attendance': { years: [2024], levels: ['districts', 'schools', 'states'] },
  'education/ccrpi_graduation_rate': {
    years: [2020, 2021, 2022],
    levels: ['districts', 'schools', 'states'],
  },
  'education/ccrpi_progress': { years: [2021, 2022], levels: ['districts', 'schools', 'states'] },
  'education/georgia_milestones_end_of_grade': {
    years: [2021, 2022, 2023, 2024],
    levels: ['districts', 'schools', 'states'],
  },
  'education/graduation_rate_4_year_cohort': { years: [2019], levels: ['districts', 'schools'] },
};

type Row = Readonly<Record<string, string | number | null>>;

for (const files of PUBLISHED_FILES)
  describe.skipIf(files.absent)(`published figures in the tree: ${files.name}`, () => testTree(files));

function testTree(files: PublishedFiles): void {
  const scratch = scratchLake(afterAll);
  let folder: string;
  let api: string;
  const events: BuildEvent[] = [];
  const reports: ImportReport[] = [];
  const options = (out: string): BuildOptions => ({
    contracts: CONTRACTS,
    data: scratch.lake,
    out,
    only: null,
    strict: false,
    jobs: 2,
    memory: '800MB',
    releaseDate: '2026-01-02',
    previous: null,
    baseUrl: null,
  });

  beforeAll(async () => {
    for (const [name, paths] of files.imports) reports.push(await scratch.report(name, paths));
    folder = await mkdtemp(path.join(tmpdir(), 'civic-published-figures-'));
    const out = path.join(folder, 'dist');
    await build(options(out), event => events.push(event));
    api = path.join(out, 'api/v1');
  }, 300_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('each import writes its rows, and changes nothing that another has written', () => {
    for (const [index, [name, , rows]] of files.imports.entries()) {
      const { written, odd, changes } = reports[index]!;
      const found = written.map(({ path: file, rows: count }) => [file.replace('.parquet', ''), count]);
      expect(Object.fromEntries(found), name).toEqual(rows);
      // With these dimensions no fact is of a place that nobody names.
      expect(odd.filter(({ what }) => what.includes('is not in the dimension'))).toEqual([]);
      expect(changes).toEqual([]);
    }
  });

  test('rows are dropped for documented reasons alone, and odd figures are kept and counted', () => {
    const dropped = reports.flatMap(({ importer, files: read }) =>
      read.flatMap(file => file.dropped.map(({ what }) => `${importer}: ${what}`)),
    );
    const reasons = ['all grades together', ...(files.whole ? ['no tested count'] : [])];
    expect(dropped.filter(text => !/^(districts|schools): /.test(text))).toEqual(
      reasons.map(reason => `georgia_milestones_end_of_grade: ${reason}`),
    );
    const odd = reports.flatMap(({ importer, odd }) => odd.map(({ what }) => `${importer}: ${what}`));
    expect(odd).toEqual([
      'attendance: num_students is 0, yet the group has rates',
      'ccrpi_graduation_rate: a five-year rate published in 2021, served as 2020: its cohort was due then',
    ]);
  });

  async function document<T>(name: string): Promise<T> {
    return JSON.parse(await readFile(path.join(api, name), 'utf8')) as T;
  }

  async function slice(dataset: string, year: number, detail: string): Promise<SliceEntry> {
    const { slices } = await document<DatasetManifest>(`${dataset}/manifest.json`);
    const found = slices.find(one => one.year === year && one.detail === detail);
    if (found === undefined) throw new Error(`The tree has no ${dataset} ${year} ${detail}.`);
    return found;
  }

  const cache = new Map<string, Promise<Row[]>>();
  function rows(format: RowFormat, { dataset, year, detail }: PublishedCell): Promise<Row[]> {
    const key = [format, dataset, year, detail].join(' ');
    const read = cache.get(key) ?? slice(dataset, year, detail).then(one => readSlice(format, dataset, one));
    cache.set(key, read);
    return read;
  }

  async function readSlice(format: RowFormat, dataset: string, { files }: SliceEntry): Promise<Row[]> {
    const read: Row[] = [];
    for (const file of files[format]) {
      const bytes = await readFile(path.join(api, dataset, file.path));
      const part = await PARSE[format](bytes);
      expect(part, file.path).toHaveLength(file.rows);
      read.push(...part);
    }
    return read;
  }

  test('at least fifty cells are compared', () => {
    expect(PUBLISHED_CELLS.length).toBeGreaterThanOrEqual(50);
  });

  test.each(['json', 'csv', 'parquet'] as const)('%s has every cell as published', async format => {
    for (const cell of PUBLISHED_CELLS) {
      const keys = Object.entries({ year: cell.year, ...cell.keys });
      const matching = (await rows(format, cell)).filter(row =>
        keys.every(([name, key]) => asText(row[name]) === asText(key)),
      );
      const where = `${cell.dataset} ${cell.year} ${cell.detail} ${JSON.stringify(cell.keys)}`;
      expect(matching, where).toHaveLength(1);
      const found = matching[0]?.[cell.column];
      const figure = format === 'csv' && typeof found === 'string' ? Number(found) : found;
      expect(figure, `${cell.column} of ${where}, "${cell.raw}" in the file`).toBe(cell.value);
    }
  });

  test.each(files.places)('attendance of 2024 has all %s, with 15 groups each', async (detail, places) => {
    const { rows: count, files: written } = await slice('education/attendance', 2024, detail);
    expect(count).toBe(places * 15);
    for (const format of ['json', 'csv', 'parquet'] as const)
      expect(written[format].reduce((sum, file) => sum + file.rows, 0)).toBe(count);
    const read = await rows('parquet', { ...PUBLISHED_CELLS[0]!, detail });
    expect(new Set(read.map(row => `${row.district_code}/${row.school_code}`)).size).toBe(places);
    expect(new Set(read.map(row => row.demographic)).size).toBe(15);
  });

  test('every rule on the published figures holds', () => {
    const notices = events.flatMap(event => (event.kind === 'notices' ? event.outcomes : []));
    expect(notices.filter(({ outcome }) => outcome.result !== 'skipped')).toEqual([]);
  });

  if (files.whole) {
    test('unemployment over all counties is 5.12 percent', async () => {
      const counties = await scratch.rows('census/employment/year=2023/counties.parquet');
      const sum = (name: string) => counties.reduce((total, row) => total + Number(row[name]), 0);
      expect(sum('num_unemployed') / sum('num_civilian_labor_force')).toBeCloseTo(0.0512, 4);
    });
    return;
  }

  test('names come from the dimensions', async () => {
    const [row] = (
      await rows('json', PUBLISHED_CELLS.find(cell => cell.keys.school_code === '0103')!)
    ).filter(one => one.district_code === '601' && one.school_code === '0103');
    expect(row).toMatchObject({
      district_name: 'Appling County',
      school_name: 'Appling County High School',
    });
  });

  test('the documents list just what is there, and none says that it is a sample', async () => {
    const list = await document<DatasetsDocument>('datasets/index.json');
    const listed = list.datasets.map(({ main_topic, topic, available_years, detail_levels }) => [
      `${main_topic}/${topic}`,
      { years: available_years, levels: detail_levels },
    ]);
    expect(Object.fromEntries(listed)).toEqual(HOLDINGS);
    expect(list).not.toHaveProperty('sample');
  });

  test('what is missing is a warning, and an error with --strict', async () => {
    const warned = events.flatMap(event => (event.kind === 'warnings' ? event.diagnostics : []));
    expect(new Set(warned.map(({ code }) => code))).toEqual(
      new Set(['lake-incomplete', 'lake-missing-dataset', 'lake-missing-slice']),
    );
    const { datasets } = await readOwnContracts();
    const missing = warned.filter(({ code }) => code === 'lake-missing-dataset').map(({ file }) => file);
    expect(missing).toEqual(
      datasets.filter(({ key }) => !(key in HOLDINGS)).map(({ source }) => source.file),
    );
    const out = path.join(folder, 'strict');
    await expect(build({ ...options(out), strict: true }, () => undefined)).rejects.toThrow(RefusedError);
  });

  test.each(Object.entries(HOLDINGS))(
    '%s: the schema document does so too',
    async (key, { years, levels }) => {
      const schema = await document<SchemaDocument>(`datasets/${key}/index.json`);
      expect(schema).toMatchObject({
        available_years: years,
        year_min: years[0],
        year_max: years.at(-1),
        year_gaps: [],
        detail_levels: levels,
      });
      const detail = schema.filters.find(({ param }) => param === 'detail');
      expect(detail).toMatchObject({ values: levels, default: schema.default_detail });
      expect(levels).toContain(schema.default_detail);
      const { slices } = await document<DatasetManifest>(`${key}/manifest.json`);
      expect([...new Set(slices.map(({ year }) => year))]).toEqual(years);
      expect([...new Set(slices.map(one => one.detail))].sort()).toEqual(levels);
      expect(schema).not.toHaveProperty('sample');
    },
  );
}

function asText(value: string | number | null | undefined): string | null {
  return value === null || value === undefined ? null : String(value);
}

const PARSE: Readonly<Record<RowFormat, (bytes: Buffer) => Promise<Row[]>>> = {
  json: async bytes => (JSON.parse(bytes.toString('utf8')) as { data: Row[] }).data,
  csv: async bytes => parseCsv(bytes.toString('utf8')),
  parquet: async bytes => {
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
    return (await parquetReadObjects({ file, compressors })).map(row =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [name, typeof value === 'bigint' ? Number(value) : value]),
      ),
    );
  },
};

/** RFC 4180; an empty field is NULL, a quoted empty one an empty text. */
function parseCsv(text: string): Row[] {
  const [header = [], ...lines] = text
    .split('\r\n')
    .slice(0, -1)
    .map(line =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(([, quoted, plain]) =>
        quoted === undefined ? plain || null : quoted.replaceAll('""', '"'),
      ),
    );
  return lines.map(fields => Object.fromEntries(header.map((name, i) => [name, fields[i] ?? null])));
}
