/** What travels to a bucket, by what is known of it; and where a deployment may go. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDestination } from '../../build/deploy/destination.ts';
import { EtagHash } from '../../build/deploy/etag.ts';
import type { LocalFile } from '../../build/deploy/local-tree.ts';
import { findWrong, planUpload } from '../../build/deploy/upload-plan.ts';

const md5 = (bytes: Uint8Array | string) => createHash('md5').update(bytes).digest('hex');

const local = (path: string, text: string): LocalFile => ({
  path,
  bytes: text.length,
  sha256: `sha256 of ${text}`,
  etags: [md5(text), `${md5(createHash('md5').update(text).digest())}-1`],
});

const files = new Map(
  [local('a.csv', 'new'), local('b.csv', 'same'), local('SUMS', 'same')].map(file => [file.path, file]),
);
const object = (text: string, etag = md5(text)) => ({ bytes: text.length, etag });
const paths = (list: readonly LocalFile[]) => list.map(file => file.path);

describe('a plan', () => {
  const before = new Map([
    ['a.csv', 'sha256 of old'],
    ['b.csv', 'sha256 of same'],
    ['SUMS', 'sha256 of same'],
  ]);

  test('copies what the release before has, but for names without an ending, and sends the rest', () => {
    const { copy, send } = planUpload(files, new Map(), before);
    expect([paths(copy), paths(send)]).toEqual([['b.csv'], ['a.csv', 'SUMS']]);
  });

  test('leaves what is proved to be there, in one piece or in parts', () => {
    const there = new Map([
      ['a.csv', object('new')],
      ['b.csv', object('same', files.get('b.csv')!.etags[1])],
    ]);
    const { copy, send } = planUpload(files, there, before);
    expect([paths(copy), paths(send)]).toEqual([[], ['SUMS']]);
  });

  test('brings again what has the right length alone', () => {
    const { send } = planUpload(files, new Map([['a.csv', object('wen')]]), before);
    expect(paths(send)).toContain('a.csv');
  });
});

describe('what arrived', () => {
  const arrived = (etag: (text: string) => string) =>
    new Map([
      ['a.csv', object('wen', etag('wen'))],
      ['b.csv', object('same', etag('same'))],
      ['SUMS', object('same', etag('same'))],
    ]);

  test('is held against its hashes, where the bucket has them', () =>
    expect(paths(findWrong(files, arrived(md5)))).toEqual(['a.csv']));

  test('is held against its length, where its ETags are no hashes of it', () => {
    const there = arrived(text => md5(`key and ${text}`));
    expect(findWrong(files, there)).toEqual([]);
    there.set('b.csv', object('longer', 'x'));
    there.delete('SUMS');
    expect(paths(findWrong(files, there))).toEqual(['b.csv', 'SUMS']);
  });
});

test('the ETag of parts is that of their hashes, however the bytes arrive', () => {
  const bytes = Buffer.alloc((8 << 20) * 2 + 5, 'civic');
  const parts = [bytes.subarray(0, 8 << 20), bytes.subarray(8 << 20, 16 << 20), bytes.subarray(16 << 20)];
  const whole = createHash('md5');
  for (const part of parts) whole.update(createHash('md5').update(part).digest());
  const expected = [md5(bytes), `${whole.digest('hex')}-3`];
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: bytes.length - 1 }), { maxLength: 5 }), cuts => {
      const hash = new EtagHash();
      let at = 0;
      for (const cut of [...cuts.sort((a, b) => a - b), bytes.length]) {
        hash.update(bytes.subarray(at, cut));
        at = cut;
      }
      expect(hash.digest()).toEqual(expected);
    }),
    { numRuns: 10 },
  );
});

test.each([
  ['s3://data.example.org', { kind: 'bucket', bucket: 'data.example.org', prefix: '' }],
  ['s3://data/a/b/', { kind: 'bucket', bucket: 'data', prefix: 'a/b/' }],
  [
    'deploy@data.example.org:/srv/civic/',
    { kind: 'server', login: 'deploy@data.example.org', folder: '/srv/civic' },
  ],
  ['../site', { kind: 'server', login: null, folder: '../site' }],
  ['/', { kind: 'server', login: null, folder: '/' }],
  ['s3://data/../other', null],
  ['s3://data//other', null],
  ['s3://DATA', null],
  ['https://data.example.org', null],
  ['-oProxyCommand=reboot:/srv', null],
  ['host:-folder', null],
  ['host:/srv/$(reboot)', null],
  ["host:/srv/a'b", null],
  ['host:/srv/a b', null],
  ['host:/srv\n/a', null],
  ['', null],
])('%j leads to %j', (text, expected) => expect(parseDestination(text)).toEqual(expected));
