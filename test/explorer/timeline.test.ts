import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TimeDescriptor } from '../../build/format/schema.ts';
import { readHeadline } from '../../site/explorer/pages/headline.ts';
import type { ExploredDataset } from '../../site/explorer/view/dataset.ts';
import { deriveDrawing } from '../../site/explorer/view/drawing.ts';
import { momentOf, withMoment } from '../../site/explorer/view/moment.ts';
import { withValues } from '../../site/explorer/view/question.ts';
import { formatState, parseState } from '../../site/explorer/view/state.ts';
import { deriveTimeline } from '../../site/explorer/view/timeline.ts';
import { possibleViews, withView } from '../../site/explorer/view/views.ts';
import { describeQuestion } from '../../site/explorer/view/wording.ts';
import { AIR_CONTRACTS, AIR_LAKE } from '../publishers/air.ts';
import { buildPublisher } from '../publishers/built-tree.ts';
import { type PublisherFolder, writePublisher } from '../publishers/publisher-folder.ts';
import { readExplored, readLevelRows } from './explored-tree.ts';

function timeline(time: TimeDescriptor, zone?: 'UTC') {
  const columns = [{ name: 'when', ...(zone ? { time_zone: zone } : {}) }];
  const found = deriveTimeline({ time, columns } as never, 'year');
  if (found === null) throw new Error('no timeline');
  return found;
}

describe('places and names of periods', () => {
  test.each([
    ['quarter', '2024-Q1', '2023-Q4', '2024 Q1'],
    ['quarter', '2024Q3', '2024Q2', '2024 Q3'],
    ['quarter', '2024-04-01', '2024-01-01', '2024 Q2'],
    ['month', '2024-01', '2023-12', 'January 2024'],
    ['month', '2024-03-01', '2024-02-01', 'March 2024'],
    ['day', '2024-03-01', '2024-02-29', '1 March 2024'],
    ['day', '0099-01-01', '0098-12-31', '1 January 99'],
  ] as const)('%s: %s comes right after %s', (unit, value, before, label) => {
    const line = timeline({ unit, column: 'when' });
    const [at, last] = [line.at(value), line.at(before)];
    if (at === null || last === null) throw new Error('no time');
    expect(at - last).toBe(1);
    expect(line.isNext(last, at)).toBe(true);
    expect(line.isNext(last - 1, at)).toBe(false);
    expect(line.label(at)).toBe(label);
    expect(line.startOf(line.yearOf(at))).toBeLessThanOrEqual(at);
  });

  test('moments are days and parts of days, in UTC or by a clock without a name', () => {
    const line = timeline({ unit: 'instant', column: 'when' }, 'UTC');
    const noon = line.at('2024-02-29T12:00:00Z')!;
    expect(noon - line.at('2024-02-29T00:00:00Z')!).toBe(0.5);
    expect(line.label(noon)).toBe('29 February 2024, 12:00:00 UTC');
    expect(timeline({ unit: 'instant', column: 'when' }).label(noon)).toBe('29 February 2024, 12:00:00');
  });

  test.each(['', 'soon', '2024-Q5', null])('%s is no time', value => {
    for (const unit of ['quarter', 'day', 'instant'] as const)
      expect(timeline({ unit, column: 'when' }).at(value)).toBeNull();
  });
});

