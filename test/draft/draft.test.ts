/** `civic init`: what it guesses, and that a build accepts what it writes. */
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { utils, write } from '@e965/xlsx';
import { describe, expect, test } from 'vitest';
import type { DraftedTable } from '../../build/draft/draft.ts';
import type { ValuesDocument } from '../../build/format/documents.ts';
import { snapshot } from '../publishers/built-tree.ts';
import { damagePage, temporaryFolder, writeRows, writeTexts } from '../publishers/publisher-folder.ts';
import { built, columnsOf, csvOf, drafted, draftIn, type Files, publisher, writtenFiles } from './drafted.ts';

/** Sheets of cells `a|b / 1|2`; quoted cells are texts. Numbers of the first column are days. */
function workbook(sheets: Readonly<Record<string, string>>): Buffer {
  const book = utils.book_new();
  const cellOf = (text: string) =>
    /^(\d+|true|false|".*"|)$/.test(text) ? JSON.parse(text || 'null') : text;
  for (const [name, rows] of Object.entries(sheets)) {
    const sheet = utils.aoa_to_sheet(rows.split(' / ').map(row => row.split('|').map(cellOf)));
    for (const [place, cell] of Object.entries(sheet))
      if (/^A\d/.test(place) && cell.t === 'n') cell.z = 'yyyy-mm-dd';
    utils.book_append_sheet(book, sheet, name);
  }
  return write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer;
}

/** `count` lines of a table with a day, a place and a figure. */
const AIR = `date,station,lat,lon,Zip,"PM2.5 (µg/m³)",note\n${Array.from({ length: 60 }, (_, i) => {
  const day = new Date(Date.UTC(2023, 11, 1 + Math.floor(i / 2))).toISOString().slice(0, 10);
  return i % 2 === 0 ? `${day},007,40.1,-3.5,00501,${i / 4},"said ""${i}"""` : `${day},7,41.2,-2.5,20500,,`;
}).join('\n')}\n`;

test('codes that a program wrote as numbers are named', async () => {
  const { tables } = await drafted({ 'a.csv': 'fips,n\n13001.0,1\n13003.0,2\n' });
  expect(tables[0]?.columns[0]?.typeReason).toMatch(/such as 13001\.0: write the codes as texts/);
});

test.each([
  // Whole numbers are figures unless their name is that of a code, a year or a period.
  ['agency', 'A0', 'A1', 'string categorical'],
  ['overtime', '100', '103', 'integer metric'],
  ['days', '0', '3', 'integer metric'],
  ['visits per month', '0', '3', 'integer metric'],
  ['month', '1', '2', 'integer categorical'],
  ['naics', '236115', '541110', 'string categorical'],
  ['FY', '2020', '2021', 'integer year'],
  ['TIME', '2019', '2020', 'integer year'],
  ['Periodo', '2019', '2020', 'integer year'],
  ['time', '1030', '1415', 'integer metric'],
  ['年', '2019', '2020', 'integer year'],
  // Weeks and quarters that look like months.
  ['week', '202001', '202012', 'integer categorical'],
  ['week', '2020-01', '2020-12', 'string categorical'],
  ['Quartal', '1/2020', '4/2020', 'string categorical'],
  ['Quartal', '1.2020', '4.2020', 'string categorical'],
  // Months that look like numbers.
  ['Monat', '1.2020', '12.2020', 'date time'],
  ['Stand', '01.2020', '12.2020', 'date time'],
  ['period', '2020.1', '2020.10', 'string categorical'],
  ['시점', '2020.01', '2020.10', 'string categorical'],
  ['hours per day', '7.25', '7.50', 'number metric'],
  // A file may mark values as texts.
  ['agency', '="1301"', '="1302"', 'string categorical'],
  // Codes that look like numbers.
  ['nace', '01.1', '10.71', 'string categorical'],
  ['code', '1.1', '1.10', 'string categorical'],
  ['naics', '12E3', '4455', 'string categorical'],
  ['dose', '1e5', '2e6', 'number metric'],
  ['dose', '1E+5', '2E6', 'number metric'],
  ['plant', '1E5', '1E10', 'string categorical'],
  // A sex and a country; yes and no.
  ['sex', 'F', 'F', 'string categorical'],
  ['country', 'NO', 'NO', 'string categorical'],
  ['open', 'Y', 'N', 'boolean categorical'],
])('%s of %s and %s', async (name, first, second, guess) => {
  const { tables } = await drafted({ 'a.csv': `place,${name},v\na,${first},1\nb,${second},2\n` });
  expect(columnsOf(tables[0]!)).toContain(`, ${name} ${guess}, `);
});

