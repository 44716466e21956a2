/** The address of a figure: its document on every kind of host, its page, and `civic cite-check`. */
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { FigureDocument } from '../../build/format/figure-schemas.ts';
import { listedFiles, type DatasetManifest } from '../../build/format/manifest.ts';
import { leafHash, parseBundle, entryBytes, toHex } from '../../build/format/signed-log.ts';
import { sha256 } from '../../build/log/signed-note.ts';
import { createFolderFiles } from '../../site/edge/adapters/folder.ts';
import { createHandler } from '../../site/edge/fetch.ts';
import { command } from '../cli/command.ts';
import { askTree } from '../conformance/executors.ts';
import { CHROMIUM, startPlainHost, visit } from '../explorer/browser.ts';
import { keptCorrected, keptPaged, keptSigned, keptUneven } from '../publishers/kept-trees.ts';
import { type Publisher, temporaryFolder } from '../publishers/publisher-folder.ts';
import { RAINFALL, rainFile, withdrawing } from '../publishers/weather.ts';
import { served } from '../served.ts';

const RAIN = '/api/v1/climate/rainfall';
const NORTH = `${RAIN}?year=2021&detail=regions&region_code=n&season=all`;
const [FIRST, SECOND] = ['2031-05-17', '2031-06-01'];

const corrected = await keptCorrected();
const ask = askTree(corrected.out);

async function figureOf(url: string, asking = ask): Promise<FigureDocument> {
  const answer = await asking(url);
  const text = await answer.text();
  expect([url, answer.status, text]).toEqual([url, 200, text]);
  const figure = JSON.parse(text) as FigureDocument;
  const ajv = new Ajv2020({ allowUnionTypes: true, formats: { date: /^\d{4}-\d\d-\d\d$/ } });
  expect([url, ajv.validate(FigureDocument, figure), ajv.errors]).toEqual([url, true, null]);
  return figure;
}

