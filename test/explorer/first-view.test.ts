/** Which view a page opens with, and its headline; the rows decide. One tree has a dataset for each case. */
import { afterEach, beforeAll, expect, test } from 'vitest';
import { speakLanguage } from '../../site/explorer/messages/languages.ts';
import { type DatasetDocuments, readDocuments } from '../../site/explorer/pages/documents.ts';
import { headlineOf } from '../../site/explorer/pages/first-view.ts';
import { writeSentence } from '../../site/explorer/view/sentence.ts';
import { column, datasetContract } from '../publishers/contract-text.ts';
import { openPages } from '../publishers/kept-trees.ts';
import { newPublisher, type Publisher } from '../publishers/publisher-folder.ts';
import { PUBLISHER } from '../publishers/weather.ts';
import { stagedSource } from './explored-tree.ts';

const WARDS = ['a', 'b', 'c'];
const wards = (year: number, of = WARDS, hasPeople = true) =>
  of.map((ward, at) => `(${year}, '${ward}', 'all', ${hasPeople ? (year % 10) + at : 'NULL'}, 7)`);
const town = (year: number) => `(${year}, NULL, 'all', ${year % 100}, 7)`;
/** Without any figure. */
const bare = (year: number) => wards(year).map(row => row.replace(/, \d+, 7\)$/, ', NULL, NULL)'));
const TEN = [...'abcdefghij'];

interface More {
  readonly said?: RegExp;
  readonly spanish?: RegExp;
  readonly hasShapes?: boolean;
}

const TWO_YEARS = [2022, 2023];
const YOUNG = wards(2023).map(row => row.replace("'all'", "'young'"));
const SHAPES = { hasShapes: true };

/**
 * Rows: year, level's ward (NULL: the town), age, people, homes. What opens: view, level, measure, and the number of
 * figures drawn, for bars after the year before that marks them.
 */
const CASES: readonly (readonly [name: string, rows: readonly string[], opens: string, more?: More])[] = [
  [
    'lines of the whole from three years on',
    [2021, 2022, 2023].flatMap(year => [town(year), ...wards(year)]),
    'chart town people 3',
    {
      said: /^people, .*2023: 23, 1 more than in 2022 and 2 more than in 2021\.$/,
      spanish: /2023: 23, 1 más que en 2022 y 2 más que en 2021\.$/,
    },
  ],
  [
    'bars with a mark of two years',
    TWO_YEARS.flatMap(year => [town(year), ...wards(year)]),
    'bars wards people 2022 4',
    {
      said: /23, 1 more than in 2022\. Of 3 wards, .* is highest \(5\), and .* is lowest \(3\)\.$/,
      spanish: /23, 1 más que en 2022\. De 3 wards, .* cifra más alta \(5\), y .* la más baja \(3\)\.$/,
    },
  ],
  ['bars of one year', [town(2023), ...wards(2023)], 'bars wards people null 4'],
  ['a map of ten places with shapes', wards(2023, TEN), 'map wards people 10', SHAPES],
  [
    'bars of two years of places with shapes',
    TWO_YEARS.flatMap(year => wards(year, TEN)),
    'bars wards people 2022 10',
    SHAPES,
  ],
  ['bars of fewer places with shapes', wards(2023), 'bars wards people null 3', SHAPES],
  ['bars of one level', wards(2023), 'bars wards people null 3'],
  ['one place', wards(2023, ['a']), 'bars wards people null 1', { said: /: 3\.$/ }],
  [
    'a measure without figures gives way to another',
    TWO_YEARS.flatMap(year => wards(year, WARDS, false)),
    'bars wards homes 2022 3',
  ],
  [
    'a newest year without figures gives way to an earlier one',
    [...wards(2022), ...bare(2023)],
    'bars wards people null 3',
  ],
  [
    'the largest group without a total',
    [...YOUNG, "(2023, 'a', 'adult', 90, 7)"],
    'bars wards people null 3',
  ],
  [
    'lines of each group of the whole without a total',
    [2021, 2022, 2023].flatMap(year => [`(${year}, NULL, 'young', 9, 7)`, `(${year}, NULL, 'adult', 8, 7)`]),
    'chart town people 6',
  ],
  [
    'groups of the whole where there are no places',
    ['all', 'young', 'adult'].map((age, at) => `(2023, NULL, '${age}', ${9 - at}, 7)`),
    'bars town people null 3',
    { said: /^people, .*: 9\. Of 2 figures, young is highest \(8\), and adult is lowest \(7\)\.$/i },
  ],
  [
    'the table of rows with an identifier each',
    ["(2022, NULL, 'k1', 9, 7)", "(2023, NULL, 'k2', 4, 7)", "(2023, NULL, 'k3', 5, 7)"],
    'table',
  ],
  [
    'the table of more rows than a page draws',
    Array.from({ length: 10_001 }, (_, i) => `(2023, NULL, 'k${i}', ${i}, 7)`),
    'table',
  ],
  ['the table where no measure has a figure', bare(2023), 'table'],
];

