/** A corrupt file anywhere is found and named, by path, by every tool that reads it. */
import { spawn } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { snapshot } from '../../build/archive/snapshot.ts';
import { RefusedError } from '../../build/failure.ts';
import { diff } from '../../build/tree/diff.ts';
import { describeFailure, openTree, runQuery } from '../../site/edge/adapters/command.ts';
import { startServer } from '../../site/edge/adapters/node.ts';
import { startPlainHost } from '../../site/edge/adapters/plain-host.ts';
import { civic } from '../cli/program.ts';
import { buildPublisher, verify } from '../publishers/built-tree.ts';
import {
  copyPublisher,
  type PublisherFolder,
  temporaryFolder,
  writePublisher,
  writeRows,
  writeTexts,
} from '../publishers/publisher-folder.ts';
import { RAINFALL, rainFile, rainfallRows, STATIONS } from '../publishers/weather.ts';
import { isInstalled } from '../tree/mirror-hosts.ts';

const FACTS = 'api/v1/climate/rainfall';
const STATION_ROWS = 'api/v1/climate/_dimensions/stations';
const OPTIONS = { jobs: 1, memory: '400MB' };

let publisher: PublisherFolder;
/** A release later, in which rows, a dimension and words changed. */
let later: PublisherFolder;
beforeAll(async () => {
  publisher = await writePublisher(await temporaryFolder('never'));
  await buildPublisher(publisher);
  later = await copyPublisher(publisher, await temporaryFolder('never'));
  const rows = `SELECT * REPLACE (rain_mm + 1 AS rain_mm) FROM (${rainfallRows(2021, 'nation')})`;
  await writeRows(later.data, { [rainFile(2021, 'nation')]: rows });
  await writeTexts(later.contracts, {
    'rain/rainfall.yaml': RAINFALL.replace('Rain of a season.', 'Rain.'),
    'shared/stations.yaml': STATIONS.replace('id: climate.stations', 'id: climate.stations\nname: Gauges'),
  });
  await buildPublisher(later, { releaseDate: '2031-06-01' });
});
afterAll(() => Promise.all([publisher, later].map(({ root }) => rm(root, { recursive: true, force: true }))));

const DAMAGES = {
  'one bit': (bytes: Buffer) => {
    const at = Math.floor(bytes.length / 2);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    return bytes;
  },
  'cut off': (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length / 2)),
  missing: () => null,
};

type Tool = 'verify' | 'snapshot' | 'diff' | 'query' | 'serve' | 'mirror.sh' | '--previous';

/** Each kind of file, and the tools besides `verify`, `snapshot` and `mirror.sh`, which read all, that read it. */
const KINDS: Readonly<Record<string, { readonly by: readonly Tool[]; readonly url?: string }>> = {
  'manifest.json': { by: ['diff', 'query', 'serve', '--previous'], url: '/manifest.json' },
  [`${FACTS}/manifest.json`]: {
    by: ['diff', 'query', 'serve', '--previous'],
    url: '/api/v1/climate/rainfall?year=2021&season=wet',
  },
  'api/v1/datasets/climate/rainfall/index.json': {
    by: ['diff', 'query', 'serve'],
    url: '/api/v1/datasets/climate/rainfall',
  },
  'api/v1/datasets/climate/rainfall/contract.yaml': {
    by: ['query', 'serve', '--previous'],
    url: '/api/v1/datasets/climate/rainfall/contract',
  },
  [`${FACTS}/values.json`]: { by: ['query', 'serve'], url: '/api/v1/climate/rainfall/values' },
  [`${FACTS}/year=2021/nation.json`]: {
    by: ['query', 'serve'],
    url: '/api/v1/climate/rainfall?year=2021&detail=nation',
  },
  [`${FACTS}/year=2021/nation.csv`]: {
    by: ['query', 'serve'],
    url: '/api/v1/climate/rainfall?year=2021&detail=nation&format=csv',
  },
  [`${FACTS}/year=2021/nation.parquet`]: {
    by: ['diff', 'query', 'serve'],
    url: '/api/v1/climate/rainfall?year=2021&detail=nation&format=parquet',
  },
  [`${FACTS}/history/stations.parquet`]: {
    by: ['query', 'serve'],
    url: `/${FACTS}/history/stations.parquet`,
  },
  [`${STATION_ROWS}/manifest.json`]: {
    by: ['diff', 'query', 'serve', '--previous'],
    url: '/api/v1/climate/_dimensions/stations?limit=1',
  },
  [`${STATION_ROWS}/rows.json`]: { by: ['query', 'serve'], url: '/api/v1/climate/_dimensions/stations' },
  'feed.json': { by: ['query', 'serve', '--previous'], url: '/feed.json' },
  [`${FACTS}/index.html`]: { by: [] },
  SHA256SUMS: { by: [] },
};

