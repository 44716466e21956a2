/** Lakes as people have them: CSV, TSV, JSON lines, one file with several years, Hive folders without a template. */
import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { RefusedError } from '../../build/failure.ts';
import { command } from '../cli/command.ts';
import { MONTHS } from '../publishers/air.ts';
import type { Built } from '../publishers/built-tree.ts';
import { column, datasetContract, dimension } from '../publishers/contract-text.ts';
import {
  damagePage,
  type Lake,
  newPublisher,
  type Publisher,
  writeTexts,
} from '../publishers/publisher-folder.ts';

const contract = (columns: string, own: Readonly<Record<string, string>> = {}, topic = 'readings') => {
  const table = { detail_levels: '[stations]', grain: '[year, code]', ...own };
  return datasetContract(`air.${topic}`, [columns], table, { year_range: '2022-2024' });
};

const COLUMNS = [
  ...[column('year', 'integer', 'year', true), column('code', 'string', 'categorical', true)],
  ...[column('value', 'number', 'metric'), column('open', 'boolean', 'metric')],
  column('count', 'integer', 'metric'),
].join('');
const CONTRACT = contract(COLUMNS);

/** Columns with markers of missing figures. */
const MARKED = {
  income: 'integer metric [-666666666, "*", <10, 99.9]',
  rate: 'number metric [99.9, -9, TFS, NaN, ""]',
  note: 'string categorical [n. a., 0]',
  checked: "date categorical ['1900-01-01', nie]",
};
const markedColumns = (marked: Readonly<Record<string, string>> = MARKED) =>
  Object.entries(marked).reduce(
    (text, [name, said]) => {
      const [, type = '', role = '', markers = ''] = /^(\w+) (\w+) (.*)$/.exec(said) ?? [];
      return text + column(name, type, role, false, { missing_values: markers });
    },
    column('year', 'integer', 'year', true) + column('code', 'string', 'categorical', true),
  );
const MARKS = [
  ['year', 'code', ...Object.keys(MARKED)],
  ['2024', 'a', '-666666666', '99.90', 'n. a.', '1900-01-01'],
  ['2024', 'b', '12', '-9', '0', '2024-02-01'],
  ['2024', 'c', ' * ', '0', 'N. A.', 'nie'],
  ['2024', 'd', '<10', 'TFS', 'wet', ''],
];
const marks = (delimiter: string) => `${MARKS.map(row => row.join(delimiter)).join('\n')}\n`;
const markObjects = MARKS.slice(1).map(row => {
  const cells = row.map((cell, i) => [MARKS[0]![i], /^-?\d+$/.test(cell) ? Number(cell) : cell]);
  return JSON.stringify(Object.fromEntries(cells));
});
/** Parquet has no texts among numbers. */
const markRows = (number: string, none: string) =>
  `SELECT * FROM (VALUES (2024, 'a', -666666666, 99.9::${number}, 'n. a.', DATE '1900-01-01'), (2024, 'b', 12, -9, '0', '2024-02-01'), (2024, 'c', NULL, 0, 'N. A.', NULL), (2024, 'd', NULL, ${none}, 'wet', NULL)) t(${MARKS[0]})`;
const UNMARKED = `${MARKS[0]}\n2024,a,,,,\n2024,b,12,,,2024-02-01\n2024,c,,0,N. A.,\n2024,d,,,wet,\n`;

const HEADER = 'year,code,value,open,count';
const LINES = ['2022,007,1.5,true,3', '2022,7,,false,', '2023,007,2e1,yes,12', '2024,"a, ""b""",-3,NO,0'];
const CSV = `${[HEADER, ...LINES].join('\n')}\n`;
/** The same rows in DuckDB's types. */
const ROWS =
  "SELECT * FROM (VALUES (2022, '007', 1.5::DOUBLE, true, 3), (2022, '7', NULL, false, NULL), (2023, '007', 20, true, 12), (2024, 'a, \"b\"', -3, false, 0)) t(year, code, value, open, count)";

const publisher = (lake: Lake, contracts: Readonly<Record<string, string>> = { 'readings.yaml': CONTRACT }) =>
  newPublisher(
    { 'publisher.yaml': 'service: Air\nlicense: CC0-1.0\nattribution: Air office\n', ...contracts },
    lake,
  );

/** The topic of each row of a table. The datasets are built together, and all names have one length. */
const topicOf = (i: number) => `readings_${(i + 10).toString(36)}`;

