/** Which datasets have a headline: only those of which one published figure speaks for all. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Headline, readHeadline } from '../../site/explorer/pages/headline.ts';
import { buildPublisher } from '../publishers/built-tree.ts';
import { publisherAt, temporaryFolder, writeRows, writeTexts } from '../publishers/publisher-folder.ts';
import { readExplored } from './explored-tree.ts';

interface Column {
  readonly name: string;
  readonly role: string;
  /** More custom properties, as YAML. */
  readonly more?: string;
  /** The values that the contract allows. */
  readonly allowed?: readonly string[];
}

const axis = (name: string, more = ''): Column => ({ name, role: 'categorical', more });

/** Rows of people, told apart by these columns; `values` are those of one year. */
async function headlineOf(
  columns: readonly Column[],
  values: string,
  joined: Readonly<Record<string, string>> = {},
): Promise<Headline | null> {
  const folder = publisherAt(await temporaryFolder());
  const names = columns.map(({ name }) => name);
  const keys = Object.keys(joined).map(
    name => `{ column: ${name}, target_object: ${name}s, target_columns: [${name}] }`,
  );
  await writeTexts(folder.contracts, {
    'people.yaml': `apiVersion: v3.1.0
kind: DataContract
id: town.people
version: 1.0.0
status: active
domain: town
customProperties: [{ property: year_range, value: 2023-2024 }]
schema:
  - name: people
    customProperties:
      - { property: detail_levels, value: [rows] }
      - { property: grain, value: [year, ${names.join(', ')}] }
      - { property: key_metric, value: population }
      - { property: path_template, value: "people/{year}.parquet" }
      - { property: foreign_keys, value: [${keys.join(', ')}] }
    properties:
      - { name: year, logicalType: integer, required: true, customProperties: [{ property: column_role, value: year }] }
${columns
  .map(
    ({ name, role, more = '', allowed }) =>
      `      - { name: ${name}, logicalType: string, required: true, customProperties: [{ property: column_role, value: ${role} }${more}]${allowed ? `, quality: [{ name: ${name}_values, type: library, metric: invalidValues, arguments: { validValues: [${allowed.join(', ')}] }, mustBe: 0 }]` : ''} }`,
  )
  .join('\n')}
      - { name: population, logicalType: integer, customProperties: [{ property: column_role, value: metric }] }
`,
    ...Object.fromEntries(
      Object.keys(joined).map(name => [
        `${name}s.yaml`,
        `apiVersion: v3.1.0
kind: DataContract
id: town.${name}s
version: 1.0.0
status: active
domain: town
schema:
  - name: ${name}s
    customProperties: [{ property: entity_kind, value: dimension }, { property: scope, value: domain }]
    properties:
      - { name: ${name}, logicalType: string, primaryKey: true, primaryKeyPosition: 1, customProperties: [{ property: column_role, value: key }] }
`,
      ]),
    ),
  });
  await writeRows(folder.data, {
    ...Object.fromEntries(
      Object.entries(joined).map(([name, select]) => [`town/_dimensions/${name}s.parquet`, select]),
    ),
    ...Object.fromEntries(
      [2023, 2024].map(year => [
        `people/${year}.parquet`,
        `SELECT ${year} AS year, * FROM (${values.replaceAll('YEAR', String(year))})`,
      ]),
    ),
  });
  await buildPublisher(folder);
  const source = {
    baseUrl: null,
    readText: (name: string) => readFile(path.join(folder.out, name), 'utf8').catch(() => null),
    derive: async <Result>(_name: string, _inputs: string, make: () => Promise<Result>) => make(),
  };
  return readHeadline(source, await readExplored(folder.out, 'town/people'));
}

const list = (columns: string, ...rows: readonly string[]) =>
  `SELECT * FROM (VALUES ${rows.map(row => `(${row})`).join(', ')}) t(${columns}, population)`;
