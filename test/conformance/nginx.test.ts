/** The nginx.conf and the script of `civic build --host nginx` in a real nginx, beside the Node edge over the same tree. */
import { cp, mkdir, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { renderTable } from '../../site/edge/adapters/rewrite/render.ts';
import { civic } from '../cli/program.ts';
import { copyThings } from '../edge/tree/fixture.ts';
import { FACTS, pageOf, questionUrl } from '../edge/tree/reference.ts';
import { keptWeather } from '../publishers/kept-trees.ts';
import { duckdb, temporaryFolder } from '../publishers/publisher-folder.ts';
import { type Received, sendRaw, served } from '../served.ts';
import { OF_EACH_PLAN } from './questions.ts';
import { NGINX_MISSING, type RunningNginx, startRewriting } from './rewrite-hosts.ts';
import {
  differ,
  drawRequests,
  type Expected,
  type Found,
  readProblems,
  readRewriteInput,
} from './rewrite-requests.ts';

const MISSING = 'nginx (skipped: nginx or its module for JavaScript is not installed)';
const RELEASE = 'releases/2026-11-21-00000000';
const OWN = `/${RELEASE}`;
const PAGE = '<!doctype html><title>Not here</title>\n';
const UNPREPARED = 'releases/2026-11-20-00000000';
const SLICE = `${FACTS}/year=2022/areas`;
const AREAS = '/api/v1/demo/_dimensions/areas';
const CONTRACT = '/api/v1/datasets/demo/things/contract';

describe.skipIf(NGINX_MISSING)(NGINX_MISSING ? MISSING : 'nginx', () => {
  let root: string;
  let tree: string;
  let edge: string;
  let nginx: RunningNginx;

  beforeAll(async () => {
    root = await temporaryFolder();
    tree = path.join(root, RELEASE);
    await mkdir(path.dirname(tree));
    await copyThings(tree);
    // A whole tree that was built without --host nginx.
    await cp(tree, path.join(root, UNPREPARED), { recursive: true });
    await writeTable(tree);
    await writeFile(path.join(tree, '404.html'), PAGE);
    await mkdir(path.join(tree, 'datasets/demo'), { recursive: true });
    await writeFile(path.join(tree, 'datasets/demo/embed.html'), '<!doctype html>');
    await symlink(RELEASE, path.join(root, 'current'));
    await writeFile(path.join(root, 'outside.txt'), 'outside');
    const built = (await keptWeather()).with({ out: path.join(root, 'built') });
    expect(await civic(built.arguments('--host', 'nginx'))).toMatchObject({ code: 0 });
    const { path: name, text } = renderTable(await readRewriteInput(built.out));
    expect(await readFile(path.join(built.out, name), 'utf8')).toBe(text);
    const files = ['nginx.conf', 'civic-njs.js'].map(async file => ({
      path: file,
      text: await readFile(path.join(`${built.out}.host`, file), 'utf8'),
    }));
    nginx = await startRewriting(await Promise.all(files), root, path.join(root, 'nginx'));
    edge = await served(root);
  });
  /** Writes the table that `civic build --host nginx` adds to a tree. */
  async function writeTable(folder: string): Promise<void> {
    const table = renderTable(await readRewriteInput(folder));
    await writeFile(path.join(folder, table.path), table.text);
  }

  async function askEdge(url: string, headers: Record<string, string> = {}) {
    const response = await fetch(edge + url, { headers, redirect: 'manual' });
    const body = Buffer.from(await response.arrayBuffer());
    return { status: response.status, headers: response.headers, body };
  }

  const textOf = (served: Received) => served.body.toString();
  const detailOf = (served: Received): string => JSON.parse(textOf(served)).detail;

  /** Compares with the edge: status, bytes or problems, and the headers that describe the content. */
  async function expectSame(url: string, headers: Record<string, string> = {}): Promise<void> {
    const [wanted, found] = [await askEdge(url, headers), await nginx.ask(url, headers)];
    expect([url, found.status]).toEqual([url, wanted.status]);
    const ofContent = ['content-type', 'content-disposition', 'cache-control'];
    for (const name of [
      'location',
      'access-control-allow-origin',
      ...(found.status === 301 ? [] : ofContent),
    ])
      expect([name, found.headers[name] ?? null]).toEqual([name, wanted.headers.get(name)]);
    if (found.status === 301) return;
    if (found.status === 200) expect(found.body.equals(wanted.body)).toBe(true);
    else if (found.status === 404) expect(detailOf(found)).toMatch(/^(There is no|Nothing is published)/);
    else expect(problemsIn(found.body)).toEqual(problemsIn(wanted.body));
  }

  type Problem = Readonly<Record<'type' | 'loc' | 'input', unknown>>;
  const problemsIn = (body: Buffer) =>
    JSON.parse(body.toString()).detail.map(({ type, loc, input }: Problem) => [type, loc, input]);

  test.each(OF_EACH_PLAN)('CSV, or the SQL that gives it: %s', async (_, question) => {
    const url = questionUrl(question, 'csv');
    const found = await nginx.ask(url);
    if (found.status === 200) return expectSame(url);
    expect(found.status).toBe(501);
    const { sql, residual, files, manifest } = JSON.parse(textOf(found));
    const page = pageOf(question);
    // Only an edge that knows the levels can tell which columns a key has.
    if (question.filters?.['place']) return expect([sql, residual]).toEqual([null, null]);
    if (sql === null) return expect(page).toEqual([]);
    const read = await duckdb(sql.replaceAll(`http://127.0.0.1:${nginx.port}`, tree));
    expect(read.map(row => Object.values(row).map(String))).toEqual(page.map(row => row.map(String)));
    for (const name of [manifest, ...files.map((file: { path: string }) => file.path)])
      expect((await nginx.ask(name, {}, 'HEAD')).status).toBe(200);
  });

  test('random and hostile requests get what the planner has, to the byte', async () => {
    const found = await readdir(tree, { recursive: true, withFileTypes: true });
    const files = found.filter(entry => entry.isFile());
    const there = new Set(files.map(file => path.relative(tree, path.join(file.parentPath, file.name))));
    for (const { request, expected } of await drawRequests(tree)) {
      const served = await nginx.ask(request.url, { accept: request.accept });
      const difference = differ(await readServed(served, expected, there), expected, there);
      expect([request, difference]).toEqual([request, null]);
    }
  });

  async function readServed(
    served: Received,
    expected: Expected,
    there: ReadonlySet<string>,
  ): Promise<Found> {
    const { status, headers } = served;
    if (status === 200) {
      const name = expected.kind === 'file' ? expected.path : '';
      const file = there.has(name) ? await readFile(path.join(tree, name)) : Buffer.from('?');
      return { status, path: file.equals(served.body) ? name : `not ${name}`, problems: [] };
    }
    // nginx itself refuses a path that leads out of the root, and one with a NUL.
    if (status === 400 && expected.kind === 404) return { status: 404, path: null, problems: [] };
    const problems = status === 422 ? readProblems(textOf(served)) : [];
    return { status, path: headers.location ?? null, problems };
  }

  test.each([
    ...[CONTRACT, `${FACTS}/values?yaer=1`, `${AREAS}?format=parquet`, `${AREAS}/schema`, '/SHA256SUMS'],
    ...[`${FACTS}?year=2022`, '/api/v1/demo/', `${OWN}/`, `${OWN}/healthz`, `${OWN}${CONTRACT}?format=json`],
    ...[`${OWN}${AREAS}?format=csv&limit=99999`, `${OWN}${FACTS}?year=2022&format=csv`, `${OWN}${SLICE}.csv`],
    ...['/nope', '/api/v1/demo/thing', '/api/v1/demo/_dimensions/area?format=csv', `${OWN}/nope`],
    ...[`${CONTRACT}?format=xml`, `${AREAS}?year=2022`, `${OWN}/api/v1/demo/things?yaer=1`],
    `${FACTS}?yaer=2022&detail=area&year=x&limit=0&offset=-1&format=jsn&area_code=`,
    ...['/api/v1/demo', OWN, `${OWN}/api/v1/demo?x=1`],
  ])('%s: as the edge answers', url => expectSame(url));

  test.each(['/nope', `${AREAS}x`, `${OWN}/nope`])('%s: a page for people', async url => {
    const found = await nginx.ask(url, { Accept: 'text/html,*/*;q=0.8' });
    expect([found.status, textOf(found), found.headers['cache-control']]).toEqual([404, PAGE, 'no-store']);
    expect(found.headers['content-type']).toMatch(/^text\/html/);
    expect(found.headers['content-security-policy']).toContain("frame-ancestors 'self'");
    const program = await nginx.ask(url, { Accept: 'text/html;q=0' });
    expect(program.headers['content-type']).toBe('application/json');
  });

  test('a release links to itself', async () => {
    const page = await nginx.ask(`${OWN}${FACTS}?year=2023&detail=units`);
    expect([page.status, page.headers.location]).toEqual([307, `${OWN}${FACTS}/year=2023/units.json`]);
    const plan = JSON.parse(textOf(await nginx.ask(`${OWN}${FACTS}?area_code=1`)));
    expect(plan.manifest).toBe(`${OWN}${FACTS}/manifest.json`);
    for (const { path: file } of plan.files) {
      expect(plan.sql).toContain(`http://127.0.0.1:${nginx.port}${file}`);
      expect((await nginx.ask(file)).status).toBe(200);
    }
  });

  test("a release that isn't kept, or an invalid name", async () => {
    for (const name of ['2026-11-22-00000000', 'current', '2026-11-21-00000000x', '..', ''])
      for (const url of ['/healthz', FACTS, '/manifest.json'])
        expect([name, (await nginx.ask(`/releases/${name}${url}`)).status]).toEqual([name, 404]);
  });

  test('a release that was built for another host says so, and sends its files', async () => {
    const refused = await nginx.ask(`/${UNPREPARED}${FACTS}?year=2022&format=csv`);
    expect([refused.status, detailOf(refused)]).toEqual([503, expect.stringContaining('--host nginx')]);
    expect((await nginx.ask(`/${UNPREPARED}${SLICE}.csv`)).status).toBe(200);
    const none = await nginx.ask(`/${UNPREPARED}/nope`, { Accept: 'text/html' });
    expect([none.status, textOf(none)]).toEqual([404, expect.stringContaining('Not found · Demo')]);
  });

  test('the table of the release that is online decides, also after a rollback, and no answer mixes two', async () => {
    // Another release lacks the file of this answer.
    const other = 'releases/2026-11-23-00000000';
    await copyThings(path.join(root, other), 'parquet');
    await writeTable(path.join(root, other));
    const url = `${FACTS}?year=2022`;
    const whole = await readFile(path.join(tree, `${SLICE}.json`), 'utf8');
    const ask = async (target = url): Promise<200 | 501> => {
      const served = await nginx.ask(target);
      if (served.status !== 501) expect([served.status, textOf(served)]).toEqual([200, whole]);
      return served.status as 200 | 501;
    };
    let going = true;
    const seen = new Set<number>();
    const reader = (async () => {
      while (going) seen.add(await ask());
    })();
    for (const release of [other, RELEASE, other, RELEASE]) {
      const status = release === other ? 501 : 200;
      await symlink(release, path.join(root, 'next'));
      await rename(path.join(root, 'next'), path.join(root, 'current'));
      expect([release, await ask()]).toEqual([release, status]);
      expect([await ask(OWN + url), await ask(`/${other}${url}`)]).toEqual([200, 501]);
    }
    going = false;
    await reader;
    expect([...seen].sort()).toEqual([200, 501]);
  });

  test('the front page is for people, the service for programs', async () => {
    const page = await nginx.ask('/', { accept: 'text/html' });
    const vary = expect.stringMatching(/\bAccept$/);
    expect([page.headers['content-type'], page.headers.vary]).toEqual(['text/html; charset=utf-8', vary]);
    const policy = "frame-ancestors 'self'; object-src 'none'; base-uri 'none'";
    expect(page.headers['content-security-policy']).toBe(policy);
    const embed = await nginx.ask('/datasets/demo/embed.html');
    expect(embed.headers['content-security-policy']).toBe(policy.replace("'self'", '*'));
    const service = await nginx.ask('/?x=1');
    expect([service.headers['content-type'], service.headers.vary]).toEqual(['application/json', vary]);
    const { headers } = await nginx.ask('/healthz');
    expect([headers.vary, headers['content-security-policy']]).toEqual([undefined, undefined]);
  });

  test('ranges and conditions', async () => {
    const bytes = await readFile(path.join(tree, `${SLICE}.parquet`));
    const url = `${FACTS}?year=2022&format=parquet`;
    const part = await nginx.ask(url, { range: 'bytes=100-299' });
    expect([part.status, part.headers['content-range']]).toEqual([206, `bytes 100-299/${bytes.length}`]);
    expect(part.body.equals(bytes.subarray(100, 300))).toBe(true);
    const whole = await nginx.ask(url, {}, 'HEAD');
    expect([whole.headers['content-length'], whole.body.length]).toEqual([String(bytes.length), 0]);
    const { etag = '', 'last-modified': modified = '' } = whole.headers;
    const hours = (count: number) => new Date(Date.parse(modified) + count * 3_600_000).toUTCString();
    const status = async (headers: Record<string, string>) => (await nginx.ask(url, headers)).status;
    expect(await status({ 'if-none-match': etag })).toBe(304);
    expect(await status({ 'if-modified-since': modified })).toBe(304);
    expect(await status({ 'if-modified-since': hours(1) })).toBe(304);
    expect(await status({ 'if-modified-since': hours(-1) })).toBe(200);
    const beyond = await nginx.ask(url, { range: 'bytes=99999999-' });
    expect(beyond.headers['content-range']).toBe(`bytes */${bytes.length}`);
    // nginx closes the connection after a 412, whatever its headers say.
    const failed = [{ 'if-match': '"x"' }, { 'if-unmodified-since': 'Fri, 20 Nov 2026 00:00:00 GMT' }];
    const refused = await Promise.all(failed.map(one => nginx.ask(url, { ...one, connection: 'close' })));
    for (const [served, code, words] of [
      [beyond, 416, /no such bytes/],
      [refused[0]!, 412, /If-Match/],
      [refused[1]!, 412, /If-Match/],
    ] as const) {
      expect([served.status, detailOf(served)]).toEqual([code, expect.stringMatching(words)]);
      expect(served.headers).toMatchObject({
        'access-control-allow-origin': '*',
        'cache-control': 'no-store',
      });
    }
  });

  test.each('bytes=x bytes=5-2 bytes=- bytes=0-1,x lines=1-2'.split(' '))(
    'a Range that is not understood is none: %s',
    async range => {
      for (const url of [`${FACTS}?year=2022&format=csv`, `${OWN}${SLICE}.csv`])
        await expectSame(url, { range });
      expect((await nginx.ask(FACTS, { range })).status).toBe(501);
      expect((await nginx.ask('/nope.json', { range })).status).toBe(404);
    },
  );

  test('texts are compressed, Parquet never', async () => {
    const gzip = { 'accept-encoding': 'gzip' };
    for (const ending of ['json', 'csv'])
      expect((await nginx.ask(`${SLICE}.${ending}`, gzip)).headers['content-encoding']).toBe('gzip');
    const parquet = await nginx.ask(`${SLICE}.parquet`, gzip);
    expect(parquet.headers['content-encoding']).toBeUndefined();
    expect(parquet.headers['accept-ranges']).toBe('bytes');
  });

  const send = async (text: string) => {
    const answer = await sendRaw(`http://127.0.0.1:${nginx.port}`, text);
    return { status: Number(answer.split(' ')[1]), answer };
  };

  const get = (target: string, header = '') =>
    `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${header}\r\n`;

  test('methods', async () => {
    const options = await nginx.ask(FACTS, {}, 'OPTIONS');
    const wanted = await fetch(edge + FACTS, { method: 'OPTIONS' });
    expect(options.status).toBe(wanted.status);
    for (const [name, value] of wanted.headers)
      if (/^(allow|access-control)/.test(name)) expect([name, options.headers[name]]).toEqual([name, value]);
    for (const method of ['POST', 'DELETE', 'PROPFIND']) {
      const { status, headers } = await nginx.ask(FACTS, {}, method);
      expect([status, headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
      expect(headers['content-type']).toBe('application/json');
    }
    // nginx refuses some methods before any location.
    for (const method of ['TRACE', 'POST']) {
      const line = `${method} /manifest.json HTTP/1.1`;
      const { status, answer } = await send(`${line}\r\nHost: x\r\nConnection: close\r\n\r\n`);
      expect([line, status]).toEqual([line, 405]);
      expect(answer.match(/^Allow: .*$/gm)).toEqual(['Allow: GET, HEAD, OPTIONS']);
    }
    for (const url of ['/nope', FACTS]) {
      const head = await nginx.ask(url, {}, 'HEAD');
      expect(Number(head.headers['content-length'])).toBeGreaterThan(10);
      expect(head.body.length).toBe(0);
    }
  });

  test.each([
    ...'/../outside.txt /api/../../outside.txt /%2e%2e%2foutside.txt /%252e%252e/outside.txt'.split(' '),
    ...'/..%5coutside.txt /healthz%00.json /.civic-error /.civic-range //healthz /% * x'.split(' '),
    '/a b',
  ])('%j is nothing', async target => {
    const { status, answer } = await send(get(target));
    expect(answer).not.toMatch(/outside$/m);
    expect([400, 404]).toContain(status);
    expect(answer).toContain('Content-Type: application/json');
  });

  test.each([
    [get(`${FACTS}?area_code=%27%22%3b%00%01`), 501, ''],
    [get(`${FACTS}?__proto__=1&constructor=2&__proto__=3`), 422, ''],
    [get(`${FACTS}?area_code=${"',".repeat(4000)}1`), 501, ''],
    [get(`${FACTS}?x=${'1'.repeat(8192)}`), 414, 'at most'],
    [get(`${FACTS}?x=${'1'.repeat(60_000)}`), 414, 'at most'],
    [get(`${FACTS}?area_code=\xe9`), 400, 'Percent-encode'],
    [get(`${OWN}/\xe9`), 400, 'Percent-encode'],
    ['GARBAGE\r\n\r\n', 400, ''],
    ['GET / HTTP/1.1\r\n\r\n', 400, ''],
    [get('/', `X: ${'x'.repeat(70_000)}\r\n`), 400, ''],
    [`GET ${FACTS} HTTP/1.0\r\n\r\n`, 501, 'http://localhost/api'],
  ])('%.70j is refused in JSON', async (text, code, words) => {
    const { status, answer } = await send(text);
    const body = answer.split('\r\n\r\n')[1] ?? '';
    expect([status, body]).toEqual([code, expect.stringContaining(words)]);
    expect(JSON.parse(body)).toHaveProperty('detail');
  });

  test("what nginx lets through, and what it doesn't read", async () => {
    expect((await nginx.ask('/', { 'x-long': 'x'.repeat(15_000) })).status).toBe(200);
    expect((await send(get('/healthz#part'))).status).toBe(200);
    expect((await send(get('http://x'))).status).toBe(200);
    expect((await send('GET /healthz HTTP/1.0\r\n\r\n')).status).toBe(200);
    const body = `POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 5000\r\n\r\n${'x'.repeat(5000)}`;
    expect((await send(body)).status).toBe(413);
  });
});