test.each([
  ['no2_ug_m3', 'µg/m³'],
  ['wind_km_h', 'km/h'],
  ['kg_per_ha', 'kg/ha'],
  ['people_per_km2', null],
  ['height_m', 'm'],
  ['Temp (K)', 'K'],
  // Marks of notes.
  ['Deaths [note 1]', null],
  ['Births (p)', null],
  ['Pay (1)', null],
])('the unit of %s: %s', async (name, unit) => {
  const { tables } = await drafted({ 'a.csv': `place,${name}\na,1.5\nb,2.5\n` });
  expect(tables[0]?.columns[1]?.unit).toBe(unit);
});

test('places with names of their own have these on pages, not their codes', async () => {
  const rows = ['2023,N1,Ava,33.1,-84.1,5', '2023,N2,Bel,33.2,-84.2,6'].join('\n');
  const { tables, root } = await drafted({ 'a.csv': `year,station_id,station,lat,lon,pm\n${rows}\n` });
  expect(tables.map(({ name }) => name)).toEqual(['a', 'stations']);
  await built(root);
  const { columns } = await publisher(root).json<ValuesDocument>('api/v1/data/a/values.json');
  const { values } = columns.find(({ column }) => column === 'station_id')!;
  expect(values.map(({ label }) => label)).toEqual(['Ava', 'Bel']);
});

test('a date of hire or of birth does not say when figures apply', async () => {
  const staff = 'name,hire_date,pay\nA,2019-01-02,5\nB,2020-05-31,6\n';
  const { tables, root } = await drafted({ 'a.csv': staff });
  expect(columnsOf(tables[0]!)).toContain('hire_date date categorical');
  expect(tables[0]?.notes[0]).toBe(
    'No time axis: no column says when. If all rows are of one year, add a column year.',
  );
  await built(root);
  expect(await publisher(root).text('llms.txt')).toContain('Levels all; no years.');
});

test('a value with the name of a total is the total of its axis', async () => {
  const grades = ['All Grades', 'K', '1'].flatMap(grade =>
    [2020, 2021].map(year => `${grade},${year},All Saints,${year % 7}`),
  );
  const { tables, root } = await drafted({ 'a.csv': ['Grade,Year,School,Pupils', ...grades, ''].join('\n') });
  expect(tables[0]?.columns[0]?.roleReason).toContain('"All Grades" reads as their total');
  const contract = await readFile(path.join(root, 'contracts/data/a.odcs.yaml'), 'utf8');
  expect(contract.match(/total_value.*/g)).toEqual(['total_value, value: All Grades } # guess: its name']);
  await built(root);
});

