/** A bucket: the real aws brings releases to a server that speaks S3's language, and one small object switches. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createBucketHost } from '../../build/deploy/bucket.ts';
import { CURRENT, ROOT, releaseFolder } from '../../build/format/paths.ts';
import { compileFunction, openFunction } from '../../build/hosts/s3-cloudfront.ts';
import { contentType } from '../../site/edge/respond/headers.ts';
import { temporaryFolder } from '../publishers/publisher-folder.ts';
import { BUCKET, type Bucket, CREDENTIALS, startBucket } from './bucket-server.ts';
import { startCloudfront } from './cloudfront-server.ts';
import { deploy as deployTo } from './deploy-program.ts';
import { type Get, getOverHttp, readOneByOne, readPinned, sha256, switchOften, watch } from './reader.ts';
import { changedFiles, type Release, threeReleases } from './three-releases.ts';

const hasAws = spawnSync('aws', ['--version']).status === 0;

let first: Release;
let third: Release;
let root: string;
let bucket: Bucket;
/** What the tests do one after the other to one place, since aws takes its time. */
const prefix = 'some/place/';

beforeAll(async () => {
  // Of every aws that is run, by the program and by the tests.
  for (const [name, value] of Object.entries({ ...CREDENTIALS, ...PATIENT })) vi.stubEnv(name, value);
  [first, , third] = await threeReleases();
  root = await temporaryFolder();
  bucket = await startBucket(root);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await bucket.close();
  await rm(root, { recursive: true, force: true });
});
beforeEach(() => {
  bucket.log();
  bucket.interfere = () => undefined;
});

const deploy = (...args: readonly string[]) =>
  deployTo([...args, `s3://${BUCKET}/${prefix}`, '--endpoint-url', bucket.url]);

const get: Get = name => getOverHttp(`${bucket.url}/${BUCKET}/${prefix.replace(/\/$/, '')}`)(name);

const online = async () => (await get(`/${CURRENT}`)).toString('utf8').trim();

async function expectWhole(release: Release): Promise<void> {
  for (const [file, hash] of release.hashes)
    expect([file, sha256(await get(`/${releaseFolder(release.id)}/${file}`))]).toEqual([file, hash]);
}

const addressOf = (release: Release, file: string) => `${bucket.url}/${BUCKET}/${keysOf(release, [file])[0]}`;

const head = (release: Release, file: string) => fetch(addressOf(release, file), { method: 'HEAD' });

const keysOf = (release: Release, files: Iterable<string>) =>
  [...files].map(file => `${prefix}${releaseFolder(release.id)}/${file}`).sort();

// s3rver trips over folders that empty while it deletes several objects; asked again, it goes on.
const PATIENT = { AWS_RETRY_MODE: 'standard', AWS_MAX_ATTEMPTS: '8' };

/** After so many writes all others are refused. */
function refuseAfter(writes: number): void {
  let left = writes;
  bucket.interfere = ({ method }, response) => {
    if (method !== 'PUT' || left-- > 0) return;
    response.writeHead(403, { 'Content-Type': 'application/xml', Connection: 'close' });
    response.end('<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>No more.</Message></Error>');
  };
}

/** The program aws takes half a second and more to start, twenty times a release. */

const STORE = 'arn:aws:cloudfront::123456789012:key-value-store/aaaa-1';
const TEMPLATE = readFileSync(path.join(import.meta.dirname, 'cloudfront-function.js'), 'utf8');

/** Options of a deployment that replaces a function of this code. */
async function replacing(code: string): Promise<string[]> {
  const file = path.join(await temporaryFolder(), 'function.js');
  await writeFile(file, code);
  return ['--function', 'civic', '--function-code', file];
}

