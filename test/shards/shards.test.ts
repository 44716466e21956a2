/** The merge of a build in shards is the tree of a build in one go: the same bytes and times. */
import { spawn } from 'node:child_process';
import {
  chmod,
  cp,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { RefusedError, UnableError } from '../../build/failure.ts';
import { hostTarget } from '../../build/hosts/host-target.ts';
import type { BuildEvent } from '../../build/report.ts';
import { merge } from '../../build/shards/merge.ts';
import { buildShard } from '../../build/shards/shard.ts';
import { readShardRecord, shardFiles } from '../../build/shards/shard-record.ts';
import { command } from '../cli/command.ts';
import { openPages } from '../explorer/explored-tree.ts';
import { NO_EDGES } from '../hosts/no-edges.ts';
import {
  buildOptions,
  buildPublisher,
  contents,
  type Overrides,
  RELEASE_DATE,
  snapshot,
  verify,
} from '../publishers/built-tree.ts';
import { keptWeather } from '../publishers/kept-weather.ts';
import {
  copyPublisher,
  type PublisherFolder,
  publisherAt,
  temporaryFolder,
  writeRows,
} from '../publishers/publisher-folder.ts';
import { rainFile, rainfallRows } from '../publishers/weather.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const publisher = await keptWeather();
/** Folders of three shards, which tests only read. */
let three: string[];
beforeAll(async () => {
  const root = await temporaryFolder('never');
  three = await buildShards(publisher, 3, root);
  return () => rm(root, { recursive: true });
});

async function buildShards(
  folder: PublisherFolder,
  of: number,
  into: string,
  overrides: Overrides = {},
  events: BuildEvent[] = [],
): Promise<string[]> {
  const folders = Array.from({ length: of }, (_, i) => path.join(into, `shard-${i + 1}`));
  for (const [i, out] of folders.entries()) {
    const options = buildOptions(folder, { ...overrides, out });
    await buildShard(options, { number: i + 1, of }, event => events.push(event));
  }
  return folders;
}

function mergeTo(
  out: string,
  shards: readonly string[],
  overrides: { previous?: string; baseUrl?: string } = {},
  events: BuildEvent[] = [],
) {
  const options = { out, jobs: 1, memory: '400MB', previous: null, baseUrl: null, ...overrides };
  return merge(shards, options, event => events.push(event));
}

/** The hash and time of every file. */
async function filesOf(folder: string): Promise<[string, string, number][]> {
  return [...(await snapshot(folder))].map(([name, file]) => [name, file.sha256, file.modified]);
}

/** The codes of what is refused, and its message: none where nothing is. */
async function refusalOf(doing: Promise<unknown>): Promise<{ codes: string[]; message: string }> {
  const error: unknown = await doing.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error === null) return { codes: [], message: '' };
  if (error instanceof UnableError) return { codes: [error.code], message: error.message };
  if (!(error instanceof RefusedError)) throw error;
  const found = [...error.diagnostics.map(one => one.code), ...error.failures.map(one => one.subject)];
  return { codes: found, message: error.message };
}

const revisedRain = (columns: string) => ({
  [rainFile(2021, 'regions')]: `SELECT ${columns} FROM (${rainfallRows(2021, 'regions')})`,
});

