/** The tools for language models, over standard input and output and over HTTP. */
import { expect, test } from 'vitest';
import { civic } from '../cli/program.ts';
import { keptCorrected, keptPaged } from '../publishers/kept-trees.ts';
import { sendRaw, served } from '../served.ts';
import { overHttp, overStdio } from './client.ts';

const { out: tree } = await keptPaged();
const url = await served(tree);
const RAIN = 'climate/rainfall';
const clients = {
  'civic mcp, of a folder': await overStdio(tree),
  'civic mcp, of an address': await overStdio(url),
  'civic serve': await overHttp(url),
};
const { client, ask } = clients['civic serve'];

const QUESTIONS: readonly (readonly [tool: string, request: object])[] = [
  ['search', { words: 'rain north' }],
  ['search', { words: 'nothing like it' }],
  ['describe', { dataset: RAIN }],
  [
    'rows',
    { dataset: RAIN, parameters: { year: 2021, detail: 'stations', region_code: ['n', 's'], limit: 3 } },
  ],
  ['figure', { dataset: RAIN, place: 'North', compare: 'whole' }],
  ['rows', { dataset: RAIN, parameters: { yaer: 2021 } }],
];

test.each(QUESTIONS)('%s %o: the same over every way, but for the address', async (tool, request) => {
  const answers = await Promise.all(
    Object.values(clients).map(async one => JSON.stringify(await one.ask(tool, request)).replaceAll(url, '')),
  );
  expect(new Set(answers).size).toBe(1);
});

test('tools are listed, take no unknown argument and change nothing', async () => {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['search', 'describe', 'rows', 'figure']);
  for (const { inputSchema, annotations } of tools)
    expect([inputSchema['additionalProperties'], annotations?.readOnlyHint]).toEqual([false, true]);
});

test('a search leads to a dataset, and to a place with its code and parameters', async () => {
  const { said } = await ask('search', { words: 'rain in the North' });
  expect(said.datasets[0]).toMatchObject({ dataset: RAIN, years: [2019, 2021, 2022] });
  expect(said.places[0]).toEqual({
    ...{ place: 'North', kind: 'region', code: 'n' },
    rows: [{ dataset: RAIN, parameters: { detail: 'regions', region_code: 'n' } }],
  });
  const nothing = await ask('search', { words: 'qqqq' });
  expect(nothing.said).toMatchObject({ ignored_words: ['qqqq'], all_datasets: [RAIN, 'transit/trams'] });
});

test('rows are those of the API at the address', async () => {
  const parameters = { year: 2021, detail: 'stations', region_code: ['n', 's'], limit: 3 };
  const { measures, url: address, ...page } = (await ask('rows', { dataset: RAIN, parameters })).said;
  const { release, ...answered } = await (await fetch(address)).json();
  expect(page).toEqual({ ...answered, release: expect.stringMatching(/^\d{4}-\d\d-\d\d-/) });
  expect(page).toMatchObject({
    count: 3,
    license: expect.any(String),
    notices: expect.any(Array),
  });
  expect(new URL(page.next, url).searchParams.get('offset')).toBe('3');
  expect(measures[0]).toHaveProperty('margin');
  expect((await ask('rows', { dataset: RAIN })).said.limit).toBe(200);
  expect((await ask('rows', { dataset: 'climate/_dimensions/stations' })).said.total).toBe(6);
});

test('a figure has what it takes to read and to cite it, and its reference', async () => {
  const { said } = await ask('figure', {
    dataset: RAIN,
    measure: 'RAIN_MM',
    place: 'north',
    compare: 'nation',
  });
  const own = { year: 2022, about: { season: 'all' }, value: expect.any(Number), margin: null };
  expect(said).toMatchObject({ measure: 'rain_mm', unit: null, place: 'North', code: 'n', ...own });
  expect(said.compared_with).toMatchObject(own);
  expect(said).toHaveProperty('null_means');
  for (const { url: address, value } of [said, said.compared_with]) {
    const { data } = await (await fetch(address)).json();
    expect(data.map((row: { rain_mm: number }) => row.rain_mm)).toEqual([value]);
  }
});