test('a table of days, places and a figure: types, time, codes, grain, measures, units, places, and a tree', async () => {
  const { tables, written, root } = await drafted({ 'Air Quality.csv': AIR });
  const [air, stations] = tables as [DraftedTable, DraftedTable];
  expect(columnsOf(air)).toBe(
    'date date time, station string categorical, lat number attribute, lon number attribute, Zip string categorical, ' +
      'PM2.5 (µg/m³) number metric, note string categorical',
  );
  expect(air.columns.map(one => one.unit)).toEqual([null, null, null, null, null, 'µg/m³', null]);
  expect(air.columns.find(one => one.name === 'station')?.typeReason).toMatch(/begin.* with a zero/);
  expect(air).toMatchObject({ kind: 'dataset', name: 'air_quality', grain: ['date', 'station'], rows: 60 });
  expect(stations).toMatchObject({ kind: 'dimension', name: 'stations', grain: ['station'], rows: 2 });
  expect(stations.columns.map(one => one.name)).toEqual(['station', 'lat', 'lon', 'Zip']);
  expect(written).toEqual([
    'contracts/publisher.yaml',
    'contracts/data/air_quality.odcs.yaml',
    'contracts/data/_dimensions/stations.odcs.yaml',
    'data/data/air_quality.csv',
  ]);
  const contract = await readFile(path.join(root, 'contracts/data/air_quality.odcs.yaml'), 'utf8');
  const guessed = contract.match(/^.*(logicalType|column_role|grain|required|unit).*$/gm) ?? [];
  expect(guessed.filter(line => !line.includes('# guess: '))).toEqual([]);

  await built(root);
  const document = 'api/v1/datasets/data/air_quality/index.json';
  expect(await publisher(root).json(document)).toMatchObject({
    time: { unit: 'day', column: 'date' },
    available_years: [2023],
    example_queries: [{ query: 'SELECT * FROM "air_quality" WHERE "year" = 2023 LIMIT 10' }],
  });
  expect(await csvOf(root, 'air_quality/year=2023')).toContain('2023-12-01,007,40.1,-3.5,00501,0,');
});

test('two files that refer to one another: the smaller is a dimension, in any format', async () => {
  const root = await writtenFiles({ 'places/Orte.TSV': 'Kürzel\tName\nB\tBerlin\nM\tMünchen\nK\tKöln\n' });
  const at = "TIMESTAMP '2022-06-01 00:00:00' + to_hours(i) AS at";
  const rows = `SELECT ${at}, ['B', 'M'][i % 2 + 1] AS "Kürzel", i::INTEGER AS "Fahrten" FROM range(40) t(i)`;
  await writeRows(root, { 'places/fahrten.parquet': rows });
  const { tables } = await draftIn(root, ['places']);
  const byName = Object.fromEntries(tables.map(table => [table.name, table]));
  expect(byName.orte).toMatchObject({ kind: 'dimension', grain: ['Kürzel'] });
  expect(byName.fahrten).toMatchObject({
    kind: 'dataset',
    grain: ['at'],
    joins: [{ column: 'Kürzel', target: 'orte', key: 'Kürzel' }],
  });
  expect(columnsOf(byName.fahrten)).toBe(
    'at timestamp time, Kürzel string categorical, Fahrten integer metric',
  );
  await built(root);
  expect(await csvOf(root, 'fahrten/year=2022')).toContain('Berlin');
});

test('quarters in Spanish, a table without time, and a sheet of a workbook', async () => {
  const quarters = ['2023-01-01', '2023-04-01', '2023-07-01', '2023-10-01'];
  const rows = quarters.flatMap(day => ['Málaga', 'A Coruña'].map(city => `${day};${city};1.234,5;12,5`));
  const { tables, root } = await drafted({
    'Población activa.csv': `Período;Ciudad;Población;Tasa (%)\n${rows.join('\n')}\n`,
    'parques.jsonl': '{"nombre": "Retiro", "árboles": 15000}\n{"nombre": "Güell", "árboles": 900}\n',
    'book.xlsx': workbook({ A: 'Día|código|visitas|abierto / 45292|"007"|12|true / 45293|"008"||false' }),
  });
  const [population, parks, book] = tables as [DraftedTable, DraftedTable, DraftedTable];
  expect(columnsOf(population)).toBe(
    'Período date time, Ciudad string categorical, Población number metric, Tasa (%) number metric',
  );
  expect(population.columns.map(one => one.timeUnit)).toEqual(['quarter', null, null, null]);
  expect(population.name).toBe('poblacion_activa');
  expect(columnsOf(parks)).toBe('nombre string categorical, árboles integer metric');
  expect(columnsOf(book)).toBe(
    'Día date time, código string categorical, visitas integer metric, abierto boolean categorical',
  );
  await built(root);
  expect(await csvOf(root, 'poblacion_activa/year=2023')).toContain('2023-04-01,A Coruña,1234.5,12.5');
  expect(await csvOf(root, 'book/year=2024')).toContain('2024-01-01,007,12,true');
});

