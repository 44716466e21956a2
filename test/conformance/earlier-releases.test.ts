/**
 * Random questions about earlier releases of three datasets, to each host that computes: the answer is the one that the
 * release's own tree gave. `TEST_RUNS=20` asks 400; `TEST_SEED` draws the same again.
 */
import { cp } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { Miniflare } from 'miniflare';
import { beforeAll, expect, test } from 'vitest';
import { openLake } from '../../scripts/fuzz/lake.ts';
import { faults, type Question, questions, questionUrl } from '../../scripts/fuzz/questions.ts';
import { describeSubjects } from '../../scripts/fuzz/run.ts';
import { startServer } from '../../site/edge/adapters/node.ts';
import { askPage, CHROMIUM, openControlled, sharedBrowser, startPlainHost } from '../explorer/browser.ts';
import { addBundle } from '../explorer/engine-page.ts';
import { type Answer, contentOf, keptReleases } from '../memory/frogs.ts';
import { type PublisherFolder, temporaryFolder } from '../publishers/publisher-folder.ts';
import { randomRuns, randomSeed } from '../random-runs.ts';
import { askTree } from './executors.ts';

const QUESTIONS = randomRuns(20);

/** The statuses, and the texts around the first difference. */
function firstDifference(found: readonly [number, string], wanted: readonly [number, string]) {
  let at = 0;
  while (found[1][at] === wanted[1][at] && at < found[1].length) at++;
  const part = ([status, text]: readonly [number, string]) => [
    status,
    text.slice(Math.max(0, at - 200), at + 200),
  ];
  return { found: part(found), wanted: part(wanted) };
}

interface Asked {
  readonly url: string;
  readonly moment: string;
  /** The URL with the moment among its parameters. */
  readonly asOf: string;
  readonly expected: Answer;
}

const hosts = new Map<string, (url: string) => Promise<Answer>>();
const asked: Asked[] = [];

beforeAll(async () => {
  const seed = randomSeed();
  const { out, releases } = await keptReleases();
  console.log(`seed ${seed}: ${QUESTIONS} questions about ${releases.length} releases`);
  const drawn: string[] = [];
  for (const [i, { folder }] of releases.entries())
    drawn.push(...(await draw(folder, seed + i, Math.ceil(QUESTIONS / releases.length))));
  for (const [n, url] of drawn.entries()) {
    // Some use names and values of another release.
    const own = Math.floor((n * releases.length) / drawn.length);
    const at = n % 4 === 0 ? (n * 7) % releases.length : own;
    const { name, date, folder } = releases[at]!;
    // A day means its last release.
    const days = releases[at + 1]?.date === date ? [] : [date, nextDay(date)];
    const moment = [name, ...days][n % (1 + days.length)]!;
    const expected = await askTree(folder.out)(url);
    asked.push({ url, moment, asOf: withMoment(url, moment, n), expected });
  }
  const close = await startHosts(out);
  return async () => {
    for (const one of close) await one();
  };
});

/** One in twelve is wrong. */
async function draw({ data, out }: PublisherFolder, seed: number, count: number): Promise<string[]> {
  const lake = await openLake(data, out);
  const subjects = await describeSubjects(lake);
  lake.close();
  const facts = questions(subjects.filter(one => one.rows.length > 0));
  const any = fc.oneof({ weight: 7, arbitrary: facts }, { weight: 1, arbitrary: questions(subjects) });
  const right = any.map(question => [question, null] as const);
  const wrong = any.chain(question =>
    faults(subjects.find(one => one.table.url === question.url)!)
      .filter(({ name }) => name !== 'as_of')
      .map(fault => [question, fault] as const),
  );
  const all = fc.oneof({ weight: 11, arbitrary: right }, { weight: 1, arbitrary: wrong });
  return fc
    .sample(all, { seed, numRuns: count })
    .map(([question, fault]) => questionUrl({ ...question, as_of: undefined } as Question, fault));
}

function nextDay(date: string): string {
  return new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10);
}

function withMoment(url: string, moment: string, n: number): string {
  const [where = '', query = ''] = url.split('?');
  const pairs = query === '' ? [] : query.split('&');
  pairs.splice(n % (pairs.length + 1), 0, `as_of=${moment}`);
  return `${where}?${pairs.join('&')}`;
}

async function startHosts(tree: string): Promise<(() => Promise<unknown>)[]> {
  const server = await startServer({ folder: tree, port: 0 });
  hosts.set('civic serve', url => fetch(server.url + url));
  const worker = new Miniflare({
    modules: true,
    scriptPath: path.resolve(import.meta.dirname, '../../lib/workers/cloudflare-worker.js'),
    compatibilityDate: '2025-12-01',
    assets: {
      directory: tree,
      binding: 'ASSETS',
      routerConfig: { has_user_worker: true, invoke_user_worker_ahead_of_assets: true },
      assetConfig: { html_handling: 'none', not_found_handling: 'none' },
    },
  });
  hosts.set('workerd', url => worker.dispatchFetch(`http://edge.test${url}`));
  const close = [() => server.close(), () => worker.dispose()];
  if (CHROMIUM === null) return close;
  const bundled = path.join(await temporaryFolder(), 'tree');
  await cp(tree, bundled, { recursive: true });
  await addBundle(bundled);
  const plain = await startPlainHost(bundled);
  const visit = await openControlled(await sharedBrowser(), plain);
  hosts.set('the service worker', async url => {
    const { status, type, body } = await askPage(visit, url, 'GET');
    return new Response(Buffer.from(body, 'latin1'), { status, headers: { 'Content-Type': type ?? '' } });
  });
  return [...close, () => visit.page.context().close(), () => plain.close()];
}

test("every answer about a moment is that of the release's tree", async () => {
  const counts = new Map<string, number>();
  const count = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  const differences: unknown[] = [];
  for (const { url, moment, asOf, expected } of asked) {
    const wanted = await contentOf(expected, moment);
    count(`${wanted[0]}`);
    count(/\/v1\/([^?]*)/.exec(url)![1]!);
    for (const [host, ask] of hosts) {
      const found = await contentOf(await ask(asOf), moment);
      if (found[0] === 410) {
        count(`410 on ${host}`);
        expect([url, found[1]]).toEqual([
          expect.stringMatching(/\/frogs\?.*detail=land/),
          expect.stringContaining('Nobody should know'),
        ]);
      } else if (found[0] !== wanted[0] || found[1] !== wanted[1])
        differences.push({ host, asOf, url, ...firstDifference(found, wanted) });
    }
  }
  console.log(JSON.stringify(Object.fromEntries(counts)));
  expect(differences).toEqual([]);
  expect(counts.get('200')).toBeGreaterThan(asked.length / 2);
  for (const table of ['water/frogs', 'survey/visits', 'survey/quarters'])
    expect([table, counts.get(table)]).toEqual([table, expect.any(Number)]);
});
