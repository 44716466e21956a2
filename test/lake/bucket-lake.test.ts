/** A lake in a bucket, read by the real `aws` from an S3 server. */
import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { JsonReport } from '../../build/cli/problem-report.ts';
import { buildShard } from '../../build/pipeline/shard.ts';
import { workspaceOf } from '../../build/tree/workspace.ts';
import { command } from '../cli/command.ts';
import { BUCKET, type Bucket, CREDENTIALS, startBucket, startListing } from '../deploy/bucket-server.ts';
import { isInstalled } from '../installed.ts';
import { buildOptions, contents } from '../publishers/built-tree.ts';
import { keptWeather } from '../publishers/kept-trees.ts';
import {
  copyTree,
  type Publisher,
  publisherAt,
  temporaryFolder,
  writeTexts,
} from '../publishers/publisher-folder.ts';
import { LAKE, RAINFALL, rainFile, rainfallRows, withdrawing } from '../publishers/weather.ts';

const PREFIX = 'public/rain and trams/';
const LOCATION = `s3://${BUCKET}/${PREFIX}`;

let publisher: Publisher;
let bucket: Bucket;
/** One test's contracts, with the bucket as lake. */
let remote: Publisher;

describe.skipIf(!isInstalled('aws'))('a lake in a bucket', () => {
  beforeAll(async () => {
    publisher = await keptWeather();
    bucket = await startBucket();
  });
  // Each test begins with the objects of the lake.
  beforeEach(async () => {
    const environment = {
      ...CREDENTIALS,
      AWS_MAX_ATTEMPTS: '1',
      AWS_ENDPOINT_URL: bucket.url,
    };
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    const { contracts } = publisher;
    remote = publisherAt(await temporaryFolder()).with({ contracts, data: LOCATION });
    bucket.interfere = () => undefined;
    await bucket.upload(publisher.data, PREFIX);
    bucket.log();
  });
  afterEach(() => void vi.unstubAllEnvs());

  test("is fetched from where a fetch was interrupted; later only changes are, and removed files aren't kept", async () => {
    bucket.interfere = ({ key, isList }, response) => {
      if (!isList && key.includes('2022')) response.destroy();
    };
    expect((await remote.inability()).code).toBe('lake-unreadable');
    const first = bucket.log().read;
    expect(first.length).toBeGreaterThan(0);
    const { lake } = workspaceOf(remote.out);
    await writeTexts(path.join(lake, 'incoming-123'), { half: 'half' });
    bucket.interfere = () => undefined;
    const sample = { '_sample.json': '{"sample":true}' };
    await bucket.put(`${PREFIX}_sample.json`, sample['_sample.json']);
    onTestFinished(() => bucket.remove(`${PREFIX}_sample.json`));
    // Without a date, the release has the date of its newest object.
    const undated = { releaseDate: null };
    await remote.build(undated);
    const health = await remote.json<{ date: string; sample?: true }>('healthz.json');
    expect(health).toMatchObject({ sample: true, date: new Date().toISOString().slice(0, 10) });
    const facts = (keys: readonly string[]) => keys.filter(key => key.endsWith('.parquet'));
    expect([...facts(first), ...facts(bucket.log().read)].sort()).toEqual(
      Object.keys(LAKE)
        .map(name => PREFIX + name)
        .sort(),
    );
    expect(await readdir(lake)).not.toContain('incoming-123');
    expect(await rowsOf(remote.out, /csv$/)).toEqual(await rowsOf(publisher.out, /csv$/));
    // A second build only asks for a listing.
    expect((await remote.build(undated)).result.changed).toBe(false);
    expect(bucket.log().read).toEqual([]);

    const revised = await publisher.copy();
    const [changed, gone] = [rainFile(2021, 'regions'), rainFile(2022, 'nation')];
    const rows = `SELECT * REPLACE (rain_mm + 1 AS rain_mm) FROM (${rainfallRows(2021, 'regions')})`;
    await revised.writeRows({ [changed]: rows });
    await rm(path.join(revised.data, gone));
    const lost = '{ date: 2031-05-17, reason: "Lost.", years: [2022], levels: [nation] }';
    await revised.writeContracts({ 'rain/rainfall.yaml': withdrawing(RAINFALL, lost) });
    await bucket.put(PREFIX + changed, await readFile(path.join(revised.data, changed)));
    await bucket.remove(PREFIX + gone);
    await writeTexts(revised.data, sample);
    await remote.with({ contracts: revised.contracts }).build(undated);
    expect(bucket.log().read).toEqual([PREFIX + changed]);
    await revised.build(undated);
    expect(await rowsOf(remote.out)).toEqual(await rowsOf(revised.out));
    // One is gone, and one says that it is a sample.
    expect(await readdir(lake)).toHaveLength(Object.keys(LAKE).length);
  });

  const rowsOf = async (folder: string, ending = /\.(csv|parquet)$/) =>
    Object.fromEntries(Object.entries(await contents(folder)).filter(([name]) => ending.test(name)));

  test('has only the files fetched that a shard reads', async () => {
    const cache = { folder: path.join(remote.root, 'cache') };
    await buildShard({ ...buildOptions(remote), cache }, { number: 1, of: 2 }, () => undefined);
    const { read } = bucket.log();
    expect(read.length).toBeGreaterThan(0);
    expect(read.length).toBeLessThan(Object.keys(LAKE).length);
  });

  const changed = rainFile(2021, 'nation');
  const gone = rainFile(2022, 'nation');

  /**
   * The change happens at one of the build's listings: the first, the fetch's, or the last. The tree stays.
   */
  test.each<[when: string, at: number, told: RegExp, change: () => Promise<void>]>([
    [
      'between listing and fetching',
      2,
      /objects of .*year=2021\/nation\.parquet, \S+year=2022\/nation\.parquet/,
      async () => {
        await bucket.put(PREFIX + changed, 'another size');
        await bucket.remove(PREFIX + gone);
      },
    ],
    [
      'in bytes of the same number, while it is read',
      3,
      /year=2021\/nation\.parquet \(changed\)/,
      async () => {
        const bytes = await readFile(path.join(publisher.data, changed));
        bytes[30]! ^= 1;
        await bucket.put(PREFIX + changed, bytes);
      },
    ],
  ])('that changes %s stops the build', async (_, at, told, change) => {
    await copyTree(publisher, remote.root);
    const before = await remote.snapshot();
    let lists = 0;
    bucket.interfere = async ({ isList }) => {
      if (isList && ++lists === at) await change();
    };
    const { code, message } = await remote.inability();
    expect([code, message]).toEqual(['lake-changed', expect.stringMatching(told)]);
    expect(await remote.snapshot()).toEqual(before);
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
  ])('%s that cannot be read: %s', async (location, told, environment = {}) => {
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    const { code, stderr } = await check(location);
    expect(stderr).toMatch(told);
    expect(code).toBe(3);
  });

  const check = (location: string, ...more: readonly string[]) =>
    command('check', '--contracts', publisher.contracts, '--data', location, '--jobs', '1', ...more);

  test('is read without names that no file can have', async () => {
    const hostile = [
      ...['../evil.parquet', '/etc/evil.parquet', 'a//b.parquet', 'a/../../c.parquet', 'nul\0.parquet'],
      ...['esc\x1b[2J.parquet', 'win\\evil.parquet', `${'x'.repeat(300)}.parquet`],
    ];
    const server = await startListing([...hostile, 'folder/', ...Object.keys(LAKE).slice(0, 3)]);
    vi.stubEnv('AWS_ENDPOINT_URL', server);
    const { stdout } = await check(`s3://${BUCKET}`, '--json', '--strict');
    const { diagnostics } = JSON.parse(stdout) as JsonReport;
    const named = diagnostics.filter(one => one.code === 'lake-object-name');
    expect(named.map(one => JSON.parse(one.file ?? ''))).toEqual(expect.arrayContaining(hostile));
    expect((await readdir(remote.root)).sort()).toEqual(
      expect.not.arrayContaining(['evil.parquet', 'c.parquet']),
    );
  });
});
