/** Which view a page opens with, and its headline; the rows decide. One tree has a dataset for each case. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { speakLanguage } from '../../site/explorer/messages/languages.ts';
import { type DatasetDocuments, readDocuments } from '../../site/explorer/pages/documents.ts';
import { headlineOf } from '../../site/explorer/pages/first-view.ts';
import { writeSentence } from '../../site/explorer/view/sentence.ts';
import { buildPublisher } from '../publishers/built-tree.ts';
import { openPages } from '../publishers/kept-weather.ts';
import { newPublisher, type PublisherFolder } from '../publishers/publisher-folder.ts';
import { PUBLISHER } from '../publishers/weather.ts';
import { stagedSource } from './explored-tree.ts';

interface Case {
  readonly name: string;
  /** Rows: year, level's ward (NULL: the town), age, people, homes. */
  readonly rows: readonly string[];
  readonly view: string;
  readonly detail?: string;
  readonly metric?: string;
  /** The number of figures drawn, including the year before if bars have a mark. */
  readonly figures: number;
  readonly before?: number | null;
  readonly said?: RegExp;
  readonly spanish?: RegExp;
  readonly hasShapes?: boolean;
}

const WARDS = ['a', 'b', 'c'];
const wards = (year: number, people = (at: number) => String((year % 10) + at)) =>
  WARDS.map((ward, at) => `(${year}, '${ward}', 'all', ${people(at)}, 7)`);
const town = (year: number, people = `${year % 100}`) => `(${year}, NULL, 'all', ${people}, 7)`;

const CASES: readonly Case[] = [
  {
    name: 'lines of the whole from three years on',
    rows: [2021, 2022, 2023].flatMap(year => [town(year), ...wards(year)]),
    view: 'chart',
    detail: 'town',
    figures: 3,
    said: /^people, .*2023: 23, 1 more than in 2022 and 2 more than in 2021\.$/,
    spanish: /2023: 23, 1 más que en 2022 y 2 más que en 2021\.$/,
  },
  {
    name: 'bars with a mark of two years',
    rows: [2022, 2023].flatMap(year => [town(year), ...wards(year)]),
    view: 'bars',
    detail: 'wards',
    figures: 4,
    before: 2022,
    said: /23, 1 more than in 2022\. Of 3 wards, .* is highest \(5\), and .* is lowest \(3\)\.$/,
    spanish: /23, 1 más que en 2022\. De 3 wards, .* cifra más alta \(5\), y .* la más baja \(3\)\.$/,
  },
  {
    name: 'bars of one year',
    rows: [town(2023), ...wards(2023)],
    view: 'bars',
    detail: 'wards',
    figures: 4,
    before: null,
  },
  {
    name: 'a map of ten places with shapes',
    rows: [...'abcdefghij'].map((ward, at) => `(2023, '${ward}', 'all', ${at}, 7)`),
    view: 'map',
    detail: 'wards',
    figures: 10,
    hasShapes: true,
  },
  {
    name: 'bars of two years of places with shapes',
    rows: [2022, 2023].flatMap(year =>
      [...'abcdefghij'].map((ward, at) => `(${year}, '${ward}', 'all', ${at}, 7)`),
    ),
    view: 'bars',
    figures: 10,
    before: 2022,
    hasShapes: true,
  },
  { name: 'bars of fewer places with shapes', rows: wards(2023), view: 'bars', figures: 3, hasShapes: true },
  { name: 'bars of one level', rows: wards(2023), view: 'bars', detail: 'wards', figures: 3, before: null },
  {
    name: 'one place',
    rows: ["(2023, 'a', 'all', 5, 7)"],
    view: 'bars',
    detail: 'wards',
    figures: 1,
    said: /: 5\.$/,
  },
  {
    name: 'a measure without figures gives way to another',
    rows: [...wards(2022, () => 'NULL'), ...wards(2023, () => 'NULL')],
    view: 'bars',
    metric: 'homes',
    figures: 3,
    before: 2022,
  },
  {
    name: 'a newest year without figures gives way to an earlier one',
    rows: [...wards(2022), ...wards(2023).map(row => row.replace(/, \d+, 7\)$/, ', NULL, NULL)'))],
    view: 'bars',
    figures: 3,
    before: null,
  },
  {
    name: 'the largest group without a total',
    rows: [...wards(2023).map(row => row.replace("'all'", "'young'")), "(2023, 'a', 'adult', 90, 7)"],
    view: 'bars',
    figures: 3,
  },
  {
    name: 'groups of the whole where there are no places',
    rows: ["(2023, NULL, 'all', 9, 7)", "(2023, NULL, 'young', 4, 7)", "(2023, NULL, 'adult', 5, 7)"],
    view: 'bars',
    detail: 'town',
    figures: 3,
  },
  {
    name: 'the table of rows with an identifier each',
    rows: ["(2022, NULL, 'k1', 9, 7)", "(2023, NULL, 'k2', 4, 7)", "(2023, NULL, 'k3', 5, 7)"],
    view: 'table',
    figures: 0,
  },
  {
    name: 'the table where no measure has a figure',
    rows: wards(2023).map(row => row.replace(/, \d+, 7\)$/, ', NULL, NULL)')),
    view: 'table',
    figures: 0,
  },
];

