import { afterEach, describe, expect, test } from 'vitest';
import type { TimeDescriptor } from '../../build/format/documents.ts';
import { speakLanguage } from '../../site/explorer/messages/languages.ts';
import { headlineOf, readFirstView } from '../../site/explorer/pages/first-view.ts';
import { drawView } from '../../site/explorer/panel/pictures.ts';
import { momentOf, withMoment } from '../../site/explorer/view/moment.ts';
import { withValues } from '../../site/explorer/view/question.ts';
import { textOfSentence } from '../../site/explorer/view/sentence.ts';
import { formatState, parseState } from '../../site/explorer/view/state.ts';
import { deriveTimeline, sayTime } from '../../site/explorer/view/timeline.ts';
import { possibleViews, withView } from '../../site/explorer/view/views.ts';
import { titleView } from '../../site/explorer/view/wording.ts';
import { keptTimes } from '../publishers/kept-trees.ts';
import { readExplored, readLevelRows, stagedSource } from './explored-tree.ts';

function timeline(unit: TimeDescriptor['unit'], zone?: 'UTC', years: readonly number[] = []) {
  const columns = [{ name: 'when', ...(zone ? { time_zone: zone } : {}) }];
  const time = { unit, column: 'when' };
  return deriveTimeline({ time, columns, available_years: years } as never, 'year')!;
}

describe('periods', () => {
  afterEach(() => speakLanguage('en'));

  test.each([
    ['year', '2024', 'en 2024', '2024'],
    ['quarter', '2024-Q3', 'en el 3.er trimestre de 2024', 'T3 2024'],
    ['month', '2024-01', 'en enero de 2024', 'ene 2024'],
    ['day', '2024-03-01', 'el 1 de marzo de 2024', '1 mar'],
    ['instant', '2024-02-29T12:00:00', 'el 29 de febrero de 2024, 12:00:00', '12:00'],
  ] as const)('%s: in Spanish, %s is %s', (unit, value, words, tick) => {
    speakLanguage('es-US');
    const line = timeline(unit);
    const at = line.at(value)!;
    expect(sayTime(at, line)).toBe(words);
    expect(line.ticks(at, at, 3)[0]?.label).toBe(tick);
  });

  test.each([
    ['quarter', '2024-Q1', '2023-Q4', '2024 Q1'],
    ['quarter', '2024Q3', '2024Q2', '2024 Q3'],
    ['quarter', '2024-04-01', '2024-01-01', '2024 Q2'],
    ['month', '2024-01', '2023-12', 'January 2024'],
    ['month', '2024-03-01', '2024-02-01', 'March 2024'],
    ['day', '2024-03-01', '2024-02-29', '1 March 2024'],
    ['day', '0099-01-01', '0098-12-31', '1 January 99'],
  ] as const)('%s: %s comes right after %s, and is %s', (unit, value, before, label) => {
    const line = timeline(unit);
    const [at, last] = [line.at(value)!, line.at(before)!];
    expect(at - last).toBe(1);
    expect(line.label(at)).toBe(label);
    expect(line.startOf(line.yearOf(at))).toBeLessThanOrEqual(at);
  });

  test('of figures every four years, none is missing between two of them', () => {
    const years = timeline('year', undefined, [2012, 2016, 2024]);
    expect(timeline('day').longestStep([0, 7, 14, 28])).toBe(10.5);
    expect([years, timeline('year')].map(line => line.longestStep([2012, 2016, 2024]))).toEqual([4, 1]);
    expect(years.ticks(2012, 2024, 9).map(({ label }) => label)).toEqual(['2012', '2016', '2020', '2024']);
  });

  test('moments are days and parts of days, in UTC or without a time zone', () => {
    const line = timeline('instant', 'UTC');
    const noon = line.at('2024-02-29T12:00:00Z')!;
    expect(noon - line.at('2024-02-29T00:00:00Z')!).toBe(0.5);
    expect(line.label(noon)).toBe('29 February 2024, 12:00:00 UTC');
    expect(timeline('instant').label(noon)).toBe('29 February 2024, 12:00:00');
    for (const unit of ['quarter', 'day', 'instant'] as const)
      for (const value of ['', 'soon', '2024-Q5', null]) expect(timeline(unit).at(value)).toBeNull();
  });

  test.each([
    ['quarter', '2022-Q1', '2024-Q3', 5, '2022, 2023, 2024'],
    ['quarter', '2024-Q1', '2024-Q3', 5, '2024 Q1, 2024 Q2, 2024 Q3'],
    ['month', '2024-02', '2024-05', 5, 'Feb 2024, Mar 2024, Apr 2024, May 2024'],
    ['month', '1990-05', '2024-05', 4, '2000, 2010, 2020'],
    ['day', '2024-02-27', '2024-03-02', 5, '27 Feb, 28 Feb, 29 Feb, 1 Mar, 2 Mar'],
    ['day', '2023-12-31', '2024-12-30', 5, 'Jan 2024, Apr 2024, Jul 2024, Oct 2024'],
    ['day', '2004-03-05', '2024-03-05', 5, '2005, 2010, 2015, 2020'],
    ['instant', '2024-01-01T03:10:00', '2024-01-01T23:00:00', 5, '06:00, 12:00, 18:00'],
  ] as const)('%s from %s to %s: ticks', (unit, first, last, most, labels) => {
    const line = timeline(unit);
    const ticks = line.ticks(line.at(first)!, line.at(last)!, most);
    expect(ticks.map(({ label }) => label).join(', ')).toBe(labels);
  });

  test('there are no more ticks than asked for, and they are on the axis', () => {
    for (const unit of ['month', 'day'] as const)
      for (const length of [0, 1, 6, 13, 40, 91, 370, 5000, 90_000])
        for (const most of [3, 5, 12]) {
          const line = timeline(unit);
          const first = line.at('2011-11-17')!;
          const ticks = line.ticks(first, first + length, most);
          expect([ticks.length > 0, ticks.length <= most]).toEqual([true, true]);
          for (const { at } of ticks) expect(at >= first && at <= first + length).toBe(true);
        }
  });
});

