/** Lines of what was published earlier, beside today's: by the engine's own reading, and in a browser on plain files. */
import { rm } from 'node:fs/promises';
import { h } from 'preact';
import { renderToStaticMarkup } from 'preact-render-to-string';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createFolderFiles } from '../../site/edge/adapters/folder.ts';
import { Catalog } from '../../site/edge/catalog.ts';
import { readPacked, typeOf } from '../../site/explorer/engine/packed-table.ts';
import { readFirstRows } from '../../site/explorer/engine/rows-answer.ts';
import type { TreeAccess } from '../../site/explorer/engine/tree-reader.ts';
import { besideQuestions } from '../../site/explorer/view/chosen-places.ts';
import type { ExploredDataset } from '../../site/explorer/view/dataset.ts';
import { deriveDrawing } from '../../site/explorer/view/drawing.ts';
import type { BesideRows, LineDrawing } from '../../site/explorer/view/drawing-parts.ts';
import { listEarlier } from '../../site/explorer/view/earlier-lines.ts';
import { LineFigure } from '../../site/explorer/view/line-figure.tsx';
import { layOutLines } from '../../site/explorer/view/line-layout.ts';
import { type Question, toParameters } from '../../site/explorer/view/question.ts';
import type { Rows } from '../../site/explorer/view/rows.ts';
import { parseState } from '../../site/explorer/view/state.ts';
import { LIGHT } from '../../site/explorer/view/theme.ts';
import { parseQuery } from '../../site/query/query-string.ts';
import { buildPublisher, RELEASE_DATE, readTreeJson } from '../publishers/built-tree.ts';
import {
  copyPublisher,
  copyTree,
  type PublisherFolder,
  temporaryFolder,
  writeRows,
  writeTexts,
} from '../publishers/publisher-folder.ts';
import { RAIN_YEARS, RAINFALL, rainFile, rainfallRows } from '../publishers/weather.ts';
import { CHROMIUM, startPlainHost, visit } from './browser.ts';
import { openPages, readExplored, weatherPages } from './explored-tree.ts';

