/** What is sent to a bucket, and where a deployment may go. */
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findWrong, planUpload } from '../../build/hosts/bucket.ts';
import { type LocalFile, parseDestination, readDigests } from '../../build/hosts/deployment.ts';
import { temporaryFolder } from '../publishers/publisher-folder.ts';

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
const paths = (list: readonly LocalFile[]) => list.map(file => file.path).join(' ');

const BEFORE = new Map([
  ['a.csv', 'sha256 of old'],
  ['b.csv', 'sha256 of same'],
  ['SUMS', 'sha256 of same'],
]);

test.each<[what: string, there: [string, ReturnType<typeof object>][], copied: string, sent: string]>([
  ['what the release before has is copied, but for names without an ending', [], 'b.csv', 'a.csv SUMS'],
  ['what has the right length alone is brought again', [['a.csv', object('wen')]], 'b.csv', 'a.csv SUMS'],
  [
    'what is proved to be there, in one piece or in parts, is left',
    [
      ['a.csv', object('new')],
      ...[['b.csv', object('same', files.get('b.csv')!.etags[1])] as [string, ReturnType<typeof object>]],
    ],
    '',
    'SUMS',
  ],
])('%s', (_, there, copied, sent) => {
  const { copy, send } = planUpload(files, new Map(there), BEFORE);
  expect([paths(copy), paths(send)]).toEqual([copied, sent]);
});

test('uploaded files are compared with their hashes if the bucket has them, otherwise with their lengths', () => {
  const arrived = (etag: (text: string) => string) =>
    new Map(
      ['a.csv wen', 'b.csv same', 'SUMS same'].map(one => {
        const [name = '', text = ''] = one.split(' ');
        return [name, object(text, etag(text))];
      }),
    );
  expect(paths(findWrong(files, arrived(md5)))).toBe('a.csv');
  const there = arrived(text => md5(`key and ${text}`));
  expect(findWrong(files, there)).toEqual([]);
  there.set('b.csv', object('longer', 'x'));
  there.delete('SUMS');
  expect(paths(findWrong(files, there))).toBe('b.csv SUMS');
});

test('the ETag of parts is that of their hashes, and the last may be full or empty', async () => {
  const file = path.join(await temporaryFolder(), 'file');
  for (const more of [-1, 0, 5]) {
    const bytes = Buffer.alloc((8 << 20) * 2 + more, 'civic');
    await writeFile(file, bytes);
    const parts = [bytes.subarray(0, 8 << 20), bytes.subarray(8 << 20, 16 << 20), bytes.subarray(16 << 20)];
    const full = parts.filter(part => part.length > 0);
    const whole = createHash('md5');
    for (const part of full) whole.update(createHash('md5').update(part).digest());
    expect(await readDigests(file)).toEqual({
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      etags: [md5(bytes), `${whole.digest('hex')}-${full.length}`],
    });
  }
});

const bucket = (name: string, prefix: string) => ({ kind: 'bucket', bucket: name, prefix });
const server = (login: string | null, folder: string) => ({ kind: 'server', login, folder });
const nowhere = (...texts: string[]) => texts.map((text): [string, null] => [text, null]);
test.each<[text: string, place: object | null]>([
  ['s3://data.example.org', bucket('data.example.org', '')],
  ['s3://data/a/b/', bucket('data', 'a/b/')],
  ['deploy@data.example.org:/srv/civic/', server('deploy@data.example.org', '/srv/civic')],
  ['../site', server(null, '../site')],
  ['/', server(null, '/')],
  ...nowhere('s3://data/../other', 's3://data//other', 's3://DATA', 'https://data.example.org', ''),
  ...nowhere('-oProxyCommand=reboot:/srv', 'host:-folder', 'host:/srv/$(reboot)', "host:/srv/a'b"),
  ...nowhere('host:/srv/a b', 'host:/srv\n/a', 'host:/a;reboot'),
])('%j leads to %j', (text, expected) => expect(parseDestination(text)).toEqual(expected));