const COORDINATES = ['latitude', 'longitude']
  .map(
    kind =>
      `, { name: ${kind}, logicalType: number, customProperties: [{ property: coordinate, value: ${kind} }] }`,
  )
  .join('');

const contractOf = (domain: string, hasShapes: boolean) => `kind: DataContract
domain: ${domain}
customProperties:
  - property: questions
    value:
      - { question: Is it growing?, view: 'detail=wards&view=chart' }
      - { question: Which ward has the most people?, view: 'detail=wards&view=bars' }
schema:
  - name: people
    customProperties:
      - { property: grain, value: [year, ward, age] }
      - { property: key_metric, value: people }
      - { property: foreign_keys, value: [{ column: ward, target_object: wards }] }
      - { property: detail_levels, value: [town, wards] }
      - { property: default_detail, value: wards }
    properties:
      - { name: year, logicalType: integer, required: true, customProperties: [{ property: column_role, value: year }] }
      - { name: ward, logicalType: string, customProperties: [{ property: column_role, value: fk_ward }] }
      - { name: age, logicalType: string, required: true, customProperties: [{ property: column_role, value: categorical }, { property: total_value, value: all }] }
      - { name: people, logicalType: integer, customProperties: [{ property: column_role, value: metric }] }
      - { name: homes, logicalType: integer, customProperties: [{ property: column_role, value: metric }] }
  - name: wards
    customProperties: [{ property: entity_kind, value: dimension }]
    properties: [{ name: ward, logicalType: string, primaryKey: true }${hasShapes ? COORDINATES : ''}]
`;

interface Column {
  readonly name: string;
  readonly role: string;
  /** More custom properties, as YAML. */
  readonly more?: string;
  /** The values that the contract allows. */
  readonly allowed?: string;
}

const axis = (name: string, more = ''): Column => ({ name, role: 'categorical', more });
const place = (name: string, role = `fk_${name}`): Column => ({ name, role });
const list = (column: string, ...rows: readonly string[]) =>
  `SELECT * FROM (VALUES ${rows.map(row => `(${row})`).join(', ')}) t(${column}, population)`;

const AGES = list('age', "'0-17', 10", "'18-64', 30", "'all', 40");
const BY_WARD = list('ward', "'a', 1", "'b', 5", "'c', 7");
/** The days of one year. */
const DAYS =
  "SELECT strftime(d, '%Y-%m-%d') AS day FROM range(DATE 'YEAR-01-01', DATE 'YEAR-02-01', INTERVAL 1 DAY) r(d)";
const EVERY_DAY = `${DAYS.replaceAll('YEAR', '2023')} UNION ALL ${DAYS.replaceAll('YEAR', '2024')}`;
const STATIONS = "SELECT unnest(['a', 'b', 'c']) AS station";
const TOTAL = ', { property: has_total, value: true }';
const NO_TOTAL = ', { property: has_total, value: false }';
const ALL = ', { property: total_value, value: all }';

const figure = (name: string, value: number) => ({ name, value, unit: null, runs: [] });
const FIVE = figure('population, median of all, 2024', 5);
const ONE = { ...axis('estimator'), allowed: 'census' };
const OF_ONE = figure('population, Census, 2024', 40);
const WHOLE = figure('population, 2024', 40);
const ADULTS = list('age', "'18-64', 30");
const DISTRICTS = BY_WARD.replace('(ward', '(district');
const THREES = `SELECT day, 3 AS population FROM (${DAYS})`;
const BY_STATION = `SELECT station, day, 3 AS population FROM (${STATIONS}), (${DAYS})`;

