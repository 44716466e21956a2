import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type RunningServer, startServer } from '../../site/edge/adapters/node.ts';
import { copyThings, SLICE, THINGS } from './tree/fixture.ts';
import { writeChecksums } from './tree/write.ts';

/** More than a server keeps in memory. */
const LARGE = Buffer.alloc(5 << 20, 'civic');

let outside: string;
let folder: string;
let server: RunningServer;

beforeAll(async () => {
  outside = await mkdtemp(join(tmpdir(), 'node-'));
  folder = join(outside, 'tree');
  await copyThings(folder);
  await writeFile(join(folder, 'large.bin'), LARGE);
  await writeFile(join(folder, 'empty.txt'), '');
  await writeChecksums(folder);
  await writeFile(join(outside, 'secret.txt'), 'outside\n');
  await symlink(join(outside, 'secret.txt'), join(folder, 'link.txt'));
  server = await startServer({ folder, port: 0 });
}, 120_000);

afterAll(async () => {
  await server.close();
  await rm(outside, { recursive: true });
});

/** Sends bytes as they are, as no well-behaved client would. */
function sendRaw(text: string): Promise<string> {
  return new Promise((done, fail) => {
    const { port, hostname } = new URL(server.url);
    const socket = connect(Number(port), hostname, () => socket.write(text, 'latin1'));
    let answer = '';
    socket.on('data', data => {
      answer += data;
    });
    socket.on('close', () => done(answer));
    socket.on('error', fail);
  });
}

const get = (target: string, headers = '') =>
  sendRaw(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`);

describe('nothing outside the tree is sent', () => {
  test.each([
    ...'/../secret.txt /..%2fsecret.txt /%2e%2e/secret.txt /%2e%2e%2fsecret.txt /..\\secret.txt'.split(' '),
    ...'/%252e%252e%252fsecret.txt /..%5csecret.txt /api/../../secret.txt /secret.txt%00.html'.split(' '),
    ...'//secret.txt /link.txt /../tree/secret.txt .. * http://x/../secret.txt'.split(' '),
  ])('%s', async target => {
    const answer = await get(target);
    expect(answer).not.toContain('outside');
    expect(answer).toMatch(/^HTTP\/1\.1 40[04] /);
    expect(answer).not.toMatch(/ at .*\.(ts|js)/);
    expect(answer).not.toContain(outside);
  });

  test('a target with its host is its path', async () => {
    expect(await get('http://x/healthz')).toMatch(/^HTTP\/1\.1 200 /);
    expect(await get('/healthz#fragment')).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('odd headers', () => {
  test.each([
    ['Range: bytes=0-0, 5-9, 20-30', 200],
    ['Range: bytes=99999999999999999999-', 416],
    ['Range: bytes=-99999999999999999999', 206],
    [`If-None-Match: ${'"x",'.repeat(2000)}"y"`, 200],
    ['If-Modified-Since: not a date', 200],
    ['Accept: text/html;q=0', 200],
    ['Accept-Encoding: gzip', 200],
    ['Transfer-Encoding: chunked\r\nContent-Length: 3', 400],
  ])('%s', async (header, status) => {
    expect(await get(`${SLICE}.csv`, `${header}\r\n`)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });

  test.each([
    [`GET ${THINGS}?area_code=\xe9 HTTP/1.1\r\nHost: x\r\n\r\n`, 400, 'Percent-encode as UTF-8'],
    ['nonsense\r\n\r\n', 400, 'does not understand'],
    [`GET ${THINGS}?area_code=${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 414, 'at most 8192'],
    [`GET / HTTP/1.1\r\nCookie: a=${'x'.repeat(20_000)}\r\nHost: x\r\n\r\n`, 431, 'cookies'],
    ['FOO / HTTP/1.1\r\nHost: x\r\n\r\n', 405, 'GET, HEAD, OPTIONS'],
    ['CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n', 405, 'GET, HEAD, OPTIONS'],
    ['GET / HTTP/1.1\r\nHost: x\r\nExpect: foo\r\nConnection: close\r\n\r\n', 417, 'expectation'],
    ['GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'Host header'],
  ])(
    'what no handler is asked is answered in JSON that any page may read: %#',
    async (text, status, words) => {
      const answer = await sendRaw(text);
      const [head = '', body = ''] = answer.split('\r\n\r\n');
      expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(head).toMatch(/^Access-Control-Allow-Origin: \*$/im);
      expect(head).toMatch(/^Content-Type: application\/json$/im);
      expect(head).toMatch(/^Connection: close$/im);
      expect(head).toMatch(new RegExp(`^Content-Length: ${Buffer.byteLength(body)}$`, 'im'));
      expect(JSON.parse(body).detail).toContain(words);
    },
  );

  test('a Host that is none is not repeated', async () => {
    const answer = await sendRaw('GET /nothing HTTP/1.1\r\nHost: <script>\r\nConnection: close\r\n\r\n');
    expect(answer).not.toContain('script');
  });
});

