/** `civic serve --plain`: what readers see on a host that only has files. */
import { existsSync } from 'node:fs';
import { mkdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { civic, startCivic } from '../cli/program.ts';
import { type Host, startPlainHost } from '../explorer/browser.ts';
import { PATIENCE } from '../patience.ts';
import { keptWeather } from '../publishers/kept-trees.ts';
import { type Publisher, temporaryFolder } from '../publishers/publisher-folder.ts';
import { openedFiles } from '../served.ts';
import { copyThings } from './tree/fixture.ts';

const SLICE = 'api/v1/demo/things/year=2022/areas';

let outside: string;
let folder: string;
let root: Host;
let beneath: Host;
beforeAll(async () => {
  outside = await temporaryFolder();
  folder = join(outside, 'tree');
  await copyThings(folder);
  await mkdir(join(folder, 'pages.v1'));
  await writeFile(join(outside, 'secret.txt'), 'outside\n');
  await symlink(join(outside, 'secret.txt'), join(folder, 'link.txt'));
  await writeFile(join(folder, 'pages.v1/index.html'), '<p>A folder');
  await writeFile(join(folder, '404.html'), '<p>Not here');
  root = await startPlainHost(folder);
  beneath = await startPlainHost(folder, { base: '/some/repo/' });
});

describe.each(['/', '/some/repo/'])('at %s', base => {
  const get = (name: string, init: RequestInit = {}) =>
    fetch((base === '/' ? root : beneath).url + name, { redirect: 'manual', ...init });

  test.each([
    [`${SLICE}.json?limit=1`, 'application/json'],
    ['SHA256SUMS', ''],
    ['pages.v1/', 'text/html'],
  ])('%s is the file, whatever is asked of it', async (name, type) => {
    const response = await get(name, { headers: { Accept: 'text/html' } });
    const file = await readFile(join(folder, name.replace(/\?.*/, '').replace(/\/$/, '/index.html')));
    expect([response.status, Buffer.from(await response.arrayBuffer()).equals(file)]).toEqual([200, true]);
    expect(response.headers.get('content-type') ?? '').toContain(type);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(Date.parse(response.headers.get('last-modified') ?? '')).toBeGreaterThan(0);
    const head = await get(name, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(file.length)]);
    const etag = response.headers.get('etag') ?? '';
    expect((await get(name, { headers: { 'If-None-Match': etag } })).status).toBe(304);
  });

  test.each(['pages.v1', 'api/v1/demo/things?year=2022'])('%s is a folder without its slash', async name => {
    const { status, headers } = await get(name);
    expect([status, headers.get('location')?.split('?')[0]]).toEqual([301, `${base}${name.split('?')[0]}/`]);
  });

  test('a range', async () => {
    const bytes = await readFile(join(folder, `${SLICE}.parquet`));
    const response = await get(`${SLICE}.parquet`, { headers: { Range: 'bytes=4-11' } });
    const said = response.headers.get('content-range');
    expect([response.status, said]).toEqual([206, `bytes 4-11/${bytes.length}`]);
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes.subarray(4, 12))).toBe(true);
  });

  test.each([
    ...`healthz ${SLICE}.json/ link.txt api/v1/demo/nothing/ ..%2fsecret.txt`.split(' '),
    ...`%2e%2e%2fsecret.txt %00 %E0%A4%A ${'x'.repeat(5000)}`.split(' '),
  ])('%.40s is the page 404.html, for programs too', async name => {
    const response = await get(name, { headers: { Accept: 'application/json' } });
    expect([response.status, await response.text()]).toEqual([404, '<p>Not here']);
    expect(response.headers.get('content-type')).toContain('text/html');
  });
});

test('other methods are refused, and the tree is only served under its path', async () => {
  expect((await fetch(`${root.url}index.json`, { method: 'POST', body: 'x' })).status).toBe(405);
  for (const name of ['/', '/index.json', '/some/repository/index.json'])
    expect([name, (await fetch(new URL(beneath.url).origin + name)).status]).toEqual([name, 404]);
});

test('a file that is replaced by one of its length and time has another ETag', async () => {
  const file = join(folder, 'replaced.txt');
  const tags = [];
  for (const text of ['one\n', 'two\n']) {
    await writeFile(file, text);
    await utimes(file, 1e9, 1e9);
    const response = await fetch(`${root.url}replaced.txt`);
    expect(await response.text()).toBe(text);
    tags.push(response.headers.get('etag'));
  }
  expect(tags[0]).not.toBe(tags[1]);
});

describe('civic serve', () => {
  let publisher: Publisher;
  beforeAll(async () => {
    publisher = await (await keptWeather()).copyBuilt();
  });

  /** The object that the program prints when it listens, and its process number. */
  async function serve(...args: string[]) {
    const { process, says } = startCivic(['serve', publisher.out, '--port', '0', '--json', ...args]);
    const said = JSON.parse(await says(/^\{[\s\S]*\}\s*$/));
    const { url, examples } = said as { url: string; examples: readonly { url: string }[] };
    return { url, examples, pid: process.pid };
  }

  test.skipIf(!existsSync('/proc/self/fd'))(
    '--plain sends files, outlives one that cannot be opened, and closes those of readers who hang up',
    async () => {
      const { url, examples, pid } = await serve('--plain', '--base-path', 'repo');
      expect(new URL(url).pathname).toBe('/repo/');
      const slice = 'api/v1/climate/rainfall/year=2021/regions.csv';
      const response = await fetch(`${url}${slice}?limit=1`);
      expect(await response.text()).toBe(await readFile(join(publisher.out, slice), 'utf8'));
      expect((await fetch(`${url}healthz`)).status).toBe(404);
      expect(examples.length).toBeGreaterThan(0);
      for (const one of examples) {
        expect(one.url.startsWith(url)).toBe(true);
        expect([one.url, (await fetch(one.url)).status]).toEqual([one.url, 200]);
      }

      // Like a file that a build removes between the look at it and its opening.
      const door = createServer().listen(join(publisher.out, 'door.txt'));
      await new Promise(done => door.once('listening', done));
      await expect(fetch(`${url}door.txt`).then(answer => answer.text())).rejects.toThrow();
      door.close();
      expect((await fetch(`${url}index.json`)).status).toBe(200);

      await writeFile(join(publisher.out, 'large.bin'), Buffer.alloc(8 << 20));
      const controllers = Array.from({ length: 5 }, () => new AbortController());
      await Promise.all(controllers.map(({ signal }) => fetch(`${url}large.bin`, { signal })));
      for (const controller of controllers) controller.abort();
      await vi.waitFor(() => expect(openedFiles(pid!, 'large.bin')).toEqual([]), PATIENCE);
    },
  );

  test('--listen is where it listens', async () => {
    const { url } = await serve('--listen', '::1');
    expect(url).toMatch(/^http:\/\/\[::1\]:\d+$/);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  test.each([
    [['--host', '0.0.0.0'], /serve listens at --listen ADDRESS/],
    [['--base-path', '/repo/'], /--base-path needs --plain/],
  ])('%j is refused', async (args, message) => {
    const { code, stderr } = await civic(['serve', publisher.out, '--port', '0', ...args]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});