/**
 * The columns that identify rows, the rows of a year, the table that the first column joins, and the
 * headline.
 */
const DATASETS: readonly [string, readonly Column[], string, string | null, object | null][] = [
  ['the one row of a year', [], 'SELECT 40 AS population', null, WHOLE],
  ["the total's row, where the contract declares a total", [axis('age', TOTAL)], AGES, null, WHOLE],
  ['the row of the one value that is allowed, named', [ONE], list('estimator', "'census', 40"), null, OF_ONE],
  [
    'the median of places with one row each',
    [place('ward')],
    BY_WARD,
    "SELECT unnest(['a', 'b', 'c']) AS ward",
    FIVE,
  ],
  ['none of districts that are no places', [axis('district')], DISTRICTS, null, null],
  ['none of one age group', [axis('age', NO_TOTAL)], AGES, null, null],
  [
    'the one value of several allowed, named',
    [{ ...axis('age'), allowed: '0-17, 18-64' }],
    ADULTS,
    null,
    figure('population, 18-64, 2024', 30),
  ],
  ['none of a total that the contract denies', [axis('age', NO_TOTAL + ALL)], AGES, null, null],
  [
    'the one value, named, of rows without the total',
    [axis('age', ALL)],
    list('age', "'0-17', 10"),
    null,
    figure('population, 0-17, 2024', 10),
  ],
  ['none of a column that is called a metric', [{ name: 'age', role: 'metric' }], AGES, null, null],
  ['none of one day', [axis('day')], THREES, null, null],
  [
    'the median of stations on one day, named',
    [place('station'), axis('day')],
    BY_STATION,
    STATIONS,
    figure('population, 2024-01-01, median of all, 2024', 3),
  ],
  [
    'the median of days that are joined as places are',
    [place('day')],
    THREES,
    EVERY_DAY,
    figure('population, median of all, 2024', 3),
  ],
  [
    'the same of days that are joined by another name',
    [place('day', 'fk_reading')],
    THREES,
    EVERY_DAY,
    figure('population, median of all, 2024', 3),
  ],
  ['none of one place', [place('ward')], list('ward', "'a', 1"), "SELECT 'a' AS ward", null],
];

function contractOfColumns(domain: string, columns: readonly Column[], joined: string | null): string {
  const [first] = columns;
  const key = joined === null ? '' : `{ column: ${first?.name}, target_object: ${first?.name}s }`;
  const properties = columns.map(({ name, role, more = '', allowed }) => {
    const rule = `, quality: [{ name: ${name}_values, type: library, metric: invalidValues, arguments: { validValues: [${allowed}] }, mustBe: 0 }]`;
    return `
      - { name: ${name}, logicalType: string, required: true, customProperties: [{ property: column_role, value: ${role} }${more}]${allowed === undefined ? '' : rule} }`;
  });
  return `kind: DataContract
domain: ${domain}
schema:
  - name: people
    customProperties:
      - { property: grain, value: [${['year', ...columns.map(({ name }) => name)].join(', ')}] }
      - { property: key_metric, value: population }
      - { property: foreign_keys, value: [${key}] }
    properties:
      - { name: year, logicalType: integer, required: true, customProperties: [{ property: column_role, value: year }] }${properties.join('')}
      - { name: population, logicalType: integer, customProperties: [{ property: column_role, value: metric }] }
${
  joined === null
    ? ''
    : `  - name: ${first?.name}s
    customProperties: [{ property: entity_kind, value: dimension }]
    properties: [{ name: ${first?.name}, logicalType: string, primaryKey: true }]
`
}`;
}