/** Every file of rows of a topic, with the name of the first topic; releases are removed, because they hash names too. */
async function rowFiles(out: string, topic: string): Promise<Record<string, string>> {
  const folder = path.join(out, 'api/v1/air', topic);
  const names = await readdir(folder, { recursive: true });
  const files = names.filter(name => /year=.*\.(csv|json|parquet)$/.test(name));
  const texts = files.map(async name => {
    const text = await readFile(path.join(folder, name), 'latin1');
    return [name, text.replaceAll(topic, topicOf(0)).replace(/"release":"\w+"/, '')] as const;
  });
  return Object.fromEntries(await Promise.all(texts));
}

const published = ({ out }: Publisher, dataset: string, year: number, level: string) =>
  readFile(path.join(out, `api/v1/air/${dataset}/year=${year}/${level}.csv`), 'utf8');

describe('tables in any form', () => {
  const json = [
    '{"year": 2022, "code": "007", "value": 1.5, "open": true, "count": 3}',
    '{"code": "7", "year": 2022, "open": false}',
    '{"year": 2023, "code": "007", "value": 20.0, "open": true, "count": 12}',
    '{"year": "2024", "code": "a, \\"b\\"", "value": -3, "open": false, "count": 0}',
  ];
  const REORDERED = `code,count,open,value,year\n007,3,t,1.5,2022\n7,,f,NA,2022\n007,12,1,20,2023\n"a, ""b""",0,0,-3,2024`;
  const GERMAN = `year;code;value;open;count\n2022;007;1,5;true;3\n2022;7;;false;\n2023;007;20;1;12\n2024;"a, ""b""";-3,0;0;0\n`;
  const TABS = CSV.replaceAll(/,(?! )/g, '\t');
  const part = (first: number, last: number) => `${[HEADER, ...LINES.slice(first, last)].join('\n')}\n`;
  const ODD = CSV.replaceAll('007', 'Málaga “ñ”').replace('count', 'año');
  const LATIN1 = Buffer.from(ODD.replaceAll('“', '\x93').replaceAll('”', '\x94'), 'latin1');
  const ODD_COLUMNS = COLUMNS.replace('name: count', 'name: año');
  const TEMPLATE = { path_template: '"deliveries/*.csv"' };
  /** A file for each year, by its name. */
  const byYear = (name: (year: number) => string, columns: string) =>
    Object.fromEntries(
      [2022, 2023, 2024].map(year => [name(year), `SELECT ${columns} FROM (${ROWS}) WHERE year = ${year}`]),
    );
  const ofYears = {
    'air/readings/2022.csv': part(0, 2),
    'air/readings/2023.csv': part(2, 3),
    'air/readings/year=2024/part-0.csv': part(3, 4).replace(/^\w+,/gm, ''),
  };
  type Case = readonly [
    what: string,
    lake: Lake,
    columns?: string,
    own?: Readonly<Record<string, string>>,
    as?: number,
  ];
  const SLICE = 'air/readings/year=2024/stations.parquet';
  const SLICES = byYear(year => `air/readings/year=${year}/stations.parquet`, '*');
  const marked = markedColumns();
  /** The row with only 2024, and no figure where others have markers. */
  const NO_FIGURES = 16;
  /** The lake's files, the columns of its contract, other properties, and the row that has the same files. */
  const CASES: readonly Case[] = [
    ['plain Parquet slices', SLICES],
    ['plain text of odd letters', { 'readings.csv': ODD }, ODD_COLUMNS, {}, 1],
    ['Windows-1252', { 'readings.csv': LATIN1 }, ODD_COLUMNS, {}, 1],
    ['UTF-16', { 'readings.csv': Buffer.from(`\ufeff${ODD}`, 'utf16le') }, ODD_COLUMNS, {}, 1],
    ['one CSV, and a copy', { 'air/readings.csv': CSV, 'air/readings.tsv': TABS }],
    ['one CSV beside a folder', { 'air/readings.csv': CSV, 'air/readings/2022.csv': part(0, 2) }],
    ['a mark and other line ends', { 'readings.csv': `\ufeff${CSV.replaceAll('\n', '\r\n')}` }],
    ['columns in another order, without a last line end', { 'readings.csv': REORDERED }],
    ['semicolons and decimal commas', { 'readings.CSV': GERMAN }],
    ['tabs', { 'air/readings.tsv': TABS }],
    ['JSON lines', { 'air/readings.jsonl': `${json.join('\n')}\n` }],
    ['a file for each year, named by it', ofYears],
    ['files of several years', { 'air/readings/old.csv': part(0, 2), 'air/readings/new.csv': part(2, 4) }],
    ['one Parquet file', { 'air/readings.parquet': ROWS }],
    ['Hive folders', byYear(year => `readings/year=${year}/part-00000.parquet`, '* EXCLUDE (year)')],
    ['a template of its own, without a year', { 'deliveries/a 1.csv': CSV }, COLUMNS, TEMPLATE],
    ['no figures', { 'readings.csv': UNMARKED }, marked, {}, NO_FIGURES],
    ['markers of missing figures', { 'readings.csv': marks(';') }, marked, {}, NO_FIGURES],
    ['markers in JSON lines', { 'readings.jsonl': markObjects.join('\n') }, marked, {}, NO_FIGURES],
    ['markers in Parquet', { 'readings.parquet': markRows('DOUBLE', "'NaN'") }, marked, {}, NO_FIGURES],
    ['markers in a slice', { [SLICE]: markRows('FLOAT', "'NaN'") }, marked, {}, NO_FIGURES],
    ['decimal markers', { [SLICE]: markRows('DECIMAL(9, 2)', 'NULL') }, marked, {}, NO_FIGURES],
    ['slices beside a draft of them', { ...SLICES, 'air/readings/draft.csv': CSV }],
  ];

  let built: Built;
  let folder: Publisher;
  beforeAll(async () => {
    const lakes = CASES.flatMap(([, lake], i) =>
      Object.entries(lake).map(([name, rows]) => [name.replace('readings', topicOf(i)), rows]),
    );
    const contracts = CASES.map(([, , columns = COLUMNS, own], i) => [
      `${i}.yaml`,
      contract(columns, own, topicOf(i)),
    ]);
    folder = await publisher(Object.fromEntries(lakes), Object.fromEntries(contracts));
    built = await folder.build();
  });

  test.each(CASES.map(([what, , , , as = 0], i) => [what, i, as] as const))('%s', async (_, i, as) => {
    const files = await rowFiles(folder.out, topicOf(i));
    expect(Object.keys(files)).toHaveLength(as === NO_FIGURES ? 3 : 9);
    expect(files).toEqual(await rowFiles(folder.out, topicOf(as)));
  });

  test("that aren't UTF-8 are reported, with a word that shows it, in the header too, and so are unread files", () => {
    // Some only have one year.
    const warnings = built.warnings.filter(one => !/^lake-(copy|incomplete|missing-slice) /.test(one));
    const read = (name: string) =>
      `The table is not UTF-8, so the build reads it as ${name} ("año"). If letters are wrong, save it as UTF-8.`;
    expect(warnings).toEqual([
      ...['2022', 'draft'].map(name => expect.stringMatching(RegExp(`^lake-unclaimed-file .*${name}\\.csv`))),
      ...['Windows-1252', 'UTF-16'].map(name => expect.stringContaining(read(name))),
    ]);
  });
});