describe('the document', () => {
  test.each(['rain_mm', 'wet_days', 'readings', 'note'])('has the value of the row: %s', async column => {
    for (const key of [
      NORTH,
      `${RAIN}?year=2022&detail=nation&season=wet`,
      `${RAIN}?year=2019&detail=stations&place=s:st2&season=dry`,
    ]) {
      const { data } = (await (await ask(key)).json()) as { data: Record<string, unknown>[] };
      const figure = await figureOf(`${key}&figure=${column}`);
      expect([key, figure.value]).toEqual([key, data[0]![column]]);
      // The whole address gives the same again.
      const { pathname, search } = new URL(figure.address);
      expect(await figureOf(pathname + search)).toEqual(figure);
    }
  });

  test('is refused like rows if it costs too much', async () => {
    const handler = createHandler(createFolderFiles(corrected.out), { budget: { bytes: 1, rows: 1 } });
    const statuses = ['figure=rain_mm', 'history=true'].map(async asked => {
      return (await handler(new Request(`http://edge.test${NORTH}&${asked}`))).status;
    });
    expect(await Promise.all(statuses)).toEqual([501, 501]);
  });

  test('says what NULL means, what the row is, and which rules ran', async () => {
    const { out } = await keptUneven();
    const withheld = await figureOf(`${NORTH.replace('=all', '=wet')}&figure=rain_mm`, askTree(out));
    expect(withheld).toMatchObject({
      ...{ value: null, margin: null, null_meaning: 'The gauges were frozen.' },
      null_semantics: { suppressed_to_null: true },
    });
    const { key, rules, citation, release } = await figureOf(`${NORTH}&figure=rain_mm`);
    expect(key.map(({ column, value, name }) => [column, value, name])).toEqual([
      ['year', 2021, undefined],
      ['region_code', 'n', 'North'],
      ['season', 'all', undefined],
    ]);
    expect(rules!.map(({ result }) => result)).toContain('passed');
    for (const text of Object.values(citation)) expect(text).toMatch(`as_of=${release}`);
  });

  test('has every value, and whether the one of a release has changed', async () => {
    const now = await figureOf(`${NORTH}&figure=wet_days`);
    const then = await figureOf(`${NORTH}&figure=wet_days&as_of=2031-05-20`);
    const why = ['A <gauge> leaked. Read again.'];
    const history = [
      { from: FIRST, until: SECOND, changed_by: now.release, why, row: { value: 21, margin: null } },
      { from: SECOND, until: null, changed_by: null, why: [], row: { value: 5, margin: null } },
    ];
    expect(now).toMatchObject({ value: 5, history });
    expect(now.changed).toBeUndefined();
    const changed = { date: SECOND, release: now.release, why, row: { value: 5, margin: null } };
    expect(then).toMatchObject({ value: 21, history, changed, rules: null });
    expect([then.release.slice(0, 10), then.release === now.release]).toEqual([FIRST, false]);
    // Another figure of a row that has changed.
    const other = await figureOf(`${NORTH}&figure=rain_mm&as_of=2031-05-20`);
    expect([other.history.length, other.changed]).toEqual([1, undefined]);
  });

  test('leads to the file and to the signed log', async () => {
    const { out } = await keptSigned();
    const asking = askTree(out);
    const { proof } = await figureOf(`${RAIN}?year=2021&detail=nation&season=all&figure=rain_mm`, asking);
    const bytesOf = async (at: string) => new Uint8Array(await (await asking(at)).arrayBuffer());
    expect(toHex(sha256(await bytesOf(proof.file.path)))).toBe(proof.file.sha256);
    const manifest = JSON.parse(
      Buffer.from(await bytesOf(`${RAIN}/manifest.json`)).toString(),
    ) as DatasetManifest;
    expect(listedFiles(manifest).map(one => one.sha256)).toContain(proof.file.sha256);
    const entry = parseBundle(await bytesOf('/log/tile/entries/000.p/2'))!.at(-1)!;
    const leaf = toHex(leafHash(entryBytes(entry), sha256));
    expect(proof.log).toEqual({ checkpoint: '/log/checkpoint', entry, leaf });
  });

  test.each([
    [`${NORTH.replace('&season=all', '')}&figure=rain_mm`, 422, 'season'],
    [`${NORTH}&figure=rain`, 422, 'rain_mm'],
    [`${NORTH}&figure=season`, 422, 'rain_mm'],
    [`${NORTH}&figure=rain_mm&history=true`, 422, 'history'],
    [`${NORTH}&figure=rain_mm&rain_mm_min=3`, 422, 'rain_mm_min'],
    [`${NORTH.replace('code=n', 'code=x')}&figure=rain_mm`, 404, 'Leave out'],
    ['/api/v1/climate/_dimensions/stations?figure=height_m', 422, 'Unknown parameter'],
    ['/api/v1/transit/trams?year=2021&figure=rides', 410, 'withdrawn'],
  ])('needs one row: %s', async (url, status, said) => {
    const answer = await ask(url);
    expect([answer.status, await answer.text()]).toEqual([status, expect.stringContaining(said)]);
  });
});

