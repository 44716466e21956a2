/** A lake in a bucket, read by the real command `aws` from a server that speaks S3. */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { JsonReport } from '../../build/cli/json-report.ts';
import { workspaceOf } from '../../build/tree/workspace.ts';
import { command } from '../cli/command.ts';
import type { Ended } from '../cli/program.ts';
import { openPages } from '../explorer/explored-tree.ts';
import {
  buildPublisher,
  contents,
  RELEASE_DATE,
  readTreeJson,
  snapshot,
  undated,
  verify,
} from '../publishers/built-tree.ts';
import {
  type PublisherFolder,
  publisherAt,
  temporaryFolder,
  writePublisher,
  writeRows,
  writeTexts,
} from '../publishers/publisher-folder.ts';
import { LAKE, RAINFALL, rainFile, rainfallRows, withdrawing } from '../publishers/weather.ts';
import { awsCommands, BUCKET, type Bucket, environmentOf, startBucket, startListing } from './bucket.ts';

const commands = await awsCommands();
const PREFIX = 'public/rain and trams/';

let publisher: PublisherFolder;
let bucket: Bucket;
/** Of one test. */
let root: string;
let out: string;

beforeAll(async () => {
  publisher = await writePublisher(await temporaryFolder('never'));
  await buildPublisher(publisher, { pages: openPages() });
});
afterAll(() => rm(publisher.root, { recursive: true, force: true }));

const noCommand = commands.length === 0;
/** The program aws takes half a second and more to start. */
const PATIENCE = 300_000;

