/** Lines of what was published earlier, beside today's: by the engine's own reading, and in a browser on plain files. */
import { h } from 'preact';
import { renderToStaticMarkup } from 'preact-render-to-string';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createFolderFiles } from '../../site/edge/adapters/folder.ts';
import { Catalog } from '../../site/edge/catalog.ts';
import { readPacked, typeOf } from '../../site/explorer/engine/packed-table.ts';
import { readFirstRows } from '../../site/explorer/engine/rows-answer.ts';
import type { TreeAccess } from '../../site/explorer/engine/tree-reader.ts';
import { besideQuestions } from '../../site/explorer/view/chosen-places.ts';
import type { ExploredDataset } from '../../site/explorer/view/dataset.ts';
import { deriveDrawing } from '../../site/explorer/view/drawing.ts';
import type { BesideRows, LineDrawing } from '../../site/explorer/view/drawing-parts.ts';
import { LineFigure } from '../../site/explorer/view/line-figure.tsx';
import { layOutLines } from '../../site/explorer/view/line-layout.ts';
import { type Question, toParameters } from '../../site/explorer/view/question.ts';
import type { Rows } from '../../site/explorer/view/rows.ts';
import { parseState } from '../../site/explorer/view/state.ts';
import { LIGHT } from '../../site/explorer/view/theme.ts';
import { parseQuery } from '../../site/query/query-string.ts';
import { RELEASE_DATE } from '../publishers/built-tree.ts';
import { CHROMIUM, startPlainHost, visit } from './browser.ts';
import { readExplored } from './explored-tree.ts';
import { type TwoReleases, twoReleases } from './two-releases.ts';

const KEY = 'climate/rainfall';

let folder: TwoReleases;
let dataset: ExploredDataset;
let access: TreeAccess;

beforeAll(async () => {
  folder = await twoReleases();
  dataset = await readExplored(folder.out, KEY);
  const files = createFolderFiles(folder.out);
  const catalog = new Catalog(files, { refreshAfter: Infinity, now: () => 0 });
  const subject = async (key: string) => (await catalog.subject(await catalog.current(), key))!;
  access = { files, catalog, subject, preferWhole: () => undefined };
});

async function read(question: Question, asOf: string | null): Promise<Rows> {
  const parameters = toParameters(dataset, question);
  const control = { signal: new AbortController().signal, expectBytes: () => undefined };
  const asked = asOf === null ? parameters : [...parameters, ['as_of', asOf] as const];
  const { table } = await readFirstRows(access, { key: KEY, parameters: asked, limit: 10_000 }, control);
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
    expect(earlier).toMatchObject([{ asOf: RELEASE_DATE, color: 0, series: { detail: 'regions' } }]);
    const [then, now] = [earlier[0]!, today.panels[0]!.lines[0]!].map(({ series }) =>
      Object.fromEntries(series.points.map(({ year, value }) => [year, value])),
    );
    expect(now).toEqual({ ...then, 2021: then![2021]! + 3 });
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
});

test.skipIf(CHROMIUM === null)('a reader chooses a day with other figures, on plain files', async () => {
  const host = await startPlainHost(folder.out, { base: '/repo/' });
  onTestFinished(host.close);
  const page = await visit(`${host.url}datasets/${KEY}/${PLACE}`);
  const choice = page.getByLabel('Beside today’s figures');
  await choice.waitFor();
  expect(await choice.locator('option').count()).toBe(2);
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
});
