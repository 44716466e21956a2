import { existsSync } from 'node:fs';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { sha256 } from '../../site/edge/files/sha256.ts';
import { PATIENCE } from '../patience.ts';
import { temporaryFolder } from '../publishers/publisher-folder.ts';
import { openedFiles, sendRaw, served } from '../served.ts';
import { copyThings, SLICE, THINGS } from './tree/fixture.ts';

/** More than a server keeps in memory. */
const LARGE = Buffer.alloc(5 << 20, 'civic');

let outside: string;
let folder: string;
let url: string;

beforeAll(async () => {
  outside = await temporaryFolder();
  folder = join(outside, 'tree');
  await copyThings(folder);
  await writeFile(join(folder, 'large.bin'), LARGE);
  await writeFile(join(folder, 'empty.txt'), '');
  await list('large.bin', 'empty.txt');
  await writeFile(join(outside, 'secret.txt'), 'outside\n');
  await symlink(join(outside, 'secret.txt'), join(folder, 'link.txt'));
  url = await served(folder);
});

/** Adds files to the tree's list, which a digest in the root's page would cover. */
async function list(...names: readonly string[]): Promise<void> {
  const [index, sums] = [join(folder, 'index.html'), join(folder, 'SHA256SUMS')];
  const page = await readFile(index, 'utf8');
  await writeFile(index, page.replace(/<meta name="civic-digest"[^>]*>/, ''));
  const lines = ['index.html', ...names].map(
    async name => `${await sha256(await readFile(join(folder, name)))}  ${name}\n`,
  );
  const others = (await readFile(sums, 'utf8')).replace(/^\S+ {2}index\.html\n/m, '');
  await writeFile(sums, others + (await Promise.all(lines)).join(''));
}

const get = (target: string, headers = '') =>
  sendRaw(url, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`);

describe('nothing outside the tree is sent', () => {
  test.each([
    ...'/../secret.txt /..%2fsecret.txt /%2e%2e%2fsecret.txt /..\\secret.txt /%252e%252e%252fsecret.txt'.split(
      ' ',
    ),
    ...'/..%5csecret.txt /api/../../secret.txt /secret.txt%00.html //secret.txt /link.txt .. *'.split(' '),
    'http://x/../secret.txt',
  ])('%s', async target => {
    const answer = await get(target);
    expect(answer).toMatch(/^HTTP\/1\.1 40[04] /);
    expect(answer).not.toMatch(/outside| at .*\.(ts|js)/);
    expect(answer).not.toContain(outside);
  });

  test('a target with its host is its path', async () => {
    expect(await get('http://x/healthz')).toMatch(/^HTTP\/1\.1 200 /);
    expect(await get('/healthz#fragment')).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('odd headers', () => {
  // Other ranges and conditions: test/edge/conditional.test.ts.
  test.each([
    ['Range: bytes=99999999999999999999-', 416],
    ['Range: bytes=-99999999999999999999', 206],
    [`If-None-Match: ${'"x",'.repeat(2000)}"y"`, 200],
    ['Accept: text/html;q=0', 200],
    ['Transfer-Encoding: chunked\r\nContent-Length: 3', 400],
  ])('%s', async (header, status) => {
    expect(await get(`${SLICE}.csv`, `${header}\r\n`)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });

  test.each([
    [`GET ${THINGS}?area_code=\xe9 HTTP/1.1\r\nHost: x`, 400, 'Percent-encode as UTF-8'],
    ['nonsense', 400, 'does not understand'],
    [`GET ${THINGS}?area_code=${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x`, 414, 'at most 8192'],
    [`GET / HTTP/1.1\r\nCookie: a=${'x'.repeat(20_000)}\r\nHost: x`, 431, 'cookies'],
    ['FOO / HTTP/1.1\r\nHost: x', 405, 'GET, HEAD, OPTIONS'],
    ['CONNECT x:80 HTTP/1.1\r\nHost: x', 405, 'GET, HEAD, OPTIONS'],
    ['GET / HTTP/1.1\r\nHost: x\r\nExpect: foo\r\nConnection: close', 417, 'expectation'],
    ['GET / HTTP/1.1\r\nConnection: close', 400, 'Host header'],
  ])(
    'what no handler is asked is answered in JSON that any page may read: %#',
    async (text, status, words) => {
      const [head = '', body = ''] = (await sendRaw(url, `${text}\r\n\r\n`)).split('\r\n\r\n');
      expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      for (const line of [
        'Access-Control-Allow-Origin: \\*',
        'Content-Type: application/json',
        'Connection: close',
      ])
        expect(head).toMatch(new RegExp(`^${line}$`, 'im'));
      expect(head).toMatch(new RegExp(`^Content-Length: ${Buffer.byteLength(body)}$`, 'im'));
      expect(JSON.parse(body).detail).toContain(words);
    },
  );

  test('an invalid Host is not repeated', async () => {
    const answer = await sendRaw(url, 'GET /nothing HTTP/1.1\r\nHost: <script>\r\nConnection: close\r\n\r\n');
    expect(answer).not.toContain('script');
  });
});

describe('a file that is too large for memory', () => {
  test('is sent whole, and in parts', async () => {
    const whole = await fetch(`${url}/large.bin`);
    expect(whole.headers.get('content-length')).toBe(String(LARGE.length));
    expect(Buffer.from(await whole.arrayBuffer()).equals(LARGE)).toBe(true);
    const part = await fetch(`${url}/large.bin`, { headers: { Range: 'bytes=1-4999999' } });
    expect(part.headers.get('content-range')).toBe(`bytes 1-4999999/${LARGE.length}`);
    expect(Buffer.from(await part.arrayBuffer()).equals(LARGE.subarray(1, 5_000_000))).toBe(true);
  });

  test.skipIf(!existsSync('/proc/self/fd'))('is closed, also where the reader hangs up', async () => {
    const controllers = Array.from({ length: 5 }, () => new AbortController());
    await Promise.all(controllers.map(({ signal }) => fetch(`${url}/large.bin`, { signal })));
    for (const controller of controllers) controller.abort();
    await vi.waitFor(() => expect(openedFiles('self', 'large.bin')).toEqual([]), PATIENCE);
  });
});

test('an answer through the API has a name to save it under', async () => {
  const { headers } = await fetch(`${url}/api/v1/demo/things?year=2022&format=csv`);
  expect(headers.get('content-disposition')).toBe('attachment; filename="demo-things.csv"');
  expect((await fetch(`${url}${SLICE}.csv`)).headers.get('content-disposition')).toBeNull();
});

test.each(['/', `${SLICE}.json`, `${THINGS}?area_code=150`, `${THINGS}?year=1900`])(
  'HEAD %s says what GET says',
  async path => {
    const wanted = Object.fromEntries((await fetch(url + path)).headers);
    const head = await fetch(url + path, { method: 'HEAD' });
    const found = Object.fromEntries(head.headers);
    for (const name of ['date', 'connection', 'keep-alive']) delete wanted[name];
    expect(found).toMatchObject(wanted);
    expect(await head.text()).toBe('');
  },
);

test('an empty file, and a path that goes through a file', async () => {
  expect((await fetch(`${url}/empty.txt`)).headers.get('content-length')).toBe('0');
  expect((await fetch(`${url}/empty.txt/x`)).status).toBe(404);
  expect((await fetch(`${url}/${'a'.repeat(300)}`)).status).toBe(404);
});