const NEITHER = Buffer.from(CSV.replace('007', '\x81\x9d'), 'latin1');
/** Each error of a table is one message. */
const REFUSED: readonly (readonly [text: string | Buffer, message: RegExp])[] = [
  [CSV.replace('2e1,yes', '2e1,9,yes'), /lake-unreadable-file .*5 columns.*line 4 has 6/],
  [`${CSV}2024,x\n`, /lake-unreadable-file .*5 columns.*line 6 has 2/],
  [CSV.replace('"a, ""b"""', '"a'), /lake-unreadable-file /],
  [NEITHER, /lake-unreadable-file .*neither UTF-8 nor Windows-1252. Save it as UTF-8/],
  ['', /lake-unreadable-file .*empty/],
  [`${HEADER}\n`, /lake-empty-file/],
  [CSV.replace('2e1', '<5'), /lake-value Column value is number .* 1 row, .*"<5"/],
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
];
describe('a table is refused', () => {
  let found: RefusedError;
  beforeAll(async () => {
    const lake = REFUSED.map(([text], i) => [`${topicOf(i)}.csv`, text]);
    const contracts = REFUSED.map((_, i) => [`${i}.yaml`, contract(COLUMNS, {}, topicOf(i))]);
    found = await (await publisher(Object.fromEntries(lake), Object.fromEntries(contracts))).refusal();
  });

  test.each(REFUSED.map(([text, message], i) => [text, message, i] as const))('%j', (_, message, i) => {
    const own = found.diagnostics.filter(one => one.file === `${topicOf(i)}.csv`);
    expect(own.map(one => `${one.code} ${one.message}`)).toEqual([
      expect.stringMatching(new RegExp(`^${message.source}`)),
    ]);
  });
});

