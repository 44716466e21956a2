/** Lakes as people have them: CSV, TSV, JSON lines, one file of several years, Hive folders without a template. */
import { appendFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { command } from '../cli/command.ts';
import { MONTHS } from '../publishers/air.ts';
import {
  buildArguments,
  buildPublisher,
  contents,
  refusal,
  snapshot,
  warningsOf,
} from '../publishers/built-tree.ts';
import { column, contractHead, dimension } from '../publishers/contract-text.ts';
import {
  type PublisherFolder,
  publisherAt,
  temporaryFolder,
  writeRows,
  writeTexts,
} from '../publishers/publisher-folder.ts';

const contract = (
  columns: string,
  properties = '',
) => `${contractHead('air.readings')}customProperties: [{ property: year_range, value: 2022-2024 }]
schema:
  - name: readings
    customProperties: [{ property: detail_levels, value: [stations] }, { property: grain, value: [year, code] }${properties}]
    properties:${columns}
`;

const COLUMNS = [
  ...[column('year', 'integer', 'year', true), column('code', 'string', 'categorical', true)],
  ...[column('value', 'number', 'metric'), column('open', 'boolean', 'metric')],
  column('count', 'integer', 'metric'),
].join('');
const CONTRACT = contract(COLUMNS);

const HEADER = 'year,code,value,open,count';
const LINES = ['2022,007,1.5,true,3', '2022,7,,false,', '2023,007,2e1,yes,12', '2024,"a, ""b""",-3,NO,0'];
const CSV = `${[HEADER, ...LINES].join('\n')}\n`;
/** The same rows in DuckDB's types. */
const ROWS =
  "SELECT * FROM (VALUES (2022, '007', 1.5::DOUBLE, true, 3), (2022, '7', NULL, false, NULL), (2023, '007', 20, true, 12), (2024, 'a, \"b\"', -3, false, 0)) t(year, code, value, open, count)";

/** Files of a lake by their names: text or bytes, or a SELECT for a name that ends in `.parquet`. */
type Lake = Readonly<Record<string, string | Buffer>>;

async function publisher(lake: Lake, contracts: Readonly<Record<string, string>> = {}) {
  const folder = publisherAt(await temporaryFolder());
  await writeTexts(folder.contracts, {
    'publisher.yaml': 'service: Air\nlicense: CC0-1.0\nattribution: Air office\n',
    ...(Object.keys(contracts).length > 0 ? contracts : { 'readings.yaml': CONTRACT }),
  });
  for (const [name, content] of Object.entries(lake))
    if (name.endsWith('.parquet')) await writeRows(folder.data, { [name]: String(content) });
    else {
      await writeTexts(folder.data, { [name]: '' });
      await writeFile(path.join(folder.data, name), content);
    }
  return folder;
}

async function rowFiles({ out }: { readonly out: string }): Promise<Record<string, string>> {
  const all = Object.entries(await contents(out));
  return Object.fromEntries(all.filter(([name]) => /year=.*\.(csv|parquet|json)$/.test(name)));
}

/** What is published of a lake, without a warning. */
async function built(lake: Lake, text = CONTRACT): Promise<Record<string, string>> {
  const folder = await publisher(lake, { 'readings.yaml': text });
  expect(warningsOf(await buildPublisher(folder))).toEqual([]);
  return rowFiles(folder);
}

const published = ({ out }: PublisherFolder, dataset: string, year: number, level: string) =>
  readFile(path.join(out, `api/v1/air/${dataset}/year=${year}/${level}.csv`), 'utf8');

/** A file for each year, by its name. */
const byYear = (name: (year: number) => string, rows: (year: number) => string) =>
  Object.fromEntries([2022, 2023, 2024].map(year => [name(year), rows(year)]));

let expected: Promise<Record<string, string>> | undefined;
const plainFiles = () =>
  (expected ??= built(
    byYear(
      year => `air/readings/year=${year}/stations.parquet`,
      year => `SELECT * FROM (${ROWS}) WHERE year = ${year}`,
    ),
  ));

describe('a table in any form gives the files of plain Parquet slices', () => {
  const json = [
    '{"year": 2022, "code": "007", "value": 1.5, "open": true, "count": 3}',
    '{"code": "7", "year": 2022, "open": false}',
    '{"year": 2023, "code": "007", "value": 20.0, "open": true, "count": 12}',
    '{"year": "2024", "code": "a, \\"b\\"", "value": -3, "open": false, "count": 0}',
  ];
  const ofYear = (year: number) => LINES.filter(line => line.startsWith(`${year}`));
  const CASES: Readonly<Record<string, Lake>> = {
    'one CSV': { 'air/readings.csv': CSV },
    'a mark and other line ends': { 'readings.csv': `\ufeff${CSV.replaceAll('\n', '\r\n')}` },
    'columns in another order, without a last line end': {
      'readings.csv': `code,count,open,value,year\n007,3,t,1.5,2022\n7,,f,NA,2022\n007,12,1,20,2023\n"a, ""b""",0,0,-3,2024`,
    },
    'semicolons and decimal commas': {
      'readings.CSV': `${HEADER.replaceAll(',', ';')}\n2022;007;1,5;true;3\n2022;7;;false;\n2023;007;20;1;12\n2024;"a, ""b""";-3,0;0;0\n`,
    },
    tabs: {
      'air/readings.tsv': `${[HEADER, ...LINES.slice(0, 3)].join('\n').replaceAll(',', '\t')}\n2024\t"a, ""b"""\t-3\tNO\t0\n`,
    },
    'JSON lines': { 'air/readings.jsonl': `${json.join('\n')}\n` },
    'a file for each year, named by it': {
      'air/readings/2022.csv': `${[HEADER, ...ofYear(2022)].join('\n')}\n`,
      'air/readings/2023.csv': `${[HEADER, ...ofYear(2023)].join('\n')}\n`,
      'air/readings/year=2024/part-0.csv': [HEADER, ...ofYear(2024)].join('\n').replace(/^\w+,/gm, ''),
    },
    'files of several years': {
      'air/readings/old.csv': `${[HEADER, ...LINES.slice(0, 2)].join('\n')}\n`,
      'air/readings/new.csv': `${[HEADER, ...LINES.slice(2)].join('\n')}\n`,
    },
    'one Parquet file': { 'air/readings.parquet': ROWS },
    'Hive folders without a template': byYear(
      year => `readings/year=${year}/part-00000.parquet`,
      year => `SELECT * EXCLUDE (year) FROM (${ROWS}) WHERE year = ${year}`,
    ),
  };
  test.each(Object.entries(CASES))('%s', async (_, lake) => {
    expect(await built(lake)).toEqual(await plainFiles());
  });

  test('a template of its own, without a year', async () => {
    const own = contract(COLUMNS, ', { property: path_template, value: "deliveries/*.csv" }');
    expect(await built({ 'deliveries/a 1.csv': CSV }, own)).toEqual(await plainFiles());
  });
});

test.each([
  ['latin1', 'Windows-1252'],
  ['utf16le', 'UTF-16'],
] as const)(
  '%s is read as %s, with a note that shows a word, be it in the header',
  async (encoding, name) => {
    const text = CSV.replaceAll('007', 'Málaga “ñ”').replace('count', 'año');
    const bytes =
      encoding === 'latin1'
        ? Buffer.from(text.replaceAll('“', '\x93').replaceAll('”', '\x94'), 'latin1')
        : Buffer.from(`\ufeff${text}`, 'utf16le');
    const own = contract(COLUMNS.replace('name: count', 'name: año'));
    const folder = await publisher({ 'readings.csv': bytes }, { 'readings.yaml': own });
    const warnings = warningsOf(await buildPublisher(folder)).join();
    expect(await rowFiles(folder)).toEqual(await built({ 'readings.csv': text }, own));
    expect(warnings).toContain(
      `The table is not UTF-8, so the build reads it as ${name} ("año"). If letters are wrong, save it as UTF-8.`,
    );
  },
);

/** What is wrong with a table is one message. */
test.each<[text: string | Buffer, message: RegExp]>([
  [CSV.replace('2e1,yes', '2e1,9,yes'), /lake-unreadable-file .*5 columns.*line 4 has 6/],
  [`${CSV}2024,x\n`, /lake-unreadable-file .*5 columns.*line 6 has 2/],
  [CSV.replace('"a, ""b"""', '"a'), /lake-unreadable-file /],
  [
    Buffer.from(CSV.replace('007', '\x81\x9d'), 'latin1'),
    /lake-unreadable-file .*neither UTF-8 nor Windows-1252. Save it as UTF-8/,
  ],
  ['', /lake-unreadable-file .*empty/],
  [`${HEADER}\n`, /lake-empty-file/],
  [CSV.replace('2e1', '<5'), /lake-value Column value is number .* 1 row .*"<5"/],
  [CSV.replace(',12', ',12.5'), /lake-value Column count .*"12.5"/],
  [CSV.replace('2e1', '"1,000.5,1"'), /lake-value Column value .*"1,000.5,1" on line 4/],
  [CSV.replace('2023,', ','), /lake-null-year Column year .* 1 row, first on line 4/],
  [CSV.replace('count', 'counts'), /lake-extra-column .*counts/],
  [
    CSV.replace('open,count', 'opened,total'),
    /lake-extra-column .*the columns opened and total .*Add them.*If open is now called opened.*renamed_from, value: "open"/,
  ],
  [
    CSV.replace(',code,', ',Codes,'),
    /lake-missing-column .*requires the column code \(string\), and the file has Codes in its place. Rename one.*If code is now called Codes.*renamed_from, value: "code"/,
  ],
  [CSV.replace('count', 'open'), /lake-repeated-column .*open/],
  [CSV.replaceAll(/^([^,]*),[^,]*(, ""b"")?"?,/gm, '$1,'), /lake-missing-column .*code/],
])('%j is refused', async (text, message) => {
  const { diagnostics } = await refusal(await publisher({ 'readings.csv': text }));
  expect(diagnostics.map(one => `${one.file} ${one.code} ${one.message}`)).toEqual([
    expect.stringMatching(new RegExp(`^readings.csv ${message.source}`)),
  ]);
});

test('rows that break a rule are shown with their lines, in files that have some', async () => {
  const folder = await publisher({ 'readings.csv': `Readings\n\n${CSV}2022,7,1,true,9\n2022,,4,,\n` });
  const { failures } = await refusal(folder);
  expect(failures.map(({ outcome }) => [outcome.check.name, outcome.places])).toEqual([
    ['code_not_null', ['readings.csv, line 9']],
    ['grain_unique', ['readings.csv, line 5', 'readings.csv, line 8']],
  ]);
});

test('a file that lacks a nullable column has NULL there, and old years stay as they are', async () => {
  const folder = await publisher({ 'readings.csv': CSV });
  await buildPublisher(folder);
  const before = await rowFiles(folder);
  await writeTexts(folder.contracts, {
    'readings.yaml': contract(`${COLUMNS}${column('note', 'string', 'metric')}`).replace('1.0.0', '1.1.0'),
  });
  await writeTexts(folder.data, {
    'readings/old.csv': CSV.slice(0, CSV.indexOf('2024')),
    'readings/new.csv': `${HEADER},note\n${LINES[3]},wet\n`,
  });
  await rm(path.join(folder.data, 'readings.csv'));
  await buildPublisher(folder);
  expect(await published(folder, 'readings', 2022, 'stations')).toBe(
    'year,code,value,open,count,note\r\n2022,007,1.5,true,3,\r\n2022,7,,false,,\r\n',
  );
  expect(await published(folder, 'readings', 2024, 'stations')).toContain(',wet');
  expect(Object.keys(await rowFiles(folder))).toEqual(Object.keys(before));
});

test('a build after another reads a table again only if its bytes changed, and writes only the years that did', async () => {
  const folder = await publisher({ 'readings.csv': CSV });
  await buildPublisher(folder);
  const before = await snapshot(folder.out);
  await appendFile(path.join(folder.data, 'readings.csv'), '2024,new,1,true,1\n');
  await buildPublisher(folder);
  const after = await snapshot(folder.out);
  const changed = [...after].filter(([name, file]) => before.get(name)?.sha256 !== file.sha256);
  const slices = changed
    .map(([name]) => name)
    .filter(name => name.includes('year=') && !name.endsWith('.html'));
  expect(slices.length).toBeGreaterThan(0);
  expect(slices.filter(name => !name.includes('year=2024'))).toEqual([]);

  // A damaged file of the cache is made again.
  const cache = path.join(folder.root, '.dist.civic/cache');
  const kept = (await readdir(cache, { recursive: true })).filter(name => name.endsWith('/2023.parquet'));
  expect(kept.length).toBeGreaterThan(0);
  for (const name of kept) await writeFile(path.join(cache, name), 'damaged');
  await appendFile(path.join(folder.contracts, 'publisher.yaml'), 'description: Air\n');
  await buildPublisher(folder);
  const fresh = { ...folder, out: path.join(folder.root, 'fresh') };
  await buildPublisher(fresh);
  expect(await rowFiles(folder)).toEqual(await rowFiles(fresh));
});

test('what is left over is a warning that names the remedy', async () => {
  const folder = await publisher({
    'readings.csv': `${CSV}2031,x,1,true,1\n`,
    'other.csv': CSV,
    'sheet.ods': 'x',
  });
  const built = await buildPublisher(folder);
  expect(warningsOf(built)).toEqual([
    expect.stringMatching(/^lake-unclaimed-file .*civic init other.csv/),
    expect.stringMatching(/^lake-unknown-year air\/readings promises stations for 2022-2024, not 2031/),
    expect.stringMatching(/^lake-not-parquet /),
  ]);
});

test('dates in any common form tell the year of a row, and a dimension may be a table too', async () => {
  const timed = `${contractHead('air.days')}schema:
  - name: days
    customProperties:
      - { property: grain, value: [día, code] }
      - property: foreign_keys
        value: [{ column: code, target_object: places, target_columns: [code] }]
    properties:
      - { name: día, logicalType: date, required: true, customProperties: [{ property: column_role, value: time }] }
      - { name: code, logicalType: string, required: true, customProperties: [{ property: column_role, value: fk_place }] }
      - { name: 'a"b/c~d.e', logicalType: number, customProperties: [{ property: column_role, value: metric }] }
`;
  const folder = await publisher(
    {
      'days/old.csv': 'día;code;"a""b/c~d.e"\n31/12/2022;007;1,5\n',
      'days/new.jsonl': '{"día": "2023-01-01", "code": "007", "a\\"b/c~d.e": 2.5}\n',
      'air/_dimensions/places.tsv': 'code\tname\n007\tOviedo\n',
    },
    { 'days.yaml': timed, 'places.yaml': dimension('air', 'places', ['code'], 'name') },
  );
  await buildPublisher(folder);
  expect(await published(folder, 'days', 2022, 'all')).toContain('2022,2022-12-31,007,Oviedo,1.5');
  expect(await published(folder, 'days', 2023, 'all')).toContain('2023,2023-01-01,007,Oviedo,2.5');
  await writeTexts(folder.data, { 'days/old.csv': 'día;code;"a""b/c~d.e"\n01/02/2022;007;1,5\n' });
  const { diagnostics } = await refusal(folder);
  const errors = diagnostics.filter(one => one.severity === 'error');
  expect(errors.map(one => one.message)).toEqual([expect.stringMatching(/in two ways.*YYYY-MM-DD/)]);
});

test('shards share the years of a table', async () => {
  const folder = await publisher({ 'readings.csv': CSV });
  const shared = [...buildArguments(folder), '--cache', path.join(folder.root, 'cache')];
  for (const more of [['--shard', '1/2'], ['--shard', '2/2'], []])
    expect(await command(...shared, ...more)).toMatchObject({ code: 0 });
  expect(await rowFiles(folder)).toEqual(await plainFiles());
});

/** Rows of 2024 with a column of months. */
const ofMonths = (select: string) =>
  publisher(
    { 'air/months/year=2024/nation.parquet': select },
    { 'months.yaml': MONTHS.replace('2023-2024', '2024') },
  );

test.each([
  ["'2024-02-30'", '2024-02-30'],
  ["'March'", 'March'],
  ["'03/01/2024'", '03/01/2024'],
  ["'2024-3-1'", '2024-3-1'],
  ["TIMESTAMP '2024-03-01 10:00:00'", '2024-03-01 10:00:00'],
  ["'infinity'::DATE", 'infinity'],
  ["DATE '0044-03-15 (BC)'", '0044-03-15'],
])('%s is no date, and is refused before anything is published', async (month, value) => {
  const { diagnostics } = await refusal(await ofMonths(`SELECT ${month} AS month, 1.5 AS pm25`));
  const found = diagnostics.filter(one => one.code === 'lake-unfit-time').map(one => one.message);
  expect(found).toEqual([expect.stringContaining('Write each as YYYY-MM-DD')]);
  expect(found[0]).toContain(value);
});

test('a month of another year than its folder, and a day within a month, are refused', async () => {
  const rows = "SELECT unnest([DATE '2023-12-01', DATE '2024-03-15']) AS month, 1.5 AS pm25";
  const refused = await refusal(await ofMonths(rows));
  const text = JSON.stringify([refused, refused.message]);
  expect(text).toContain('year_in_folder');
  expect(text).toContain('month_period');
});

test('midnight, text and UTC are the same day, on any machine', async () => {
  const rows =
    "SELECT '2024-01-01' AS month, 1.5 AS pm25 UNION ALL SELECT '2024-02-01T00:00:00Z', 2.5 UNION ALL SELECT '2024-03-01 01:00:00+01', 3.5";
  const folder = await ofMonths(rows);
  vi.stubEnv('TZ', 'America/New_York');
  onTestFinished(() => void vi.unstubAllEnvs());
  await buildPublisher(folder);
  expect(await published(folder, 'months', 2024, 'nation')).toBe(
    'year,month,pm25\r\n2024,2024-01-01,1.5\r\n2024,2024-02-01,2.5\r\n2024,2024-03-01,3.5\r\n',
  );
});
