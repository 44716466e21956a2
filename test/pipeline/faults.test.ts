/** Every tool names the corrupt file that it reads. */
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { snapshot } from '../../build/archive/snapshot.ts';
import { RefusedError } from '../../build/failure.ts';
import { diff } from '../../build/tree/diff-trees.ts';
import { describeFailure, openTree, runQuery } from '../../site/edge/adapters/command.ts';
import { startServer } from '../../site/edge/adapters/node.ts';
import { startPlainHost } from '../../site/edge/adapters/plain-host.ts';
import { verify } from '../publishers/built-tree.ts';
import { keptWeather } from '../publishers/kept-weather.ts';
import { type Publisher, temporaryFolder } from '../publishers/publisher-folder.ts';
import { RAINFALL, rainFile, rainfallRows, STATIONS } from '../publishers/weather.ts';

const FACTS = 'api/v1/climate/rainfall';
const STATION_ROWS = 'api/v1/climate/_dimensions/stations';
const OPTIONS = { jobs: 1, memory: '400MB' };

const publisher = await keptWeather();
/** A later release with other rows, a changed dimension and other texts. */
let later: Publisher;
/** A copy of the tree, in which each test damages one file. */
let tree: string;
beforeAll(async () => {
  const root = await temporaryFolder();
  tree = path.join(root, 'tree');
  await cp(publisher.out, tree, { recursive: true, preserveTimestamps: true });
  later = await publisher.copy(path.join(root, 'later'));
  const rows = `SELECT * REPLACE (rain_mm + 1 AS rain_mm) FROM (${rainfallRows(2021, 'nation')})`;
  await later.writeRows({ [rainFile(2021, 'nation')]: rows });
  await later.writeContracts({
    'rain/rainfall.yaml': RAINFALL.replace('Rain of a season.', 'Rain.'),
    'shared/stations.yaml': STATIONS.replace('id: climate.stations', 'id: climate.stations\nname: Gauges'),
  });
  await later.build({ releaseDate: '2031-06-01' });
});

const DAMAGES: Readonly<Record<string, (bytes: Buffer) => Buffer | null>> = {
  'one bit': bytes => {
    const middle = bytes.length >> 1;
    return bytes.fill(bytes[middle]! ^ 1, middle, middle + 1);
  },
  'cut off': bytes => bytes.subarray(0, bytes.length >> 1),
  missing: () => null,
};

type Tool = 'verify' | 'snapshot' | 'diff' | 'query' | 'query a mirror' | 'serve' | '--previous';

const READERS = ['query', 'query a mirror', 'serve'] as const;
const RAIN = '/api/v1/climate/rainfall';
const DOCUMENTS = 'api/v1/datasets/climate/rainfall';
const NATION = `${RAIN}?year=2021&detail=nation`;
/** Each kind of file, the tools that read it besides `verify`, and where it is asked for. */
const KINDS: readonly (readonly [name: string, by: readonly Tool[], url: string])[] = [
  ['manifest.json', ['diff', ...READERS, '--previous'], '/manifest.json'],
  [`${FACTS}/manifest.json`, ['diff', ...READERS, '--previous'], `${RAIN}?year=2021&season=wet`],
  [`${DOCUMENTS}/index.json`, ['diff', ...READERS], `/${DOCUMENTS}`],
  [`${DOCUMENTS}/contract.yaml`, [...READERS, '--previous'], `/${DOCUMENTS}/contract`],
  [`${FACTS}/values.json`, READERS, `${RAIN}/values`],
  [`${FACTS}/year=2021/nation.json`, READERS, NATION],
  [`${FACTS}/year=2021/nation.csv`, [...READERS, 'snapshot'], `${NATION}&format=csv`],
  [`${FACTS}/year=2021/nation.parquet`, ['diff', ...READERS], `${NATION}&format=parquet`],
  [`${FACTS}/_copies/stations.parquet`, READERS, `${RAIN}/_copies/stations.parquet`],
  [`${STATION_ROWS}/manifest.json`, ['diff', ...READERS, '--previous'], `/${STATION_ROWS}?limit=1`],
  [`${STATION_ROWS}/rows.json`, READERS, `/${STATION_ROWS}`],
  ['feed.json', [...READERS, '--previous'], '/feed.json'],
  [`${FACTS}/index.html`, ['snapshot', 'serve'], `/${FACTS}/`],
  ['SHA256SUMS', ['snapshot'], ''],
];

/** The message of each tool about a damaged tree. */
const TOOLS: Readonly<Record<Tool, (tree: string, url: string) => Promise<string>>> = {
  verify: tree => told(verify(tree)),
  snapshot: tree => told(snapshot(tree, { out: `${tree}.zip`, only: null }, () => undefined)),
  diff: tree => told(diff(tree, later.out, OPTIONS)),
  '--previous': async tree => {
    const copy = later.with({ out: `${tree}-next` });
    return told(copy.build({ releaseDate: '2031-07-01', previous: path.join(tree, 'manifest.json') }));
  },
  query: answerTo,
  'query a mirror': async (tree, url) => {
    const { url: base, close } = await startPlainHost({ folder: tree, port: 0 });
    return answerTo(base, url).finally(close);
  },
  serve: async (tree, url) => {
    const { url: base, close } = await startServer({ folder: tree, port: 0 });
    try {
      const response = await fetch(base + url);
      const text = await response.text();
      return response.status === 200 ? '' : `${response.status} ${text}`;
    } finally {
      await close();
    }
  },
};

async function told(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return '';
  } catch (error) {
    return error instanceof RefusedError
      ? error.diagnostics.map(one => `${one.file}: ${one.message}`).join('\n')
      : String(error);
  }
}

/** The message of `civic query`, if it fails. */
async function answerTo(base: string, url: string): Promise<string> {
  try {
    const answer = await runQuery(await openTree(base), url);
    if (answer.kind === 'failure') return answer.message;
    for await (const _ of answer.parts);
    return '';
  } catch (error) {
    return describeFailure(error)?.message ?? String(error);
  }
}

/** Whether a tool may report nothing, or something else. */
function isExempt(tool: Tool, name: string, damage: string): boolean {
  // A manifest may be used without its tree.
  return damage === 'missing' && ['diff', '--previous'].includes(tool) && name !== 'manifest.json';
}

/** test/tree/verify.test.ts damages and removes every other file. */
const isVerified = (name: string, damage: string) =>
  damage === 'cut off' || /^(manifest\.json|SHA256SUMS)$/.test(name);

describe.each(Object.keys(DAMAGES))('%s', damage => {
  test.each(KINDS)('%s', async (name, by, url) => {
    const file = path.join(tree, name);
    const whole = await readFile(file);
    const bytes = DAMAGES[damage]!(Buffer.from(whole));
    onTestFinished(() => writeFile(file, whole));
    if (bytes === null) await rm(file);
    else await writeFile(file, bytes);
    for (const tool of isVerified(name, damage) ? (['verify', ...by] as const) : by)
      if (!isExempt(tool, name, damage)) expect(await TOOLS[tool](tree, url), tool).toContain(name);
    expect((await readdir(path.dirname(tree))).filter(one => /zip$|next$/.test(one))).toEqual([]);
  });
});

test('a whole tree: no tool complains', async () => {
  for (const [tool, run] of Object.entries(TOOLS)) expect(await run(tree, '/manifest.json'), tool).toBe('');
});