interface Column {
  readonly name: string;
  readonly role: string;
  readonly more?: Readonly<Record<string, string>>;
  /** The values that the contract allows. */
  readonly allowed?: string;
}

const axis = (name: string, more = {}): Column => ({ name, role: 'categorical', more });
const place = (name: string, role = `fk_${name}`): Column => ({ name, role });
const list = (column: string, ...rows: readonly string[]) =>
  `SELECT * FROM (VALUES ${rows.map(row => `(${row})`).join(', ')}) t(${column}, population)`;

const AGES = list('age', "'0-17', 10", "'18-64', 30", "'all', 40");
const BY_WARD = list('ward', "'a', 1", "'b', 5", "'c', 7");
/** The days of one year. */
const DAYS =
  "SELECT strftime(d, '%Y-%m-%d') AS day FROM range(DATE 'YEAR-01-01', DATE 'YEAR-02-01', INTERVAL 1 DAY) r(d)";
const STATIONS = "SELECT unnest(['a', 'b', 'c']) AS station";
const TOTAL = { has_total: 'true' };
const NO_TOTAL = { has_total: 'false' };
const ALL = { total_value: 'all' };

const figure = (name: string, value: number) => ({ name, figure: String(value), runs: [] });
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
  [
    'the row of the total that the contract names',
    [axis('age', { ...TOTAL, total_value: '18-64' })],
    AGES,
    null,
    figure('population, 18-64, 2024', 30),
  ],
  ['the row of the one value that is allowed, named', [ONE], list('estimator', "'census', 40"), null, OF_ONE],
  ['none of districts that are no places', [axis('district')], DISTRICTS, null, null],
  ['none of one age group', [axis('age', NO_TOTAL)], AGES, null, null],
  [
    'the one value of several allowed, named',
    [{ ...axis('age'), allowed: '0-17, 18-64' }],
    ADULTS,
    null,
    figure('population, 18-64, 2024', 30),
  ],
  ['none of a total that the contract denies', [axis('age', { ...NO_TOTAL, ...ALL })], AGES, null, null],
  [
    'the one value, named, of rows without the total',
    [axis('age', ALL)],
    list('age', "'0-17', 10"),
    null,
    figure('population, 0-17, 2024', 10),
  ],
  ['none of a column that is called a metric', [{ name: 'age', role: 'metric' }], AGES, null, null],
  ['none of one day', [axis('day')], THREES, null, null],
  ['none of places without the whole', [place('station'), axis('day')], BY_STATION, STATIONS, null],
  [
    'the one place, named',
    [place('ward')],
    list('ward', "'a', 1"),
    "SELECT 'a' AS ward",
    figure('population, A, 2024', 1),
  ],
];

interface Made {
  /** The columns that identify rows, besides the year. The first one may join a table of its values. */
  readonly columns: readonly Column[];
  readonly joins: boolean;
  readonly metrics?: readonly string[];
  readonly hasShapes?: boolean;
  readonly table?: Readonly<Record<string, string>>;
  readonly own?: Readonly<Record<string, string>>;
}

function contractOf(domain: string, { columns, joins, hasShapes, table, own, ...made }: Made): string {
  const { metrics = ['population'] } = made;
  const keys = columns.map(({ name, role, more, allowed }) => {
    const values = `{ type: library, metric: invalidValues, arguments: { validValues: [${allowed}] }, mustBe: 0 }`;
    const rule = allowed === undefined ? '' : `\n        quality: [${values}]`;
    return column(name, `string${rule}`, role, false, more);
  });
  const figures = metrics.map(name => column(name, 'integer', 'metric'));
  const first = columns[0]?.name;
  const coordinates = ['latitude', 'longitude'].map(
    kind =>
      `, { name: ${kind}, logicalType: number, customProperties: [{ property: coordinate, value: ${kind} }] }`,
  );
  const dimension = `  - name: ${first}s
    customProperties: [{ property: entity_kind, value: dimension }]
    properties: [{ name: ${first}, logicalType: string, primaryKey: true }${hasShapes ? coordinates.join('') : ''}]
`;
  const identified = {
    grain: `[${['year', ...columns.map(({ name }) => name)]}]`,
    key_metric: `${metrics[0]}`,
    foreign_keys: `[${joins ? `{ column: ${first}, target_object: ${first}s }` : ''}]`,
  };
  const all = [column('year', 'integer', 'year', true), ...keys, ...figures];
  return `${datasetContract(`${domain}.people`, all, { ...identified, ...table }, own)}${joins ? dimension : ''}`;
}

