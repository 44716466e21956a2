/** A bucket: the real aws uploads releases to an S3 server, and one small object switches between them. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { contentType } from '../../build/format/media-type.ts';
import { CURRENT, ROOT, releaseFolder } from '../../build/format/paths.ts';
import { createBucketHost, type PrepareFront } from '../../build/hosts/bucket.ts';
import { compileFunction, openFunction } from '../../build/hosts/s3-cloudfront.ts';
import { isInstalled } from '../installed.ts';
import { sha256 } from '../publishers/built-tree.ts';
import { temporaryFolder } from '../publishers/publisher-folder.ts';
import { BUCKET, type Bucket, CREDENTIALS, startBucket } from './bucket-server.ts';
import { startCloudfront } from './cloudfront-server.ts';
import { type Get, getOverHttp } from './reader.ts';
import { changedFiles, deploy as deployTo, type Release, threeReleases } from './three-releases.ts';

const [first, second, third] = await threeReleases();
let bucket: Bucket;
/** Each test continues from the bucket of the one before. */
const prefix = 'some/place/';

beforeAll(async () => {
  for (const [name, value] of Object.entries({ ...CREDENTIALS, ...PATIENT })) vi.stubEnv(name, value);
  bucket = await startBucket();
});
afterAll(() => void vi.unstubAllEnvs());
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

// s3rver fails if a folder becomes empty while it deletes several objects. A retry succeeds.
const PATIENT = { AWS_RETRY_MODE: 'standard', AWS_MAX_ATTEMPTS: '8' };

/** Refuses some writes. */
function refuse(isRefused: (key: string) => boolean): void {
  bucket.interfere = ({ method, key }, response) => {
    if (method !== 'PUT' || !isRefused(key)) return;
    response.writeHead(403, { 'Content-Type': 'application/xml', Connection: 'close' });
    response.end('<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>No more.</Message></Error>');
  };
}

const STORE = 'arn:aws:cloudfront::123456789012:key-value-store/aaaa-1';
/** Each release has its own copy, with its name in place of the mark; publishing it is the switch. */
const TEMPLATE = `function handler(event) {
  event.request.uri = '/releases/@RELEASE@' + event.request.uri;
  return event.request;
}
`;

/** Options of a deployment that replaces the function with this code. */
async function replacing(code: string): Promise<string[]> {
  const file = path.join(await temporaryFolder(), 'function.js');
  await writeFile(file, code);
  return ['--function', 'civic', '--function-code', file];
}