describe('datasets with time columns other than years', async () => {
  const { out: tree } = await keptTimes();
  const explored = (topic: string) => readExplored(tree, `air/${topic}`);
  const rowsOf = async (topic: string, detail: string, keep: Parameters<typeof readLevelRows>[3]) =>
    readLevelRows(tree, await explored(topic), detail, keep);

  test.each([
    ['readings', 'pm25, Station 1, 31 December 2024', 714],
    ['quarters', 'tonnes, 2024 Q3', 11],
    ['months', 'pm25, December 2024', 24],
    ['alarms', 'peak, Station 1, 31 December 2024, 23:59:59 UTC', 20],
  ])('the headline of %s is %s, the last of %i figures', async (topic, name, figures) => {
    const dataset = await explored(topic);
    const found = headlineOf(await readFirstView(stagedSource(tree), dataset));
    expect([found?.name ?? null, found?.runs.flat().length ?? 0]).toEqual([name, figures]);
  });

  test('lines have a point for each period of one place, and gaps where figures are missing', async () => {
    const dataset = await explored('readings');
    const { state } = parseState(dataset, [{ name: 'view', value: 'chart' }]);
    const ofOne = withValues(state, 'station_code', ['st2']);
    const rows = await rowsOf('readings', 'stations', row => row['station_code'] === 'st2');
    const shown = { state: ofOne, rows, beside: [], complete: true };
    const { drawing, sentence } = (await drawView(shown))!;
    if (drawing.kind !== 'lines') throw new Error(drawing.kind);
    const lines = drawing.panels.flatMap(panel => panel.lines);
    expect(lines).toHaveLength(1);
    const { points, segments } = lines[0]!.series;
    expect(points).toHaveLength(731);
    expect(segments.length).toBeGreaterThan(10);
    expect(segments.flat()).toEqual(points.filter(({ value }) => value !== null));
    expect(drawing.notes).toContain('A gap in a line is a day without a published figure.');
    expect(textOfSentence(sentence)).toMatch(/, 30 December 2024: .* on 1 January 2023\.$/);
  });

  test('a range in an address stays in the question; a dataset without time asks for no year; views fit the time', async () => {
    const parsed = parseState(await explored('readings'), [{ name: 'date_min', value: '2024-12-01' }]);
    expect(parsed.problems).toEqual([]);
    expect([...parsed.state.filters]).toContainEqual(['date_min', ['2024-12-01']]);
    const timeless = await explored('instruments');
    expect(parseState(timeless, []).state.years).toEqual({ min: null, max: null });
    expect([timeless.timeline, timeless.levels[0]!.years]).toEqual([null, []]);
    expect(possibleViews(timeless)).toEqual(['bars', 'table']);
    for (const topic of ['readings', 'quarters'])
      expect(possibleViews(await explored(topic))).toEqual(['chart', 'bars', 'table']);
  });

  test.each([
    ['readings', 'stations', '31 December 2024', { date: ['2024-12-31'] }],
    ['months', 'nation', 'December 2024', { month_min: ['2024-12-01'], month_max: ['2024-12-31'] }],
    ['quarters', 'nation', '2024 Q3', { quarter: ['2024-Q3'] }],
  ])('bars of %s are of one period, the latest with rows first', async (topic, detail, label, filters) => {
    const dataset = await explored(topic);
    const { state, problems } = parseState(dataset, [{ name: 'view', value: 'bars' }]);
    expect(problems).toEqual([]);
    const at = momentOf(state)!;
    expect(dataset.timeline!.label(at)).toBe(label);
    expect(Object.fromEntries(state.filters)).toEqual(filters);
    expect(state).toMatchObject({ detail, years: { min: 2024, max: 2024 } });
    expect(titleView(state)).toContain(label);
    // The address gives the same view again, and lines have all periods.
    expect(parseState(dataset, formatState(state)).state).toEqual(state);
    const earlier = withMoment(state, at - 1);
    expect(momentOf(earlier)).toBe(at - 1);
    expect(momentOf(withView(earlier, 'chart'))).toBeNull();
    const { timeline: line } = dataset;
    const rows = await rowsOf(topic, detail, row => line!.at(row[line!.column] ?? null) === at);
    const { drawing } = (await drawView({ state, rows, beside: [], complete: true }))!;
    expect(drawing).toMatchObject({ kind: 'bars', period: label });
    expect(drawing.figures).toHaveLength(rows.rows);
  });

  test('a moment is known to its second, with any fraction', async () => {
    const { state } = parseState(await explored('alarms'), [{ name: 'view', value: 'bars' }]);
    const [from = '', to = ''] = ['min', 'max'].map(end => state.filters.get(`raised_at_${end}`)?.[0]);
    expect(from).toMatch(/^2024-.*T..:..:..Z$/);
    expect(to).toBe(from.replace('Z', '.999999Z'));
    const isWithin = (raised: string) => raised >= from.replace('Z', '') && raised <= to;
    const rows = await rowsOf('alarms', 'stations', row => isWithin(String(row['raised_at'])));
    expect(rows.rows).toBeGreaterThan(0);
  });
});
