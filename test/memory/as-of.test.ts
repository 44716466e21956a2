/** What an answer about an earlier release says, held against the tree of that release. */
import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFolderFiles } from '../../site/edge/adapters/folder.ts';
import { createDuckdbExecutor } from '../../site/edge/executors/duckdb.ts';
import { createHyparquetExecutor } from '../../site/edge/executors/hyparquet.ts';
import { createHandler } from '../../site/edge/fetch.ts';
import { buildPublisher, verify } from '../publishers/built-tree.ts';
import { publisherAt, temporaryFolder } from '../publishers/publisher-folder.ts';
import { randomRuns } from '../random-runs.ts';
import { numbersFrom, Ponds, randomRequest } from './pond-releases.ts';

const SEED = Number(process.env['SEED'] ?? Math.floor(Math.random() * 1e6));
const RELEASES = Math.min(20, randomRuns(6));
const REQUESTS = randomRuns(400);

type Ask = (url: string) => Promise<Response>;

interface Release {
  readonly name: string;
  readonly date: string;
  readonly ask: Ask;
  readonly changes: string;
}

const random = numbersFrom(SEED);
const releases: Release[] = [];
const edges: Ask[] = [];
let root = '';

const asker = (folder: string, kind: 'hyparquet' | 'duckdb'): Ask => {
  const budget = { bytes: Number.POSITIVE_INFINITY, rows: 1_000_000 };
  const executor =
    kind === 'hyparquet'
      ? createHyparquetExecutor(budget, 1 << 20)
      : createDuckdbExecutor({ folder, budget });
  const handler = createHandler(createFolderFiles(folder), { executors: [executor] });
  return url => handler(new Request(`http://edge.test/api/v1/${url}`));
};

beforeAll(async () => {
  root = await temporaryFolder('never');
  const folder = publisherAt(root);
  const ponds = new Ponds(random);
  for (let i = 0; i < RELEASES; i++) {
    const kinds: string[] = [];
    for (let n = 0; i > 0 && n < 1 + random() * 3; n++) kinds.push(ponds.change());
    await ponds.write(folder);
    const date = new Date(Date.UTC(2031, 0, 1 + 10 * i)).toISOString().slice(0, 10);
    const { result } = await buildPublisher(folder, { releaseDate: date });
    const kept = path.join(root, `release-${i}`);
    await cp(folder.out, kept, { recursive: true, preserveTimestamps: true });
    if (result.changed)
      releases.push({ name: result.release, date, ask: asker(kept, 'hyparquet'), changes: kinds.join(', ') });
  }
  await verify(folder.out);
  edges.push(asker(folder.out, 'hyparquet'), asker(folder.out, 'duckdb'));
}, 300_000);

afterAll(() => rm(root, { recursive: true, force: true }));

/** The bytes of an answer without the moment that it states, and rows of Parquet in place of their file. */
async function contentOf(answer: Response, moment: string): Promise<string> {
  const bytes = await answer.arrayBuffer();
  if (answer.headers.get('content-type')?.includes('parquet'))
    return JSON.stringify([await parquetReadObjects({ file: bytes, compressors })], (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
  const text = new TextDecoder().decode(bytes);
  return text
    .replace(`"as_of":"${moment}",`, '')
    .replaceAll(`as_of=${moment}&`, '')
    .replaceAll(`?as_of=${moment}"`, '"')
    .replaceAll(`&as_of=${moment}`, '');
}

test('each answer about an earlier release is the answer that its tree gave', async () => {
  let taken = 0;
  let differed = 0;
  for (let i = 0; i < REQUESTS; i++) {
    const url = randomRequest(random);
    const release = releases[Math.floor(random() * releases.length)]!;
    const moment = random() < 0.5 ? release.name : release.date;
    const then = await release.ask(url);
    const expected = { status: then.status, content: await contentOf(then, moment) };
    for (const ask of edges) {
      const now = await ask(`${url}&as_of=${moment}`);
      if (now.status === 410) {
        taken++;
        expect(await now.text()).toContain('Nobody should know');
        continue;
      }
      const found = { status: now.status, content: await contentOf(now, moment) };
      const about = `seed ${SEED}: ${url} as of ${moment}; releases: ${releases.map(one => `${one.name} (${one.changes})`).join('; ')}`;
      expect({ ...found, about }).toEqual({ ...expected, about });
    }
    if ((await contentOf(await edges[0]!(url), moment)) !== expected.content) differed++;
  }
  expect(taken).toBeLessThan(REQUESTS);
  expect(differed).toBeGreaterThan(REQUESTS / 20);
}, 300_000);