const KEY = 'climate/rainfall';
/** The rows of all years since: the wet days of one year are others, and their column has another name. */
const RENAMED = RAINFALL.replace('version: 1.2.0', 'version: 2.0.0')
  .replace('key_metric, value: rain_mm', 'key_metric, value: days_wet')
  .replace('- name: wet_days', '- name: days_wet')
  .replace(/(name: days_wet[^[]*\[)/, '$1{ property: renamed_from, value: wet_days }, ');
const LATER = Object.fromEntries(
  RAIN_YEARS.flatMap(year =>
    ['stations', 'regions', 'nation'].map(level => [
      rainFile(year, level),
      `SELECT * EXCLUDE wet_days, wet_days${year === 2021 ? ' + 3' : ''} AS days_wet FROM (${rainfallRows(year, level)})`,
    ]),
  ),
);

let folder: PublisherFolder;
let dataset: ExploredDataset;
let access: TreeAccess;

beforeAll(async () => {
  const before = await weatherPages();
  folder = await copyPublisher(before, await temporaryFolder('never'));
  await copyTree(before, folder.root);
  await writeTexts(folder.contracts, { 'rain/rainfall.yaml': RENAMED });
  await writeRows(folder.data, LATER);
  await buildPublisher(folder, { releaseDate: '2031-06-01', pages: openPages() });
  dataset = await readExplored(folder.out, KEY);
  const files = createFolderFiles(folder.out);
  const catalog = new Catalog(files, { refreshAfter: Infinity, now: () => 0 });
  const subject = async (key: string) => (await catalog.subject(await catalog.current(), key))!;
  access = { files, catalog, subject, preferWhole: () => undefined };
}, 120_000);

afterAll(() => rm(folder.root, { recursive: true, force: true }));

async function read(question: Question, asOf: string | null): Promise<Rows> {
  const parameters = toParameters(dataset, question);
  const control = { signal: new AbortController().signal, expectBytes: () => undefined };
  const { table } = await readFirstRows(
    access,
    {
      key: KEY,
      parameters: asOf === null ? parameters : [...parameters, ['as_of', asOf]],
      limit: 10_000,
    },
    control,
  );
  const columns = table.columns.map(column => ({ name: column.name, type: typeOf(column) }));
  return { columns, rows: table.rows, cell: (row, column) => readPacked(table.columns[column]!, row) };
}

async function draw(query: string): Promise<LineDrawing> {
  const { state, problems } = parseState(dataset, parseQuery(query) ?? []);
  expect(problems).toEqual([]);
  const beside = besideQuestions(dataset, state).map(
    async (one): Promise<BesideRows> => ({ ...one, rows: await read(one.question, one.asOf) }),
  );
  const metric = dataset.metrics.find(({ column }) => column.name === state.metric)!;
  const rows = await read(state.question, null);
  return deriveDrawing(dataset, state, metric, rows, await Promise.all(beside)) as LineDrawing;
}

const PLACE = '?detail=regions&place=n&season=all&view=chart&metric=days_wet';

describe('lines of what was published earlier', () => {
  test('stand beside those of today where a figure differs, though its column has another name', async () => {
    const today = await draw(PLACE);
    const both = await draw(`${PLACE}&earlier=${RELEASE_DATE}`);
    const [panel] = both.panels;
    const earlier = panel!.lines.filter(({ asOf }) => asOf !== null);
    expect(panel!.lines.filter(({ asOf }) => asOf === null)).toEqual(today.panels[0]!.lines);
    expect(earlier.map(({ asOf, color, series }) => [asOf, color, series.detail])).toEqual([
      [RELEASE_DATE, 0, 'regions'],
    ]);
    const then = Object.fromEntries(earlier[0]!.series.points.map(({ year, value }) => [year, value]));
    const now = Object.fromEntries(
      today.panels[0]!.lines[0]!.series.points.map(one => [one.year, one.value]),
    );
    expect(now).toEqual({ ...then, 2021: then[2021]! + 3 });
    expect(both.notes[0]).toBe(
      `Dashed lines show what was published as of ${RELEASE_DATE}: 1 figure differed.`,
    );
    expect(both.figures.filter(({ label }) => label.endsWith(`as of ${RELEASE_DATE}`))).toHaveLength(3);
    expect(both.summary).toBe(today.summary);
    const layout = layOutLines(both, { width: 700, height: 370 });
    const svg = renderToStaticMarkup(h(LineFigure, { drawing: both, layout, theme: LIGHT }));
    expect(svg.match(/data-mark="earlier"/g)?.length).toBe(earlier[0]!.series.segments.length);
  });

  test('and nothing where all figures are as they were, or none was there', async () => {
    const same = await draw(`${PLACE.replace('days_wet', 'rain_mm')}&earlier=${RELEASE_DATE}`);
    expect(same.panels[0]!.lines.every(({ asOf }) => asOf === null)).toBe(true);
    expect(same.notes[0]).toContain('every figure that was published here was the same');
  });

  test('a filter on a column that was renamed asks for its name of then', async () => {
    const { state } = parseState(dataset, parseQuery(`${PLACE}&days_wet_min=1&days_wet_max=30`) ?? []);
    const [then, now] = [await read(state.question, RELEASE_DATE), await read(state.question, null)];
    expect([then.rows, then.columns]).toEqual([
      now.rows,
      expect.arrayContaining([{ name: 'days_wet', type: 'integer' }]),
    ]);
  });

  test('a moment before all memory is refused in words', async () => {
    const { state } = parseState(dataset, parseQuery(PLACE) ?? []);
    await expect(read(state.question, '2001-01-01')).rejects.toThrow(/should be 2031-05-17 or later/);
  });

  test('the days to choose from are those with other figures than today', async () => {
    const changes = await readTreeJson<Parameters<typeof listEarlier>[0]>(
      folder.out,
      `api/v1/${KEY}/changes.json`,
    );
    expect(listEarlier(changes, null)).toEqual([RELEASE_DATE]);
    expect(listEarlier(null, null)).toEqual([]);
  });
});

test.skipIf(CHROMIUM === null)(
  'a reader chooses an earlier day, on plain files under a sub-path',
  async () => {
    const host = await startPlainHost(folder.out, { base: '/repo/' });
    onTestFinished(host.close);
    const page = await visit(`${host.url}datasets/${KEY}/${PLACE}`);
    const choice = page.getByLabel('Beside today’s figures');
    await choice.selectOption(RELEASE_DATE);
    await page.waitForSelector('[data-mark=earlier]', { state: 'attached' });
    expect(new URL(page.url()).search).toContain(`earlier=${RELEASE_DATE}`);
    const plot = page.locator('.explore-plot');
    await plot.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    expect(await plot.getAttribute('aria-valuetext')).toContain(`as of ${RELEASE_DATE}`);
    const link = page.getByRole('link', { name: 'Follow corrections of North (feed)' });
    const feed = `${host.url}api/v1/${KEY}/feed.xml?detail=regions&place=n`;
    expect(await link.getAttribute('href')).toBe(feed);
    expect((await fetch(feed)).status).toBe(200);
    await choice.selectOption('');
    await page.waitForSelector('[data-mark=earlier]', { state: 'detached' });
  },
);