/** A table's header, number of rows and what a row holds; then what identifies a row, and why. */
const of601 = (i: number) => `${601 + Math.floor(i / 30)},${100 + (i % 30)}`;
const SLIP = /1 row repeats another one\. permit nearly does, but several rows have "P-8"/;
test.each<[header: string, rows: number, line: (i: number) => string, grain: string | null, reason: RegExp]>([
  // A unique text with more than 1,000 values; keys of two columns; the year of a first delivery, which the
  // next needs.
  ['kind,permit,fee', 1_500, i => `k${i % 3},P-${i},${i % 7}`, 'permit', /1,500 rows/],
  ['district,school,pupils', 1_200, i => `${of601(i)},${i % 90}`, 'district school', /1,200 rows/],
  [
    'name,d,s,n',
    2_400,
    i => `Mr ${i % 1_300},D${Math.trunc(i / 30)},S${i % 30},${i % 90}`,
    'd s',
    /2,400 rows/,
  ],
  ['year,school,pupils', 50, i => `2024,S${i},${i % 9}`, 'year school', /50 rows/],
  ['OBJECTID,street,meters', 40, i => `${i + 1},a,${i % 2}`, 'OBJECTID', /40 rows/],
  // A key that is missing once; one with an error, which is named.
  ['permit,fee', 1_200, i => `${i === 7 ? '' : `P-${i}`},${i % 7}`, 'permit', /1,200 rows/],
  ['permit,fee', 1_200, i => `P-${i === 7 ? 8 : i},${i % 7}`, null, SLIP],
  // Moments differ by chance too.
  [
    'Case ID,opened,fee',
    60,
    i => `C-${i},2024-01-${10 + (i % 20)} ${10 + Math.trunc(i / 20)}:00:00,${i % 7}`,
    'Case ID',
    /60 rows/,
  ],
  // Figures with one text differ by chance; grades of which some are letters don't.
  ['b,month,v', 6, i => `B${i % 2},2024-${10 + (i % 3)},${i === 5 ? 'closed' : 7 * i}`, 'month b', /6 rows/],
  // In few rows, notes and shares differ by chance; without a time, a name comes before such a set.
  [
    'county,year,note,births',
    6,
    i => `C${i % 3},${2020 + Math.trunc(i / 3)},n${i === 5 ? '' : i},${i}`,
    'year county',
    /6 rows/,
  ],
  [
    'school,year,share',
    6,
    i => `S${i % 3},${2020 + Math.trunc(i / 3)},${90 + i} of 100`,
    'year school',
    /6 rows/,
  ],
  ['agency,kind,city,staff', 6, i => `A${i},${i % 2},${'xyz'[i % 3]},${i}`, 'agency', /6 rows/],
  ['school,grade,n', 12, i => `S${i % 4},${['K', '1', '2'][i % 3]},${i % 2}`, 'school grade', /12 rows/],
  ['a,b', 4, () => '1.5,2.5', null, /there are only figures/],
  ['day,n', 3, i => `2024-01-0${1 + (i >> 1)},${1 + (i >> 1)}`, null, /no set .* 1 row repeats/],
])('what identifies a row of %s (%i)', async (header, rows, line, grain, reason) => {
  const csv = [header, ...Array.from({ length: rows }, (_, i) => line(i)), ''].join('\n');
  const { tables } = await drafted({ 'a.csv': csv });
  expect(tables[0]?.grain?.join(' ') ?? null).toBe(grain);
  expect(tables[0]?.grainReason).toMatch(reason);
});