test.each([
  [
    'a year with a fraction, which is no year',
    '(CASE WHEN count = 3 THEN 2022.5 ELSE year END)::DOUBLE AS year',
    /^lake-null-year Column year gives no year in 1 row\./,
  ],
  ['a text for a number', "'1.5' AS value", /^lake-column-type Column value is VARCHAR in the file/],
])('%s in a Parquet file of several years is refused', async (_, column, message) => {
  const folder = await publisher({ 'readings.parquet': `SELECT * REPLACE (${column}) FROM (${ROWS})` });
  const { diagnostics } = await folder.refusal();
  const errors = diagnostics.filter(one => one.severity === 'error');
  expect(errors.map(({ code, message }) => `${code} ${message}`)).toEqual([expect.stringMatching(message)]);
});

test('a Parquet file of several years with a damaged page is refused by its name', async () => {
  const rows = 'SELECT 2022 + i % 3 AS year, md5(i::VARCHAR) AS code, 1.5 AS value, true AS open, 1 AS count';
  const folder = await publisher({ 'readings.parquet': `${rows} FROM range(3000) r(i)` });
  await damagePage(path.join(folder.data, 'readings.parquet'));
  expect((await folder.refusal()).diagnostics).toMatchObject([
    { code: 'lake-unreadable-file', message: expect.stringContaining('not a complete Parquet file') },
  ]);
});

test('rows that break a rule are shown with their lines, in files that have some', async () => {
  const folder = await publisher({ 'readings.csv': `Readings\n\n${CSV}2022,7,1,true,9\n2022,,4,,\n` });
  const { failures } = await folder.refusal();
  expect(failures.map(({ outcome }) => [outcome.check.name, outcome.places])).toEqual([
    ['code_not_null', ['readings.csv, line 9']],
    ['grain_unique', ['readings.csv, line 5', 'readings.csv, line 8']],
  ]);
});

test('a file that lacks a nullable column has NULL there', async () => {
  const more = { 'readings.yaml': contract(`${COLUMNS}${column('note', 'string', 'metric')}`) };
  const files = {
    'readings/old.csv': CSV.slice(0, CSV.indexOf('2024')),
    'readings/new.csv': `${HEADER},note\n${LINES[3]},wet\n`,
  };
  const folder = await publisher(files, more);
  await folder.build();
  expect(await published(folder, 'readings', 2022, 'stations')).toBe(
    'year,code,value,open,count,note\r\n2022,007,1.5,true,3,\r\n2022,7,,false,,\r\n',
  );
  expect(await published(folder, 'readings', 2024, 'stations')).toContain(',wet');
});

test('a table is read again if its missing values change, and the message about a text names them', async () => {
  const marked = (more: Partial<typeof MARKED>) => ({
    'readings.yaml': contract(markedColumns({ ...MARKED, ...more })),
  });
  const folder = await publisher(
    { 'readings.csv': marks(',') },
    marked({ income: 'integer metric ["*", 99.9]' }),
  );
  const { diagnostics } = await folder.refusal();
  expect(diagnostics.filter(one => one.severity === 'error').map(one => one.message)).toEqual([
    expect.stringMatching(/Column income is integer .* "<10" on line 5\. .*missing_values, value: \["<10"\]/),
  ]);
  for (const [more, rows] of [
    [
      { note: 'string categorical [none]' },
      UNMARKED.replace('a,,,,', 'a,,,n. a.,').replace('12,,,', '12,,0,'),
    ],
    [{}, UNMARKED],
  ] as const) {
    await folder.writeContracts(marked(more));
    await folder.build();
    expect(await published(folder, 'readings', 2024, 'stations')).toBe(rows.replaceAll('\n', '\r\n'));
  }
});

test('a build after another reads a table again only if its bytes changed, and writes only the years that did', async () => {
  const folder = await publisher({ 'readings.csv': CSV });
  await folder.build();
  const before = await folder.snapshot();
  await appendFile(path.join(folder.data, 'readings.csv'), '2024,new,1,true,1\n');
  await folder.build();
  const after = await folder.snapshot();
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
  await folder.build();
  const fresh = folder.with({ out: path.join(folder.root, 'fresh') });
  await fresh.build();
  expect(await rowFiles(folder.out, 'readings')).toEqual(await rowFiles(fresh.out, 'readings'));
});

test('leftover files are a warning that names the remedy', async () => {
  const folder = await publisher({
    'readings.csv': `${CSV}2031,x,1,true,1\n`,
    'other.csv': CSV,
    'sheet.ods': 'x',
  });
  expect((await folder.build()).warnings).toEqual([
    expect.stringMatching(/^lake-unclaimed-file .*civic init other.csv/),
    expect.stringMatching(/^lake-unknown-year air\/readings promises stations for 2022-2024, not 2031/),
    expect.stringMatching(/^lake-not-parquet /),
  ]);
});