describe('a file that is too large for memory', () => {
  test('is sent whole, and in parts', async () => {
    const whole = await fetch(`${server.url}/large.bin`);
    expect(whole.headers.get('content-length')).toBe(String(LARGE.length));
    expect(Buffer.from(await whole.arrayBuffer()).equals(LARGE)).toBe(true);
    const part = await fetch(`${server.url}/large.bin`, { headers: { Range: 'bytes=1-4999999' } });
    expect([part.status, part.headers.get('content-range')]).toEqual([
      206,
      `bytes 1-4999999/${LARGE.length}`,
    ]);
    expect(Buffer.from(await part.arrayBuffer()).equals(LARGE.subarray(1, 5_000_000))).toBe(true);
  });

  test.skipIf(!existsSync('/proc/self/fd'))('is closed, also where the reader hangs up', async () => {
    const opened = () =>
      readdirSync('/proc/self/fd').filter(one => {
        try {
          return readlinkSync(`/proc/self/fd/${one}`).endsWith('large.bin');
        } catch {
          return false;
        }
      });
    const controllers = Array.from({ length: 5 }, () => new AbortController());
    await Promise.all(controllers.map(({ signal }) => fetch(`${server.url}/large.bin`, { signal })));
    for (const controller of controllers) controller.abort();
    for (let tries = 0; tries < 100 && opened().length > 0; tries++) await wait(20);
    expect(opened()).toEqual([]);
  });
});

describe('stored files', () => {
  test('through the API are the same, with a name to save them under', async () => {
    const response = await fetch(`${server.url}/api/v1/demo/things?year=2022&format=csv`);
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="demo-things.csv"');
    expect(await response.text()).toBe(await readFile(join(folder, `${SLICE}.csv`), 'utf8'));
    const { headers } = await fetch(`${server.url}${SLICE}.csv`);
    expect([headers.get('content-disposition'), headers.get('accept-ranges')]).toEqual([null, 'bytes']);
  });

  test.each(['/', `${SLICE}.json`, '/api/v1/demo/things?area_code=150', '/api/v1/', `${THINGS}?year=1900`])(
    'HEAD %s says what GET says',
    async path => {
      const get = await fetch(server.url + path);
      const head = await fetch(server.url + path, { method: 'HEAD' });
      const {
        date: _date,
        connection: _connection,
        'keep-alive': _alive,
        ...wanted
      } = Object.fromEntries(get.headers);
      expect(Object.fromEntries(head.headers)).toMatchObject(wanted);
      expect(await head.text()).toBe('');
      const again = await fetch(server.url + path, {
        headers: { 'If-None-Match': get.headers.get('etag')! },
      });
      expect(again.status).toBe(304);
    },
  );
});

test('an empty file, and a path that goes through a file', async () => {
  expect((await fetch(`${server.url}/empty.txt`)).headers.get('content-length')).toBe('0');
  expect((await fetch(`${server.url}/empty.txt/x`)).status).toBe(404);
  expect((await fetch(`${server.url}/${'a'.repeat(300)}`)).status).toBe(404);
});

test('a reader who hangs up does not stop the server', async () => {
  const controller = new AbortController();
  const response = await fetch(`${server.url}/api/v1/demo/things?detail=units&step=1,2&format=csv`, {
    signal: controller.signal,
  });
  controller.abort();
  await expect(response.text()).rejects.toThrow();
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
});

test('a file of the right length with other bytes is named, not sent', async () => {
  const root = join(outside, 'damaged');
  await copyThings(root);
  const damaged = await startServer({ folder: root, port: 0 });
  onTestFinished(damaged.close);
  await writeFile(join(root, `${SLICE}.csv`), (await readFile(join(root, `${SLICE}.csv`))).fill(65));
  const response = await fetch(`${damaged.url}${THINGS}?year=2022&format=csv`);
  const detail = expect.stringMatching(/areas\.csv has other bytes/);
  expect([response.status, await response.json()]).toEqual([502, { detail }]);
});