describe('ticks', () => {
  const labels = (
    unit: 'quarter' | 'month' | 'day' | 'instant',
    first: string,
    last: string,
    most: number,
  ) => {
    const line = timeline({ unit, column: 'when' });
    return line.ticks(line.at(first)!, line.at(last)!, most).map(({ label }) => label);
  };
  test.each([
    ['quarter', '2022-Q1', '2024-Q3', 5, ['2022', '2023', '2024']],
    ['quarter', '2024-Q1', '2024-Q3', 5, ['2024 Q1', '2024 Q2', '2024 Q3']],
    ['month', '2024-02', '2024-05', 5, ['Feb 2024', 'Mar 2024', 'Apr 2024', 'May 2024']],
    ['month', '1990-05', '2024-05', 4, ['2000', '2010', '2020']],
    ['day', '2024-02-27', '2024-03-02', 5, ['27 Feb', '28 Feb', '29 Feb', '1 Mar', '2 Mar']],
    ['day', '2023-12-31', '2024-12-30', 5, ['Jan 2024', 'Apr 2024', 'Jul 2024', 'Oct 2024']],
    ['day', '2004-03-05', '2024-03-05', 5, ['2005', '2010', '2015', '2020']],
    ['instant', '2024-01-01T03:10:00', '2024-01-01T23:00:00', 5, ['06:00', '12:00', '18:00']],
  ] as const)('%s from %s to %s', (unit, first, last, most, expected) => {
    expect(labels(unit, first, last, most)).toEqual(expected);
  });

  test('are never more than asked for, and lie on the axis', () => {
    for (const unit of ['month', 'day'] as const) {
      const line = timeline({ unit, column: 'when' });
      const first = line.at('2011-11-17')!;
      for (const length of [0, 1, 6, 13, 40, 91, 370, 5000, 90_000])
        for (const most of [3, 5, 12]) {
          const ticks = line.ticks(first, first + length, most);
          expect(ticks.length).toBeGreaterThan(0);
          expect(ticks.length).toBeLessThanOrEqual(most);
          for (const { at } of ticks) expect(at >= first && at <= first + length).toBe(true);
        }
    }
  });
});

