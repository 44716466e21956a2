/** The published nginx.conf and its script in a real nginx, beside the Node edge over the same tree. */
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningServer, startServer } from '../../site/edge/adapters/node.ts';
import { renderTable } from '../../site/edge/adapters/rewrite/render.ts';
import { FACTS, matchingRows, questionUrl } from '../edge/tree/reference.ts';
import { writeTree } from '../edge/tree/write.ts';
import { EMPTY_QUESTIONS, QUESTIONS } from './questions.ts';
import { NGINX_MISSING, type RunningNginx, startRewriting } from './rewrite-hosts.ts';
import { readNginxFiles, readRewriteInput } from './rewrite-input.ts';

const MISSING = 'nginx (skipped: nginx or its module for JavaScript is not installed)';
const FORMATS = ['json', 'csv', 'parquet'] as const;
const ALL = [...QUESTIONS, ...EMPTY_QUESTIONS].map(([name, question]) => [name, question] as const);
const RELEASE = 'releases/2026-11-21-00000000';
const PAGE = '<!doctype html><title>Not here</title>\n';
const UNPREPARED = 'releases/2026-11-20-00000000';
const SLICE = `${FACTS}/year=2022/areas`;

describe.skipIf(NGINX_MISSING)(NGINX_MISSING ? MISSING : 'nginx', () => {
  let root: string;
  let tree: string;
  let edge: RunningServer;
  let nginx: RunningNginx;

  beforeAll(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'nginx-'));
    tree = path.join(root, RELEASE);
    await mkdir(path.dirname(tree));
    await writeTree(tree, { sample: true });
    const table = renderTable(await readRewriteInput(tree));
    await writeFile(path.join(tree, table.path), table.text);
    await writeFile(path.join(tree, '404.html'), PAGE);
    // Whole, but built without --host nginx.
    await cp(tree, path.join(root, UNPREPARED), { recursive: true });
    await rm(path.join(root, UNPREPARED, table.path));
    await rm(path.join(root, UNPREPARED, '404.html'));
    await symlink(RELEASE, path.join(root, 'current'));
    await writeFile(path.join(root, 'outside.txt'), 'outside');
    nginx = await startRewriting(await readNginxFiles(), root, path.join(root, 'nginx'));
    edge = await startServer({ folder: root, port: 0 });
  }, 120_000);
  afterAll(async () => {
    await nginx?.close();
    await edge?.close();
    await rm(root, { recursive: true, force: true });
  });

  async function askEdge(url: string, headers: Record<string, string> = {}) {
    const response = await fetch(edge.url + url, { headers, redirect: 'manual' });
    const body = Buffer.from(await response.arrayBuffer());
    return { status: response.status, headers: response.headers, body };
  }

  describe.each(FORMATS)('%s', format => {
    test.each(ALL)('%s', async (_, question) => {
      const url = questionUrl(question, format);
      const [wanted, found] = [await askEdge(url), await nginx.ask(url)];
      expect(wanted.status).toBe(200);
      switch (found.status) {
        case 200: {
          expect(found.body.equals(wanted.body)).toBe(true);
          for (const name of ['content-type', 'content-length', 'content-disposition'])
            expect(found.headers[name] ?? null).toBe(wanted.headers.get(name));
          break;
        }
        case 307: {
          const file = await nginx.ask(found.headers.location!);
          const [page, answer] = [JSON.parse(file.body.toString()), JSON.parse(wanted.body.toString())];
          expect({ ...page, next: null }).toEqual({ ...answer, next: null });
          const next = new URL(page.next, `http://host${found.headers.location}`).pathname;
          const [following, wantedNext] = [await nginx.ask(next), await askEdge(answer.next)];
          expect(following.body.equals(wantedNext.body)).toBe(true);
          break;
        }
        default: {
          expect(found.status).toBe(501);
          const plan = JSON.parse(found.body.toString());
          const rows = matchingRows(question);
          // Only who knows the values and levels can tell whether a text is a list, and which columns a key has.
          const { note, place } = question.filters ?? {};
          if (plan.sql === null && (note || place)) return expect(plan.residual).toBeNull();
          if (plan.sql === null) return expect(rows).toEqual([]);
          const limit = question.limit ?? (format === 'json' ? 10_000 : rows.length);
          const page = rows.slice(question.offset ?? 0, (question.offset ?? 0) + limit);
          const text = plan.sql.replaceAll(`http://127.0.0.1:${nginx.port}`, tree);
          expect(await readRows(text)).toEqual(page.map(row => row.map(String)));
          for (const file of plan.files) expect((await nginx.ask(file.path, {}, 'HEAD')).status).toBe(200);
          expect((await nginx.ask(plan.manifest)).status).toBe(200);
        }
      }
    });
  });

  async function readRows(sql: string): Promise<string[][]> {
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    const rows = (await connection.runAndReadAll(sql)).getRows();
    connection.disconnectSync();
    instance.closeSync();
    return rows.map(row => row.map(String));
  }

  test.each(['/nope', '/api/v1/demo/thing', '/api/v1/demo/_dimensions/area', `/${RELEASE}/nope`])(
    '%s: a page for people, of the status of what programs get',
    async url => {
      const found = await nginx.ask(url, { Accept: 'text/html,*/*;q=0.8' });
      expect([found.status, found.body.toString()]).toEqual([404, PAGE]);
      expect(found.headers['content-type']).toMatch(/^text\/html/);
      expect(found.headers['content-security-policy']).toContain("frame-ancestors 'self'");
      expect(found.headers['cache-control']).toBe('no-store');
      const program = await nginx.ask(url, { Accept: '*/*' });
      expect([program.status, program.headers['content-type']]).toEqual([404, 'application/json']);
      const old = await nginx.ask(`/${UNPREPARED}/nope`, { Accept: 'text/html' });
      expect([old.status, JSON.parse(old.body.toString()).detail]).toEqual([404, expect.any(String)]);
    },
  );

  test.each([
    '/healthz',
    '/api/v1/datasets',
    '/api/v1/datasets/demo/things',
    '/api/v1/datasets/demo/things/contract',
    '/api/v1/datasets/demo/things/contract?format=json',
    `${FACTS}/values?yaer=1`,
    '/api/v1/demo/_dimensions/areas',
    '/api/v1/demo/_dimensions/areas?format=csv&limit=99999',
    '/api/v1/demo/_dimensions/areas?format=parquet',
    '/api/v1/demo/_dimensions/areas/schema',
    '/api/v1/demo/',
    '/SHA256SUMS',
    `${SLICE}.parquet?a=b`,
    '/manifest.json',
  ])('the file of %s', async url => {
    const [wanted, found] = [await askEdge(url), await nginx.ask(url)];
    expect(found.status).toBe(200);
    expect(found.body.equals(wanted.body)).toBe(true);
    for (const name of ['content-type', 'content-disposition', 'cache-control'])
      expect(found.headers[name] ?? null).toBe(wanted.headers.get(name));
  });

  test.each([
    ['/nope', 404],
    ['/api/v1/demo/thing', 404],
    ['/api/v1/demo/_dimensions/area?format=csv', 404],
    ['/api/v1/datasets/demo/thing/contract', 404],
    ['/api/v1/datasets/demo/things/contract?format=xml', 422],
    [`${FACTS}?yaer=2022&detail=area&year=x&limit=0&offset=-1&format=jsn&area_code=`, 422],
    [`${FACTS}?year=2022&year=2022`, 422],
    [`${FACTS}?limit=10001`, 422],
    [`${FACTS}?year=%ff`, 422],
    ['/api/v1/demo/_dimensions/areas?year=2022', 422],
    ['/api', 404],
    ['/api/v1/demo', 301],
  ])('%s: %i', async (url, status) => {
    const [wanted, found] = [await askEdge(url), await nginx.ask(url)];
    expect([wanted.status, found.status]).toEqual([status, status]);
    expect(found.headers['access-control-allow-origin']).toBe('*');
    if (status === 301) return expect(found.headers.location).toBe(wanted.headers.get('location'));
    expect(found.headers['content-type']).toBe('application/json');
    expect(found.headers['cache-control']).toBe('no-store');
    const [theirs, ours] = [JSON.parse(wanted.body.toString()), JSON.parse(found.body.toString())];
    if (status === 404) return expect(ours.detail).toMatch(/^(There is no|Nothing is published)/);
    const name = ({ type, loc, input }: { type: string; loc: string[]; input: unknown }) => [
      type,
      loc,
      input,
    ];
    const problems = theirs.detail.map(name);
    if (url.endsWith('year=2022&year=2022')) problems[0][2] = '2022';
    if (url.endsWith('%ff')) problems[0][2] = 'year=%ff';
    expect(ours.detail.map(name)).toEqual(problems);
  });

  describe('a release at its own address', () => {
    const own = `/${RELEASE}`;

    test.each([
      '/',
      '/healthz',
      '/api/v1/',
      '/api/v1/datasets',
      '/api/v1/datasets/demo/things/contract?format=json',
      '/api/v1/demo/_dimensions/areas?format=csv&limit=99999',
      `${FACTS}?year=2022&format=csv`,
      `${FACTS}?year=2022&format=parquet`,
      `${SLICE}.csv`,
      '/SHA256SUMS',
    ])('answers as the API does: %s', async url => {
      const [wanted, found] = [await askEdge(own + url), await nginx.ask(own + url)];
      expect([wanted.status, found.status]).toEqual([200, 200]);
      expect(found.body.equals(wanted.body)).toBe(true);
      for (const name of ['content-type', 'content-disposition'])
        expect(found.headers[name] ?? null).toBe(wanted.headers.get(name));
    });

    test.each([
      ['', 301],
      ['/api/v1/demo', 301],
      ['/api/v1/demo?x=1', 301],
      ['/nope', 404],
      ['/api/v1/demo/thing', 404],
      ['/api/v1/demo/things?yaer=1', 422],
    ])('%s: %i', async (url, status) => {
      const [wanted, found] = [await askEdge(own + url), await nginx.ask(own + url)];
      expect([wanted.status, found.status]).toEqual([status, status]);
      expect(found.headers.location ?? null).toBe(wanted.headers.get('location'));
    });

    test('and names itself in what it links', async () => {
      const page = await nginx.ask(`${own}${FACTS}?year=2023&detail=units`);
      expect([page.status, page.headers.location]).toEqual([307, `${own}${FACTS}/year=2023/units.json`]);
      const plan = JSON.parse((await nginx.ask(`${own}${FACTS}?area_code=1`)).body.toString());
      expect(plan.manifest).toBe(`${own}${FACTS}/manifest.json`);
      for (const { path: file } of plan.files) {
        expect(plan.sql).toContain(`http://127.0.0.1:${nginx.port}${file}`);
        expect((await nginx.ask(file)).status).toBe(200);
      }
    });

    test('that is not kept, or is no name of one', async () => {
      for (const name of ['2026-11-22-00000000', 'current', '2026-11-21-00000000x', '..', ''])
        for (const url of ['/healthz', FACTS, '/manifest.json'])
          expect([name, (await nginx.ask(`/releases/${name}${url}`)).status]).toEqual([name, 404]);
    });

    test('whose tree was built for another host says so, and sends its files', async () => {
      const { status, body } = await nginx.ask(`/${UNPREPARED}${FACTS}?year=2022&format=csv`);
      expect([status, JSON.parse(body.toString()).detail]).toEqual([
        503,
        expect.stringContaining('--host nginx'),
      ]);
      expect((await nginx.ask(`/${UNPREPARED}${SLICE}.csv`)).status).toBe(200);
    });
  });

  test('the front page is for people, the service for programs', async () => {
    const page = await nginx.ask('/', { accept: 'text/html' });
    expect([page.headers['content-type'], page.headers.vary]).toEqual(['text/html; charset=utf-8', 'Accept']);
    const policy = "frame-ancestors 'self'; object-src 'none'; base-uri 'none'";
    expect(page.headers['content-security-policy']).toBe(policy);
    expect((await nginx.ask('/healthz')).headers['content-security-policy']).toBeUndefined();
    await mkdir(path.join(tree, 'datasets/demo'), { recursive: true });
    await writeFile(path.join(tree, 'datasets/demo/embed.html'), '<!doctype html>');
    const embed = await nginx.ask('/datasets/demo/embed.html');
    expect(embed.headers['content-security-policy']).toBe(policy.replace("'self'", '*'));
    const service = await nginx.ask('/?x=1');
    expect([service.headers['content-type'], service.headers.vary]).toEqual(['application/json', 'Accept']);
    expect((await nginx.ask('/healthz')).headers.vary).toBeUndefined();
  });

  test('ranges and conditions', async () => {
    const bytes = await readFile(path.join(tree, `${SLICE}.parquet`));
    const url = `${FACTS}?year=2022&format=parquet`;
    const part = await nginx.ask(url, { range: 'bytes=100-299' });
    expect([part.status, part.headers['content-range']]).toEqual([206, `bytes 100-299/${bytes.length}`]);
    expect(part.body.equals(bytes.subarray(100, 300))).toBe(true);
    const whole = await nginx.ask(url, {}, 'HEAD');
    expect([whole.status, whole.headers['content-length'], whole.body.length]).toEqual([
      200,
      String(bytes.length),
      0,
    ]);
    const { etag, 'last-modified': modified } = whole.headers;
    expect((await nginx.ask(url, { 'if-none-match': etag! })).status).toBe(304);
    const later = new Date(Date.parse(modified!) + 3_600_000).toUTCString();
    for (const since of [modified!, later])
      expect((await nginx.ask(url, { 'if-modified-since': since })).status).toBe(304);
    const earlier = new Date(Date.parse(modified!) - 3_600_000).toUTCString();
    expect((await nginx.ask(url, { 'if-modified-since': earlier })).status).toBe(200);
    for (const failed of [
      { 'if-match': '"x"' },
      { 'if-unmodified-since': 'Fri, 20 Nov 2026 00:00:00 GMT' },
    ]) {
      // nginx closes the connection after a 412, whatever it says of it.
      const { status, headers, body } = await nginx.ask(url, { ...failed, connection: 'close' });
      expect([status, headers['content-type'], headers['cache-control']]).toEqual([
        412,
        'application/json',
        'no-store',
      ]);
      expect(headers['access-control-allow-origin']).toBe('*');
      expect(JSON.parse(body.toString()).detail).toMatch(/If-Match/);
    }
    const beyond = await nginx.ask(url, { range: 'bytes=99999999-' });
    expect([beyond.status, beyond.headers['content-range']]).toEqual([416, `bytes */${bytes.length}`]);
    expect(beyond.headers['access-control-allow-origin']).toBe('*');
    expect(beyond.headers['cache-control']).toBe('no-store');
    expect(JSON.parse(beyond.body.toString()).detail).toMatch(/no such bytes/);
  });

  test.each([
    'bytes=x',
    'bytes=',
    'bytes=5-2',
    'bytes=-',
    'bytes=1-2-3',
    'bytes=0-1,x',
    'lines=1-2',
    'bytes',
  ])('a Range that is not understood is none: %s', async range => {
    for (const url of [`${SLICE}.csv`, `${FACTS}?year=2022&format=csv`, `/${RELEASE}${SLICE}.csv`]) {
      const [wanted, found] = [await askEdge(url, { range }), await nginx.ask(url, { range })];
      expect([wanted.status, found.status]).toEqual([200, 200]);
      expect(found.body.equals(wanted.body)).toBe(true);
    }
    expect((await nginx.ask(FACTS, { range })).status).toBe(501);
    expect((await nginx.ask('/nope.json', { range })).status).toBe(404);
  });

  test('texts are compressed, Parquet never', async () => {
    const gzip = { 'accept-encoding': 'gzip' };
    for (const ending of ['json', 'csv'])
      expect((await nginx.ask(`${SLICE}.${ending}`, gzip)).headers['content-encoding']).toBe('gzip');
    const parquet = await nginx.ask(`${SLICE}.parquet`, gzip);
    expect(parquet.headers['content-encoding']).toBeUndefined();
    expect(parquet.headers['accept-ranges']).toBe('bytes');
  });

  test('methods', async () => {
    const options = await nginx.ask(FACTS, {}, 'OPTIONS');
    const wanted = await fetch(edge.url + FACTS, { method: 'OPTIONS' });
    expect(options.status).toBe(wanted.status);
    for (const [name, value] of wanted.headers)
      if (/^(allow|access-control)/.test(name)) expect([name, options.headers[name]]).toEqual([name, value]);
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'PROPFIND']) {
      const refused = await nginx.ask(FACTS, {}, method);
      expect([method, refused.status, refused.headers.allow]).toEqual([method, 405, 'GET, HEAD, OPTIONS']);
      expect(refused.headers['content-type']).toBe('application/json');
    }
    // nginx refuses some methods before any location is asked.
    for (const method of ['TRACE', 'POST']) {
      const { status, answer } = await send(
        `${method} /manifest.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      );
      expect([method, status, answer.match(/^Allow: .*$/gm)]).toEqual([
        method,
        405,
        ['Allow: GET, HEAD, OPTIONS'],
      ]);
    }
    for (const url of ['/nope', FACTS]) {
      const head = await nginx.ask(url, {}, 'HEAD');
      expect(Number(head.headers['content-length'])).toBeGreaterThan(10);
      expect(head.body.length).toBe(0);
    }
  });

  test('what is too long', async () => {
    expect((await nginx.ask(`${FACTS}?area_code=${'1'.repeat(8000)}`)).status).toBe(501);
    for (const length of [8192, 12_000, 17_000, 60_000]) {
      const { status, headers, body } = await nginx.ask(`${FACTS}?x=${'1'.repeat(length)}`);
      expect([status, headers['content-type']]).toEqual([414, 'application/json']);
      expect(JSON.parse(body.toString()).detail).toContain('at most');
    }
    const header = await nginx.ask('/', { 'x-long': 'x'.repeat(15_000) });
    expect(header.status).toBe(200);
  });

  /** As a reader that keeps to no rule would send it. Resolves to the status and all that came. */
  function send(text: string): Promise<{ status: number; answer: string }> {
    return new Promise((done, fail) => {
      let answer = '';
      const socket = connect(nginx.port, '127.0.0.1', () => socket.end(text, 'latin1'));
      socket.on('data', data => (answer += data));
      socket.on('error', fail);
      socket.on('close', () => done({ status: Number(answer.split(' ')[1]), answer }));
    });
  }

  const get = (target: string, header = '') =>
    `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${header}\r\n`;

  test.each([
    '/../outside.txt',
    '/api/../../outside.txt',
    '/%2e%2e/outside.txt',
    '/%2e%2e%2foutside.txt',
    '/%252e%252e/outside.txt',
    '/..%5coutside.txt',
    '/\\..\\outside.txt',
    '/api/v1/demo/%00',
    '/healthz%00.json',
    '/healthz%0a',
    '/.civic-error',
    '/.civic-range',
    '//healthz',
    '/api//v1/datasets',
    '/api%2fv1%2fdatasets',
    '/healthz/..',
    '/a b',
    '/%',
    '*',
    'http://x',
    'x',
    '/api/v1/constructor/name',
    '/__proto__/x',
  ])('%j is nothing', async target => {
    const { status, answer } = await send(get(target));
    expect(answer).not.toContain('outside\n');
    expect(answer).not.toMatch(/outside$/);
    if (target === 'http://x') return expect(status).toBe(200);
    expect([400, 404]).toContain(status);
    expect(answer).toContain('Content-Type: application/json');
  });

  test.each([
    `${FACTS}?area_code='";--`,
    `${FACTS}?area_code=%27%22%3b%00%01`,
    `${FACTS}?year=2022%0a`,
    `${FACTS}?__proto__=1&constructor=2&__proto__=3`,
    `${FACTS}?${'a&'.repeat(4000)}`,
    `${FACTS}?area_code=${'%01'.repeat(2700)}`,
    `${FACTS}?area_code=${"',".repeat(4000)}1`,
    `${FACTS}?=&==&?=?`,
  ])('%.60j is refused in JSON', async target => {
    const { status, answer } = await send(get(target));
    expect([414, 422, 501]).toContain(status);
    expect(() => JSON.parse(answer.split('\r\n\r\n')[1]!)).not.toThrow();
  });

  test.each([
    '/\xff\xfe',
    `${FACTS}?\xff=\xfe`,
    `${FACTS}?area_code=\xe9`,
    `/healthz?\xe9`,
    `/${RELEASE}/\xe9`,
  ])('%j is not ASCII: 400, as of civic serve', async target => {
    const { status, answer } = await send(get(target));
    expect(status).toBe(400);
    expect(answer).toContain('Content-Type: application/json');
    expect(JSON.parse(answer.split('\r\n\r\n')[1]!).detail).toContain('Percent-encode');
  });

  test('requests that are none', async () => {
    for (const text of [
      'GARBAGE\r\n\r\n',
      'GET / HTTP/1.1\r\n\r\n',
      get('/', `X: ${'x'.repeat(70_000)}\r\n`),
    ]) {
      const { status, answer } = await send(text);
      expect(status).toBe(400);
      expect(JSON.parse(answer.split('\r\n\r\n')[1]!).detail).toMatch(/\w/);
    }
    const body = `POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 5000\r\n\r\n${'x'.repeat(5000)}`;
    expect((await send(body)).status).toBe(413);
    expect((await send(get('/healthz#part'))).status).toBe(200);
    expect((await send('GET /healthz HTTP/1.0\r\n\r\n')).status).toBe(200);
    expect((await send(`GET ${FACTS} HTTP/1.0\r\n\r\n`)).answer).toContain('http://localhost/api');
  });
});