describe('the tree is the one of a build in one go', () => {
  // Twelve are more than there are pieces of work: some shards have none.
  test.each<[number, Overrides]>([
    [3, {}],
    [12, { only: 'transit/*', extract: true }],
  ])('in %d shards %j', async (of, overrides) => {
    const root = await temporaryFolder();
    const shards = of === 3 ? three : await buildShards(publisher, of, root, overrides);
    const whole = of === 3 ? publisher : { ...publisher, out: path.join(root, 'whole') };
    if (of > 3) await buildPublisher(whole, overrides);
    const out = path.join(root, 'dist');
    expect(await mergeTo(out, shards)).toMatchObject({ changed: true });
    expect(await filesOf(out)).toEqual(await filesOf(whole.out));
    await verify(out);
    expect(await mergeTo(out, [...shards].reverse())).toMatchObject({ changed: false });
  });

  test('with what the release before tells of times, feeds and versions', async () => {
    const root = await temporaryFolder();
    const later = await copyPublisher(publisher, root);
    await writeRows(later.data, revisedRain('* REPLACE (rain_mm + 1 AS rain_mm)'));
    const previous = path.join(publisher.out, 'manifest.json');
    const told = { releaseDate: '2031-06-01', baseUrl: 'https://data.example.org/' };
    await buildPublisher(later, { ...told, previous });
    const shards = await buildShards(later, 2, root, { ...told, previous });
    const out = path.join(root, 'merged');
    await mergeTo(out, shards, { previous, baseUrl: told.baseUrl });
    expect(await filesOf(out)).toEqual(await filesOf(later.out));
    expect(new Set((await filesOf(out)).map(([, , modified]) => modified)).size).toBe(2);
    // The same over a tree, which then is the release before, after the shards lost their times.
    const over = path.join(root, 'over');
    await cp(publisher.out, over, { recursive: true, preserveTimestamps: true });
    const copies = shards.map(shard => `${shard} copied`);
    for (const [i, copy] of copies.entries()) await cp(shards[i]!, copy, { recursive: true });
    await mergeTo(over, copies, { baseUrl: told.baseUrl });
    const rows = (files: readonly (readonly [string, ...unknown[]])[]) =>
      files.filter(([name]) => /(csv|json|parquet|xml)$/.test(name));
    expect(rows(await filesOf(over))).toEqual(rows(await filesOf(later.out)));
  });

  test('as the workflow that splits a build over runners does it, and a build goes on from it', async () => {
    interface Job {
      readonly env?: Readonly<Record<string, string>>;
      readonly strategy?: { readonly matrix: { readonly shard: readonly number[] } };
      readonly steps: readonly { readonly name?: string; readonly run?: string }[];
    }
    const workflow = await readFile(path.join(ROOT, '.github/workflows/publish-matrix.yml'), 'utf8');
    const { shard, merge: merging } = (parse(workflow) as { jobs: Record<string, Job> }).jobs;
    const numbers = shard?.strategy?.matrix.shard ?? [];
    expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(shard?.env).toMatchObject({
      CIVIC_SHARD_INDEX: '${{ strategy.job-index }}',
      CIVIC_SHARD_TOTAL: '${{ strategy.job-total }}',
    });
    /** A checkout of somebody's repository, in which `npx civic` is the program. */
    const checkout = async () => {
      const folder = await temporaryFolder();
      await cp(publisher.contracts, path.join(folder, 'contracts'), { recursive: true });
      await cp(publisher.data, path.join(folder, 'data/lake'), { recursive: true });
      await mkdir(path.join(folder, 'bin'));
      const npx = path.join(folder, 'bin/npx');
      await writeFile(npx, `#!/bin/sh\nshift\nexec "${process.execPath}" "${ROOT}/lib/bin/civic.js" "$@"\n`);
      await chmod(npx, 0o755);
      return folder;
    };
    /** As the runner runs a step: bash that stops at the first failure. */
    const runStep = async (job: Job | undefined, step: string, folder: string, environment: object) => {
      const text = job?.steps.find(one => one.name === step)?.run ?? 'exit 9';
      const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', text], {
        cwd: folder,
        env: { ...process.env, PATH: `${folder}/bin:${process.env.PATH}`, PREVIOUS: '', ...environment },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let complaints = '';
      child.stderr.setEncoding('utf8').on('data', (chunk: string) => (complaints += chunk));
      const code = await new Promise(resolve => child.on('close', resolve));
      expect({ code, complaints }).toMatchObject({ code: 0 });
    };
    const all = await checkout();
    for (const index of numbers.keys()) {
      const runner = await checkout();
      const shards = { CIVIC_SHARD_INDEX: `${index}`, CIVIC_SHARD_TOTAL: `${numbers.length}` };
      const TZ = index % 2 === 0 ? 'Pacific/Kiritimati' : 'America/Los_Angeles';
      await runStep(shard, 'build the shard', runner, { ...shards, TZ, RELEASE_DATE, LAKE: '' });
      await rename(path.join(runner, `shard-${index}.tar`), path.join(all, `shard-${index}.tar`));
    }
    const base = 'https://data.example.org/';
    await runStep(merging, 'merge the shards', all, { BASE_URL: '', PAGES_URL: base });
    const options = {
      baseUrl: base,
      pages: openPages(),
      host: hostTarget('github-pages', undefined, base, NO_EDGES),
    };
    const whole = { ...publisher, out: path.join(publisherAt(await temporaryFolder()).root, 'dist') };
    await buildPublisher(whole, options);
    const merged = path.join(all, 'dist');
    expect(await filesOf(merged)).toEqual(await filesOf(whole.out));
    await buildPublisher({ ...publisher, out: merged }, options);
    expect(await contents(merged)).toEqual(await contents(whole.out));
  });
});

