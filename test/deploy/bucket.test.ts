/** A bucket: the real aws brings releases to a server that speaks S3's language, and one small object switches. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createBucketHost } from '../../build/deploy/bucket.ts';
import { type CloudfrontFunction, compileFunction } from '../../build/deploy/cloudfront.ts';
import { CURRENT, ROOT, releaseFolder } from '../../build/format/paths.ts';
import { contentType } from '../../site/edge/respond/headers.ts';
import { temporaryFolder } from '../publishers/publisher-folder.ts';
import { BUCKET, type BucketServer, CREDENTIALS, startBucketServer } from './bucket-server.ts';
import { startCloudfront } from './cloudfront-server.ts';
import { deploy as deployTo } from './deploy-program.ts';
import {
  type Get,
  getOverHttp,
  readOneByOne,
  readPinned,
  sha256,
  switchTwentyTimes,
  watch,
} from './reader.ts';
import { buildThreeReleases, changedFiles, type Release, type ThreeReleases } from './three-releases.ts';

const hasAws = spawnSync('aws', ['--version']).status === 0;

let three: ThreeReleases;
let [first, second, third]: Release[] = [];
let server: BucketServer;
/** What the tests do one after the other to one place, since aws takes its time. */
const prefix = 'some/place/';

beforeAll(async () => {
  // Of every aws that is run, by the program and by the tests.
  for (const [name, value] of Object.entries(CREDENTIALS)) vi.stubEnv(name, value);
  three = await buildThreeReleases();
  [first, second, third] = three.releases;
  server = await startBucketServer(three.root);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await server.close();
  await three.remove();
});
beforeEach(() => {
  server.written();
  server.refuseAfter(null);
});

const deploy = (...args: readonly string[]) =>
  deployTo([...args, `s3://${BUCKET}/${prefix}`, '--endpoint-url', server.url]);

const get: Get = name => getOverHttp(`${server.url}/${BUCKET}/${prefix.replace(/\/$/, '')}`)(name);

const online = async () => (await get(`/${CURRENT}`)).toString('utf8').trim();

async function expectWhole(release: Release): Promise<void> {
  for (const [file, hash] of release.hashes)
    expect([file, sha256(await get(`/${releaseFolder(release.id)}/${file}`))]).toEqual([file, hash]);
}

const addressOf = (release: Release, file: string) => `${server.url}/${BUCKET}/${keysOf(release, [file])[0]}`;

const head = (release: Release, file: string) => fetch(addressOf(release, file), { method: 'HEAD' });

const keysOf = (release: Release, files: Iterable<string>) =>
  [...files].map(file => `${prefix}${releaseFolder(release.id)}/${file}`).sort();

/** The program aws takes half a second and more to start, twenty times a release. */
const PATIENCE = 300_000;

