import { createReadStream } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeFailure, openTree, type QueryAnswer, runQuery } from '../../site/edge/adapters/command.ts';
import { createHttpFiles, HostError } from '../../site/edge/files/http-files.ts';
import { QUESTIONS } from '../conformance/questions.ts';
import { SLICE, useTree } from './tree/fixture.ts';
import { expectedCsv, expectedJson, questionUrl } from './tree/reference.ts';

const tree = useTree();

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly range: string | undefined;
}

/** Ways in which web servers send a folder. */
const HOSTS = {
  'gives ranges': (request, response, file, size) => {
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
    const [start, end] = range ? [Number(range[1]), Math.min(Number(range[2]), size - 1)] : [0, size - 1];
    if (start >= size) return void response.writeHead(416, { 'Content-Range': `bytes */${size}` }).end();
    response.writeHead(range ? 206 : 200, {
      'Content-Length': end - start + 1,
      ...(range && { 'Content-Range': `bytes ${start}-${end}/${size}` }),
    });
    if (request.method === 'HEAD') response.end();
    else createReadStream(file, { start, end }).pipe(response);
  },
  'ignores ranges': (request, response, file, size) => {
    response.writeHead(200, { 'Content-Length': size });
    if (request.method === 'HEAD') response.end();
    else createReadStream(file).pipe(response);
  },
  'says no length': (request, response, file) => {
    response.writeHead(200);
    if (request.method === 'HEAD') response.end();
    else createReadStream(file).pipe(response);
  },
  'compresses everything, whatever is asked': async (request, response, file) => {
    const bytes = gzipSync(await readFile(file));
    response.writeHead(200, { 'Content-Encoding': 'gzip', 'Content-Length': bytes.length });
    response.end(request.method === 'HEAD' ? undefined : bytes);
  },
  'compresses first and cuts then': async (request, response, file) => {
    const bytes = gzipSync(await readFile(file));
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
    const headers = { 'Content-Encoding': 'gzip' };
    if (!range)
      return void response.writeHead(200, headers).end(request.method === 'HEAD' ? undefined : bytes);
    const part = bytes.subarray(Number(range[1]), Number(range[2]) + 1);
    const said = `bytes ${range[1]}-${Number(range[1]) + part.length - 1}/${bytes.length}`;
    response.writeHead(206, { ...headers, 'Content-Range': said }).end(part);
  },
} satisfies Record<string, Host>;

type Host = (request: IncomingMessage, response: ServerResponse, file: string, size: number) => unknown;

async function startHost(host: Host) {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    asked.push({ method: request.method ?? '', path: request.url ?? '', range: request.headers.range });
    const file = join(tree.folder, decodeURIComponent(request.url ?? ''));
    const found = await stat(file).catch(() => null);
    if (!found?.isFile()) response.writeHead(404).end();
    else await host(request, response, file, found.size);
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, close };
}

async function text(answer: QueryAnswer): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of answer.parts) parts.push(part);
  return Buffer.concat(parts).toString();
}

async function ask(base: string, query: string): Promise<string> {
  const answer = await runQuery(await openTree(base), query);
  if (answer.kind === 'failure') throw new Error(answer.message);
  return text(answer);
}

describe.each(Object.entries(HOSTS))('a host that %s', (_, host) => {
  let running: Awaited<ReturnType<typeof startHost>>;
  beforeAll(async () => {
    running = await startHost(host);
  });
  afterAll(() => running.close());

  test('answers every question', async () => {
    const one = await openTree(running.url);
    for (const [, question, notice] of QUESTIONS) {
      const csv = await runQuery(one, questionUrl(question, 'csv'));
      if (csv.kind === 'failure') throw new Error(csv.message);
      expect(await text(csv)).toBe(expectedCsv(question));
      const json = await runQuery(one, questionUrl(question));
      if (json.kind === 'failure') throw new Error(json.message);
      expect(await text(json)).toBe(
        await expectedJson(tree.folder, question, notice === null ? [] : [notice]),
      );
    }
  });

  test('a stored file', async () => {
    expect(await ask(running.url, `${SLICE}.csv`)).toBe(
      await readFile(join(tree.folder, `${SLICE}.csv`), 'utf8'),
    );
  });

  test('a file that is not there, and a part past the end', async () => {
    const files = createHttpFiles(running.url);
    expect(await files.stat('nothing.json')).toBeNull();
    expect(await files.read('nothing.json', { start: 0, end: 5 })).toBeNull();
    expect(await files.stream('nothing.json', null)).toBeNull();
    const size = (await stat(join(tree.folder, 'index.json'))).size;
    expect(await files.read('index.json', { start: size + 10, end: size + 20 })).toMatchObject({ size });
    expect((await files.stat('index.json'))?.bytes).toBe(size);
  });
});

test('a host that gives ranges is asked for no more than the plan needs', async () => {
  const running = await startHost(HOSTS['gives ranges']);
  await ask(running.url, 'demo/things?detail=units&area_code=150&unit_code=u003');
  const rows = running.asked.filter(one => one.path.endsWith('.parquet'));
  expect(rows).toEqual([
    {
      method: 'GET',
      path: '/api/v1/demo/things/history/units.parquet',
      range: expect.stringMatching(/^bytes=\d+-\d+$/),
    },
  ]);
  running.close();
});

test('a host that ignores ranges is asked for a file once', async () => {
  const running = await startHost(HOSTS['ignores ranges']);
  await ask(running.url, 'demo/things?detail=units&group=all&limit=10000');
  const paths = running.asked.filter(one => one.method === 'GET').map(one => one.path);
  expect(new Set(paths).size).toBe(paths.length);
  running.close();
});

describe('what goes wrong is said', () => {
  const failing = async (host: Host, silence = 60_000) => {
    const running = await startHost(host);
    const files = createHttpFiles(running.url, { silence });
    const error = await files.read('manifest.json', null).catch((thrown: unknown) => thrown);
    running.close();
    expect(error).toBeInstanceOf(HostError);
    expect(describeFailure(error)).toMatchObject({ code: 'unreachable' });
    return (error as Error).message;
  };

  test('an error of the host', async () =>
    expect(await failing((_, response) => response.writeHead(503).end('<h1>no</h1>'))).toMatch(
      /manifest\.json cannot be read: the host answers 503/,
    ));

  test('a host that breaks off', async () =>
    expect(
      await failing((_, response) => {
        response.writeHead(200, { 'Content-Length': 100 }).write('{');
        setTimeout(() => response.destroy(), 20);
      }),
    ).toMatch(/cannot be read/));

  test('a host that falls silent', async () =>
    expect(await failing((_, response) => response.writeHead(200).write('{'), 100)).toMatch(
      /no byte arrived for 0\.1 s/,
    ));

  test('a host that is not there', async () => {
    const running = await startHost(HOSTS['gives ranges']);
    running.close();
    const error = await openTree(running.url).catch((thrown: unknown) => thrown);
    expect((error as Error).message).toMatch(/ECONNREFUSED/);
  });

  test('a file of the right length with other bytes', async () => {
    const file = join(tree.folder, `${SLICE}.csv`);
    const bytes = await readFile(file);
    await writeFile(file, Buffer.alloc(bytes.length, 65));
    const answer = await runQuery(await openTree(tree.folder), 'demo/things?year=2022&format=csv');
    await expect(text(answer as QueryAnswer)).rejects.toThrow(
      /areas\.csv has other bytes than the manifest says/,
    );
    await writeFile(file, bytes);
  });
});