test('dates in any common form give the year of a row, and a dimension may be a table too', async () => {
  const timed = datasetContract(
    'air.days',
    [
      column('día', 'date', 'time', true),
      column('code', 'string', 'fk_place', true),
      column(`'a"b/c~d.e'`, 'number', 'metric'),
    ],
    {
      grain: '[día, code]',
      foreign_keys: '[{ column: code, target_object: places, target_columns: [code] }]',
    },
  );
  const folder = await publisher(
    {
      'days/old.csv': 'día;code;"a""b/c~d.e"\n31/12/2022;007;1,5\n',
      'days/new.jsonl': '{"día": "2023-01-01", "code": "007", "a\\"b/c~d.e": 2.5}\n',
      'air/_dimensions/places.tsv': 'code\tname\n007\tOviedo\n',
    },
    { 'days.yaml': timed, 'places.yaml': dimension('air', 'places', ['code'], 'name') },
  );
  await folder.build();
  expect(await published(folder, 'days', 2022, 'all')).toContain('2022,2022-12-31,007,Oviedo,1.5');
  expect(await published(folder, 'days', 2023, 'all')).toContain('2023,2023-01-01,007,Oviedo,2.5');
  await writeTexts(folder.data, { 'days/old.csv': 'día;code;"a""b/c~d.e"\n01/02/2022;007;1,5\n' });
  const { diagnostics } = await folder.refusal();
  const errors = diagnostics.filter(one => one.severity === 'error');
  expect(errors.map(one => one.message)).toEqual([expect.stringMatching(/in two ways.*YYYY-MM-DD/)]);
});

test('shards share the years of a table', async () => {
  const folder = await publisher({ 'readings.csv': CSV });
  await folder.build();
  const shared = folder.with({ out: path.join(folder.root, 'shared') });
  const args = [...shared.arguments(), '--cache', path.join(folder.root, 'cache')];
  for (const more of [['--shard', '1/2'], ['--shard', '2/2'], []])
    expect(await command(...args, ...more)).toMatchObject({ code: 0 });
  expect(await rowFiles(shared.out, 'readings')).toEqual(await rowFiles(folder.out, 'readings'));
});

/** Rows of 2024 with a column of months, one topic for each. */
const ofMonths = (...selects: readonly string[]) => {
  const topics = selects.map((select, i) => [`months_${i}`, select] as const);
  const contractOf = (topic: string) =>
    MONTHS.replace('2023-2024', '2024').replaceAll(/(?<=air\.|- name: )months/g, topic);
  return publisher(
    Object.fromEntries(topics.map(([topic, rows]) => [`air/${topic}/year=2024/nation.parquet`, rows])),
    Object.fromEntries(topics.map(([topic]) => [`${topic}.yaml`, contractOf(topic)])),
  );
};

/** Values that aren't dates, and how the message shows them. */
const NO_DATES = [
  ["'2024-02-30'", '2024-02-30'],
  ["'March'", 'March'],
  ["'03/01/2024'", '03/01/2024'],
  ["'2024-3-1'", '2024-3-1'],
  ["TIMESTAMP '2024-03-01 10:00:00'", '2024-03-01 10:00:00'],
  ["'infinity'::DATE", 'infinity'],
  ["DATE '0044-03-15 (BC)'", '0044-03-15'],
] as const;

test('an invalid date is refused before anything is published', async () => {
  const { diagnostics } = await (
    await ofMonths(...NO_DATES.map(([month]) => `SELECT ${month} AS month, 1.5 AS pm25`))
  ).refusal();
  const found = diagnostics.filter(one => one.code === 'lake-unfit-time');
  expect(found.map(one => `${one.file} ${one.message}`).sort()).toEqual(
    NO_DATES.map(([, shown], i) =>
      expect.stringMatching(new RegExp(`^air/months_${i}/.*${shown}.*Write each as YYYY-MM-DD`)),
    ),
  );
});

test('a month of another year than its folder, and a day within a month, are refused', async () => {
  const rows = "SELECT unnest([DATE '2023-12-01', DATE '2024-03-15']) AS month, 1.5 AS pm25";
  const refused = await (await ofMonths(rows)).refusal();
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
  await folder.build();
  expect(await published(folder, 'months_0', 2024, 'nation')).toBe(
    'year,month,pm25\r\n2024,2024-01-01,1.5\r\n2024,2024-02-01,2.5\r\n2024,2024-03-01,3.5\r\n',
  );
});