test('what the merge decides is no option of a shard, and a shard that is none is named', async () => {
  const build = ['build', '--contracts', 'c', '--data', 'd', '--out', 'o', '--shard'];
  const decided = await command(...build, '1/2', '--base-url', 'https://data.example.org/');
  expect(decided).toMatchObject({ code: 2, stderr: expect.stringMatching(/cannot be used with/) });
  for (const text of ['0/3', '4/3', '3', '1/x', '-1/2', '1/0', '1/99999'])
    expect([text, await command(...build, text)]).toMatchObject([
      text,
      { code: 2, stderr: expect.stringMatching(/such as 3\/8/) },
    ]);
});

describe('a shard', () => {
  test('cannot be verified as a tree, nor replace one, nor be replaced by one', async () => {
    const [shard = ''] = three;
    expect((await readdir(shard)).sort()).toEqual(['rows', 'shard.json']);
    await expect(verify(shard)).rejects.toThrow();
    const over = buildShard(buildOptions(publisher), { number: 1, of: 2 }, () => undefined);
    expect((await refusalOf(over)).codes).toEqual(['output-not-ours']);
    const tree = buildPublisher({ ...publisher, out: shard });
    expect((await refusalOf(tree)).codes).toEqual(['output-not-ours']);
  });

  test('is replaced as a whole, and leaves nothing beside itself', async () => {
    const out = path.join(await temporaryFolder(), 'shard');
    for (const number of [1, 2, 1])
      await buildShard(buildOptions(publisher, { out }), { number, of: 3 }, () => undefined);
    expect([...(await snapshot(out)).keys()]).toEqual([...(await snapshot(three[0]!)).keys()]);
    expect(await readdir(path.dirname(out))).toEqual(['shard']);
  });

  test.each([
    ['breaks a rule', '* REPLACE (-1 AS rain_mm)', 'climate/rainfall'],
    ['lacks a column', '* EXCLUDE (season)', 'lake-missing-column'],
  ])('whose rows are wrong is refused by whoever needs them: a slice %s', async (_, columns, expected) => {
    const root = await temporaryFolder();
    const broken = await copyPublisher(publisher, root);
    await writeRows(broken.data, revisedRain(columns));
    const codes: string[] = [];
    for (let number = 1; number <= 4; number++) {
      const options = buildOptions(broken, { out: path.join(root, `shard-${number}`) });
      const found = await refusalOf(buildShard(options, { number, of: 4 }, () => undefined));
      codes.push(...found.codes);
    }
    expect([...new Set(codes)]).toEqual([expected]);
    expect(codes.length).toBeLessThan(4);
  });

  test('says nothing of the whole lake; the merge does, once', async () => {
    const root = await temporaryFolder();
    const lacking = await copyPublisher(publisher, root);
    await rm(path.join(lacking.data, rainFile(2022, 'nation')));
    const events: BuildEvent[] = [];
    const shards = await buildShards(lacking, 2, root, {}, events);
    expect(events.filter(event => event.kind === 'warnings')).toEqual([]);
    await mergeTo(path.join(root, 'dist'), shards, {}, events);
    expect(events.flatMap(event => (event.kind === 'warnings' ? event.diagnostics : []))).toMatchObject([
      { code: 'lake-missing-slice' },
    ]);
    const strict = buildShards(lacking, 2, root, { strict: true });
    expect((await refusalOf(strict)).codes).toEqual(['lake-missing-slice']);
  });
});