describe('civic cite-check', () => {
  let host: string;
  let release: string;
  beforeAll(async () => {
    host = await served(corrected.out);
    ({ release } = await figureOf(`${NORTH}&figure=wet_days&as_of=${FIRST}`));
  });

  async function check(text: string, ...options: string[]) {
    const file = path.join(await temporaryFolder(), 'report.md');
    await writeFile(file, text);
    const { code, stdout } = await command('cite-check', file, '--json', ...options);
    const { ok, figures } = JSON.parse(stdout) as { ok: boolean; figures: Record<string, unknown>[] };
    return { code, ok, figures };
  }

  const STEADY = (at = release) => `${NORTH.replace('2021', '2022')}&figure=wet_days&as_of=${at}`;
  const CHANGED = `${NORTH}&figure=wet_days&as_of=${FIRST}`;

  test.each([
    ['Markdown', (url: string) => `Rain [fell](${url}), see <${url}>.`],
    ['HTML', (url: string) => `<a href="${url.replaceAll('&', '&amp;')}">rain</a>`],
    ['CSV', (url: string) => `n,21,${url},"note"`],
    ['BibTeX', (url: string) => `url = {${url.replaceAll('&', '\\&').replaceAll('_', '\\_')}},`],
    ['a sentence', (url: string) => `*It rained (${url}).*`],
    ['percent-encoding', (url: string) => url.replace('region_code=n', 'region%5Fcode=%6E')],
    ['a page', (url: string) => url.replace('/api/v1/', '/figure/#')],
    ['a release', (url: string) => url.replace('/api/', `/releases/${release}/api/`)],
  ])('finds addresses in %s', async (_, write) => {
    const { code, ok, figures } = await check(`# Report\n${write(host + STEADY())}\n`);
    expect([code, ok, figures]).toEqual([
      0,
      true,
      [expect.objectContaining({ line: 2, verdict: 'unchanged' })],
    ]);
  });

  test('says what has changed, from what to what, when and why', async () => {
    const gone = `/api/v1/transit/trams?year=2021&detail=nation&figure=rides&as_of=${FIRST}`;
    const { code, figures } = await check(
      [
        ...[
          STEADY(),
          CHANGED,
          gone,
          `${NORTH}&figure=wet_days`,
          `${RAIN}?figure=wet_days&as_of=${FIRST}`,
        ].map(url => host + url),
        'http://127.0.0.1:9/api/v1/a/b?figure=c&as_of=2031-05-17',
        `${host}${NORTH} is no address of a figure`,
      ].join('\n'),
    );
    expect([code, figures.map(({ verdict }) => verdict)]).toEqual([
      1,
      ['unchanged', 'changed', 'withdrawn', 'unfixed', 'unknown', 'unreachable'],
    ]);
    const message = expect.stringMatching(/^21 → 5 on 2031-06-01 \(.*\)\. A <gauge> leaked\. Read again\.$/);
    expect(figures[1]).toMatchObject({ message, value: 21, changed: { row: { value: 5 } } });
  });

  test('asks the given tree: rows that were withdrawn and kept, and rows that were taken back', async () => {
    for (const forget of [false, true]) {
      const folder: Publisher = await corrected.copyBuilt();
      const why = `[{ date: 2031-07-01, reason: "It named persons.", years: [2021], levels: [regions], forget: ${forget} }]`;
      await folder.writeContracts({ 'rain/rainfall.yaml': withdrawing(RAINFALL, why) });
      await rm(path.join(folder.data, rainFile(2021, 'regions')));
      await folder.build({ releaseDate: '2031-07-01' });
      const { figures } = await check(`https://data.example.org${CHANGED}`, '--tree', folder.out);
      const message = expect.stringContaining('It named persons.');
      expect(figures).toEqual([expect.objectContaining({ verdict: 'withdrawn', message })]);
    }
  });

  test('a document that cannot be read', async () => {
    expect((await command('cite-check', 'no-such-file.md')).code).toBe(3);
  });
});

describe.skipIf(CHROMIUM === null)('the page', () => {
  test('shows the figure on a host of files, and tables and charts lead to it', async () => {
    const { out } = await keptPaged();
    const { url } = await startPlainHost(out, { base: '/repo/' });
    const page = await visit(`${url}datasets/climate/rainfall/?view=table&detail=regions&year=2021`);
    await page.locator('.explore-grid td a').first().click();
    await page.waitForURL(/\/repo\/figure\/#climate\/rainfall\?.*figure=.*as_of=2031-05-17/);
    expect(await page.locator('h1').innerText()).toMatch(/\d/);
    expect(await page.locator('pre').last().innerText()).toContain(page.url());
    expect(await page.locator('dd', { hasText: /^[0-9a-f]{64}$/ }).count()).toBe(2);
    expect(await page.locator('td', { hasText: /^passed$/ }).count()).toBeGreaterThan(0);
    await page.goto(`${url}datasets/climate/rainfall/?view=bars&detail=regions&year=2021`);
    await page.locator('.explore-plot').click();
    await page.waitForURL(/\/repo\/figure\/#climate\/rainfall\?.*figure=/);
    await page.goto(`${url}figure/#climate/rainfall?year=2021&figure=rain_mm`);
    await page.getByText('are missing').waitFor();
  });

  test('is where an edge sends people', async () => {
    const { out } = await keptPaged();
    const address = `${await served(out)}${NORTH}&figure=rain_mm`;
    const headers = { Accept: 'text/html' };
    const sent = await fetch(address, { headers, redirect: 'manual' });
    expect([sent.status, sent.headers.get('location')]).toEqual([
      303,
      `/figure/#climate/rainfall${new URL(address).search}`,
    ]);
    expect((await fetch(`${address}&format=json`, { headers, redirect: 'manual' })).status).toBe(200);
  });
});
