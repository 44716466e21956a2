import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { speakLanguage } from '../../site/explorer/messages/languages.ts';
import { drawView } from '../../site/explorer/panel/pictures.ts';
import type { ExploredDataset } from '../../site/explorer/view/dataset.ts';
import { ALL_YEARS, type Question, startState, type ViewName } from '../../site/explorer/view/question.ts';
import { columnAt, type Rows } from '../../site/explorer/view/rows.ts';
import { textOfSentence } from '../../site/explorer/view/sentence.ts';
import { tableColumns } from '../../site/explorer/view/table-columns.ts';
import { listNames, titleView } from '../../site/explorer/view/wording.ts';
import { UNEVEN_CONTRACTS, UNEVEN_LAKE } from '../publishers/odd-weather.ts';
import { newPublisher, type Publisher } from '../publishers/publisher-folder.ts';
import { CONTRACTS, LAKE } from '../publishers/weather.ts';
import { readExplored, readLevelRows } from './explored-tree.ts';

const STATIONS = 'climate/_dimensions/stations.parquet';

afterEach(() => speakLanguage('en'));

let publisher: Publisher;
let rain: ExploredDataset;
let trams: ExploredDataset;

beforeAll(async () => {
  // In the north, two stations are called Hill; the south has a Hill with the first one's code.
  const lake = {
    ...LAKE,
    ...Object.fromEntries(Object.entries(UNEVEN_LAKE).filter(([name]) => name.startsWith('transit/'))),
    [STATIONS]: `SELECT * REPLACE (CASE WHEN station_code = 'st3' THEN 'Lake' WHEN region_code = 'n' OR station_code = 'st1' THEN 'Hill' ELSE 'Vale' END AS station_name) FROM (${LAKE[STATIONS]})`,
  };
  const contracts = { ...CONTRACTS, 'trams.odcs.yaml': UNEVEN_CONTRACTS['trams.odcs.yaml'] ?? '' };
  publisher = await newPublisher(contracts, lake);
  await publisher.build();
  rain = await readExplored(publisher.out, 'climate/rainfall');
  trams = await readExplored(publisher.out, 'transit/trams');
});

function ask(detail: string, filters: Readonly<Record<string, readonly string[]>>): Question {
  return { dataset: rain, detail, years: ALL_YEARS, places: [], filters: new Map(Object.entries(filters)) };
}

async function drawn(dataset: ExploredDataset, question: Question, rows: Rows, view: ViewName) {
  const metric = dataset.metrics[0]!;
  const state = { ...startState(dataset), ...question, dataset, view, metric: metric.column.name };
  return (await drawView({ state, rows, beside: [], complete: true }))!;
}

async function labelsOf(...asked: Parameters<typeof drawn>): Promise<string[]> {
  const { drawing } = await drawn(...asked);
  if (drawing.kind === 'map') return [...drawing.areas.values()].map(({ label }) => label);
  if (drawing.kind === 'bars') return drawing.bars.map(({ label }) => label);
  return drawing.panels.flatMap(({ lines }) => lines.map(({ series }) => series.label));
}

type Keep = (row: Readonly<Record<string, unknown>>) => boolean;
/** Of 2021. */
const rowsOf = (keep: Keep) =>
  readLevelRows(publisher.out, rain, 'stations', row => row['year'] === 2021 && keep(row));
const dry = (keep: Keep = () => true) => rowsOf(row => row['season'] === 'dry' && keep(row));

describe('a place', () => {
  test('whose code is in two larger places is named by its whole key, in lines, bars and the title', async () => {
    const question = ask('stations', { region_code: ['n', 's'], station_code: ['st1'], season: ['dry'] });
    const rows = await dry(row => row['station_code'] === 'st1');
    expect(await labelsOf(rain, question, rows, 'chart')).toEqual(['Hill, North (n:st1)', 'Hill, South']);
    expect((await labelsOf(rain, question, rows, 'bars')).sort()).toEqual([
      'Hill, North (n:st1)',
      'Hill, South',
    ]);
  });

  test('has its code if another one in the same larger place has its name, so no two rows have the same name', async () => {
    const question = ask('stations', { season: ['dry'] });
    const rows = await dry();
    expect((await labelsOf(rain, question, rows, 'bars')).sort().join('; ')).toBe(
      'Hill, North (n:st1); Hill, North (n:st2); Hill, South; Lake, North; Lake, South; Vale, South',
    );
    const shown = tableColumns(question, rows).map(({ name }) => name);
    expect(shown).toEqual(expect.arrayContaining(['station_code', 'year']));
  });

  test('is not repeated if axes are compared and the question names it', async () => {
    const rows = await rowsOf(row => row['region_code'] === 's' && row['station_code'] === 'st2');
    const pinned = ask('stations', { region_code: ['s'], station_code: ['st2'] });
    expect((await labelsOf(rain, pinned, rows, 'bars')).sort()).toEqual(['All', 'Dry', 'Wet']);
    expect(await labelsOf(rain, ask('stations', {}), rows, 'bars')).toContain('Vale, South · Wet');
  });
});

test('of many places each has a bar, so the sentence can name the least', async () => {
  const few = await dry();
  const code = columnAt(few, 'station_code');
  const cell: Rows['cell'] = (row, column) => (column === code ? `st${row}` : few.cell(0, column));
  const question = ask('stations', { season: ['dry'] });
  expect(await labelsOf(rain, question, { ...few, rows: 400, cell }, 'bars')).toHaveLength(400);
});

test('places are not ranked across the values of an axis without a total', async () => {
  const [question, rows] = [ask('stations', {}), await rowsOf(row => row['season'] !== 'all')];
  const said = async (dataset: ExploredDataset) =>
    textOfSentence((await drawn(dataset, question, rows, 'bars')).sentence);
  expect(await said(rain)).toMatch(/Of 12 figures, .* highest/);
  const fields = rain.fields.map(field => (field.param === 'season' ? { ...field, total: null } : field));
  expect(await said({ ...rain, fields })).toBe('');
});

test('rows of one place and year that differ in a column without a filter are separate lines', async () => {
  const rows = await readLevelRows(publisher.out, trams, 'nation');
  expect(await labelsOf(trams, ask('nation', {}), rows, 'chart')).toEqual(['line 1', 'line 2']);
});

test('a title names filters and ranges, and is in the language of the page', () => {
  const titleOf = (filters: Readonly<Record<string, readonly string[]>>) =>
    titleView({ ...startState(rain), ...ask('stations', filters), view: 'bars' });
  const filtered = titleOf({ season: ['dry'], manned: ['true'], rain_mm_min: ['5'] });
  expect(filtered).toMatch(/ in all stations, Dry, manned: Yes, .*: from 5, 2019 to 2022$/i);
  speakLanguage('es-US');
  expect(titleOf({ season: ['dry'] })).toMatch(/ en stations, /);
  expect(listNames(['a', 'b', 'c', 'd', 'e'])).toBe('a, b, c y 2 más');
});