test('a sheet for each year, and a sheet of notes: each table is drafted from the workbook itself', async () => {
  const book = workbook({
    '2022': 'county|n / A|1 / B|2',
    '2023': 'county|n / A|3 / B|4',
    Notes: 'Notes / Figures are rounded.',
  });
  const { tables, root } = await drafted({ 'b.xlsx': book });
  expect(tables.map(({ kind, data }) => `${kind} ${data}`)).toEqual([
    'dataset data/data/b_2022.xlsx',
    'dataset data/data/b_2023.xlsx',
  ]);
  const notes = expect.stringMatching(/No table is drafted from the sheet "Notes"/);
  expect(tables[0]?.notes).toContainEqual(notes);
  await built(root);
  expect(await csvOf(root, 'b_2022/all')).toBe('county,n\r\nA,1\r\nB,2\r\n');
  expect(await csvOf(root, 'b_2023/all')).toBe('county,n\r\nA,3\r\nB,4\r\n');
});

test('files of one header whose names differ by a year are one table, unless their rows say another year', async () => {
  const root = await writtenFiles({
    'towns/2020.csv': 'town,n\nA,1\nB,2\n',
    'towns/2021.csv': 'n,town\n3,A\n4,B\n',
    'days/2020.csv': 'day,n\n2020-01-02,1\n2020-01-03,2\n',
    'days/2021.csv': 'day,n\n2020-12-31,3\n2021-01-02,4\n',
  });
  await writeRows(root, { 'Jobs_2020.parquet': 'SELECT 5 AS n', 'Jobs_2021.parquet': 'SELECT 6 AS n' });
  const { tables } = await draftIn(root, ['towns', 'days', 'Jobs_2020.parquet', 'Jobs_2021.parquet']);
  expect(tables.map(({ name, data, rows }) => `${name} ${data} ${rows}`)).toEqual([
    'towns data/data/towns 4',
    ...['2020 data/data/2020.csv 2', '2021 data/data/2021.csv 2'],
    'jobs data/data/jobs 2',
  ]);
  await built(root);
  expect(await csvOf(root, 'towns/year=2021')).toBe('year,town,n\r\n2021,A,3\r\n2021,B,4\r\n');
  expect(await csvOf(root, 'jobs/year=2020')).toBe('year,n\r\n2020,5\r\n');
});

test('two files of one year are never one table', async () => {
  const { tables, root } = await drafted({ 'pop 2020.csv': 'a,n\nx,1\n', '2020 pop.csv': 'a,n\ny,2\n' });
  expect(tables.map(({ rows }) => rows)).toEqual([1, 1]);
  await built(root);
});

test('what each of these files asks is asked once', async () => {
  const rows = (n: number) => `town,n\nA,${n}\nB,2\nTotal,${n + 2}\n`;
  const { tables } = await drafted({ 't/2020.csv': rows(1), 't/2021.csv': rows(3) });
  expect(tables.map(({ questions }) => questions.length)).toEqual([1]);
});

test('hostile names and texts stay text, in YAML and in file names', async () => {
  const { tables, root } = await drafted({
    '.. etc; rm -rf $HOME "x".csv':
      'date,"a: [b, {c}] # d","\'; DROP TABLE t; --",yes\n2024-01-01,"- x\n? y",1,&a\n2024-01-02,*b,2,!!str z\n',
    'con.csv': 'date,null\n2024-01-01,1\n2024-01-02,2\n',
    '311.csv': 'date,code\n2024-01-01,k\n2024-01-02,l\n2024-01-03,l\n',
    '1e3.csv': 'code,word\nk,Kay\nl,El\n',
  });
  expect(tables.map(table => table.name)).toEqual(['etc_rm_rf_home_x', 'con_data', '311', '1e3']);
  await built(root);
  expect(await csvOf(root, '311/year=2024')).toContain('2024-01-02,l,El');
  expect(await csvOf(root, 'etc_rm_rf_home_x/year=2024')).toContain('2024-01-01,"- x\n? y",1,&a');
});

test('columns of Parquet other than text, numbers and times are left out with a note, and the rest builds', async () => {
  const root = await writtenFiles({});
  const odd = ['[1, 2]', "{'a': 1}", "map {'k': 1}", 'union_value(n := 1)', "'x'::BLOB", "[{'a': [1]}]"];
  const selected = odd.map((value, i) => `${value} AS odd${i}`).join(', ');
  await writeRows(root, { 'a.parquet': `SELECT 'p' || i AS place, i AS n, ${selected} FROM range(3) t(i)` });
  const { tables } = await draftIn(root, ['a.parquet']);
  const notes = tables[0]?.notes.join() ?? '';
  for (const i of odd.keys()) expect(notes).toMatch(new RegExp(`odd${i}.* left out`));
  await built(root);
  expect(await csvOf(root, 'a/all')).toBe('place,n\r\np0,0\r\np1,1\r\np2,2\r\n');
});

