import { expect, test } from 'vitest';
import type { StatisticsDocument } from '../../build/format/documents.ts';
import { valuesWithRows } from '../../site/explorer/view/choices.ts';
import type { ExploredDataset, Field } from '../../site/explorer/view/dataset.ts';
import { ALL_YEARS, type Question } from '../../site/explorer/view/question.ts';

const field = (column: string, kind: Field['kind']) =>
  ({ param: column, column, kind, choices: [] }) as unknown as Field;
const [SEASON, KIND, MANNED] = [field('season', 'axis'), field('kind', 'axis'), field('manned', 'mark')];

const DATASET = {
  fields: [SEASON, KIND, MANNED],
  yearColumn: 'year',
  table: { parameters: new Map() },
  schema: { columns: [] },
} as unknown as ExploredDataset;

const ROWS =
  '[[2021, "all", "rain", 10], [2022, null, "rain", 7], [2022, "all", "rain", 11], [2022, "wet", "snow", 3]]';
const STATISTICS = {
  years: [2021, 2022],
  columns: [{ name: 'manned', nulls: [0, 0], values: [{ value: true, rows: [4, 0] }] }],
  combinations: { columns: ['year', 'season', 'kind'], rows: JSON.parse(ROWS) },
} as unknown as StatisticsDocument;

const asking = (filters: Readonly<Record<string, string[]>>, more = {}): Question => ({
  ...{ dataset: DATASET, detail: 'regions', years: ALL_YEARS, places: [] },
  ...{ filters: new Map(Object.entries(filters)), ...more },
});
const BOTH = ['all', 'wet'];
const SINCE_2022 = { years: { min: 2022, max: null } };
const UNTIL_2021 = { years: { min: null, max: 2021 } };

test.each<[string, Question, Field, readonly string[]]>([
  ['all', asking({}), SEASON, BOTH],
  ['those of another axis', asking({ kind: ['rain'] }), SEASON, ['all']],
  ['not those of its own', asking({ season: ['all'] }), SEASON, BOTH],
  ['those of the years', asking({ kind: ['rain', 'snow'] }, UNTIL_2021), SEASON, ['all']],
  ['all those of its level for a place', asking({}, { places: ['n'] }), SEASON, BOTH],
  ['all beside a mark', asking({ manned: ['true'] }), SEASON, BOTH],
  ['of a mark all beside an axis', asking({ season: ['all'] }), MANNED, ['true']],
  ['of a mark those of the years', asking({}, SINCE_2022), MANNED, []],
])('the values with rows are %s', (_, question, of, values) => {
  const found = valuesWithRows(question, STATISTICS, of);
  expect(found && [...found]).toEqual(values);
  expect(valuesWithRows(question, STATISTICS, field('unknown', 'mark'))).toBeNull();
});