const AGES = list('age', "'0-17', 10", "'18-64', 30", "'all', 40");
const DAYS =
  "SELECT strftime(d, '%Y-%m-%d') AS day FROM range(DATE 'YEAR-01-01', DATE 'YEAR-02-01', INTERVAL 1 DAY) r(d)";

describe('a headline is', () => {
  test('the one row of a year, where nothing tells rows apart', async () => {
    const headline = await headlineOf([], 'SELECT 40 AS population');
    expect(headline).toMatchObject({
      of: 'whole',
      points: [
        { year: 2023, value: 40 },
        { year: 2024, value: 40 },
      ],
    });
  });

  test("the total's row, where the contract declares a total", async () => {
    const headline = await headlineOf([axis('age', ', { property: has_total, value: true }')], AGES);
    expect(headline).toMatchObject({ of: 'whole', pins: [{ value: 'All' }] });
    expect(headline?.points.map(({ value }) => value)).toEqual([40, 40]);
  });

  test('the row of the one value that the contract allows, which the page names', async () => {
    const estimator = { ...axis('estimator'), allowed: ['census'] };
    expect(await headlineOf([estimator], list('estimator', "'census', 40"))).toMatchObject({
      of: 'whole',
      pins: [{ label: 'estimator', value: 'Census' }],
      points: [{ value: 40 }, { value: 40 }],
    });
  });

  test('the median of places, of which each has one row', async () => {
    const headline = await headlineOf(
      [{ name: 'ward', role: 'fk_ward' }],
      list('ward', "'a', 1", "'b', 5", "'c', 7"),
      { ward: "SELECT unnest(['a', 'b', 'c']) AS ward" },
    );
    expect(headline).toMatchObject({ of: 'median', places: 3 });
    expect(headline?.points.at(-1)?.value).toBe(5);
  });
});

describe('there is none', () => {
  const NO_TOTAL = ', { property: has_total, value: false }';
  test.each<[string, readonly Column[], string]>([
    [
      'of districts that are no places of a dimension',
      [axis('district')],
      list('district', "'a', 1", "'b', 5", "'c', 7"),
    ],
    ['of one age group', [axis('age', NO_TOTAL)], AGES],
    [
      'of one value, where the contract allows several',
      [{ ...axis('age'), allowed: ['0-17', '18-64'] }],
      list('age', "'18-64', 30"),
    ],
    [
      'of a total that the contract denies',
      [axis('age', `${NO_TOTAL}, { property: total_value, value: all }`)],
      AGES,
    ],
    [
      'of a total that the latest year lacks',
      [axis('age', ', { property: total_value, value: all }')],
      list('age', "'0-17', 10"),
    ],
    ['of a column that is called a metric', [{ name: 'age', role: 'metric' }], AGES],
    ['of one day', [axis('day')], `SELECT day, 3 AS population FROM (${DAYS})`],
  ])('%s', async (_, columns, values) => {
    expect(await headlineOf(columns, values)).toBeNull();
  });

  test('of stations on one day', async () => {
    const columns = [{ name: 'station', role: 'fk_station' }, axis('day')];
    const values = `SELECT station, day, 3 AS population FROM (SELECT unnest(['a', 'b', 'c']) AS station), (${DAYS})`;
    expect(
      await headlineOf(columns, values, { station: "SELECT unnest(['a', 'b', 'c']) AS station" }),
    ).toBeNull();
  });

  test.each(['fk_day', 'fk_reading'])('of days that are joined as places are: %s', async role => {
    const values = `SELECT day, 3 AS population FROM (${DAYS})`;
    const days = [2023, 2024].map(year => DAYS.replaceAll('YEAR', String(year))).join(' UNION ALL ');
    expect(await headlineOf([{ name: 'day', role }], values, { day: days })).toBeNull();
  });

  test('of one place that is not the whole', async () => {
    const joined = { ward: "SELECT 'a' AS ward" };
    expect(await headlineOf([{ name: 'ward', role: 'fk_ward' }], list('ward', "'a', 1"), joined)).toBeNull();
  });
});