test('NaN in Parquet is no figure, and 3.0 and decimals without a fraction are whole numbers', async () => {
  const root = await writtenFiles({});
  const none = (value: string) => `(CASE WHEN i = 1 THEN 'NaN'::FLOAT ELSE ${value} END)::FLOAT`;
  const rows = `SELECT (2020 + i)::DOUBLE AS year, ${none('i + 0.2')} AS rate, ${none('i')} AS n, i::DECIMAL(38, 0) AS m FROM range(3) t(i)`;
  await writeRows(root, { 'a.parquet': rows });
  const { tables } = await draftIn(root, ['a.parquet']);
  expect(columnsOf(tables[0]!)).toBe(
    'year integer year, rate number metric, n integer metric, m integer metric',
  );
  expect(tables[0]?.notes).toContainEqual(expect.stringMatching(/^rate has "NaN" in 1 row, .*null_meaning/));
  await built(root);
  expect(await csvOf(root, 'a/year=2021')).toBe('year,rate,n,m\r\n2021,,,1\r\n');
  expect(await csvOf(root, 'a/year=2022')).toBe('year,rate,n,m\r\n2022,2.2,2,2\r\n');
});

test('texts of dates in Parquet say when', async () => {
  const root = await writtenFiles({});
  const rows = "SELECT '2024-0' || i || '-05' AS day, 'p' || i AS place, i AS n FROM range(1, 4) t(i)";
  await writeRows(root, { 'a.parquet': rows });
  const { tables } = await draftIn(root, ['a.parquet']);
  expect(columnsOf(tables[0]!)).toContain('day date time, ');
  await built(root);
  expect(await csvOf(root, 'a/year=2024')).toContain('2024-02-05,p2,2');
  await writeRows(root, {
    'b.parquet': "SELECT '0' || i || '/02/2024' AS day, i AS n FROM range(1, 4) t(i)",
  });
  const open = await draftIn(root, ['b.parquet']);
  expect(columnsOf(open.tables[0])).toBe('day string categorical, n integer metric');
  expect(open.tables[0]?.notes.join()).toMatch(/No time axis: .* The closest, day, has .*"01\/02\/2024"/);
});

test('codes of one length that lose their zeros in a later delivery are refused', async () => {
  const { root } = await drafted({ 'a.csv': 'year,area,n\n2023,01,1\n2023,12,2\n' });
  await built(root);
  await writeTexts(root, { 'data/data/a.csv': 'year,area,n\n2023,1,1\n2023,12,2\n' });
  const { failures } = await publisher(root).refusal();
  expect(failures.map(({ outcome }) => outcome.check.name)).toEqual(['area_minLength']);
});

test('moments of Parquet are days if all are at midnight', async () => {
  const root = await writtenFiles({});
  const rows = (time: string) =>
    `SELECT TIMESTAMP_NS '2024-01-01 ${time}' + to_days(i::INTEGER) AS at, i AS n FROM range(3) t(i)`;
  await writeRows(root, { 'a.parquet': rows('00:00:00'), 'b.parquet': rows('12:30:00') });
  const { tables } = await draftIn(root, ['a.parquet', 'b.parquet']);
  expect(tables.map(columnsOf)).toEqual([
    'at date time, n integer metric',
    'at timestamp time, n integer metric',
  ]);
  await built(root);
  expect(await csvOf(root, 'a/year=2024')).toContain('\r\n2024,2024-01-02,1\r\n');
});

test('names of JSON lines can be figures, and keep their order', async () => {
  const { tables } = await drafted({
    'a.jsonl': '{"10000": 1, "2.5": 3}\n{"10000": 2, "z": 4, "a": 5}\n',
  });
  expect(tables[0]?.columns.map(({ name }) => name)).toEqual(['10000', '2.5', 'z', 'a']);
});

