/** A server whose readers are many, slow or greedy. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http, { IncomingMessage, ServerResponse } from 'node:http';
import net, { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { ComputePool, type PoolOptions } from '../../site/edge/adapters/crowd/compute-pool.ts';
import { FairQueue } from '../../site/edge/adapters/crowd/fair-queue.ts';
import { SentFiles } from '../../site/edge/adapters/crowd/sent-files.ts';
import { startServer } from '../../site/edge/adapters/node.ts';
import { sendBody } from '../../site/edge/adapters/sent-answer.ts';
import { takeTurns } from '../../site/edge/adapters/turns.ts';
import { type Answer, bodyAnswer } from '../../site/edge/answer.ts';
import type { Weight } from '../../site/edge/exchange.ts';
import { PATIENCE } from '../patience.ts';
import { COMPUTE_WORKER } from './compute-worker.ts';
import { copyThings, THINGS } from './tree/fixture.ts';

const SCAN = `${THINGS}?detail=units&step=1,2&limit=2000`;
const STREAM = `${THINGS}?detail=units&step=1,2&format=csv`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'crowd-'));
  await copyThings(folder);
  await writeFile(join(folder, 'silent.mjs'), "import 'node:worker_threads'; setInterval(() => {}, 1000);\n");
  await writeFile(
    join(folder, 'dying.mjs'),
    "import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => process.exit(1));\n",
  );
});
afterAll(() => rm(folder, { recursive: true }));

async function serve(poolOptions: Omit<PoolOptions, 'workers'>, workers = 1): Promise<string> {
  const { limits, ...rest } = poolOptions;
  // The tree is small: a thread answers only because this one answers nothing.
  const options = { entry: COMPUTE_WORKER, ...rest, limits: { here: 0, ...limits } };
  const { url, close } = await startServer({ folder, port: 0, workers, poolOptions: options });
  onTestFinished(close);
  return url;
}

const script = (name: string) => pathToFileURL(join(folder, name));

/** The status and Retry-After of an answer, asked from an address of this machine. */
function ask(url: string, localAddress = '127.0.0.1'): Promise<readonly [number, string | undefined]> {
  return new Promise((done, fail) => {
    http
      .get(url, { localAddress, agent: false }, response => {
        response.resume().on('end', () => done([response.statusCode ?? 0, response.headers['retry-after']]));
      })
      .on('error', fail);
  });
}

test('clients take turns; the one with the most tasks gives way; what cannot begin lets the next pass', () => {
  const all = () => true;
  const queue = new FairQueue<string>(4);
  expect(['a1', 'a2', 'a3'].map(task => queue.add('a', task))).toEqual([null, null, null]);
  expect([queue.add('b', 'b1'), queue.add('b', 'b2'), queue.add('a', 'a4')]).toEqual([null, 'a3', 'a4']);
  expect(Array.from({ length: 5 }, () => queue.take(all))).toEqual(['a1', 'b1', 'a2', 'b2', null]);
  for (const task of ['large', 'small']) queue.add('a', task);
  expect(queue.take(task => task === 'small')).toBe('small');
  expect([queue.remove('a', 'small'), queue.remove('a', 'large'), queue.take(all)]).toEqual([
    false,
    true,
    null,
  ]);
});

test('stored files are sent while every thread is stuck, and a scan is refused in time', async () => {
  const url = await serve({ entry: script('silent.mjs'), limits: { patience: 300 } });
  const scans = Array.from({ length: 20 }, () => ask(url + SCAN));
  expect(await ask(`${url}/healthz`)).toEqual([200, undefined]);
  expect(await ask(`${url}${THINGS}?year=2022&format=csv`)).toEqual([200, undefined]);
  expect(new Set((await Promise.all(scans)).map(String))).toEqual(new Set(['503,10']));
});