let publisher: PublisherFolder;
let opened: ReadonlyMap<string, DatasetDocuments>;
beforeAll(async () => {
  const contracts: Record<string, string> = { 'publisher.yaml': PUBLISHER };
  const lake: Record<string, string> = {};
  for (const [i, { rows, hasShapes = false }] of CASES.entries()) {
    contracts[`case${i}/people.yaml`] = contractOf(`case${i}`, hasShapes);
    for (const [level, isOfLevel] of [
      ['town', (row: string) => /^\(\d+, NULL/.test(row)],
      ['wards', (row: string) => !/^\(\d+, NULL/.test(row)],
    ] as const)
      for (const year of new Set(rows.filter(isOfLevel).map(row => row.slice(1, 5)))) {
        const own = rows.filter(isOfLevel).filter(row => row.startsWith(`(${year}`));
        lake[`case${i}/people/year=${year}/${level}.parquet`] =
          `SELECT CAST(year AS INTEGER) AS year, CAST(ward AS VARCHAR) AS ward, age, CAST(people AS INTEGER) AS people, CAST(homes AS INTEGER) AS homes FROM (VALUES ${own.join(', ')}) t(year, ward, age, people, homes)`;
      }
    lake[`case${i}/_dimensions/wards.parquet`] = hasShapes
      ? 'SELECT chr(97 + i::INTEGER) AS ward, 30.0 + i AS latitude, 10.0 + i AS longitude FROM range(10) t(i)'
      : "SELECT unnest(['a', 'b', 'c']) AS ward";
  }
  for (const [i, [, columns, rows, joined]] of DATASETS.entries()) {
    const domain = `town${i}`;
    contracts[`${domain}/people.yaml`] = contractOfColumns(domain, columns, joined);
    const ofYear = ['2023', '2024'].map(
      year => `SELECT ${year} AS year, * FROM (${rows.replaceAll('YEAR', year)})`,
    );
    lake[`${domain}/people.parquet`] = ofYear.join(' UNION ALL ');
    if (joined !== null) lake[`${domain}/_dimensions/${columns[0]?.name}s.parquet`] = joined;
  }
  publisher = await newPublisher(contracts, lake);
  await buildPublisher(publisher, { pages: openPages() });
  const { datasets } = await readDocuments(stagedSource(publisher.out));
  opened = new Map(datasets.map(one => [one.key, one]));
});
afterEach(() => speakLanguage('en'));

test.each(CASES.map((one, i) => [one.name, one, `case${i}/people`] as const))(
  '%s',
  async (_, wanted, key) => {
    const { explored, first } = opened.get(key)!;
    const { state, drawn } = first;
    expect(state.view).toBe(wanted.view);
    const known = drawn?.drawing.figures.filter(({ value }) => value !== null) ?? [];
    expect(known).toHaveLength(wanted.figures);
    if (wanted.detail) expect(state.question.detail).toBe(wanted.detail);
    if (drawn) expect(state.metric).toBe(wanted.metric ?? 'people');
    if (drawn?.drawing.kind === 'bars' && wanted.before !== undefined)
      expect(drawn.drawing.yearBefore).toBe(wanted.before);
    if (drawn && wanted.said) {
      const say = () => writeSentence(explored, state.question, drawn.metric, drawn.drawing).join('');
      expect(say()).toMatch(wanted.said);
      speakLanguage('es-US');
      if (wanted.spanish) expect(say()).toMatch(wanted.spanish);
    }
  },
);

test('a question that the rows cannot answer is left out', () => {
  const asked = (i: number) => opened.get(`case${i}/people`)!.schema.questions?.map(one => one.question);
  expect(asked(0)).toEqual(['Is it growing?', 'Which ward has the most people?']);
  expect(asked(6)).toEqual(['Which ward has the most people?']);
  expect(asked(CASES.length - 1)).toEqual([]);
});

test.each(DATASETS.map(([name, , , , headline], i) => [name, headline, `town${i}/people`] as const))(
  'the headline is %s',
  (_, headline, key) => {
    const { explored, first } = opened.get(key)!;
    expect(headlineOf(explored, first)).toEqual(headline);
  },
);

test('a page of a dataset without places names none', async () => {
  const pageOf = (key: string) => readFile(path.join(publisher.out, `datasets/${key}/index.html`), 'utf8');
  const [none, some] = await Promise.all([pageOf('town0/people'), pageOf('case0/people')]);
  expect(some).toContain('explore-places');
  expect(some).toMatch(/2021–2023 · town, wards · 12 rows/);
  expect(none).not.toContain('explore-places');
  expect(none).toMatch(/2023–2024 · 2 rows/);
  const { explored, first } = opened.get('town0/people')!;
  const { metric, drawing } = first.drawn!;
  const said = writeSentence(explored, first.state.question, metric, drawing).join('');
  expect(said).toBe('population, 2024: 40, the same as in 2023.');
});