const ESCAPE = Buffer.from('\ufeff"x\ny"\r\na\r\nb\u001b\r\n', 'utf16le');
/** If a draft isn't possible, there is one clear message, and nothing is written. */
test.each<[given: Files, message: RegExp]>([
  [{ 'a.csv': 'x,y\n1,2\n3,4,5\n' }, /2 columns.*line 3 has 3/],
  [{ 'a.csv': 'x,X\n1,2\n' }, /Two columns are called "X"/],
  [
    { 'a.csv': '13001,2020,43.5\n13003,2020,41\n' },
    /The header \("13001", "2020", "43.5"\) looks like a row/,
  ],
  [{ 'a.csv': 'Fulton,2020,12.5\nCobb,2020,4\n' }, /looks like a row/],
  [{ 'a.csv': ',y\n1,2\n' }, /Column 1 of the header has no name, but .* such as "1"/],
  [{ 'a.xlsx': 'PK no' }, /a complete workbook/],
  [{ 'a.parquet': 'text' }, /not a complete Parquet/],
  [{ 'a.parquet': `PAR1${'x'.repeat(50)}PAR1` }, /not a complete Parquet/],
  [{ 'a.csv': 'x,y\n1,a\n\n2,b\u0007\n' }, /Column "y" .*control character, first on line 4 \(U\+0007\)/],
  [{ 'a.csv': ESCAPE }, /Column "x y" .*first on line 4 \(U\+001B\)/],
  [{ 'a.csv.gz': 'x' }, /no CSV.* unpack an archive/],
  [{ 'a.csv': '', 'b.csv': 'x\n', 'c.csv': 'x\n1\n' }, /empty[\s\S]*no rows/],
])('%o is refused', async (given, message) => {
  const root = await writtenFiles(given);
  const before = [...(await snapshot(root)).keys()];
  await expect(draftIn(root, Object.keys(given))).rejects.toThrow(message);
  expect([...(await snapshot(root)).keys()]).toEqual(before);
});

test('a Parquet file with a sound footer and a damaged page is named', async () => {
  const root = await writtenFiles({ 'b.csv': 'x,y\n1,2\n' });
  await writeRows(root, { 'a.parquet': 'SELECT i AS x, md5(i::VARCHAR) AS t FROM range(3000) r(i)' });
  await damagePage(path.join(root, 'a.parquet'));
  await expect(draftIn(root, ['a.parquet', 'b.csv'])).rejects.toThrow(
    /a\.parquet lake-unreadable-file .*not a complete Parquet file/,
  );
});

test("a Parquet file doesn't hide the files after it, and existing files stay as they are", async () => {
  const root = await writtenFiles({
    'b.csv': 'x,y\n1,2\n3,4,5\n',
    'contracts/data/c.odcs.yaml': 'mine',
    'c.csv': 'x\n1\n',
  });
  await writeRows(root, { 'a.parquet': 'SELECT 1 AS x LIMIT 0', 'd.parquet': 'SELECT 1 AS "x\ty"' });
  await expect(draftIn(root, ['a.parquet', 'b.csv'])).rejects.toThrow(/no rows[\s\S]*line 3 has 3/);
  await expect(draftIn(root, ['d.parquet'])).rejects.toThrow(/'x.*y' cannot be the name of a column/);
  await expect(draftIn(root, ['c.csv'])).rejects.toThrow(/contracts\/data\/c.odcs.yaml is there/);
  expect(existsSync(path.join(root, 'data'))).toBe(false);
});

test('without files: an example of about twenty lines, which builds', async () => {
  const root = await temporaryFolder();
  const { written } = await draftIn(root, []);
  expect(written).toContain('contracts/example/rain.odcs.yaml');
  const text = await readFile(path.join(root, 'contracts/example/rain.odcs.yaml'), 'utf8');
  expect(text.trim().split('\n').length).toBeLessThan(28);
  const { result } = await built(root);
  expect(result).toMatchObject({ datasets: 1, rows: 90 });
  await expect(draftIn(root, [])).rejects.toThrow(/are there/);
  await writeFile(path.join(root, 'data/example/rain.csv'), 'date,station,rain_mm\n2024-01-01,001,much\n');
  expect((await publisher(root).refusal()).diagnostics[0]?.message).toMatch(/"much"/);
});