describe('datasets with other times than years', () => {
  let air: PublisherFolder;
  beforeAll(async () => {
    const root = await mkdtemp(path.join(os.tmpdir(), 'timeline-'));
    air = await writePublisher(root, AIR_CONTRACTS, AIR_LAKE);
    await buildPublisher(air);
  }, 120_000);
  afterAll(() => rm(air.root, { recursive: true, force: true }));

  const explored = (topic: string) => readExplored(air.out, `air/${topic}`);
  const headline = async (dataset: ExploredDataset) => {
    const { readFile } = await import('node:fs/promises');
    const readText = (name: string) => readFile(path.join(air.out, name), 'utf8');
    return readHeadline({ readText } as never, dataset);
  };

  test('a headline is of the latest whole period, and says which', async () => {
    const readings = await explored('readings');
    const found = await headline(readings);
    expect(found).toMatchObject({ of: 'median', cut: true });
    expect(found!.points).toHaveLength(500);
    expect(readings.timeline!.label(found!.points.at(-1)!.year)).toBe('31 December 2024');
    const quarters = await explored('quarters');
    const latest = (await headline(quarters))!.points.at(-1)!;
    expect([quarters.timeline!.label(latest.year), latest.value]).toEqual(['2024 Q3', 54]);
    expect((await headline(await explored('months')))!.points).toHaveLength(24);
    // Alarms of different stations are at different moments.
    expect(await headline(await explored('alarms'))).toBeNull();
  });

  test('lines have a point for each period of one place, and gaps where figures are missing', async () => {
    const dataset = await explored('readings');
    const { state } = parseState(dataset, [{ name: 'view', value: 'chart' }]);
    const question = withValues(dataset, state.question, 'station_code', ['st2']);
    const rows = await readLevelRows(air.out, dataset, 'stations', row => row['station_code'] === 'st2');
    const drawing = deriveDrawing(dataset, { ...state, question }, dataset.metrics[0]!, rows);
    if (drawing.kind !== 'lines') throw new Error(drawing.kind);
    const lines = drawing.panels.flatMap(panel => panel.lines);
    const [series] = lines.map(line => line.series);
    expect(lines).toHaveLength(1);
    expect(series!.points).toHaveLength(731);
    const { points } = series!;
    const starts = points.filter(({ value }, i) => value !== null && (points[i - 1]?.value ?? null) === null);
    expect(starts.length).toBeGreaterThan(10);
    expect(series!.segments.map(([first]) => first)).toEqual(starts);
    expect(drawing.notes).toContain('A gap in a line is a day without a published figure.');
    expect(drawing.summary).toMatch(/on 1 January 2023, .* on 30 December 2024\.$/);
  });

  test('a range in an address stays in the question', async () => {
    const dataset = await explored('readings');
    const { state, problems } = parseState(dataset, [{ name: 'date_min', value: '2024-12-01' }]);
    expect(problems).toEqual([]);
    expect([...state.question.filters]).toContainEqual(['date_min', ['2024-12-01']]);
  });

  test.each([
    ['readings', ['table', 'chart', 'bars']],
    ['quarters', ['table', 'chart', 'bars']],
    ['instruments', ['table', 'bars']],
  ])('%s has the views %j', async (topic, views) => {
    expect(possibleViews(await explored(topic))).toEqual(views);
  });

  test.each([
    ['readings', 'stations', '31 December 2024', { date: ['2024-12-31'] }, 2024],
    ['months', 'nation', 'December 2024', { month_min: ['2024-12-01'], month_max: ['2024-12-31'] }, 2024],
    ['quarters', 'nation', '2024 Q3', { quarter: ['2024-Q3'] }, 2024],
  ])(
    'bars of %s are of one period, the latest with rows first',
    async (topic, detail, label, filters, year) => {
      const dataset = await explored(topic);
      const { state, problems } = parseState(dataset, [{ name: 'view', value: 'bars' }]);
      expect(problems).toEqual([]);
      const at = momentOf(dataset, state.question)!;
      expect(dataset.timeline!.label(at)).toBe(label);
      expect(Object.fromEntries(state.question.filters)).toEqual(filters);
      expect(state.question).toMatchObject({ detail, years: { min: year, max: year } });
      expect(describeQuestion(dataset, state.question)).toContain(label);
      // The address gives the same view again, and lines have all periods.
      expect(parseState(dataset, formatState(dataset, state)).state).toEqual(state);
      const earlier = withMoment(dataset, state.question, at - 1);
      expect(momentOf(dataset, earlier)).toBe(at - 1);
      const lines = withView(dataset, { ...state, question: earlier }, 'chart').question;
      expect(momentOf(dataset, lines)).toBeNull();
      const rows = await readLevelRows(air.out, dataset, detail, row => {
        const of = dataset.timeline!.at(row[dataset.timeline!.column] ?? null);
        return of === at;
      });
      const [metric] = dataset.metrics;
      const drawing = deriveDrawing(dataset, state, metric!, rows);
      expect(drawing).toMatchObject({ kind: 'bars', period: label });
      expect(drawing.figures).toHaveLength(rows.rows);
    },
  );

  test('a moment is known to its second, whatever its fraction', async () => {
    const alarms = await explored('alarms');
    const { state } = parseState(alarms, [{ name: 'view', value: 'bars' }]);
    const [[from = ''] = [], [to = ''] = []] = ['raised_at_min', 'raised_at_max'].map(name =>
      state.question.filters.get(name),
    );
    expect(from).toMatch(/^2024-.*T..:..:..Z$/);
    expect(to).toBe(from.replace('Z', '.999999Z'));
    const rows = await readLevelRows(air.out, alarms, 'stations', row => {
      const at = String(row['raised_at']);
      return at >= from.replace('Z', '') && at <= to;
    });
    expect(rows.rows).toBeGreaterThan(0);
  });

  test('a dataset without time asks for no year', async () => {
    const dataset = await explored('instruments');
    const { state } = parseState(dataset, []);
    expect(state.question.years).toEqual({ min: null, max: null });
    expect(dataset.timeline).toBeNull();
    expect(dataset.levels[0]!.years).toEqual([]);
  });
});
