/**
 * Every tool names the corrupt file that it reads, and none answers a byte that was not published.
 * `npm run faults -- flip` flips more bits.
 */
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { snapshot } from '../../build/archive/snapshot.ts';
import { RefusedError } from '../../build/failure.ts';
import { diff } from '../../build/tree/diff-trees.ts';
import { RandomChoices } from '../../scripts/random.ts';
import { describeFailure, openTree, runQuery } from '../../site/edge/adapters/command.ts';
import { startServer } from '../../site/edge/adapters/node.ts';
import { startPlainHost } from '../../site/edge/adapters/plain-host.ts';
import { verify } from '../publishers/built-tree.ts';
import { keptCorrected } from '../publishers/kept-trees.ts';
import { type Publisher, temporaryFolder } from '../publishers/publisher-folder.ts';
import { MISTAKEN, rainFile, rainfallRows, STATIONS } from '../publishers/weather.ts';
import { randomRuns, randomSeed } from '../random-runs.ts';

const FACTS = 'api/v1/climate/rainfall';
const STATION_ROWS = 'api/v1/climate/_dimensions/stations';
const OPTIONS = { jobs: 1, memory: '400MB' };

/** A release that corrected rows. */
const recent = await keptCorrected();
/** A later release with other rows, a changed dimension and other texts. */
let later: Publisher;
/** A copy of the recent tree, in which each test damages one file. */
let tree: string;
beforeAll(async () => {
  const root = await temporaryFolder();
  tree = path.join(root, 'tree');
  await cp(recent.out, tree, { recursive: true, preserveTimestamps: true });
  later = await recent.copy(path.join(root, 'later'));
  await later.writeRows({
    [rainFile(2021, 'nation')]:
      `SELECT * REPLACE (rain_mm + 1 AS rain_mm) FROM (${rainfallRows(2021, 'nation')})`,
  });
  await later.writeContracts({
    'rain/rainfall.yaml': MISTAKEN.replace('Rain of a season.', 'Rain.'),
    'shared/stations.yaml': STATIONS.replace('id: climate.stations', 'id: climate.stations\nname: Gauges'),
  });
  await later.build({ releaseDate: '2031-07-01' });
});

const RANDOM = new RandomChoices(randomSeed(26));
function flipped(whole: Buffer, at: number, bit = 0): Buffer {
  const bytes = Buffer.from(whole);
  bytes[at]! ^= 1 << bit;
  return bytes;
}
/** The bytes of a damaged file; null if it is gone. */
const DAMAGES: Readonly<Record<string, (bytes: Buffer) => readonly (Buffer | null)[]>> = {
  'one bit': bytes => [flipped(bytes, bytes.length >> 1)],
  'a bit anywhere': bytes =>
    Array.from({ length: randomRuns(2) }, () => flipped(bytes, RANDOM.below(bytes.length), RANDOM.below(8))),
  'cut off': bytes => [bytes.subarray(0, bytes.length >> 1)],
  missing: () => [null],
};

type Tool = 'verify' | 'snapshot' | 'diff' | 'query' | 'query a mirror' | 'serve' | '--previous';

const READERS: readonly Tool[] = ['query', 'query a mirror', 'serve'];
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
  [`${FACTS}/changes.json`, READERS, `${RAIN}/feed.xml?place=n&detail=regions`],
  ['feed.json', [...READERS, '--previous'], '/feed.json'],
  [`${FACTS}/index.html`, ['snapshot', 'serve'], `/${FACTS}/`],
  ['SHA256SUMS', ['snapshot'], ''],
];
/** Questions that need a part of these files, so the answer may also be the right one. */
const PARTS: typeof KINDS = [
  [
    `${FACTS}/year=2021/stations.parquet`,
    READERS,
    `${RAIN}?detail=stations&year=2021&limit=7&format=parquet`,
  ],
  [`${FACTS}/year=2021/stations.csv`, READERS, `${RAIN}?detail=stations&year_min=2021&format=csv`],
  [`${FACTS}/_copies/stations.parquet`, READERS, `${RAIN}?detail=stations&place=n:st1&limit=2&offset=1`],
  [`${FACTS}/changes.json`, READERS, `${RAIN}?as_of=2031-05-20&year=2021`],
  [`${FACTS}/changes.json`, READERS, `${RAIN}?history=true&year=2021&region_code=n&season=all`],
];

/** `answered` and the bytes of an answer, or the message of a failure. */
const TOOLS: Readonly<Record<Tool, (tree: string, url: string) => Promise<string>>> = {
  verify: tree => told(verify(tree)),
  snapshot: tree => told(snapshot(tree, { out: `${tree}.zip`, only: null }, () => undefined)),
  diff: tree => told(diff(tree, later.out, OPTIONS)),
  '--previous': async tree => {
    const previous = path.join(tree, 'manifest.json');
    return told(later.with({ out: `${tree}-next` }).build({ releaseDate: '2031-08-01', previous }));
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
      const body = Buffer.from(await response.arrayBuffer()).toString('latin1');
      return response.status === 200 ? `answered ${body}` : body;
    } finally {
      await close();
    }
  },
};

async function told(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'answered';
  } catch (error) {
    return error instanceof RefusedError
      ? error.diagnostics.map(one => `${one.file}: ${one.message}`).join('\n')
      : String(error);
  }
}

/** The answer of `civic query`, or its message. */
async function answerTo(base: string, url: string): Promise<string> {
  try {
    const answer = await runQuery(await openTree(base), url);
    if (answer.kind === 'failure') return answer.message;
    const parts: Uint8Array[] = [];
    for await (const part of answer.parts) parts.push(part);
    return `answered ${Buffer.concat(parts).toString('latin1')}`;
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
  const isAnywhere = damage === 'a bit anywhere';
  test.each(isAnywhere ? [...KINDS, ...PARTS] : KINDS)('%s, which %s read at %s', async (name, by, url) => {
    const file = path.join(tree, name);
    const whole = await readFile(file);
    const isRead = (tool: Tool) => !isExempt(tool, name, damage) && (!isAnywhere || READERS.includes(tool));
    const tools = [...(isVerified(name, damage) ? (['verify'] as const) : []), ...by.filter(isRead)];
    const sound = new Map<Tool, string>();
    if (PARTS.some(part => part[2] === url))
      for (const tool of tools) sound.set(tool, await TOOLS[tool](tree, url));
    onTestFinished(() => writeFile(file, whole));
    for (const bytes of DAMAGES[damage]!(whole)) {
      if (bytes === null) await rm(file);
      else await writeFile(file, bytes);
      for (const tool of tools) {
        const answer = await TOOLS[tool](tree, url);
        if (answer !== sound.get(tool))
          expect([tool, answer.replace(/^answered.*/s, '')]).toEqual([tool, expect.stringContaining(name)]);
        // Readers elsewhere learn nothing of this machine.
        if (tool === 'serve') expect(answer).not.toMatch(new RegExp(`${tree}| at .*\\.(ts|js)`));
      }
    }
    expect((await readdir(path.dirname(tree))).filter(one => /zip$|next$/.test(one))).toEqual([]);
  });
});

test('a whole tree: no tool complains', async () => {
  for (const [tool, run] of Object.entries(TOOLS))
    expect(await run(tree, '/manifest.json'), tool).toMatch(/^answered/);
});