describe.skipIf(noCommand)(
  noCommand ? '(skipped: aws is not installed)' : 'a lake in a bucket',
  { timeout: PATIENCE },
  () => {
    beforeAll(async () => {
      const objects = path.join(publisher.root, 'bucket');
      await mkdir(objects);
      bucket = await startBucket(objects);
    });
    afterAll(() => bucket.close());
    // Whatever a test did to the objects, the next one finds those of the lake.
    beforeEach(async () => {
      root = await temporaryFolder();
      out = path.join(root, 'dist');
      bucket.interfere = () => undefined;
      await bucket.upload(publisher.data, PREFIX);
      await bucket.remove(`${PREFIX}_sample.json`);
      bucket.fetched();
    });

    const LOCATION = `s3://${BUCKET}/${PREFIX}`;

    /** In this process, with the bucket's environment. */
    async function run(
      [name = '', ...rest]: readonly string[],
      environment: Readonly<Record<string, string>> = {},
      location = LOCATION,
    ): Promise<Ended> {
      for (const [variable, value] of Object.entries({ ...bucket.environment, ...environment }))
        vi.stubEnv(variable, value);
      try {
        const inputs = ['--contracts', publisher.contracts, '--data', location, '--jobs', '1'];
        return await command(name, ...inputs, ...rest);
      } finally {
        vi.unstubAllEnvs();
      }
    }

    const build = (environment: Readonly<Record<string, string>> = {}) =>
      run(['build', '--out', out, '--release-date', RELEASE_DATE], environment);

    test.each(commands)('gives the tree of the same lake in a folder, by $version', async ({ PATH }) => {
      expect(await build({ PATH })).toMatchObject({ code: 0 });
      expect(await contents(out)).toEqual(await contents(publisher.out));
      expect(bucket.fetched()).toEqual(
        Object.keys(LAKE)
          .map(name => PREFIX + name)
          .sort(),
      );
      // Again, by any way to write the name: a listing is all that is asked for.
      const again = [LOCATION, `s3://${BUCKET}/${PREFIX.slice(0, -1)}`];
      for (const location of again) {
        const args = ['build', '--out', out, '--release-date', RELEASE_DATE];
        const { code, stdout } = await run(args, { PATH }, location);
        expect(code).toBe(0);
        if (location === LOCATION) expect(stdout).toMatch(/^Nothing changed/);
        expect(bucket.fetched()).toEqual([]);
      }
      expect(await run(['check', '--only', 'transit/*'], { PATH })).toMatchObject({ code: 0 });
    });

    test('is fetched as far as it changed, and what is gone is not kept', async () => {
      await build();
      bucket.fetched();
      const revised = publisherAt(path.join(root, 'revised'));
      await writeRows(revised.data, {
        ...LAKE,
        [rainFile(2021, 'regions')]:
          `SELECT * REPLACE (rain_mm + 1 AS rain_mm) FROM (${rainfallRows(2021, 'regions')})`,
      });
      await rm(path.join(revised.data, rainFile(2022, 'nation')));
      await bucket.put(
        PREFIX + rainFile(2021, 'regions'),
        await readFile(path.join(revised.data, rainFile(2021, 'regions'))),
      );
      await bucket.remove(PREFIX + rainFile(2022, 'nation'));
      const lost = '{ date: 2031-05-17, reason: "Lost.", years: [2022], levels: [nation] }';
      await writeTexts(publisher.contracts, { 'rain/rainfall.yaml': withdrawing(RAINFALL, lost) });
      onTestFinished(() => writeTexts(publisher.contracts, { 'rain/rainfall.yaml': RAINFALL }));
      expect(await build()).toMatchObject({ code: 0 });
      expect(bucket.fetched()).toEqual([PREFIX + rainFile(2021, 'regions')]);
      expect(await readdir(workspaceOf(out).lake)).toHaveLength(Object.keys(LAKE).length - 1);
      const folder = { ...revised, contracts: publisher.contracts };
      await buildPublisher(folder, { pages: openPages() });
      expect(await rowsOf(out)).toEqual(await rowsOf(folder.out));
      await verify(out);
    });

    const rowsOf = async (folder: string) =>
      Object.fromEntries(
        Object.entries(await contents(folder)).filter(([name]) => /\.(csv|parquet)$/.test(name)),
      );

    test('of which shards fetch what they read', async () => {
      const shards = [1, 2].map(number => path.join(root, `shard-${number}`));
      const fetched: string[][] = [];
      for (const [i, shard] of shards.entries()) {
        const args = ['build', '--out', shard, '--shard', `${i + 1}/2`, '--release-date', RELEASE_DATE];
        expect(await run(args)).toMatchObject({ code: 0 });
        fetched.push(bucket.fetched());
      }
      expect(fetched.some(files => files.length < Object.keys(LAKE).length)).toBe(true);
      expect(await command('merge', ...shards, '--out', out)).toMatchObject({ code: 0 });
      expect(await contents(out)).toEqual(await contents(publisher.out));
    });

    test('is dated by its newest object, and says whether it is a sample', async () => {
      await bucket.put(`${PREFIX}_sample.json`, '{"sample":true}');
      expect(await run(['build', '--out', out])).toMatchObject({ code: 0 });
      const health = await readTreeJson<{ date: string; sample?: true }>(out, 'healthz.json');
      expect(health).toMatchObject({ sample: true, date: new Date().toISOString().slice(0, 10) });
    });

    describe('that changes', () => {
      /** While the tree of before stands. */
      async function expectStopped(build: Promise<Ended>, told: RegExp): Promise<void> {
        const before = await snapshot(out);
        const { code, stderr } = await build;
        expect(stderr).toMatch(told);
        expect(code).toBe(3);
        expect(await snapshot(out)).toEqual(before);
      }
      const changed = PREFIX + rainFile(2021, 'nation');
      const gone = PREFIX + rainFile(2022, 'nation');

      beforeEach(async () => {
        await buildPublisher({ ...publisher, out }, { only: 'transit/*', pages: openPages() });
      });

      test('between listing and fetching stops the build', async () => {
        let lists = 0;
        bucket.interfere = async (_, isList) => {
          if (!isList || ++lists !== 2) return;
          await bucket.put(changed, 'another size');
          await bucket.remove(gone);
        };
        await expectStopped(
          build(),
          /^lake-changed .*objects of .*year=2021\/nation\.parquet, \S+year=2022\/nation\.parquet/m,
        );
        bucket.interfere = () => undefined;
        expect(await build()).toMatchObject({
          code: 1,
          stderr: expect.stringMatching(/lake-unreadable-file/),
        });
      });

      test('in bytes of the same number, while it is read, stops the build', async () => {
        const bytes = await readFile(path.join(publisher.data, rainFile(2021, 'nation')));
        const other = Buffer.from(bytes);
        other[30] = (other[30] ?? 0) ^ 1;
        let lists = 0;
        bucket.interfere = async (_, isList) => {
          // The first listing is the build's, the second that of the fetch, the third the build's again.
          if (isList && ++lists === 3) await bucket.put(changed, other);
        };
        await expectStopped(build(), /^lake-changed .*year=2021\/nation\.parquet \(changed\)/m);
        bucket.interfere = () => undefined;
        await bucket.put(changed, bytes);
        expect(await build()).toMatchObject({ code: 0 });
        expect(await undated(out)).toEqual(await undated(publisher.out));
      });
    });

    test('is fetched on from where a fetch broke off', async () => {
      bucket.interfere = (key, isList, response) => {
        if (!isList && key.includes('2022')) response.destroy();
      };
      expect(await build()).toMatchObject({
        code: 3,
        stderr: expect.stringMatching(/^lake-unreadable s3:/m),
      });
      const first = bucket.fetched();
      expect(first.length).toBeGreaterThan(0);
      const { lake } = workspaceOf(out);
      await mkdir(path.join(lake, 'incoming-123'));
      await writeFile(path.join(lake, 'incoming-123', 'half'), 'half');
      bucket.interfere = () => undefined;
      expect(await build()).toMatchObject({ code: 0 });
      expect(bucket.fetched().filter(key => first.includes(key))).toEqual([]);
      expect(await readdir(lake)).toHaveLength(Object.keys(LAKE).length);
      expect(await contents(out)).toEqual(await contents(publisher.out));
    });

    describe('that cannot be read', () => {
      const CASES: readonly [string, string, RegExp, Readonly<Record<string, string>>][] = [
        ['an unknown bucket', 's3://nobody-has-this', /^lake-unreadable s3:.*NoSuchBucket/m, {}],
        ['an empty prefix', `s3://${BUCKET}/nothing`, /^lake-empty /m, {}],
        ['no bucket', 's3://', /^lake-location /m, {}],
        ['an option for a bucket', 's3://--help/x', /^lake-location /m, {}],
        ['a pattern', `s3://${BUCKET}/pub*`, /^lake-location /m, {}],
        ['a way out', `s3://${BUCKET}/public/../other`, /^lake-location /m, {}],
        [
          'no credentials',
          LOCATION,
          /^lake-unreadable s3:.*[Cc]redentials.*aws sts get-caller-identity/m,
          {
            AWS_ACCESS_KEY_ID: '',
            AWS_SECRET_ACCESS_KEY: '',
            AWS_EC2_METADATA_DISABLED: 'true',
            HOME: '/dev/null',
          },
        ],
        [
          'no server',
          LOCATION,
          /^lake-unreadable s3:.*[Cc]onnect/m,
          { AWS_ENDPOINT_URL: 'http://127.0.0.1:1' },
        ],
        ['no command aws', LOCATION, /^aws-missing .*Install the AWS CLI/m, { PATH: '/nonexistent' }],
      ];

      test.each(CASES)('%s', async (_, location, told, environment) => {
        const { code, stderr } = await run(['build', '--out', out], environment, location);
        expect(stderr).toMatch(told);
        expect(code).toBe(3);
        expect(await readdir(root)).not.toContain('dist');
      });
    });

    test('with names that no file can have is read without them', async () => {
      const hostile = [
        '../evil.parquet',
        '/etc/evil.parquet',
        'a//b.parquet',
        'a/../../c.parquet',
        'nul\0.parquet',
        'esc\x1b[2J.parquet',
        'win\\evil.parquet',
        `${'x'.repeat(300)}.parquet`,
      ];
      const server = await startListing([...hostile, 'folder/', ...Object.keys(LAKE).slice(0, 3)]);
      try {
        const args = ['build', '--out', out, '--json'];
        const { code, stdout } = await run(args, environmentOf(server.endpoint), `s3://${BUCKET}`);
        // None of them exists, so the first that is wanted cannot be fetched.
        expect(code).toBe(3);
        const report = JSON.parse(stdout) as JsonReport;
        expect([report.ok, report.diagnostics[0]?.code]).toEqual([false, 'lake-unreadable']);
        const strict = await run([...args, '--strict'], environmentOf(server.endpoint), `s3://${BUCKET}`);
        const { diagnostics } = JSON.parse(strict.stdout) as JsonReport;
        const named = diagnostics.filter(one => one.code === 'lake-object-name');
        expect(named.map(one => JSON.parse(one.file ?? ''))).toEqual(expect.arrayContaining(hostile));
      } finally {
        await server.close();
      }
      expect((await readdir(root)).sort()).toEqual(expect.not.arrayContaining(['evil.parquet', 'c.parquet']));
    });
  },
);