describe('this thread', () => {
  const incoming = {
    method: 'GET',
    root: '',
    path: '/',
    query: '',
    origin: '',
    header: () => null,
    signal: undefined,
  };

  /** Asks a pool whose one thread is stuck. */
  function openPool(limits: PoolOptions['limits']) {
    const pool = new ComputePool({
      workers: 1,
      entry: script('silent.mjs'),
      limits: { patience: 300, ...limits },
    });
    onTestFinished(() => pool.close());
    return (weight: Weight, here: () => Promise<Answer>) =>
      pool.ask({ number: 1, root: folder }, incoming, weight, here);
  }

  test('takes light questions, as many at once as it may', async () => {
    const askPool = openPool({ here: 2, held: 1000 });
    const answer = bodyAnswer(200, {}, new Uint8Array(400));
    expect(await askPool('middle', async () => answer)).toMatchObject({ status: 503 });
    const ends: (() => void)[] = [];
    const slow = () => new Promise<Answer>(done => ends.push(() => done(answer)));
    const two = [askPool('light', slow), askPool('light', slow)];
    expect([(await askPool('light', slow)).status, ends.length]).toEqual([503, 2]);
    for (const end of ends) end();
    const given = await Promise.all(two);
    expect(given.map(({ status }) => status)).toEqual([200, 200]);
    // Readers have not taken these yet, and one client may hold half of the memory.
    expect(await askPool('light', slow)).toMatchObject({ status: 503 });
    for (const one of given) if (one.kind === 'body') one.release?.();
    expect(await askPool('light', async () => answer)).toMatchObject({ status: 200 });
  });

  test('computes for no long turn, and nothing while many wait', async () => {
    const askPool = openPool({ held: 1000 });
    let [begun, now] = [0, 0];
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
    onTestFinished(() => clock.mockRestore());
    const ask = async (weight: Weight) => {
      const { status } = await askPool(weight, async () => {
        begun++;
        now += 50;
        return bodyAnswer(200, {}, new Uint8Array(4));
      });
      return status;
    };
    expect([await Promise.all([1, 2, 3].map(() => ask('light'))), begun]).toEqual([[200, 503, 503], 1]);
    expect(await ask('light')).toBe(200);
    const crowd = Array.from({ length: 30 }, () => ask('middle'));
    expect(await ask('light')).toBe(503);
    await Promise.all(crowd);
    expect([await ask('light'), begun]).toEqual([200, 3]);
  });
});

test('a full queue refuses the rest at once, and a second client still gets in', async () => {
  const url = await serve({ limits: { waiting: 3, patience: 60_000 } });
  const many = Array.from({ length: 12 }, () => ask(url + SCAN));
  // Where one is refused, the queue is full.
  await Promise.any(many.map(async one => expect((await one)[0]).toBe(503)));
  const other = ask(url + SCAN, '127.0.0.2');
  const codes = (await Promise.all(many)).map(([status]) => status);
  expect((await other)[0]).toBe(200);
  expect(codes.filter(code => code === 200).length).toBeGreaterThanOrEqual(4);
});

