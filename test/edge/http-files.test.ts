/** Questions to a tree at an address, for several kinds of web servers. */
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { describeFailure, openTree, runQuery } from '../../site/edge/adapters/command.ts';
import { createHttpFiles, HostError } from '../../site/edge/files/http-files.ts';
import { OF_EACH_PLAN } from '../conformance/questions.ts';
import { answering, freePort } from '../served.ts';
import { SLICE, thingsTree } from './tree/fixture.ts';
import { expectedCsv, expectedJson, questionUrl } from './tree/reference.ts';

const tree = await thingsTree();

type Host = (request: IncomingMessage, response: ServerResponse, file: string, size: number) => unknown;

const send = (request: IncomingMessage, response: ServerResponse, body: Buffer) =>
  response.end(request.method === 'HEAD' ? undefined : body);
const rangeOf = (request: IncomingMessage) => /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');

const HOSTS = {
  'gives ranges': (request, response, file, size) => {
    const range = rangeOf(request);
    const [start, end] = range ? [Number(range[1]), Math.min(Number(range[2]), size - 1)] : [0, size - 1];
    if (start >= size) return void response.writeHead(416, { 'Content-Range': `bytes */${size}` }).end();
    response.writeHead(range ? 206 : 200, {
      'Content-Length': end - start + 1,
      ...(range && { 'Content-Range': `bytes ${start}-${end}/${size}` }),
    });
    if (request.method === 'HEAD') response.end();
    else createReadStream(file, { start, end }).pipe(response);
  },
  'ignores ranges': async (request, response, file, size) => {
    response.writeHead(200, { 'Content-Length': size });
    send(request, response, await readFile(file));
  },
  'says no length': async (request, response, file) => {
    response.writeHead(200);
    if (request.method === 'HEAD') response.end();
    else createReadStream(file).pipe(response);
  },
  'compresses everything, whatever is asked': async (request, response, file) => {
    const bytes = gzipSync(await readFile(file));
    response.writeHead(200, { 'Content-Encoding': 'gzip', 'Content-Length': bytes.length });
    send(request, response, bytes);
  },
  'compresses first and cuts then': async (request, response, file) => {
    const bytes = gzipSync(await readFile(file));
    const range = rangeOf(request);
    const headers = { 'Content-Encoding': 'gzip' };
    if (!range) return send(request, response.writeHead(200, headers), bytes);
    const part = bytes.subarray(Number(range[1]), Number(range[2]) + 1);
    const said = `bytes ${range[1]}-${Number(range[1]) + part.length - 1}/${bytes.length}`;
    response.writeHead(206, { ...headers, 'Content-Range': said }).end(part);
  },
} satisfies Record<string, Host>;

/** Runs until the end of the test. */
async function startHost(host: Host) {
  const asked: { readonly method: string; readonly path: string; readonly range: string | undefined }[] = [];
  const url = await answering(async (request, response) => {
    asked.push({ method: request.method ?? '', path: request.url ?? '', range: request.headers.range });
    const file = join(tree, decodeURIComponent(request.url ?? ''));
    const found = await stat(file).catch(() => null);
    if (!found?.isFile()) response.writeHead(404).end();
    else await host(request, response, file, found.size);
  });
  return { url, asked };
}

async function ask(opened: Awaited<ReturnType<typeof openTree>>, query: string): Promise<string> {
  const answer = await runQuery(opened, query);
  if (answer.kind === 'failure') throw new Error(answer.message);
  const parts: Uint8Array[] = [];
  for await (const part of answer.parts) parts.push(part);
  return Buffer.concat(parts).toString();
}

describe.each(Object.entries(HOSTS))('a host that %s', (_, host) => {
  test('answers one question of each plan, and has a stored file', async () => {
    const one = await openTree((await startHost(host)).url);
    for (const [, question, notice] of OF_EACH_PLAN) {
      expect(await ask(one, questionUrl(question, 'csv'))).toBe(expectedCsv(question));
      expect(await ask(one, questionUrl(question))).toBe(await expectedJson(tree, question, notice));
    }
    expect(await ask(one, `${SLICE}.csv`)).toBe(await readFile(join(tree, `${SLICE}.csv`), 'utf8'));
  });

  test('a file that is not there, and a part past the end', async () => {
    const files = createHttpFiles((await startHost(host)).url);
    expect(await files.stat('nothing.json')).toBeNull();
    expect(await files.read('nothing.json', { start: 0, end: 5 })).toBeNull();
    const { size } = await stat(join(tree, 'index.json'));
    expect(await files.read('index.json', { start: size + 10, end: size + 20 })).toMatchObject({ size });
    expect((await files.stat('index.json'))?.bytes).toBe(size);
  });
});

test('a host that gives ranges is asked for no more than the plan needs', async () => {
  const { url, asked } = await startHost(HOSTS['gives ranges']);
  await ask(await openTree(url), 'demo/things?detail=units&area_code=150&unit_code=u003');
  const range = expect.stringMatching(/^bytes=\d+-\d+$/);
  expect(asked.filter(one => one.path.endsWith('.parquet'))).toEqual([
    { method: 'GET', path: '/api/v1/demo/things/_copies/units.parquet', range },
  ]);
});

test('a host that ignores ranges is asked for a file once', async () => {
  const { url, asked } = await startHost(HOSTS['ignores ranges']);
  await ask(await openTree(url), 'demo/things?detail=units&group=all&limit=10000');
  const paths = asked.filter(one => one.method === 'GET').map(one => one.path);
  expect(new Set(paths).size).toBe(paths.length);
});

test.each<[string, Host, RegExp]>([
  [
    'answers with an error',
    (_, response) => response.writeHead(503).end('<h1>no</h1>'),
    /manifest\.json cannot be read: the host answers 503/,
  ],
  [
    'breaks off',
    (_, response) => response.writeHead(200, { 'Content-Length': 100 }).write('{', () => response.destroy()),
    /cannot be read/,
  ],
  ['falls silent', (_, response) => response.writeHead(200).write('{'), /no byte arrived for 0\.1 s/],
])('a host that %s is unreachable', async (_, host, message) => {
  // A busy machine may take longer for an answer, so only silence ends early.
  const silence = message.source.includes('no byte') ? 100 : 60_000;
  const files = createHttpFiles((await startHost(host)).url, { silence });
  const error = await files.read('manifest.json', null).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(HostError);
  expect(describeFailure(error)).toMatchObject({ code: 'unreachable' });
  expect((error as Error).message).toMatch(message);
});

test('a host that is not there', async () => {
  const url = `http://127.0.0.1:${await freePort()}`;
  await expect(openTree(url).then(tree => runQuery(tree, 'demo/things'))).rejects.toThrow(/ECONNREFUSED/);
});