describe.skipIf(!hasAws)('aws', () => {
  test('brings a release whole, whatever another attempt left there, and says the type of each file', async () => {
    const stations = 'api/v1/climate/rainfall/year=2021/stations.csv';
    const { length } = await readFile(path.join(first.folder, stations));
    const left = { [ROOT.health]: '{}', [stations]: 'x'.repeat(length), 'not-of-it.txt': 'x' };
    for (const [file, text] of Object.entries(left))
      expect((await fetch(addressOf(first, file), { method: 'PUT', body: text })).status).toBe(200);
    const { code, output } = await deploy(first.folder);
    expect([code, output]).toEqual([0, expect.stringContaining(`Release ${first.id} is online.`)]);
    expect(await online()).toBe(first.id);
    await expectWhole(first);
    expect((await head(first, 'not-of-it.txt')).status).toBe(404);

    const kinds = new Map([...first.hashes.keys()].map(file => [contentType(file), file]));
    expect(kinds.size).toBeGreaterThan(8);
    for (const [type, file] of kinds) {
      const { headers } = await head(first, file);
      const said = [file, headers.get('content-type'), headers.get('cache-control')];
      expect(said).toEqual([file, type, 'public, max-age=300']);
    }
    const pointer = await fetch(`${bucket.url}/${BUCKET}/${prefix}${CURRENT}`, { method: 'HEAD' });
    expect(pointer.headers.get('cache-control')).toBe('no-store');
  });

  test('that is interrupted leaves what is online, goes on where it stopped, and sends only what changed', async () => {
    const changed = changedFiles(first, third);
    // All copies, and some of what is sent.
    refuseAfter(first.hashes.size + 10);
    const broken = await deploy(third.folder);
    expect([broken.code, broken.output]).toEqual([3, expect.stringContaining('AccessDenied')]);
    const early = bucket.log();
    expect(early.sent.length).toBeGreaterThan(0);
    expect(await online()).toBe(first.id);
    bucket.interfere = () => undefined;
    const again = await deploy(third.folder);
    expect([again.code, again.output]).toEqual([0, expect.stringContaining(`It replaces ${first.id}.`)]);
    const late = bucket.log();
    const small = [`${prefix}${CURRENT}`, ...keysOf(third, [ROOT.checksums])];
    expect([...early.sent, ...late.sent].sort()).toEqual([...keysOf(third, changed), ...small].sort());
    // The rest is copied in the bucket, once.
    const unchanged = [...third.hashes.keys()].filter(file => !changed.includes(file));
    expect(unchanged.length).toBeGreaterThan(20);
    expect(early.copied).toEqual(expect.arrayContaining(keysOf(third, unchanged)));
    expect(late.copied).toEqual([]);
    for (const release of [first, third]) await expectWhole(release);
    expect(await online()).toBe(third.id);
    const page = await head(third, unchanged.find(file => file.endsWith('.parquet')) ?? '');
    expect(page.headers.get('content-type')).toBe('application/vnd.apache.parquet');
    // What the release before had, and this one has not, was copied along with its type, and is gone.
    const gone = [...first.hashes.keys()].filter(file => !third.hashes.has(file));
    expect(gone.length).toBeGreaterThan(0);
    for (const file of gone) expect([file, (await head(third, file)).status]).toEqual([file, 404]);
  });

  test('switches by one object and a function of CloudFront: in many switches no reader gets a mixture', async () => {
    const live = TEMPLATE.replaceAll('@RELEASE@', third.id);
    const cloudfront = await startCloudfront('civic', live, get, [STORE]);
    vi.stubEnv('AWS_ENDPOINT_URL_CLOUDFRONT', cloudfront.api);
    const back = await deploy('--rollback', first.id, ...(await replacing(TEMPLATE)));
    expect([back.code, back.output]).toEqual([0, expect.stringContaining('is online')]);
    expect(cloudfront.stores()).toEqual([STORE]);
    expect(sha256(await cloudfront.get(`/${ROOT.manifest}`))).toBe(first.hashes.get(ROOT.manifest));
    const key = `${prefix}${CURRENT}`;
    expect(bucket.log().sent).toEqual([key, `${prefix}functions/${first.id}.js`].sort());
    // Its function is in the bucket by now.
    const other = STORE.replace('aaaa', 'bbbb');
    const front = openFunction({ name: 'civic', code: null, store: other });
    const destination = { kind: 'bucket', bucket: BUCKET, prefix } as const;
    await createBucketHost(destination, { endpoint: bucket.url, front, tell: () => undefined }).switchTo(
      first.id,
    );
    expect(cloudfront.stores()).toEqual([other]);
    // The one write of a switch, as aws sends it: many starts of it would show readers nothing more.
    expect(bucket.log().sent).toEqual([key]);
    const switchTo = async ({ id }: Release): Promise<void> => {
      const url = `${bucket.url}/${BUCKET}/${key}`;
      expect((await fetch(url, { method: 'PUT', body: `${id}\n` })).status).toBe(200);
      cloudfront.publish(compileFunction(TEMPLATE, id));
    };
    const releases = [first, third];
    const watches = [
      watch('of the bucket, pinned', readPinned(get, releases, online)),
      watch('of CloudFront, one by one', readOneByOne(cloudfront.get, releases)),
      watch('of CloudFront, pinned', readPinned(cloudfront.get, releases)),
    ];
    await switchOften(watches, releases, switchTo);
    cloudfront.close();
  });

  const UNPARSED = "// '@RELEASE@'\nfunction handler(event) { return f(undefined 0); }";
  test.each([
    ['does not parse sends nothing', UNPARSED, /line 2: SyntaxError/, 0],
    // It would not switch. Of what it sends, readers see nothing.
    [
      'names no release switches nothing',
      'function handler(event) { return event.request; }',
      /@RELEASE@/,
      1,
    ],
  ])('a function that %s', async (_, code, says, sent) => {
    const refused = await deploy(third.folder, ...(await replacing(code)));
    expect([refused.code, refused.output]).toEqual([1, expect.stringMatching(says)]);
    expect([await online(), bucket.log().sent]).toMatchObject([first.id, { length: sent }]);
  });

  test('lists releases, and keeps the last ones', async () => {
    expect((await deploy('--list')).output).toBe(`${third.id}\n${first.id}  online\n`);
    const unknown = await deploy('--rollback', '2031-05-17-00000000');
    expect([unknown.code, unknown.output]).toEqual([1, expect.stringContaining(third.id)]);
    expect(await deploy(third.folder, '--keep', '1')).toMatchObject({ code: 0 });
    expect(await online()).toBe(third.id);
    expect((await deploy('--list')).output).toBe(`${third.id}  online\n`);
    expect((await head(first, ROOT.manifest)).status).toBe(404);
    expect((await fetch(`${bucket.url}/${BUCKET}/${prefix}functions/${first.id}.js`)).status).toBe(404);
    await expectWhole(third);
    const missing = await deployTo([first.folder, 's3://nothing-here', '--endpoint-url', bucket.url]);
    expect([missing.code, missing.output]).toEqual([3, expect.stringContaining('NoSuchBucket')]);
  });
});
