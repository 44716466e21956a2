/** Which view a page opens with: rows decide. One tree has a dataset for each case. */
import { afterEach, beforeAll, expect, test } from 'vitest';
import { speakLanguage } from '../../site/explorer/messages/languages.ts';
import { type DatasetDocuments, readDocuments } from '../../site/explorer/pages/documents.ts';
import { writeSentence } from '../../site/explorer/view/sentence.ts';
import { buildPublisher } from '../publishers/built-tree.ts';
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
  /** Figures that are drawn, of the year before too where bars have a mark. */
  readonly figures: number;
  readonly before?: number | null;
  readonly said?: RegExp;
  readonly spanish?: RegExp;
  /** Whether the wards have coordinates. */
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
  publisher = await newPublisher(contracts, lake);
  await buildPublisher(publisher);
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
      const say = () =>
        writeSentence(explored, state.question, drawn.metric, drawn.drawing)
          .map(({ text }) => text)
          .join('');
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