describe.skipIf(!hasAws)('aws', () => {
  test(
    'brings a release whole, whatever another attempt left there',
    async () => {
      const stations = 'api/v1/climate/rainfall/year=2021/stations.csv';
      const { length } = await readFile(path.join(first!.folder, stations));
      const left = { [ROOT.health]: '{}', [stations]: 'x'.repeat(length), 'not-of-it.txt': 'x' };
      for (const [file, text] of Object.entries(left))
        expect((await fetch(addressOf(first!, file), { method: 'PUT', body: text })).status).toBe(200);
      const { code, output } = await deploy(first!.folder);
      expect([code, output]).toEqual([0, expect.stringContaining(`Release ${first!.id} is online.`)]);
      expect(await online()).toBe(first!.id);
      await expectWhole(first!);
      expect((await head(first!, 'not-of-it.txt')).status).toBe(404);
    },
    PATIENCE,
  );

  test('says the type of each file', async () => {
    const kinds = new Map([...first!.hashes.keys()].map(file => [contentType(file), file]));
    expect(kinds.size).toBeGreaterThan(8);
    for (const [type, file] of kinds) {
      const { headers } = await head(first!, file);
      const said = [file, headers.get('content-type'), headers.get('cache-control')];
      expect(said).toEqual([file, type, 'public, max-age=300']);
    }
    const pointer = await fetch(`${server.url}/${BUCKET}/${prefix}${CURRENT}`, { method: 'HEAD' });
    expect(pointer.headers.get('cache-control')).toBe('no-store');
  });

  test(
    'sends only what changed; the rest is copied in the bucket',
    async () => {
      const { code, output } = await deploy(third!.folder);
      expect([code, output]).toEqual([0, expect.stringContaining(`It replaces ${first!.id}.`)]);
      const { sent, copied } = server.written();
      const changed = changedFiles(first!, third!);
      const small = [`${prefix}${CURRENT}`, ...keysOf(third!, [ROOT.checksums])];
      expect(sent).toEqual([...keysOf(third!, changed), ...small].sort());
      const unchanged = [...third!.hashes.keys()].filter(file => !changed.includes(file));
      expect(unchanged.length).toBeGreaterThan(20);
      expect(copied).toEqual(expect.arrayContaining(keysOf(third!, unchanged)));
      await expectWhole(third!);
      const page = await head(third!, unchanged.find(file => file.endsWith('.parquet')) ?? '');
      expect(page.headers.get('content-type')).toBe('application/vnd.apache.parquet');
      // What the release before had, and this one has not, was copied along with its type, and is gone.
      const gone = [...first!.hashes.keys()].filter(file => !third!.hashes.has(file));
      expect(gone.length).toBeGreaterThan(0);
      for (const file of gone) expect([file, (await head(third!, file)).status]).toEqual([file, 404]);
    },
    PATIENCE,
  );

  test(
    'that is interrupted leaves what is online, and goes on where it stopped',
    async () => {
      const changed = changedFiles(third!, second!);
      // All copies, and some of what is sent.
      server.refuseAfter(third!.hashes.size + 10);
      const broken = await deploy(second!.folder);
      expect([broken.code, broken.output]).toEqual([3, expect.stringContaining('AccessDenied')]);
      const early = server.written();
      expect(early.sent.length).toBeGreaterThan(0);
      expect(await online()).toBe(third!.id);
      server.refuseAfter(null);
      const again = await deploy(second!.folder);
      expect([again.code, again.output]).toEqual([0, expect.stringContaining('is online')]);
      const late = server.written();
      expect(late.copied).toEqual([]);
      expect([...early.sent, ...late.sent].sort()).toEqual(
        [...keysOf(second!, [...changed, ROOT.checksums]), `${prefix}${CURRENT}`].sort(),
      );
      for (const release of three.releases) await expectWhole(release);
      expect(await online()).toBe(second!.id);
    },
    PATIENCE,
  );
});

const STORE = 'arn:aws:cloudfront::123456789012:key-value-store/aaaa-1';