describe.skipIf(!isInstalled('aws'))('aws', () => {
  const hostOf = (front: PrepareFront) =>
    createBucketHost(
      { kind: 'bucket', bucket: BUCKET, prefix },
      { endpoint: bucket.url, front, tell: () => undefined },
    );

  test('an interrupted deployment continues, copies in the bucket, repairs, sends the rest and keeps the last releases', async () => {
    for (const { id, folder } of [first, second]) {
      await bucket.upload(folder, `${prefix}${releaseFolder(id)}/`);
      // aws gives times in seconds, and the older release is removed.
      await wait(1000);
    }
    await bucket.put(`${prefix}functions/${first.id}.js`, TEMPLATE);
    await bucket.put(`${prefix}${CURRENT}`, `${second.id}\n`);
    // All copies, and some of what is sent.
    let allowed = second.hashes.size + 10;
    refuse(() => allowed-- <= 0);
    const broken = await deploy(third.folder);
    expect([broken.code, broken.output]).toEqual([3, expect.stringContaining('AccessDenied')]);
    const early = bucket.log();
    expect(early.sent.length).toBeGreaterThan(0);
    expect(await online()).toBe(second.id);
    const unchanged = [...third.hashes].flatMap(([file, hash]) =>
      second.hashes.get(file) === hash ? [file] : [],
    );
    expect(unchanged.length).toBeGreaterThan(20);
    expect(early.copied).toEqual(expect.arrayContaining(keysOf(third, unchanged)));

    const isEarly = (file: string) => keysOf(third, [file]).every(key => early.sent.includes(key));
    const changed = changedFiles(second, third).filter(file => !isEarly(file));
    bucket.interfere = () => undefined;
    // A run of aws sends files of one type, so files of rarer types are there already, as if another attempt
    // had sent them.
    const brought = changed.filter(file => /xml|sql|markdown|linkset/.test(contentType(file)));
    for (const file of brought)
      await bucket.put(keysOf(third, [file])[0]!, await readFile(path.join(third.folder, file)));
    const sent = changed.filter(file => !brought.includes(file));
    const [long = '', short = ''] = sent.filter(file => file.endsWith('.csv'));
    const { length } = await readFile(path.join(third.folder, long));
    const left = { [long]: 'x'.repeat(length), [short]: '{}', 'not-of-it.txt': 'x' };
    for (const [file, text] of Object.entries(left)) await bucket.put(keysOf(third, [file])[0]!, text);

    const again = await deploy(third.folder, '--keep', '2');
    expect([again.code, again.output]).toEqual([
      0,
      expect.stringContaining(`Release ${third.id} is online. It replaces ${second.id}.`),
    ]);
    const late = bucket.log();
    const small = [`${prefix}${CURRENT}`, ...keysOf(third, [ROOT.checksums])];
    expect(late.sent).toEqual([...keysOf(third, sent), ...small].sort());
    expect(late.copied).toEqual([]);
    for (const release of [second, third]) await expectWhole(release);
    expect(await online()).toBe(third.id);
    // Files that only the release before has were copied with their types, and are removed.
    const gone = [...second.hashes.keys()].filter(file => !third.hashes.has(file));
    expect(gone.length).toBeGreaterThan(0);
    for (const file of ['not-of-it.txt', ...gone])
      expect([file, (await head(third, file)).status]).toEqual([file, 404]);

    const kinds = new Map(
      [...sent, ...unchanged].map(file => [`${contentType(file)} ${sent.includes(file)}`, file]),
    );
    expect(kinds.size).toBeGreaterThan(8);
    for (const file of kinds.values()) {
      const { headers } = await head(third, file);
      const said = [file, headers.get('content-type'), headers.get('cache-control')];
      expect(said).toEqual([file, contentType(file), 'public, max-age=300']);
    }
    const pointer = await fetch(`${bucket.url}/${BUCKET}/${prefix}${CURRENT}`, { method: 'HEAD' });
    expect(pointer.headers.get('cache-control')).toBe('no-store');

    expect((await head(first, ROOT.manifest)).status).toBe(404);
    expect((await fetch(`${bucket.url}/${BUCKET}/${prefix}functions/${first.id}.js`)).status).toBe(404);
    expect((await deploy('--list')).output).toBe(`${third.id}  online\n${second.id}\n`);
  });

  test('a release or a bucket that is not there', async () => {
    const empty = ['--rollback', first.id, `s3://${BUCKET}/empty`, '--endpoint-url', bucket.url];
    expect(await deployTo(empty)).toMatchObject({
      code: 1,
      output: expect.stringContaining('has no release'),
    });
    const missing = await deployTo([first.folder, 's3://nothing-here', '--endpoint-url', bucket.url]);
    expect([missing.code, missing.output]).toEqual([3, expect.stringContaining('NoSuchBucket')]);
  });

  test('switches by one object and a CloudFront function, whose copy is in the bucket', async () => {
    const cloudfront = await startCloudfront('civic', compileFunction(TEMPLATE, third.id), STORE);
    vi.stubEnv('AWS_ENDPOINT_URL_CLOUDFRONT', cloudfront.api);
    const back = await deploy('--rollback', second.id, ...(await replacing(TEMPLATE)));
    expect([back.code, back.output]).toEqual([0, expect.stringContaining('is online')]);
    expect(cloudfront.live()).toEqual([compileFunction(TEMPLATE, second.id), [STORE]]);
    const key = `${prefix}${CURRENT}`;
    expect(bucket.log().sent).toEqual([key, `${prefix}functions/${second.id}.js`].sort());
    const other = STORE.replace('aaaa', 'bbbb');
    await hostOf(openFunction({ name: 'civic', code: null, store: other })).switchTo(second.id);
    expect(cloudfront.live()[1]).toEqual([other]);
    // A switch is one write of each, so that no reader gets a mixture.
    expect(bucket.log().sent).toEqual([key]);
  });

  test('a function that does not parse sends nothing, one that names no release switches nothing', async () => {
    const broken = "// '@RELEASE@'\nfunction handler(event) { return f(undefined 0); }";
    const refused = await deploy(third.folder, ...(await replacing(broken)));
    expect([refused.code, refused.output]).toEqual([1, expect.stringMatching(/line 2: SyntaxError/)]);
    const code = 'function handler(event) { return event.request; }';
    const switched = hostOf(openFunction({ name: 'civic', code, store: null })).switchTo(third.id);
    await expect(switched).rejects.toMatchObject({ message: expect.stringContaining('@RELEASE@') });
    expect([await online(), bucket.log().sent]).toEqual([second.id, [`${prefix}functions/${third.id}.js`]]);
  });

  test('a release whose list does not arrive stays offline', async () => {
    refuse(key => keysOf(first, [ROOT.checksums]).includes(key));
    const unlisted = await deploy(first.folder);
    expect([unlisted.code, unlisted.output]).toEqual([3, expect.stringContaining('AccessDenied')]);
    expect(await online()).toBe(second.id);
  });
});
