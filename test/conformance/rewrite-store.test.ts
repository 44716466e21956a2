/** The CloudFront Function of a tree whose table needs a key value store, as the bundled program writes it. */
import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { civic } from '../cli/program.ts';
import { column } from '../publishers/contract-text.ts';
import { type PublisherFolder, temporaryFolder, writePublisher } from '../publishers/publisher-folder.ts';
import { CONTRACTS, LAKE, TRAMS } from '../publishers/weather.ts';
import { NJS_MISSING, type Returned, runNjs, toEvent } from './rewrite-hosts.ts';

/** Names that no packing makes shorter. */
const COLUMNS = Array.from(
  { length: 120 },
  (_, i) => `c${createHash('sha256').update(`${i}`).digest('hex').slice(0, 40)}`,
);
const WIDE = TRAMS.replace(
  '\n      - name: rides',
  `${COLUMNS.map(name => column(name, 'string', 'categorical')).join('')}\n      - name: rides`,
);

let publisher: PublisherFolder;
let release: string;
let script: string;
let store: Record<string, string>;

beforeAll(async () => {
  const lake = Object.entries(LAKE).map(([file, select]) => [
    file,
    file.startsWith('transit/trams/')
      ? `SELECT *, ${COLUMNS.map(name => `'x' AS ${name}`).join(', ')} FROM (${select})`
      : select,
  ]);
  const contracts = { ...CONTRACTS, 'trams.odcs.yaml': WIDE };
  publisher = await writePublisher(await temporaryFolder('never'), contracts, Object.fromEntries(lake));
  const { out } = publisher;
  const places = ['--contracts', publisher.contracts, '--data', publisher.data, '--out', out];
  const ended = await civic(['build', ...places, '--host', 's3-cloudfront', '--release-date', '2031-05-17']);
  expect([ended.code, ended.stderr]).toEqual([0, expect.anything()]);
  release = JSON.parse(await readFile(path.join(out, 'manifest.json'), 'utf8')).release;
  const read = (name: string) => readFile(path.join(`${out}.host`, name), 'utf8');
  // As a deployment puts the release's name in it.
  script = (await read('cloudfront-function.js')).replaceAll('@RELEASE@', release);
  const { data } = JSON.parse(await read('keyvaluestore.json')) as { data: { key: string; value: string }[] };
  store = Object.fromEntries(data.map(({ key, value }) => [key, value]));
}, 120_000);
afterAll(() => rm(publisher.root, { recursive: true, force: true }));

const TRAMS_URL = '/api/v1/transit/trams';
const ASKED = [
  `${TRAMS_URL}?year=2022&detail=regions`,
  `${TRAMS_URL}?year=2022&detail=regions&format=csv`,
  `${TRAMS_URL}?${COLUMNS[119]}=x`,
  `${TRAMS_URL}?c=x`,
  '/api/v1/transit/buses',
  '/api/v1/transit',
  `${TRAMS_URL}/year=1999`,
  '/healthz',
].map(url => toEvent({ url, accept: '*/*' }));

function expectAnswers(returned: readonly Returned[]): void {
  const file = (name: string) => `/releases/${release}${name}`;
  expect(returned.map(({ uri, statusCode }) => uri ?? statusCode)).toEqual([
    file(`${TRAMS_URL}/year=2022/regions.json`),
    file(`${TRAMS_URL}/year=2022/regions.csv`),
    501,
    422,
    404,
    301,
    404,
    file('/healthz.json'),
  ]);
}

test('its entries stand under the release, in parts', () => {
  expect(script).toMatch(/^import cf from 'cloudfront';\n/);
  expect(Buffer.byteLength(script)).toBeLessThanOrEqual(10_240);
  expect(Object.keys(store)).toEqual(expect.arrayContaining([release, `${release}/transit/trams#2`]));
  expect(Object.keys(store).every(key => key.startsWith(release))).toBe(true);
});

test('under Node', async () => {
  const kvs = {
    get: async (key: string) => store[key] ?? Promise.reject(new Error(key)),
    exists: async (key: string) => key in store,
  };
  const context = createContext({ cf: { kvs: () => kvs } });
  runInContext(`${script.replace(/^import .*\n/, '')}\nthis.handler = handler;`, context);
  const returned = await Promise.all(ASKED.map(event => context.handler(event)));
  expectAnswers(JSON.parse(JSON.stringify(returned)));
});

test.skipIf(NJS_MISSING)(`under njs${NJS_MISSING ? ' (skipped: njs is not installed)' : ''}`, async () => {
  const stand = `const values = ${JSON.stringify(store)};
const cf = { kvs: () => ({
  get: key => key in values ? Promise.resolve(values[key]) : Promise.reject(Error(key)),
  exists: key => Promise.resolve(key in values),
}) };
`;
  const { returned } = await runNjs(
    stand + script.replace(/^import .*\n/, ''),
    ASKED,
    path.join(publisher.root, 'njs'),
  );
  expectAnswers(returned);
});
