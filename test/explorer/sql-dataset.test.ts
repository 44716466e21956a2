import { describe, expect, test } from 'vitest';
import type { ColumnType, Scalar } from '../../build/format/documents.ts';
import { bars as barView } from '../../site/explorer/panel/bars.tsx';
import { drawLines } from '../../site/explorer/view/line-drawing.ts';
import type { Rows } from '../../site/explorer/view/rows.ts';
import {
  ANSWER_QUESTION,
  answerDataset,
  findColumns,
  firstChoice,
  hasDoubles,
} from '../../site/explorer/view/sql-dataset.ts';

function rowsOf(columns: Readonly<Record<string, readonly (Scalar | null)[]>>): Rows {
  const names = Object.keys(columns);
  const typeOf = (values: readonly (Scalar | null)[]): ColumnType => {
    const known = values.find(value => value !== null);
    if (typeof known === 'number')
      return values.every(v => v === null || Number.isInteger(v)) ? 'integer' : 'number';
    return typeof known === 'boolean' ? 'boolean' : 'string';
  };
  return {
    columns: names.map(name => ({ name, type: typeOf(columns[name]!) })),
    rows: columns[names[0]!]!.length,
    cell: (row, column) => columns[names[column]!]![row] ?? null,
  };
}

const WORDS = {
  ...{ title: 't', figure: 'f', subtitle: '', source: '', sample: false },
  ...{ unit: null, nullMeaning: 'NULL', labelTitle: 'l' },
};

describe('an answer to SQL as a dataset', () => {
  test('years, dates and months are times; other numbers are figures; texts are labels', () => {
    const rows = rowsOf({
      n: [1900, 2000],
      school_year: [2023, 2024],
      day: ['2024-01-01', null],
      month: ['2024-01', '2024-02'],
      mixed: ['2024-01', '2024'],
      rate: [0.5, null],
      who: ['a', 'b'],
    });
    const columns = findColumns(rows);
    expect(columns.times).toEqual(['school_year', 'n', 'day', 'month']);
    expect(columns.figures).toEqual(['rate', 'n', 'school_year']);
    const first = (answer: Rows, isChart = false) => {
      const choice = firstChoice(findColumns(answer), isChart);
      return choice && [choice.figure, choice.label, choice.time];
    };
    expect(first(rows, true)).toEqual(['rate', 'mixed', 'school_year']);
    expect([first(rowsOf({ year: [2020, 2021] }), true), first(rowsOf({ who: ['a'] }))]).toEqual([
      null,
      null,
    ]);
    expect(first(rowsOf({ n: [5] }))).toEqual(['n', null, null]);
    // A count by year is bars of years.
    expect(first(rowsOf({ year: [2020, 2021], n: [5, 6] }))).toEqual(['n', 'year', null]);
  });

  test('lines are of one label, with margins beside them; bars keep the order of the answer', () => {
    const rows = rowsOf({
      year: [2022, 2020, 2021, 2020],
      who: ['a', 'a', 'a', null],
      rate: [3.5, 1.5, null, 4.5],
      rate_moe: [1, 1, null, 4],
    });
    const choice = { figure: 'rate', label: 'who', time: 'year' };
    expect([hasDoubles(rows, choice), hasDoubles(rows, { ...choice, label: null })]).toEqual([false, true]);
    const dataset = answerDataset(rows, 'SELECT 1', true, choice);
    expect(dataset.manifest.sample).toBe(true);
    const [metric] = dataset.metrics;
    const { panels } = drawLines(dataset, ANSWER_QUESTION, metric!, rows, [], WORDS);
    const [a, none] = panels[0]!.lines.map(({ series }) => series);
    expect([a!.label, none!.label]).toEqual(['a', 'No who']);
    const points = a!.points.map(({ year, value, margin }) => `${year} ${value} ±${margin}`);
    expect(points).toEqual(['2020 1.5 ±1', '2021 null ±null', '2022 3.5 ±1']);
    const zones = rowsOf({ zone: [7, 0, 3], n: [1, 9, 5] });
    const byZone = answerDataset(zones, 'SELECT 1', false, { figure: 'n', label: 'zone', time: null });
    const { bars } = barView.draw(byZone, ANSWER_QUESTION, byZone.metrics[0]!, zones, [], WORDS);
    expect(bars.map(({ label, value }) => `${label}: ${value}`)).toEqual(['7: 1', '0: 9', '3: 5']);
  });
});