const features = ['N', 'S'].map((REG, i) => {
  const corners = ['0 40', '1 40', '1 41', '0 41', '0 40'].map(one => one.split(' ').map(Number));
  const coordinates = [corners.map(([x = 0, y]) => [x + i, y])];
  return { type: 'Feature', properties: { REG, AREA: 7 }, geometry: { type: 'Polygon', coordinates } };
});
const BORDERS = JSON.stringify({ type: 'FeatureCollection', features });
const RATES = `year,region,rate\n${[2022, 2023].flatMap(year => [`${year},N,1.5`, `${year},S,2`]).join('\n')}\n`;

describe('boundaries', () => {
  test('of the values of a column make a dimension with a map', async () => {
    const { tables, written, root } = await drafted({ 'rates.csv': RATES, 'borders.geojson': BORDERS });
    expect(tables.map(one => [one.kind, one.name, one.reason])).toEqual([
      ['dataset', 'rates', ''],
      ['dimension', 'regions', expect.stringMatching(/borders.geojson has the boundaries of 2 places$/)],
    ]);
    expect(written).toContain('data/data/_dimensions/regions.geojson');
    await built(root);
    const document = 'api/v1/data/_dimensions/regions/schema.json';
    expect(await publisher(root).json(document)).toMatchObject({ shapes: 'areas' });
  });

  test('of a table that others refer to are beside its rows', async () => {
    const { tables, written } = await drafted({
      'rates.csv': RATES,
      'regions.csv': 'region,name\nN,North\nS,South\n',
      'borders.topojson': BORDERS,
    });
    expect(tables[1]).toMatchObject({
      kind: 'dimension',
      notes: [expect.stringContaining('boundaries of 2')],
    });
    expect(written).toContain('data/data/_dimensions/regions.topojson');
  });

  test('of no place of the tables are refused', async () => {
    const root = await writtenFiles({ 'rates.csv': RATES.replace(/,[NS],/g, ',x,'), 'b.geojson': BORDERS });
    const says = /draft-boundaries No column of the tables has the keys/;
    await expect(draftIn(root, ['rates.csv', 'b.geojson'])).rejects.toThrow(says);
  });
});

test('a dimension of places never takes the name of its table', async () => {
  const { tables, root } = await drafted({ 'stations.csv': AIR });
  expect(tables.map(({ name }) => name)).toEqual(['stations', 'station_places']);
  expect(tables[0]?.joins[0]?.target).toBe('station_places');
  await built(root);
});

test('texts with outer spaces, and blanks below a text, are noted', async () => {
  const rows = ['North,a ,1', ',b,2', 'South,c,3', ',d,4', ''];
  const { tables } = await drafted({ 'a.csv': ['region,place,v', ...rows].join('\n') });
  expect(tables[0]?.notes.slice(0, 2)).toEqual([
    expect.stringMatching(/^region is blank in 2 rows, as if/),
    expect.stringMatching(/^place has texts with outer spaces, such as "a "/),
  ]);
});

test('a year and a quarter in two columns, and another encoding, are reported', async () => {
  const { tables, root } = await drafted({
    'q.csv': Buffer.from('year,quarter,plaza,n\n2023,1,Málaga,5\n2023,2,Málaga,6\n', 'latin1'),
  });
  expect(tables[0]?.notes).toEqual([
    expect.stringContaining('reads it as Windows-1252 ("Málaga")'),
    expect.stringContaining("For charts over quarters, write them as one (year || '-Q' || quarter)"),
    'No map: no column has coordinates or names places.',
  ]);
  const contract = await readFile(path.join(root, 'contracts/data/q.odcs.yaml'), 'utf8');
  expect(contract.match(/^# note: /gm)).toHaveLength(3);
  await built(root);
});