describe.skipIf(!hasAws)('twenty switches under readers’ eyes', () => {
  const template = readFileSync(path.join(import.meta.dirname, 'cloudfront-function.js'), 'utf8');

  test('of the object that names the release, and of a function of CloudFront', async () => {
    const origin = `${server.url}/${BUCKET}/${prefix.replace(/\/$/, '')}`;
    const live = template.replaceAll('@RELEASE@', third!.id);
    const cloudfront = await startCloudfront('civic', live, origin, [STORE]);
    vi.stubEnv('AWS_ENDPOINT_URL_CLOUDFRONT', cloudfront.api);
    const code = path.join(await temporaryFolder(), 'function.js');
    await writeFile(code, template);
    const { code: exit, output } = await deploy(
      first!.folder,
      '--function',
      'civic',
      '--function-code',
      code,
    );
    expect([exit, output]).toEqual([0, expect.stringContaining('is online')]);
    expect(cloudfront.stores()).toEqual([STORE]);
    const ofCloudfront = getOverHttp(cloudfront.url);
    const pointer = async (ask: Get) => (await ask(`/${CURRENT}`)).toString('utf8').trim();
    const host = (ofFunction: CloudfrontFunction | null) =>
      createBucketHost(
        { kind: 'bucket', bucket: BUCKET, prefix },
        { endpoint: server.url, cloudfront: ofFunction, tell: () => undefined },
      );
    // Its function is in the bucket by now.
    const other = STORE.replace('aaaa', 'bbbb');
    await host({ name: 'civic', code: null, store: other }).switchTo(first!.id);
    expect(cloudfront.stores()).toEqual([other]);
    const watches = [
      watch('of the bucket, pinned', readPinned(get, three.releases, pointer)),
      watch('of CloudFront, one by one', readOneByOne(ofCloudfront, three.releases)),
      watch('of CloudFront, pinned', readPinned(ofCloudfront, three.releases)),
    ];
    // By aws where readers could notice how: it replaced the function twice above, in three runs each.
    const bucket = host(null);
    const switchTo = async ({ id }: Release): Promise<void> => {
      await bucket.switchTo(id);
      cloudfront.publish(compileFunction(template, id));
    };
    await switchTwentyTimes(watches, three.releases, switchTo, server.onWrite);
    await cloudfront.close();
  }, 900_000);

  test('a function that does not parse is refused before anything is sent', async () => {
    const before = await online();
    const code = path.join(await temporaryFolder(), 'function.js');
    await writeFile(code, "// '@RELEASE@'\nfunction handler(event) { return f(undefined 0); }");
    const refused = await deploy(second!.folder, '--function', 'civic', '--function-code', code);
    expect([refused.code, refused.output]).toEqual([1, expect.stringMatching(/line 2: SyntaxError/)]);
    expect([await online(), server.written()]).toEqual([before, { sent: [], copied: [] }]);
  });

  test(
    'a function that names no release would not switch, and is refused',
    async () => {
      const before = await online();
      const code = path.join(await temporaryFolder(), 'function.js');
      await writeFile(code, 'function handler(event) { return event.request; }');
      const refused = await deploy(second!.folder, '--function', 'civic', '--function-code', code);
      expect([refused.code, refused.output]).toEqual([1, expect.stringContaining('@RELEASE@')]);
      expect(await online()).toBe(before);
      expect(before).not.toBe(second!.id);
    },
    PATIENCE,
  );
});

describe.skipIf(!hasAws)('releases that are there', () => {
  test(
    'lists, switches back, and keeps the last ones',
    async () => {
      expect((await deploy('--list')).output).toBe(`${second!.id}\n${third!.id}  online\n${first!.id}\n`);
      expect(await deploy('--rollback', first!.id)).toMatchObject({ code: 0 });
      expect(await online()).toBe(first!.id);
      const unknown = await deploy('--rollback', '2031-05-17-00000000');
      expect([unknown.code, unknown.output]).toEqual([1, expect.stringContaining(second!.id)]);
      expect(await deploy(third!.folder, '--keep', '2')).toMatchObject({ code: 0 });
      expect((await deploy('--list')).output).toBe(`${second!.id}\n${third!.id}  online\n`);
      expect((await head(first!, ROOT.manifest)).status).toBe(404);
      expect((await fetch(`${server.url}/${BUCKET}/${prefix}functions/${first!.id}.js`)).status).toBe(404);
      await expectWhole(third!);
    },
    PATIENCE,
  );

  test(
    'a bucket that refuses is said, and nothing is switched',
    async () => {
      server.refuseAfter(0);
      const { code, output } = await deploy(first!.folder);
      expect([code, output]).toEqual([3, expect.stringContaining('AccessDenied')]);
      expect(await online()).toBe(third!.id);
      const missing = await deployTo([first!.folder, 's3://nothing-here', '--endpoint-url', server.url]);
      expect([missing.code, missing.output]).toEqual([3, expect.stringContaining('NoSuchBucket')]);
    },
    PATIENCE,
  );
});