test('a reader who takes nothing holds its own share, not that of others', async () => {
  const url = await serve({ limits: { held: 4 << 20, patience: 8000 } });
  const { port, host } = new URL(url);
  const slow = Array.from({ length: 4 }, () => {
    const socket = net.connect({ host: '127.0.0.1', port: Number(port), localAddress: '127.0.0.3' }).pause();
    socket.on('error', () => undefined);
    // Pipelined questions, whose answers fill the buffers of both systems.
    for (let i = 0; i < 40; i++) socket.write(`GET ${SCAN}&offset=${i} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    return socket;
  });
  const expectStatus = (client: string, status: number) =>
    vi.waitFor(async () => expect((await ask(url + SCAN, client))[0]).toBe(status), PATIENCE);
  await expectStatus('127.0.0.3', 503);
  await expectStatus('127.0.0.2', 200);
  for (const socket of slow) socket.destroy();
  await expectStatus('127.0.0.3', 200);
});

describe('a connection with many requests', () => {
  const pipelined = (url: string, target: string, count: number) => {
    const { hostname, port } = new URL(url);
    const socket = net.connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    socket.write(`GET ${target} HTTP/1.1\r\nHost: h\r\n\r\n`.repeat(count));
    return socket;
  };

  test('has a few of them worked on at once, and all answered in their order', async () => {
    let running = 0;
    let most = 0;
    const server = http.createServer(
      takeTurns((request, response) => {
        most = Math.max(most, ++running);
        response.once('finish', () => running--);
        setImmediate(() => response.end(`<${request.headers.host}>`));
      }),
    );
    const { port } = await new Promise<net.AddressInfo>(done =>
      server.listen(0, '127.0.0.1', () => done(server.address() as net.AddressInfo)),
    );
    onTestFinished(() => void server.close());
    const socket = net.connect(port, '127.0.0.1');
    const hosts = Array.from({ length: 2000 }, (_, i) => `h${i}`);
    let text = '';
    socket.setEncoding('latin1').on('data', (part: string) => (text += part));
    socket.write(hosts.map(host => `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`).join(''));
    await vi.waitFor(() => expect(text).toContain('<h1999>'), PATIENCE);
    socket.destroy();
    expect([...text.matchAll(/<(h\d+)>/g)].map(([, host]) => host)).toEqual(hosts);
    expect(most).toBe(4);
  });

  test('holds nothing once it is closed: the next client is answered', async () => {
    const url = await serve({ limits: { held: 400_000 } });
    for (let i = 0; i < 3; i++) {
      const socket = pipelined(url, SCAN, 45);
      await new Promise(done => socket.once('readable', done));
      socket.destroy();
    }
    await vi.waitFor(async () => expect(await ask(url + SCAN)).toEqual([200, undefined]), PATIENCE);
  });

  test('or two hosts is refused', async () => {
    const { hostname, port } = new URL(await serve({}));
    const socket = net.connect(Number(port), hostname);
    socket.end('GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n');
    let text = '';
    for await (const part of socket) text += String(part);
    expect(text).toMatch(/^HTTP\/1.1 400 [\s\S]*one Host header/);
  });
});

test('a thread that dies is an answer to try again, and one that rested starts again', async () => {
  expect(await ask((await serve({ entry: script('dying.mjs') })) + SCAN)).toEqual([503, '10']);
  const url = await serve({ limits: { idle: 1 } });
  for (let i = 0; i < 3; i++) {
    expect((await ask(url + SCAN))[0]).toBe(200);
    await new Promise(done => setTimeout(done, 20));
  }
});

test('a reader who hangs up in a stream ends the work on it', async () => {
  const url = await serve({ limits: { held: 5 << 20 } });
  for (let i = 0; i < 5; i++) {
    const controller = new AbortController();
    await fetch(url + STREAM, { signal: controller.signal });
    controller.abort();
  }
  const whole = await fetch(url + STREAM);
  expect([whole.status, (await whole.text()).endsWith('\n')]).toEqual([200, true]);
});

test('files on their way from memory are counted once each, until the last reader has them', () => {
  const files = new SentFiles(100);
  const [first, second] = [files.begin('a', 80), files.begin('a', 80)];
  const rooms = () => [files.hasRoom('a', 80), files.hasRoom('b', 30), files.hasRoom('b', 20)];
  expect(rooms()).toEqual([true, false, true]);
  first();
  expect(rooms()).toEqual([true, false, true]);
  second();
  expect(rooms()).toEqual([true, true, true]);
});

test('a reader who takes less than 16 kB a second is dropped', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  await sendBody(request, response, bodyAnswer(200, {}, new Uint8Array(1 << 20)));
  await vi.advanceTimersByTimeAsync(100_000);
  expect(response.destroyed).toBe(false);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(response.destroyed).toBe(true);
});
