/** The merge of a build in shards is the tree of a build in one go: the same bytes and times. */
import { cp, readdir, readFile, rename, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RefusedError, UnableError } from '../../build/failure.ts';
import type { BuildEvent } from '../../build/report.ts';
import { merge } from '../../build/shards/merge.ts';
import { buildShard } from '../../build/shards/shard.ts';
import { readShardRecord, shardFiles } from '../../build/shards/shard-record.ts';
import { exists, workspaceOf } from '../../build/tree/workspace.ts';
import { civic, startCivic } from '../cli/program.ts';
import { openPages } from '../explorer/explored-tree.ts';
import {
  buildOptions,
  buildPublisher,
  type Overrides,
  RELEASE_DATE,
  snapshot,
  verify,
} from '../publishers/built-tree.ts';
import {
  copyPublisher,
  type PublisherFolder,
  temporaryFolder,
  writePublisher,
  writeRows,
} from '../publishers/publisher-folder.ts';
import { rainFile, rainfallRows } from '../publishers/weather.ts';

let publisher: PublisherFolder;
/** Folders of three shards, which tests only read. */
let three: string[];

beforeAll(async () => {
  publisher = await writePublisher(await temporaryFolder('never'));
  await buildPublisher(publisher);
  three = await buildShards(publisher, 3, path.join(publisher.root, 'three'));
});
afterAll(() => rm(publisher.root, { recursive: true, force: true }));

async function buildShards(
  folder: PublisherFolder,
  of: number,
  into: string,
  overrides: Overrides = {},
  events: BuildEvent[] = [],
): Promise<string[]> {
  const folders: string[] = [];
  for (let number = 1; number <= of; number++) {
    const out = path.join(into, `shard-${number}`);
    await buildShard(buildOptions(folder, { ...overrides, out }), { number, of }, event =>
      events.push(event),
    );
    folders.push(out);
  }
  return folders;
}