const ASKS = `[{ question: Is it growing?, view: 'detail=wards&view=chart' },
  { question: Which ward has the most people?, view: 'detail=wards&view=bars' }]`;

function fileOf(i: number, row: string): string {
  const [, year, ward] = /^\((\d+), (NULL)?/.exec(row) ?? [];
  return `case${i}/people/year=${year}/${ward ? 'town' : 'wards'}.parquet`;
}

let publisher: Publisher;
let opened: ReadonlyMap<string, DatasetDocuments>;
beforeAll(async () => {
  const contracts: Record<string, string> = { 'publisher.yaml': PUBLISHER };
  const lake: Record<string, string> = {};
  for (const [i, [, rows, , { hasShapes = false } = {}]] of CASES.entries()) {
    const columns = [place('ward'), axis('age', ALL)];
    const made = {
      columns,
      joins: true,
      metrics: ['people', 'homes'],
      hasShapes,
      own: { questions: ASKS },
      table: { detail_levels: '[town, wards]', default_detail: 'wards' },
    };
    contracts[`case${i}/people.yaml`] = contractOf(`case${i}`, made);
    for (const file of new Set(rows.map(row => fileOf(i, row)))) {
      const values = rows.filter(row => fileOf(i, row) === file).join(', ');
      lake[file] =
        `SELECT year::INTEGER AS year, ward::VARCHAR AS ward, age, people::INTEGER AS people, homes::INTEGER AS homes FROM (VALUES ${values}) t(year, ward, age, people, homes)`;
    }
    lake[`case${i}/_dimensions/wards.parquet`] = hasShapes
      ? 'SELECT chr(97 + i::INTEGER) AS ward, 30.0 + i AS latitude, 10.0 + i AS longitude FROM range(10) t(i)'
      : "SELECT unnest(['a', 'b', 'c']) AS ward";
  }
  for (const [i, [, columns, rows, joined]] of DATASETS.entries()) {
    const domain = `town${i}`;
    contracts[`${domain}/people.yaml`] = contractOf(domain, { columns, joins: joined !== null });
    const ofYear = ['2023', '2024'].map(
      year => `SELECT ${year} AS year, * FROM (${rows.replaceAll('YEAR', year)})`,
    );
    lake[`${domain}/people.parquet`] = ofYear.join(' UNION ALL ');
    if (joined !== null) lake[`${domain}/_dimensions/${columns[0]?.name}s.parquet`] = joined;
  }
  publisher = await newPublisher(contracts, lake);
  await publisher.build({ pages: openPages() });
  const { datasets } = await readDocuments(stagedSource(publisher.out));
  opened = new Map(datasets.map(one => [one.key, one]));
});
afterEach(() => speakLanguage('en'));

test.each(CASES.map(([name, , opens, more], i) => [name, opens, more, `case${i}/people`] as const))(
  '%s',
  (_, opens, { said, spanish } = {}, key) => {
    const { first } = opened.get(key)!;
    const { state, drawn } = first;
    if (!drawn) return expect(state.view).toBe(opens);
    const { drawing } = drawn;
    const known = drawing.figures.filter(({ value }) => value !== null).length;
    const before = drawing.kind === 'bars' ? [drawing.yearBefore] : [];
    const found = [state.view, state.detail, state.metric, ...before.map(String), known];
    expect(found.join(' ')).toBe(opens);
    const say = () => writeSentence(drawing).join('');
    if (said) expect(say()).toMatch(said);
    speakLanguage('es-US');
    if (spanish) expect(say()).toMatch(spanish);
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
    const { first } = opened.get(key)!;
    expect(headlineOf(first)).toEqual(headline);
  },
);

test('a page of a dataset without places names none', async () => {
  const pageOf = (key: string) => publisher.text(`datasets/${key}/index.html`);
  const [none, some] = await Promise.all([pageOf('town0/people'), pageOf('case0/people')]);
  expect(some).toContain('explore-places');
  expect(some).toMatch(/content="[^"]* · 2021–2023 · town, wards · 12 rows"/);
  expect(none).not.toContain('explore-places');
  expect(none).toMatch(/2023–2024 · 2 rows/);
  const { first } = opened.get('town0/people')!;
  const { drawing } = first.drawn!;
  const said = writeSentence(drawing).join('');
  expect(said).toBe('population, 2024: 40, the same as in 2023.');
});