describe('the merge refuses', () => {
  let root: string;
  /** Copies of the shards, for a test to change. */
  let shards: string[];
  beforeEach(async () => {
    root = await temporaryFolder();
    shards = three.map(shard => path.join(root, path.basename(shard)));
    for (const [i, shard] of three.entries()) await cp(shard, shards[i]!, { recursive: true });
    await cp(publisher.out, path.join(root, 'dist'), { recursive: true, preserveTimestamps: true });
  });

  async function expectRefused(codes: readonly string[], message: RegExp, given = shards): Promise<void> {
    const out = path.join(root, 'dist');
    const refused = await refusalOf(mergeTo(out, given));
    expect(refused).toEqual({ codes, message: expect.stringMatching(message) });
    expect(await filesOf(out)).toEqual(await filesOf(publisher.out));
    expect(await readdir(root)).not.toContain('.dist.civic');
  }

  test('a missing shard, one twice, and what is none', async () => {
    const [one = '', two = ''] = shards;
    await expectRefused(['shard-missing'], /shard 3 is missing/, shards.slice(0, 2));
    await expectRefused(['shard-missing'], /shards 1, 2 are missing/, shards.slice(2));
    await expectRefused(['shard-twice', 'shard-missing'], /./, [one, one, two]);
    await expectRefused(['not-a-shard'], /./, [...shards, publisher.out]);
    await expectRefused(['not-a-shard'], /./, [path.join(root, 'nowhere')]);
  });

  const rewrite = async (file: string, found: string, instead: string) => {
    const text = await readFile(file, 'latin1');
    expect(text).toContain(found);
    await writeFile(file, Buffer.from(text.replaceAll(found, instead), 'latin1'));
  };

  const without = (name: string) => (other: PublisherFolder) => rm(path.join(other.data, name));
  const north = ({ data }: PublisherFolder) =>
    rewrite(path.join(data, '_dimensions/regions.parquet'), 'North', 'Nords');
  const words = ({ contracts }: PublisherFolder) =>
    rewrite(path.join(contracts, 'publisher.yaml'), 'Rain and trams', 'Rain');

  test.for<readonly [string, RegExp, Overrides, ((other: PublisherFolder) => Promise<void>)?, number?]>([
    ['date', /release date/, { releaseDate: '2031-05-18' }],
    ['datasets', /--only/, { only: 'climate/*' }],
    ['strictness', /--strict/, { strict: true }],
    ['number of shards', /another number of shards \(4, not 3\)/, {}, async () => undefined, 4],
    ['contracts', /other contracts/, {}, words],
    ['files in the lake', /another lake/, {}, without(rainFile(2022, 'nation'))],
    ['rows in files of the same size', /read different rows in _dimensions\/regions\.parquet/, {}, north],
  ])('shards of other %s', async ([, message, overrides, change, of = 3]) => {
    const other = await copyPublisher(publisher, path.join(root, 'other'));
    await change?.(other);
    const options = buildOptions(other, { ...overrides, out: shards[1]! });
    await buildShard(options, { number: 2, of }, () => undefined);
    const found = await refusalOf(mergeTo(path.join(root, 'dist'), shards));
    expect(found.message).toMatch(message);
    expect(new Set(found.codes)).toEqual(new Set(['shard-differs']));
  });

  test('a file of rows that changed, is short, or is gone; and a changed record', async () => {
    const record = await readShardRecord(shards[1]!);
    if (typeof record === 'string') throw new Error(record);
    const [first = '', second = '', third = ''] = shardFiles(record).map(one =>
      path.join(shards[1]!, 'rows', one.path),
    );
    const bytes = await readFile(first);
    const { mtime } = await stat(first);
    await writeFile(first, bytes.fill((bytes[9] ?? 0) ^ 1, 9, 10));
    await utimes(first, mtime, mtime);
    await truncate(second, 10);
    await rm(third);
    await expectRefused(['shard-damaged', 'shard-damaged', 'shard-damaged'], /./);
    const file = path.join(shards[0]!, 'shard.json');
    await rewrite(file, '2031-05-17', '2031-05-18');
    await expectRefused(['shard-damaged', 'shard-missing'], /./);
    await truncate(file, 200);
    await expectRefused(['shard-damaged', 'shard-missing'], /./);
  });
});
