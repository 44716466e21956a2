/** The one figure of a dataset's first view, and which datasets have none. One tree has all of them. */
import { beforeAll, expect, test } from 'vitest';
import { headlineOf, readFirstView } from '../../site/explorer/pages/first-view.ts';
import { buildPublisher } from '../publishers/built-tree.ts';
import { newPublisher, type PublisherFolder } from '../publishers/publisher-folder.ts';
import { PUBLISHER } from '../publishers/weather.ts';
import { readExplored, stagedSource } from './explored-tree.ts';

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
const WARDS = list('ward', "'a', 1", "'b', 5", "'c', 7");
/** Of one year. */
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
const DISTRICTS = WARDS.replace('(ward', '(district');
const THREES = `SELECT day, 3 AS population FROM (${DAYS})`;
const BY_STATION = `SELECT station, day, 3 AS population FROM (${STATIONS}), (${DAYS})`;

/** What tells rows apart, the rows of a year, what the first column joins if it is a place, and the headline. */
const DATASETS: readonly [string, readonly Column[], string, string | null, object | null][] = [
  ['the one row of a year', [], 'SELECT 40 AS population', null, WHOLE],
  ["the total's row, where the contract declares a total", [axis('age', TOTAL)], AGES, null, WHOLE],
  ['the row of the one value that is allowed, named', [ONE], list('estimator', "'census', 40"), null, OF_ONE],
  [
    'the median of places with one row each',
    [place('ward')],
    WARDS,
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

function contractOf(domain: string, columns: readonly Column[], joined: string | null): string {
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
beforeAll(async () => {
  const contracts: Record<string, string> = { 'publisher.yaml': PUBLISHER };
  const lake: Record<string, string> = {};
  for (const [i, [, columns, rows, joined]] of DATASETS.entries()) {
    const domain = `town${i}`;
    contracts[`${domain}/people.yaml`] = contractOf(domain, columns, joined);
    const ofYear = ['2023', '2024'].map(
      year => `SELECT ${year} AS year, * FROM (${rows.replaceAll('YEAR', year)})`,
    );
    lake[`${domain}/people.parquet`] = ofYear.join(' UNION ALL ');
    if (joined !== null) lake[`${domain}/_dimensions/${columns[0]?.name}s.parquet`] = joined;
  }
  publisher = await newPublisher(contracts, lake);
  await buildPublisher(publisher);
});

test.each(DATASETS.map(([name, , , , headline], i) => [name, headline, `town${i}/people`] as const))(
  'the headline is %s',
  async (_, headline, key) => {
    const dataset = await readExplored(publisher.out, key);
    const found = headlineOf(dataset, await readFirstView(stagedSource(publisher.out), dataset));
    expect(found).toEqual(headline);
  },
);
