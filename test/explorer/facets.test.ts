import { describe, expect, test } from 'vitest';
import type { ColumnStatistics, StatisticsDocument } from '../../build/format/statistics.ts';
import type { ExploredDataset, Field } from '../../site/explorer/view/dataset.ts';
import { deriveBins, deriveFacet } from '../../site/explorer/view/facets.ts';
import { ALL_YEARS, type Question } from '../../site/explorer/view/question.ts';
import type { Range } from '../../site/explorer/view/ranges.ts';

const field = (column: string, kind: Field['kind']) =>
  ({ param: column, column, kind, choices: [] }) as unknown as Field;
const [SEASON, KIND, MANNED] = [field('season', 'axis'), field('kind', 'axis'), field('manned', 'mark')];

/** Of a dataset, facets ask for its fields, its year and its ranges alone. */
const DATASET = {
  fields: [SEASON, KIND, MANNED],
  yearColumn: 'year',
  table: { parameters: new Map() },
  schema: { columns: [] },
} as unknown as ExploredDataset;

const COMBINED: Pick<StatisticsDocument, 'combinations'> = {
  combinations: {
    columns: ['year', 'season', 'kind'],
    rows: [
      [2021, 'all', 'rain', 10],
      [2022, null, 'rain', 7],
      [2022, 'all', 'rain', 11],
      [2022, 'wet', 'snow', 3],
    ],
  },
};
const STATISTICS = {
  years: [2021, 2022],
  columns: [{ name: 'manned', nulls: [0, 0], values: [{ value: true, rows: [4, 0] }] }],
  ...COMBINED,
} as unknown as StatisticsDocument;

const question = (filters: Readonly<Record<string, string[]>>, more: Partial<Question> = {}): Question => ({
  detail: 'regions',
  years: ALL_YEARS,
  places: [],
  filters: new Map(Object.entries(filters)),
  ...more,
});

const facet = (asked: Question, of: Field) => {
  const found = deriveFacet(DATASET, STATISTICS, asked, of);
  return found && { rows: Object.fromEntries(found.rows), exact: found.exact };
};

describe('the rows of a value', () => {
  test('are those that the years and the other axes leave', () => {
    expect(facet(question({}), SEASON)).toEqual({ rows: { all: 21, wet: 3 }, exact: true });
    expect(facet(question({ kind: ['rain'] }), SEASON)).toEqual({ rows: { all: 21 }, exact: true });
    expect(facet(question({ season: ['all'] }), SEASON)).toEqual({ rows: { all: 21, wet: 3 }, exact: true });
    const later = question({ kind: ['rain', 'snow'] }, { years: { min: 2022, max: 2022 } });
    expect(facet(later, SEASON)).toEqual({ rows: { all: 11, wet: 3 }, exact: true });
  });

  test('are no number of the question if places or other columns narrow it', () => {
    expect(facet(question({}, { places: ['n'] }), SEASON)?.exact).toBe(false);
    expect(facet(question({ manned: ['true'] }), SEASON)).toEqual({
      rows: { all: 21, wet: 3 },
      exact: false,
    });
    expect(facet(question({ season: ['all'] }), MANNED)).toEqual({ rows: { true: 4 }, exact: false });
    const later = question({}, { years: { min: 2022, max: null } });
    expect(facet(later, MANNED)).toEqual({ rows: {}, exact: true });
    expect(facet(question({}), field('unknown', 'mark'))).toBeNull();
  });
});

test('a histogram says which bars lie within the range', () => {
  const parameter = { kind: 'range', column: 'x', type: 'date', position: 0, key: -1, utc: false } as const;
  const range: Range = {
    ...{ column: 'x', label: 'X', type: 'date', unit: null },
    ends: new Map([['min', { param: 'x_min', parameter: { ...parameter, bound: 'min' } }]]),
  };
  const column: ColumnStatistics = {
    name: 'x',
    nulls: [],
    min: '2024-01-01',
    max: '2024-01-05',
    histogram: [4, 0, 1, 1],
  };
  const within = (min: string) => deriveBins(column, range, { min, max: '' })?.map(bin => bin.isWithin);
  expect(within('')).toEqual([true, true, true, true]);
  expect(within('2024-01-03')).toEqual([false, true, true, true]);
  expect(within('no date')).toEqual([true, true, true, true]);
  expect(deriveBins(column, range, { min: '', max: '' })?.map(bin => bin.height)).toEqual([1, 0, 0.5, 0.5]);
  expect(deriveBins({ name: 'x', nulls: [] }, range, { min: '', max: '' })).toBeNull();
});