async function mergeTo(
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

async function failureOf(doing: Promise<unknown>): Promise<RefusedError | UnableError> {
  const error: unknown = await doing.then(
    () => null,
    failure => failure,
  );
  if (error instanceof RefusedError || error instanceof UnableError) return error;
  throw new Error(`It was not refused: ${error}`);
}

async function codesOf(doing: Promise<unknown>): Promise<string[]> {
  const error = await failureOf(doing);
  return error instanceof RefusedError ? error.diagnostics.map(one => one.code) : [error.code];
}

describe('the tree is the one of a build in one go', () => {
  // Thirty are more than there are pieces of work: some shards have none.
  test.each([1, 2, 3, 8, 30])('in %d shards', async of => {
    const root = await temporaryFolder();
    const shards = await buildShards(publisher, of, root);
    const out = path.join(root, 'dist');
    expect(await mergeTo(out, shards)).toMatchObject({ changed: true, datasets: 2 });
    expect(await filesOf(out)).toEqual(await filesOf(publisher.out));
    await verify(out);
    // Each file of rows is in one shard.
    const records = await Promise.all(shards.map(readShardRecord));
    const rows = records.flatMap(record => (typeof record === 'string' ? [] : shardFiles(record)));
    expect(new Set(rows.map(file => file.path)).size).toBe(rows.length);
    expect(rows.length).toBe((await filesOf(out)).filter(([name]) => isRows(name)).length - COPIES);
    expect(await mergeTo(out, [...shards].reverse())).toMatchObject({ changed: false });
  });

  /** The dimension that both domains join is written once and copied by the merge. */
  const COPIES = 3;
  const isRows = (name: string) => /(year=|history\/|rows\.)/.test(name) && !name.endsWith('.html');

  const dates = ['2031-06-01', RELEASE_DATE];
  test.each(dates)(
    'with what the release before tells of times, feeds and versions, on %s',
    async releaseDate => {
      const root = await temporaryFolder();
      const later = await copyPublisher(publisher, root);
      await writeRows(later.data, {
        [rainFile(2021, 'regions')]:
          `SELECT * REPLACE (rain_mm + 1 AS rain_mm) FROM (${rainfallRows(2021, 'regions')})`,
      });
      const told = { releaseDate, baseUrl: 'https://data.example.org/' };
      const previous = path.join(publisher.out, 'manifest.json');
      await buildPublisher(later, { ...told, previous });
      const shards = await buildShards(later, 2, root, { ...told, previous });
      const out = path.join(root, 'merged');
      await mergeTo(out, shards, { previous, baseUrl: told.baseUrl });
      expect(await filesOf(out)).toEqual(await filesOf(later.out));
      expect(new Set((await filesOf(out)).map(([, , modified]) => modified)).size).toBe(2);
      // The same over a tree, which then is the release before.
      const [built, over] = [path.join(root, 'built'), path.join(root, 'over')];
      for (const tree of [built, over])
        await cp(publisher.out, tree, { recursive: true, preserveTimestamps: true });
      await buildPublisher({ ...later, out: built }, told);
      await mergeTo(over, shards, { baseUrl: told.baseUrl });
      expect(await filesOf(over)).toEqual(await filesOf(built));
    },
  );

  test('on another disk, or after the shards lost their times', async () => {
    const root = await temporaryFolder();
    const shards = await Promise.all(
      three.map(async (shard, i) => {
        const copy = path.join(root, `copied ${i}`);
        await cp(shard, copy, { recursive: true });
        return copy;
      }),
    );
    await mergeTo(path.join(root, 'dist'), shards);
    expect(await filesOf(path.join(root, 'dist'))).toEqual(await filesOf(publisher.out));
  });

  test('from the command line, in other time zones, and a build goes on from it', async () => {
    const root = await temporaryFolder();
    const { contracts, data, releaseDate } = buildOptions(publisher);
    const lake = ['--contracts', contracts, '--data', data, '--release-date', releaseDate ?? ''];
    const shards = [1, 2].map(number => path.join(root, `shard-${number}`));
    const zones = ['Pacific/Kiritimati', 'America/Los_Angeles'];
    for (const [i, shard] of shards.entries()) {
      const run = ['build', ...lake, '--shard', `${i + 1}/2`, '--out', shard, '--json'];
      const { code, stdout } = await civic(run, { environment: { TZ: zones[i] ?? '' } });
      expect({ code, ...(JSON.parse(stdout) as object) }).toMatchObject({ code: 0, ok: true, number: i + 1 });
    }
    const whole = path.join(root, 'whole');
    await buildPublisher({ ...publisher, out: whole }, { pages: openPages() });
    const out = path.join(root, 'dist');
    expect(await civic(['merge', ...shards, '--out', out])).toMatchObject({ code: 0 });
    expect(await filesOf(out)).toEqual(await filesOf(whole));
    expect(await civic(['build', ...lake, '--out', out])).toMatchObject({ code: 0 });
    expect(await filesOf(out)).toEqual(await filesOf(whole));
  });
});

describe('a shard', () => {
  test('cannot be served or verified as a tree, nor replace one', async () => {
    const names = await readdir(three[0] ?? '');
    expect(names.sort()).toEqual(['rows', 'shard.json']);
    expect(await codesOf(buildShard(buildOptions(publisher), { number: 1, of: 2 }, () => undefined))).toEqual(
      ['output-not-ours'],
    );
    expect((await civic(['verify', three[0] ?? ''])).code).not.toBe(0);
    expect(
      await codesOf(buildPublisher({ ...publisher, out: three[0] ?? '' }).then(({ result }) => result)),
    ).toEqual(['output-not-ours']);
  });

  test('is replaced as a whole', async () => {
    const root = await temporaryFolder();
    const out = path.join(root, 'shard');
    for (const number of [1, 2, 1]) {
      await buildShard(buildOptions(publisher, { out }), { number, of: 3 }, () => undefined);
    }
    expect(await snapshotNames(out)).toEqual(await snapshotNames(three[0] ?? ''));
    expect(await exists(workspaceOf(out).folder)).toBe(false);
  });

  test('that breaks a rule is refused by the shard that runs the rule', async () => {
    const root = await temporaryFolder();
    const broken = await copyPublisher(publisher, root);
    await writeRows(broken.data, {
      [rainFile(2021, 'regions')]: `SELECT * REPLACE (-1 AS rain_mm) FROM (${rainfallRows(2021, 'regions')})`,
    });
    const outcomes: string[] = [];
    for (let number = 1; number <= 4; number++) {
      const options = buildOptions(broken, { out: path.join(root, `shard-${number}`) });
      outcomes.push(
        await buildShard(options, { number, of: 4 }, () => undefined).then(
          () => 'done',
          error => (error instanceof RefusedError ? `${error.failures[0]?.subject}` : `${error}`),
        ),
      );
    }
    expect(outcomes.filter(one => one !== 'done')).toEqual(['climate/rainfall']);
  });

  test('whose files do not fit their contract is refused, whoever runs the rules', async () => {
    const root = await temporaryFolder();
    const broken = await copyPublisher(publisher, root);
    await writeRows(broken.data, {
      [rainFile(2021, 'regions')]: `SELECT * EXCLUDE (season) FROM (${rainfallRows(2021, 'regions')})`,
    });
    const codes: string[][] = [];
    for (let number = 1; number <= 60; number++) {
      const options = buildOptions(broken, { out: path.join(root, `shard-${number}`) });
      codes.push(
        await buildShard(options, { number, of: 60 }, () => undefined).then(
          () => [],
          error => (error instanceof RefusedError ? error.diagnostics.map(one => one.code) : [`${error}`]),
        ),
      );
    }
    // The rules, the slice, the history, the statistics, and the rules of the other dataset that read it: these only skip.
    expect(codes.filter(one => one.length > 0)).toEqual(Array(4).fill(['lake-missing-column']));
  }, 60_000);

  test('says nothing of the whole lake; the merge does, once', async () => {
    const root = await temporaryFolder();
    const lacking = await copyPublisher(publisher, root);
    await rm(path.join(lacking.data, rainFile(2022, 'nation')));
    const events: BuildEvent[] = [];
    const shards = await buildShards(lacking, 3, root, {}, events);
    expect(events.filter(event => event.kind === 'warnings')).toEqual([]);
    await mergeTo(path.join(root, 'dist'), shards, {}, events);
    expect(events.flatMap(event => (event.kind === 'warnings' ? event.diagnostics : []))).toMatchObject([
      { code: 'lake-missing-slice' },
    ]);
    expect(await codesOf(buildShards(lacking, 2, root, { strict: true }))).toEqual(['lake-missing-slice']);
  });
});

async function snapshotNames(folder: string): Promise<string[]> {
  return [...(await snapshot(folder)).keys()];
}

describe('the merge refuses', () => {
  let root: string;
  let shards: string[];
  /** Copies of the shards, for a test to change, and a tree that must stay as it is. */
  async function prepare(): Promise<void> {
    root = await temporaryFolder();
    shards = [];
    for (const shard of three) {
      const copy = path.join(root, path.basename(shard));
      await cp(shard, copy, { recursive: true });
      shards.push(copy);
    }
    await cp(publisher.out, path.join(root, 'dist'), { recursive: true, preserveTimestamps: true });
  }

  async function expectRefused(codes: readonly string[], given: readonly string[]): Promise<string> {
    const out = path.join(root, 'dist');
    const before = await snapshot(out);
    const error = await failureOf(mergeTo(out, given));
    expect(error instanceof RefusedError ? error.diagnostics.map(one => one.code) : [error.code]).toEqual(
      codes,
    );
    expect(await snapshot(out)).toEqual(before);
    expect(await readdir(root)).not.toContain('.dist.civic');
    return error.message;
  }

  test('a missing shard, one twice, and what is none', async () => {
    await prepare();
    expect(await expectRefused(['shard-missing'], shards.slice(0, 2))).toMatch(/shard 3 is missing/);
    expect(await expectRefused(['shard-missing'], shards.slice(2))).toMatch(/shards 1, 2 are missing/);
    await expectRefused(['shard-twice'], [...shards, shards[0] ?? '']);
    await expectRefused(
      ['shard-twice', 'shard-missing'],
      [shards[0] ?? '', shards[0] ?? '', shards[1] ?? ''],
    );
    await expectRefused(['not-a-shard'], [...shards, publisher.out]);
    await expectRefused(['not-a-shard'], [path.join(root, 'nowhere')]);
  });

  const DIFFERENT: readonly [string, RegExp, (other: PublisherFolder) => Promise<Overrides>][] = [
    ['date', /release date/, async () => ({ releaseDate: '2031-05-18' })],
    ['datasets', /--only/, async () => ({ only: 'climate/*' })],
    ['strictness', /--strict/, async () => ({ strict: true })],
    [
      'contracts',
      /other contracts/,
      async other => {
        const file = path.join(other.contracts, 'publisher.yaml');
        await writeFile(file, (await readFile(file, 'utf8')).replace('Rain and trams', 'Rain'));
        return {};
      },
    ],
    [
      'files in the lake',
      /another lake/,
      async other => {
        await rm(path.join(other.data, rainFile(2022, 'nation')));
        return {};
      },
    ],
    [
      'rows in files of the same size',
      /read different rows in _dimensions\/regions\.parquet/,
      async other => {
        const file = path.join(other.data, '_dimensions/regions.parquet');
        const bytes = await readFile(file);
        const at = bytes.indexOf('North');
        expect(at).toBeGreaterThan(0);
        await writeFile(file, Buffer.from(bytes.toString('latin1').replaceAll('North', 'Nords'), 'latin1'));
        return {};
      },
    ],
  ];

  test.each(DIFFERENT)('shards of other %s', async (_, message, change) => {
    await prepare();
    const other = await copyPublisher(publisher, path.join(root, 'other'));
    const overrides = await change(other);
    const options = buildOptions(other, { ...overrides, out: shards[1] ?? '' });
    await buildShard(options, { number: 2, of: 3 }, () => undefined);
    const found = await failureOf(mergeTo(path.join(root, 'dist'), shards));
    expect(found.message).toMatch(message);
    expect(found instanceof RefusedError && new Set(found.diagnostics.map(one => one.code))).toEqual(
      new Set(['shard-differs']),
    );
  });

  test('shards of another number of shards', async () => {
    await prepare();
    await buildShard(
      buildOptions(publisher, { out: shards[1] ?? '' }),
      { number: 2, of: 4 },
      () => undefined,
    );
    expect(await expectRefused(['shard-differs'], shards)).toMatch(/another number of shards \(4, not 3\)/);
  });

  test('a file of rows that changed, is short, or is gone; and a changed record', async () => {
    await prepare();
    const record = await readShardRecord(shards[1] ?? '');
    if (typeof record === 'string') throw new Error(record);
    const [first, second, third] = shardFiles(record).map(one =>
      path.join(shards[1] ?? '', 'rows', one.path),
    );
    const text = await readFile(first ?? '');
    const { mtime } = await stat(first ?? '');
    await writeFile(first ?? '', text.fill((text[9] ?? 0) ^ 1, 9, 10));
    await utimes(first ?? '', mtime, mtime);
    await truncate(second ?? '', 10);
    await rm(third ?? '');
    await expectRefused(['shard-damaged', 'shard-damaged', 'shard-damaged'], shards);
    const file = path.join(shards[0] ?? '', 'shard.json');
    const json = await readFile(file, 'utf8');
    await writeFile(file, json.replace('2031-05-17', '2031-05-18'));
    await expectRefused(['shard-damaged', 'shard-missing'], shards);
    await writeFile(file, json.slice(0, -100));
    await expectRefused(['shard-damaged', 'shard-missing'], shards);
  });
});

test('a merge that is killed leaves the tree as it was, and the next one resumes', async () => {
  const root = await temporaryFolder();
  const out = path.join(root, 'dist');
  const older = { releaseDate: '2030-01-01' };
  await buildPublisher({ ...publisher, out }, older);
  const before = await snapshot(out);
  const { folder, previous } = workspaceOf(out);
  let killed = 0;
  for (let run = 0; killed < 6; run++) {
    expect(run).toBeLessThan(30);
    const { process, ended } = startCivic(['merge', ...three, '--out', out, '--jobs', '1']);
    while (process.exitCode === null && !(await readdir(folder)).includes('staging')) await wait(1);
    await wait(12 * (run % 8));
    process.kill('SIGKILL');
    if ((await ended).code !== null) {
      // It was faster: back to the older release.
      await rm(out, { recursive: true });
      await buildPublisher({ ...publisher, out }, older);
      continue;
    }
    killed++;
    if (!(await exists(out))) await rename(previous, out);
    expect(new Set([...(await snapshot(out)).keys()])).toEqual(new Set(before.keys()));
    await verify(out);
  }
  await mergeTo(out, three);
  await verify(out);
  expect((await readdir(folder)).sort()).not.toEqual(expect.arrayContaining(['staging', 'lock']));
}, 60_000);

test.each(['0/3', '4/3', '3', '1/x', '-1/2', '1/0', '1/99999'])('--shard %s is wrong', async shard => {
  const run = await civic(['build', '--contracts', 'c', '--data', 'd', '--out', 'o', '--shard', shard]);
  expect(run).toMatchObject({ code: 2, stderr: expect.stringMatching(/such as 3\/8/) });
});

describe('--shard auto', () => {
  const none = {
    CIVIC_SHARD_INDEX: '',
    CIVIC_SHARD_TOTAL: '',
    AWS_BATCH_JOB_ARRAY_INDEX: '',
    AWS_BATCH_JOB_ARRAY_SIZE: '',
    JOB_COMPLETION_INDEX: '',
  };
  const run = (out: string, variables: Record<string, string>) => {
    const { contracts, data } = buildOptions(publisher);
    const inputs = ['--contracts', contracts, '--data', data, '--out', out];
    return civic(['build', ...inputs, '--shard', 'auto', '--json'], {
      environment: { ...none, ...variables },
    });
  };

  const SYSTEMS: readonly [string, Record<string, string>][] = [
    ['any', { CIVIC_SHARD_INDEX: '1', CIVIC_SHARD_TOTAL: '3' }],
    ['AWS Batch', { AWS_BATCH_JOB_ARRAY_INDEX: '1', AWS_BATCH_JOB_ARRAY_SIZE: '3' }],
    ['Kubernetes', { JOB_COMPLETION_INDEX: '1', CIVIC_SHARD_TOTAL: '3' }],
    [
      'any before AWS Batch',
      {
        CIVIC_SHARD_INDEX: '1',
        CIVIC_SHARD_TOTAL: '3',
        AWS_BATCH_JOB_ARRAY_INDEX: '5',
        AWS_BATCH_JOB_ARRAY_SIZE: '8',
      },
    ],
  ];
  test.each(SYSTEMS)('takes both numbers from %s', async (_, variables) => {
    const out = path.join(await temporaryFolder(), 'shard');
    const { code, stdout } = await run(out, variables);
    expect({ code, ...(JSON.parse(stdout) as object) }).toMatchObject({ code: 0, number: 2, of: 3 });
    expect(await snapshotNames(out)).toEqual(await snapshotNames(three[1] ?? ''));
  });

  const WRONG: readonly [Record<string, string>, RegExp][] = [
    [{}, /CIVIC_SHARD_INDEX and CIVIC_SHARD_TOTAL.*AWS_BATCH_JOB_ARRAY_INDEX.*JOB_COMPLETION_INDEX/],
    [{ CIVIC_SHARD_TOTAL: '3' }, /CIVIC_SHARD_INDEX and CIVIC_SHARD_TOTAL/],
    [{ CIVIC_SHARD_INDEX: '1' }, /CIVIC_SHARD_INDEX is set and CIVIC_SHARD_TOTAL is not/],
    [{ AWS_BATCH_JOB_ARRAY_INDEX: '1' }, /AWS_BATCH_JOB_ARRAY_SIZE is not/],
    [{ JOB_COMPLETION_INDEX: '1' }, /CIVIC_SHARD_TOTAL is not/],
    [{ CIVIC_SHARD_INDEX: '3', CIVIC_SHARD_TOTAL: '3' }, /CIVIC_SHARD_INDEX is \\"3\\".*from 0/],
    [{ CIVIC_SHARD_INDEX: '-1', CIVIC_SHARD_TOTAL: '3' }, /CIVIC_SHARD_INDEX is \\"-1\\"/],
    [{ JOB_COMPLETION_INDEX: '0', CIVIC_SHARD_TOTAL: 'x' }, /CIVIC_SHARD_TOTAL is \\"x\\"/],
  ];
  test.each(WRONG)('stops where the variables are %j', async (variables, message) => {
    const out = path.join(await temporaryFolder(), 'shard');
    expect(await run(out, variables)).toMatchObject({ code: 2, stdout: expect.stringMatching(message) });
    expect(await exists(out)).toBe(false);
  });
});

test('what the merge decides is no option of a shard', async () => {
  const given = ['--shard', '1/2', '--base-url', 'https://data.example.org/'];
  const run = await civic(['build', '--contracts', 'c', '--data', 'd', '--out', 'o', ...given]);
  expect(run).toMatchObject({ code: 2, stderr: expect.stringMatching(/cannot be used with/) });
});