/** What each tool says of a tree that is damaged. */
const TOOLS: Readonly<Record<Tool, (tree: string, url: string) => Promise<string>>> = {
  verify: tree => told(verify(tree)),
  snapshot: tree => told(snapshot(tree, { out: `${tree}.zip`, only: null }, () => undefined)),
  diff: tree => told(diff(tree, later.out, OPTIONS)),
  '--previous': async tree => {
    const copy = { ...later, out: `${tree}-next` };
    return told(
      buildPublisher(copy, { releaseDate: '2031-07-01', previous: path.join(tree, 'manifest.json') }),
    );
  },
  query: async (tree, url) => {
    try {
      const answer = await runQuery(await openTree(tree), url);
      if (answer.kind === 'failure') return answer.message;
      for await (const _ of answer.parts);
      return '';
    } catch (error) {
      return describeFailure(error)?.message ?? String(error);
    }
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
  'mirror.sh': async tree => {
    // A host that knows nothing of trees: an edge would refuse what is damaged, and be asked again and again.
    const { url, close } = await startPlainHost({ folder: tree, port: 0 });
    await mkdir(`${tree}-copy`);
    try {
      return await new Promise(resolve => {
        const script = path.join(publisher.out, 'mirror.sh');
        const child = spawn('sh', [script, '-d', `${tree}-copy`, url], {
          stdio: ['ignore', 'ignore', 'pipe'],
        });
        let said = '';
        child.stderr.on('data', part => {
          said += String(part);
        });
        child.on('close', code => resolve(code === 0 ? '' : said));
      });
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

async function expectServeRefuses(tree: string): Promise<void> {
  const { code, stderr } = await civic(['serve', tree, '--port', '0']);
  expect([code, stderr]).toEqual([1, expect.stringContaining('manifest.json tree-corrupt-file')]);
}

/** A list that says another hash is not told from a file that has one, where the list is all there is. */
function expectedName(tool: Tool, name: string, damage: string): string | RegExp {
  if (name !== 'SHA256SUMS') return name;
  return tool === 'mirror.sh' && damage !== 'missing'
    ? /does not match SHA256SUMS|cannot be fetched/
    : 'SHA256SUMS';
}

describe.each(Object.keys(DAMAGES) as (keyof typeof DAMAGES)[])('%s', damage => {
  test.each(Object.keys(KINDS))('%s', async name => {
    const { by, url = '' } = KINDS[name] ?? { by: [] };
    const tree = path.join(await temporaryFolder(), 'tree');
    await cp(publisher.out, tree, { recursive: true, preserveTimestamps: true });
    const bytes = DAMAGES[damage](await readFile(path.join(tree, name)));
    if (bytes === null) await rm(path.join(tree, name));
    else await writeFile(path.join(tree, name), bytes);
    const tools: Tool[] = ['verify', 'snapshot', ...by];
    if (isInstalled('curl') || isInstalled('wget')) tools.push('mirror.sh');
    for (const tool of tools) {
      // A list of checksums that ends early lists less: a mirror has all that it was told of.
      if (tool === 'mirror.sh' && name === 'SHA256SUMS' && damage === 'cut off') continue;
      // Where it can still be read, the manifest is what an edge holds everything else against: `civic serve` looks
      // at it once, before there is an edge.
      if (name === 'manifest.json' && damage === 'one bit' && tool === 'serve') {
        await expectServeRefuses(tree);
        continue;
      }
      // A manifest may be kept, and named, without its tree.
      if (damage === 'missing' && ['diff', '--previous'].includes(tool) && name !== 'manifest.json') continue;
      const said = await TOOLS[tool](tree, url);
      const expected = expectedName(tool, name, damage);
      if (typeof expected === 'string') expect(said, tool).toContain(expected);
      else expect(said, tool).toMatch(expected);
    }
    expect((await readdir(path.dirname(tree))).filter(file => /zip$|next$/.test(file))).toEqual([]);
  });
});

test('a whole tree: no tool says a thing', async () => {
  const tree = path.join(await temporaryFolder(), 'tree');
  await cp(publisher.out, tree, { recursive: true, preserveTimestamps: true });
  for (const [tool, run] of Object.entries(TOOLS)) expect(await run(tree, '/manifest.json'), tool).toBe('');
});
