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
import { KINDS, LEVELS, numbersFrom, PONDS, Ponds, randomRequest, withoutReason } from './pond-releases.ts';
import { randomWells, Wells } from './well-releases.ts';

const SEED = Number(process.env['SEED'] ?? Math.floor(Math.random() * 1e6));
const RELEASES = Math.min(20, randomRuns(6));
const REQUESTS = randomRuns(100);

type Ask = (url: string) => Promise<Response>;

interface Release {
  readonly name: string;
  readonly date: string;
  readonly ask: Ask;
  readonly changes: string;
  /** The name of the column of counts. */
  readonly count: string;
  /** Whether the dataset that comes and goes was there. */
  readonly hasWells: boolean;
}

const random = numbersFrom(SEED);
const ponds = new Ponds(random);
const wells = new Wells(random);
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
  let date = '';
  for (let i = 0; i < RELEASES; i++) {
    const kinds: string[] = [];
    for (let n = 0; i > 0 && n < 1 + random() * 3; n++)
      kinds.push(random() < 0.4 ? wells.change() : ponds.change());
    await ponds.write(folder, { contracts: wells.contracts(), lake: wells.lake() });
    // Sometimes a day has two releases, but for the first of all: built again, it is still the first.
    if (i < 2 || random() < 0.85) date = new Date(Date.UTC(2031, 0, 1 + 10 * i)).toISOString().slice(0, 10);
    const { result } = await buildPublisher(folder, { releaseDate: date });
    const kept = path.join(root, `release-${i}`);
    await cp(folder.out, kept, { recursive: true, preserveTimestamps: true });
    if (!result.changed) continue;
    const { count } = ponds;
    const now = { name: result.release, date, count, hasWells: !wells.retired };
    releases.push({ ...now, ask: asker(kept, 'hyparquet'), changes: kinds.join(', ') });
  }
  await verify(folder.out);
  edges.push(asker(folder.out, 'hyparquet'), asker(folder.out, 'duckdb'));
}, 600_000);

afterAll(() => rm(root, { recursive: true, force: true }));

/** The bytes of an answer without the moment that it states, and rows of Parquet in place of their file. */
async function contentOf(answer: Response, moment: string): Promise<string> {
  const bytes = await answer.arrayBuffer();
  if (answer.headers.get('content-type')?.includes('parquet'))
    return JSON.stringify([await parquetReadObjects({ file: bytes, compressors })], (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
  const text = new TextDecoder().decode(bytes);
  return withoutReason(text)
    .replace(`"as_of":"${moment}",`, '')
    .replaceAll(`as_of=${moment}&`, '')
    .replaceAll(`?as_of=${moment}"`, '"')
    .replaceAll(`&as_of=${moment}`, '');
}

/** What to say of a failure, so that it can be tried again. */
const story = (what: string) =>
  `SEED=${SEED} TEST_RUNS=${process.env['TEST_RUNS'] ?? 1}: ${what}; releases: ${releases.map(one => `${one.name} (${one.changes})`).join('; ')}`;

/** Whether a dataset that was withdrawn since, or published again, tells nothing of the release. */
function isForgotten(url: string, release: Release): boolean {
  return url.includes('/wells') && releases.slice(releases.indexOf(release)).some(one => !one.hasWells);
}

test('each answer about an earlier release is the answer that its tree gave', async () => {
  let taken = 0;
  let differed = 0;
  for (let i = 0; i < REQUESTS; i++) {
    const url = random() < 0.3 ? randomWells(random) : randomRequest(random);
    const release = releases[Math.floor(random() * releases.length)]!;
    // A date names the newest release of its day.
    const isNewest = releases.findLast(one => one.date === release.date) === release;
    const moment = isNewest && random() < 0.5 ? release.date : release.name;
    const then = await release.ask(url);
    const expected = { status: then.status, content: await contentOf(then, moment) };
    for (const ask of edges) {
      const now = await ask(`${url}${url.includes('?') ? '&' : '?'}as_of=${moment}`);
      const about = story(`${url} as of ${moment}`);
      if (isForgotten(url, release)) {
        expect({ about, status: now.status }).toEqual({ about, status: wells.retired ? 410 : 422 });
        continue;
      }
      if (now.status === 410) {
        taken++;
        expect(await now.text()).toContain('Nobody should know');
        continue;
      }
      const found = { status: now.status, content: await contentOf(now, moment) };
      expect({ ...found, about }).toEqual({ ...expected, about });
    }
    if ((await contentOf(await edges[0]!(url), moment)) !== expected.content) differed++;
  }
  expect(taken).toBeLessThan(REQUESTS);
  expect(differed).toBeGreaterThan(REQUESTS / 20);
}, 600_000);

test('each whole CSV of an earlier release is the one that its tree gave', async () => {
  for (const release of releases)
    for (const detail of LEVELS)
      for (const years of ['', ...ponds.years.map(year => `&year=${year}`)]) {
        const url = `water/frogs?detail=${detail}${years}&format=csv`;
        const then = await (await release.ask(url)).text();
        const found = await edges[0]!(`${url}&as_of=${release.name}`);
        if (found.status === 410 || found.status === 422) continue;
        const about = story(`${url} as of ${release.name}`);
        expect({ about, text: await found.text() }).toEqual({ about, text: then });
      }
}, 600_000);

interface Period {
  readonly changed_by: string | null;
  readonly row: Readonly<Record<string, unknown>> | null;
  readonly forgotten?: true;
}

test('the history of a figure has in each release the value that its tree gave', async () => {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  const [latest] = releases.slice(-1);
  let values = 0;
  for (let i = 0; i < REQUESTS / 10; i++) {
    const detail = pick(LEVELS);
    const pond = detail === 'ponds' ? `&pond_code=${encodeURIComponent(pick(PONDS))}` : '';
    const url = `water/frogs?detail=${detail}&year=${pick(ponds.years)}&kind=${pick(KINDS)}${pond}`;
    const answer = await pick(edges)(`${url}&history=true`);
    const body = (await answer.json()) as { readonly history: readonly Period[] };
    expect([answer.status, story(url)]).toEqual([200, story(url)]);
    for (const [at, release] of releases.entries()) {
      const period = body.history.find(
        ({ changed_by: by }) => by === null || releases.findIndex(one => one.name === by) > at,
      )!;
      if (period.forgotten) continue;
      const then = (await (await release.ask(url)).json()) as { readonly data?: readonly Period['row'][] };
      const figure = (row: Period['row'] | undefined, count: string) => row && [row[count], row['pond_name']];
      const about = story(`${url} in ${release.name}`);
      expect({ about, figure: figure(period.row, latest!.count) }).toEqual({
        about,
        figure: figure(then.data?.[0] ?? null, release.count),
      });
      if (period.row) values++;
    }
  }
  expect(values).toBeGreaterThan(REQUESTS / 20);
}, 600_000);
