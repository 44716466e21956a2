/** A lake in a bucket, read by the real command `aws` from a server that speaks S3. */
import { spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { JsonReport } from '../../build/cli/json-report.ts';
import { workspaceOf } from '../../build/tree/workspace.ts';
import { command } from '../cli/command.ts';
import type { Ended } from '../cli/program.ts';
import { BUCKET, type Bucket, CREDENTIALS, startBucket, startListing } from '../deploy/bucket-server.ts';
import { buildPublisher, contents, RELEASE_DATE, readTreeJson, snapshot } from '../publishers/built-tree.ts';
import { keptPaged } from '../publishers/kept-weather.ts';
import {
  copyPublisher,
  copyTree,
  type PublisherFolder,
  temporaryFolder,
  writeRows,
  writeTexts,
} from '../publishers/publisher-folder.ts';
import { LAKE, RAINFALL, rainFile, rainfallRows, withdrawing } from '../publishers/weather.ts';

const PREFIX = 'public/rain and trams/';
const LOCATION = `s3://${BUCKET}/${PREFIX}`;
const noCommand = spawnSync('aws', ['--version']).status !== 0;

let publisher: PublisherFolder;
let bucket: Bucket;
/** Of one test. */
let root: string;
let out: string;

/** The program aws takes half a second and more to start. */
describe.skipIf(noCommand)(noCommand ? '(skipped: aws is not installed)' : 'a lake in a bucket', () => {
  beforeAll(async () => {
    publisher = await keptPaged();
    bucket = await startBucket(await temporaryFolder());
  });
  afterAll(() => bucket.close());
  // Whatever a test did to the objects, the next one finds those of the lake.
  beforeEach(async () => {
    root = await temporaryFolder();
    out = path.join(root, 'dist');
    bucket.interfere = () => undefined;
    await bucket.upload(publisher.data, PREFIX);
    bucket.log();
  });

  /** In this process, with the bucket's environment. */
  async function run(
    args: readonly string[],
    environment: Readonly<Record<string, string>> = {},
    [location, contracts] = [LOCATION, publisher.contracts],
  ): Promise<Ended> {
    const all = { ...CREDENTIALS, AWS_MAX_ATTEMPTS: '1', AWS_ENDPOINT_URL: bucket.url, ...environment };
    for (const [variable, value] of Object.entries(all)) vi.stubEnv(variable, value);
    try {
      return await command(...args, '--contracts', contracts, '--data', location, '--jobs', '1');
    } finally {
      vi.unstubAllEnvs();
    }
  }

  const build = () => run(['build', '--out', out, '--release-date', RELEASE_DATE]);

  test('gives the tree of the same lake in a folder; later what changed is fetched, and what is gone is not kept', async () => {
    expect(await build()).toMatchObject({ code: 0 });
    expect(await contents(out)).toEqual(await contents(publisher.out));
    expect(bucket.log().read).toEqual(
      Object.keys(LAKE)
        .map(name => PREFIX + name)
        .sort(),
    );
    // Again, a listing is all that is asked for.
    expect(await build()).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Nothing changed/) });
    expect(bucket.log().read).toEqual([]);

    const revised = await copyPublisher(publisher, path.join(root, 'revised'));
    const [changed, gone] = [rainFile(2021, 'regions'), rainFile(2022, 'nation')];
    const rows = `SELECT * REPLACE (rain_mm + 1 AS rain_mm) FROM (${rainfallRows(2021, 'regions')})`;
    await writeRows(revised.data, { [changed]: rows });
    await rm(path.join(revised.data, gone));
    const lost = '{ date: 2031-05-17, reason: "Lost.", years: [2022], levels: [nation] }';
    await writeTexts(revised.contracts, { 'rain/rainfall.yaml': withdrawing(RAINFALL, lost) });
    await bucket.put(PREFIX + changed, await readFile(path.join(revised.data, changed)));
    await bucket.remove(PREFIX + gone);
    const dated = ['build', '--out', out, '--release-date', RELEASE_DATE];
    expect(await run(dated, {}, [LOCATION, revised.contracts])).toMatchObject({ code: 0 });
    expect(bucket.log().read).toEqual([PREFIX + changed]);
    await buildPublisher(revised);
    expect(await rowsOf(out)).toEqual(await rowsOf(revised.out));
    expect(await readdir(workspaceOf(out).lake)).toHaveLength(Object.keys(LAKE).length - 1);
  });

  const rowsOf = async (folder: string, ending = /\.(csv|parquet)$/) =>
    Object.fromEntries(Object.entries(await contents(folder)).filter(([name]) => ending.test(name)));

  test('of which a shard fetches what it reads', async () => {
    expect(await run(['build', '--cache', path.join(root, 'cache'), '--shard', '1/2'])).toMatchObject({
      code: 0,
    });
    const { read } = bucket.log();
    expect(read.length).toBeGreaterThan(0);
    expect(read.length).toBeLessThan(Object.keys(LAKE).length);
  });

  describe('that changes stops the build', () => {
    const changed = PREFIX + rainFile(2021, 'nation');
    const gone = PREFIX + rainFile(2022, 'nation');

    /** At one of the build's listings: its first, that of the fetch, its last. The tree of before stands. */
    async function expectStopped(at: number, change: () => Promise<void>, told: RegExp): Promise<void> {
      await copyTree(publisher, root);
      const before = await snapshot(out);
      let lists = 0;
      bucket.interfere = async ({ isList }) => {
        if (isList && ++lists === at) await change();
      };
      const { code, stderr } = await build();
      expect(stderr).toMatch(told);
      expect(code).toBe(3);
      expect(await snapshot(out)).toEqual(before);
    }

    test('between listing and fetching', () =>
      expectStopped(
        2,
        async () => {
          await bucket.put(changed, 'another size');
          await bucket.remove(gone);
        },
        /^lake-changed .*objects of .*year=2021\/nation\.parquet, \S+year=2022\/nation\.parquet/m,
      ));

    test('in bytes of the same number, while it is read', async () => {
      const bytes = await readFile(path.join(publisher.data, rainFile(2021, 'nation')));
      const other = Buffer.from(bytes);
      other[30] = (other[30] ?? 0) ^ 1;
      const told = /^lake-changed .*year=2021\/nation\.parquet \(changed\)/m;
      await expectStopped(3, () => bucket.put(changed, other), told);
    });
  });

  test('is fetched on from where a fetch broke off', async () => {
    bucket.interfere = ({ key, isList }, response) => {
      if (!isList && key.includes('2022')) response.destroy();
    };
    const broken = { code: 3, stderr: expect.stringMatching(/^lake-unreadable s3:/m) };
    expect(await build()).toMatchObject(broken);
    const first = bucket.log().read;
    expect(first.length).toBeGreaterThan(0);
    const { lake } = workspaceOf(out);
    await mkdir(path.join(lake, 'incoming-123'));
    await writeFile(path.join(lake, 'incoming-123', 'half'), 'half');
    bucket.interfere = () => undefined;
    await bucket.put(`${PREFIX}_sample.json`, '{"sample":true}');
    // Without a date, the release has that of its newest object.
    expect(await run(['build', '--out', out])).toMatchObject({ code: 0 });
    await bucket.remove(`${PREFIX}_sample.json`);
    const health = await readTreeJson<{ date: string; sample?: true }>(out, 'healthz.json');
    expect(health).toMatchObject({ sample: true, date: new Date().toISOString().slice(0, 10) });
    expect(bucket.log().read.filter(key => first.includes(key))).toEqual([]);
    expect(await readdir(lake)).not.toContain('incoming-123');
    expect(await rowsOf(out, /csv$/)).toEqual(await rowsOf(publisher.out, /csv$/));
  });

  const NOBODY = { AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '', HOME: '/dev/null' };
  const NO_SERVER = { AWS_ENDPOINT_URL: 'http://127.0.0.1:1' };
  test.each<[location: string, told: RegExp, environment?: Readonly<Record<string, string>>]>([
    ['s3://nobody-has-this', /^lake-unreadable s3:.*NoSuchBucket/m],
    [`s3://${BUCKET}/nothing`, /^lake-empty /m],
    ['s3://--help/x', /^lake-location /m],
    [`s3://${BUCKET}/pub*`, /^lake-location /m],
    [`s3://${BUCKET}/public/../other`, /^lake-location /m],
    [LOCATION, /^lake-unreadable s3:.*[Cc]redentials.*aws sts get-caller-identity/m, NOBODY],
    [LOCATION, /^lake-unreadable s3:.*[Cc]onnect/m, NO_SERVER],
    [LOCATION, /^aws-missing .*Install the AWS CLI/m, { PATH: '/nonexistent' }],
  ])('%s that cannot be read: %s', async (location, told, environment) => {
    const { code, stderr } = await run(['check'], environment, [location, publisher.contracts]);
    expect(stderr).toMatch(told);
    expect(code).toBe(3);
  });

  test('with names that no file can have is read without them', async () => {
    const hostile = [
      ...['../evil.parquet', '/etc/evil.parquet', 'a//b.parquet', 'a/../../c.parquet', 'nul\0.parquet'],
      ...['esc\x1b[2J.parquet', 'win\\evil.parquet', `${'x'.repeat(300)}.parquet`],
    ];
    const server = await startListing([...hostile, 'folder/', ...Object.keys(LAKE).slice(0, 3)]);
    const listed = { AWS_ENDPOINT_URL: server.url };
    const { stdout } = await run(['check', '--json', '--strict'], listed, [
      `s3://${BUCKET}`,
      publisher.contracts,
    ]);
    await server.close();
    const { diagnostics } = JSON.parse(stdout) as JsonReport;
    const named = diagnostics.filter(one => one.code === 'lake-object-name');
    expect(named.map(one => JSON.parse(one.file ?? ''))).toEqual(expect.arrayContaining(hostile));
    expect((await readdir(root)).sort()).toEqual(expect.not.arrayContaining(['evil.parquet', 'c.parquet']));
  });
});
