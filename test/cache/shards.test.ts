import { cp, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { RefusedError } from '../../build/failure.ts';
import { hostTarget } from '../../build/hosts/hosts.ts';
import { buildShard } from '../../build/pipeline/shard.ts';
import type { BuildEvent } from '../../build/report.ts';
import { command } from '../cli/command.ts';
import { folderOfNpx, startCivic } from '../cli/program.ts';
import { buildOptions, contents, NO_EDGES, type Overrides, RELEASE_DATE } from '../publishers/built-tree.ts';
import { keptWeather, openPages } from '../publishers/kept-trees.ts';
import { type Publisher, temporaryFolder } from '../publishers/publisher-folder.ts';
import { rainFile, rainfallRows } from '../publishers/weather.ts';
import { run } from '../tree/mirror-hosts.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const publisher = await keptWeather();

/** Makes each shard with its own cache, and joins the caches in one folder. */
async function makeShards(
  folder: Publisher,
  of: number,
  root: string,
  overrides: Overrides = {},
  events: BuildEvent[] = [],
): Promise<string> {
  const all = path.join(root, 'all');
  for (let number = 1; number <= of; number++) {
    const own = path.join(root, `cache-${number}`);
    const options = { ...buildOptions(folder, overrides), cache: { folder: own } };
    await buildShard(options, { number, of }, event => events.push(event));
    await cp(own, all, { recursive: true });
  }
  return all;
}

/** Numbers of slices and copies that a build wrote, and of datasets that it checked. */
function madeBy(events: readonly BuildEvent[]): string[] {
  const stages = events.flatMap(event => (event.kind === 'progress' ? [event.stage] : []));
  return stages.filter(stage => stage === 'slice' || stage === 'table');
}

/** Codes and subjects of a refusal; none if nothing is refused. */
async function refusalOf(doing: Promise<unknown>): Promise<string[]> {
  const error = await doing.then(
    () => null,
    (reason: RefusedError) => reason,
  );
  return error === null
    ? []
    : [...error.diagnostics.map(one => one.code), ...error.failures.map(one => one.subject)];
}

describe('the tree is that of a single build', () => {
  test('in shards of an extract, of which some are empty, with nothing left to write', async () => {
    const overrides = { only: 'transit/*', extract: true };
    // More than there are pieces of work.
    const of = 12;
    const root = await temporaryFolder();
    const folder = await makeShards(publisher, of, root, overrides);
    const whole = publisher.with({ out: path.join(root, 'whole') });
    await whole.build(overrides);
    const own = publisher.with({ out: path.join(root, 'dist') });
    const { result, events } = await own.build({ ...overrides, cache: { folder } });
    expect([result.changed, madeBy(events)]).toEqual([true, []]);
    expect(await own.dated()).toEqual(await whole.dated());
  });

  test('by eight processes that share one folder', async () => {
    const root = await temporaryFolder();
    const cache = path.join(root, 'cache');
    const shared = (out: string, ...more: string[]) => [
      ...publisher.with({ out }).arguments('--cache', cache, '--jobs', '1', '--memory', '400MB', ...more),
    ];
    const running = Array.from({ length: 8 }, (_, i) =>
      startCivic(shared(path.join(root, 'none'), '--shard', `${i + 1}/8`)),
    );
    for (const { ended } of running) expect(await ended).toMatchObject({ code: 0 });
    const out = path.join(root, 'dist');
    expect(await startCivic(shared(out)).ended).toMatchObject({ code: 0 });
    expect(await readdir(root)).not.toContain('none');
    const whole = publisher.with({ out: path.join(root, 'whole') });
    await whole.build({ pages: openPages() });
    expect(await publisher.with({ out }).dated()).toEqual(await whole.dated());
  });

  test('like the workflow that splits a build over runners, and a build continues from it', async () => {
    interface Job {
      readonly env?: Readonly<Record<string, string>>;
      readonly strategy?: { readonly matrix: { readonly shard: readonly number[] } };
      readonly steps: readonly { readonly name?: string; readonly run?: string }[];
    }
    const workflow = await readFile(path.join(ROOT, '.github/workflows/publish-matrix.yml'), 'utf8');
    const { shard, publish } = (parse(workflow) as { jobs: Record<string, Job> }).jobs;
    const numbers = shard?.strategy?.matrix.shard ?? [];
    expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(shard?.env).toMatchObject({
      CIVIC_SHARD_INDEX: '${{ strategy.job-index }}',
      CIVIC_SHARD_TOTAL: '${{ strategy.job-total }}',
    });
    const checkout = async () => {
      const folder = await temporaryFolder();
      await cp(publisher.contracts, path.join(folder, 'contracts'), { recursive: true });
      await cp(publisher.data, path.join(folder, 'data/lake'), { recursive: true });
      return folder;
    };
    const PATH = `${await folderOfNpx()}:${process.env['PATH']}`;
    /** Like a CI runner: bash stops at the first failure. */
    const runStep = async (
      job: Job | undefined,
      step: string,
      folder: string,
      environment: Readonly<Record<string, string>>,
    ) => {
      const text = job?.steps.find(one => one.name === step)?.run ?? 'exit 9';
      const args = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', text];
      expect(await run('bash', args, folder, { PATH, PREVIOUS: '', ...environment })).toMatchObject({
        code: 0,
      });
    };
    const all = await checkout();
    // Three runners act like eight; eight processes take part in the test above.
    for (const index of [0, 1, 2]) {
      const runner = await checkout();
      const shards = { CIVIC_SHARD_INDEX: `${index}`, CIVIC_SHARD_TOTAL: '3' };
      const TZ = index % 2 === 0 ? 'Pacific/Kiritimati' : 'America/Los_Angeles';
      await runStep(shard, 'make the shard', runner, { ...shards, TZ, LAKE: '' });
      await rename(path.join(runner, `cache-${index}.tar`), path.join(all, `cache-${index}.tar`));
    }
    const base = 'https://data.example.org/';
    await runStep(publish, 'build from the caches', all, {
      BASE_URL: '',
      PAGES_URL: base,
      RELEASE_DATE,
      LAKE: '',
    });
    const options = {
      baseUrl: base,
      pages: openPages(),
      host: hostTarget('github-pages', undefined, base, NO_EDGES),
    };
    const whole = publisher.with({ out: path.join(await temporaryFolder(), 'dist') });
    await whole.build(options);
    const merged = path.join(all, 'dist');
    expect(await publisher.with({ out: merged }).dated()).toEqual(await whole.dated());
    await publisher.with({ out: merged }).build(options);
    expect(await contents(merged)).toEqual(await whole.contents());
  });
});

test('a shard needs a cache, and an invalid one is named', async () => {
  const build = ['build', '--contracts', 'c', '--data', 'd'];
  const homeless = await command(...build, '--shard', '1/2');
  expect(homeless).toMatchObject({ code: 2, stderr: expect.stringMatching(/--shard needs --cache/) });
  for (const text of ['0/3', '4/3', '3', '1/x', '-1/2', '1/0', '1/99999'])
    expect([text, await command(...build, '--cache', 'e', '--shard', text)]).toMatchObject([
      text,
      { code: 2, stderr: expect.stringMatching(/such as 3\/8/) },
    ]);
});

describe('a shard', () => {
  test.each([
    ['breaks a rule', '* REPLACE (-1 AS rain_mm)', 'climate/rainfall'],
    ['lacks a column', '* EXCLUDE (season)', 'lake-missing-column'],
  ])('whose rows are wrong is refused by whoever needs them: a slice %s', async (_, columns, expected) => {
    const root = await temporaryFolder();
    const broken = await publisher.copy(root);
    const rows = rainfallRows(2021, 'regions');
    await broken.writeRows({ [rainFile(2021, 'regions')]: `SELECT ${columns} FROM (${rows})` });
    const codes: string[] = [];
    for (let number = 1; number <= 4; number++) {
      const options = { ...buildOptions(broken), cache: { folder: path.join(root, 'cache') } };
      const found = await refusalOf(buildShard(options, { number, of: 4 }, () => undefined));
      codes.push(...found);
    }
    expect([...new Set(codes)]).toEqual([expected]);
    expect(codes.length).toBeLessThan(4);
  });

  test('reports nothing about the whole lake; the build that publishes does', async () => {
    const root = await temporaryFolder();
    const lacking = await publisher.copy(root);
    await rm(path.join(lacking.data, rainFile(2022, 'nation')));
    const events: BuildEvent[] = [];
    const folder = await makeShards(lacking, 2, root, {}, events);
    expect(events.filter(event => event.kind === 'warnings')).toEqual([]);
    const own = lacking.with({ out: path.join(root, 'dist') });
    expect((await own.build({ cache: { folder } })).warnings).toEqual([
      expect.stringMatching(/^lake-missing-slice/),
    ]);
    const strict = makeShards(lacking, 2, root, { strict: true });
    expect(await refusalOf(strict)).toEqual(['lake-missing-slice']);
  });
});