test.each([
  ['figure', { dataset: RAIN, place: 'n:st1', year: 2021, filters: { season: 'wet' } }, { value: 214.1 }],
  ['figure', { dataset: RAIN, place: 'North region' }, { place: 'North' }],
  [
    'figure',
    { dataset: RAIN, place: 'n', compare: 'nowhere' },
    { compared_with: { problem: expect.any(String) } },
  ],
  [
    'describe',
    { dataset: RAIN },
    { dataset: RAIN, key_metric: expect.any(String), example: { row: { year: 2019 } } },
  ],
])('%s %o', async (tool, request, wanted) => {
  expect((await ask(tool, request)).said).toMatchObject(wanted);
});

test.each([
  ['rows', { dataset: 'climate/rainfal' }, /^404 .*Did you mean climate\/rainfall/],
  [
    'rows',
    { dataset: RAIN, parameters: { yaer: 2021 } },
    /^422 .*"url":"\/api\/v1\/climate\/rainfall\?limit=200&year=2021"/,
  ],
  ['rows', { dataset: RAIN, parameters: { limit: 20_000 } }, /^422 .*less than or equal to 10000/],
  ['rows', { dataset: RAIN, parameters: { format: 'csv' } }, /Leave out "format"/],
  ['rows', { dataset: '../../healthz' }, /^404 /],
  ['rows', { dataset: `${RAIN}?year=2021` }, /^404 /],
  ['rows', { dataset: 'x'.repeat(501) }, /too_big|<=500|500 characters/],
  ['describe', { dataset: RAIN, verbose: true }, /Unrecognized key: "verbose"/],
  ['figure', { dataset: RAIN, place: '<b>&"' }, /^"<b>&\\"" means no place of climate\/rainfall/],
  ['figure', { dataset: RAIN, place: 'Station N' }, /means no place .*"place":"Station N1"/],
  ['figure', { dataset: RAIN, place: 'n', measure: 'snow' }, /has no measure "snow". It has .*rain_mm/],
  ['figure', { dataset: RAIN, place: 'n', year: 1990 }, /^There is no such row.\n.*1990/s],
  ['figure', { dataset: RAIN, place: 'n', filters: { season: 'all,wet' } }, /^Choose one row/],
  ['figure', { dataset: 'climate/nothing' }, /^404 /],
])('%s %o is refused with what to do', async (tool, request, wanted) => {
  expect(await ask(tool, request)).toEqual({ said: expect.stringMatching(wanted), isError: true });
});

test('a withdrawn dataset says why', async () => {
  const corrected = await overHttp(await served((await keptCorrected()).out));
  const { said } = await corrected.ask('describe', { dataset: 'transit/trams' });
  expect(said).toMatch(/^410 .*Nobody counts any more/);
});

const HEADERS = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
const post = (body: string, headers: Record<string, string> = HEADERS) =>
  fetch(`${url}/mcp`, { method: 'POST', headers, body });

test.each([
  ['GET', 405],
  ['DELETE', 405],
  ['PUT', 405],
  ['OPTIONS', 204],
])('%s: %i', async (method, status) => {
  const answer = await fetch(`${url}/mcp`, { method });
  expect([answer.status, answer.headers.get('allow')]).toEqual([status, 'POST, OPTIONS']);
});

test('a wrong message is answered at once', async () => {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  expect((await post(JSON.stringify(list))).status).toBe(200);
  expect((await post(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }))).status).toBe(
    202,
  );
  expect((await post(JSON.stringify([list, list]))).status).toBe(400);
  expect((await post('{')).status).toBe(400);
  expect((await post('{}', { ...HEADERS, Accept: 'text/html' })).status).toBe(406);
  expect((await post(JSON.stringify({ ...list, pad: 'x'.repeat(100_000) }))).status).toBe(413);
});

test('a message of any length is refused at its limit, and the connection goes on', async () => {
  const part = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
  const request = `POST /mcp HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${part}${part}0\r\n\r\n`;
  const next = 'GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
  const answers = await sendRaw(url, request + next);
  expect(answers.match(/^HTTP\/1.1 \d+/gm)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200']);
});

test('civic mcp of a folder without a tree', async () => {
  const { code, stderr } = await civic(['mcp', import.meta.dirname]);
  expect([code, stderr]).toEqual([3, expect.stringMatching(/^not-a-tree .*has no manifest.json/)]);
});
