/** A server with many, slow or greedy readers. */
import { once } from 'node:events';
import type http from 'node:http';
import net from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  endOfTurn,
  limitClients,
  limitConnections,
  takeTurns,
} from '../../site/edge/adapters/connections.ts';
import { createFolderFiles } from '../../site/edge/adapters/folder.ts';
import type { ServerOptions } from '../../site/edge/adapters/server-options.ts';
import { createHandler } from '../../site/edge/fetch.ts';
import { PATIENCE } from '../patience.ts';
import { randomRuns } from '../random-runs.ts';
import { answering, askAsIs, sendRaw, served } from '../served.ts';
import { BUDGET, THINGS, thingsTree } from './tree/fixture.ts';

const SCAN = `${THINGS}?detail=units&step=1,2&limit=2000`;
const LONG = `${THINGS}?detail=units&step=1,2&limit=10000`;
const STREAM = `${THINGS}?detail=units&step=1,2&format=csv`;

/** Fewer connections than one address may have. */
const MOST = 900;

const folder = await thingsTree();

const serve = (options: Partial<ServerOptions> = {}) => served(folder, options);

/** The status and Retry-After of an answer to this local address. */
async function ask(url: string, localAddress = '127.0.0.1', headers: Record<string, string> = {}) {
  const answer = await askAsIs(url, { localAddress, headers, agent: false });
  return [answer.status, answer.headers['retry-after']] as const;
}

function connectTo(url: string, localAddress?: string): net.Socket {
  const socket = net.connect({ host: '127.0.0.1', port: Number(new URL(url).port), localAddress });
  // The server may reset it at the end.
  socket.on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  return socket;
}

test('a small file goes before a crowd of scans', async () => {
  const url = await serve({ memory: 0 });
  let answered = 0;
  const count = Math.min(MOST, randomRuns(24));
  const scans = Array.from({ length: count }, async (_, i) => {
    const [status] = await ask(`${url}${STREAM}&offset=${i}`);
    answered++;
    return status;
  });
  await vi.waitFor(() => expect(answered).toBeGreaterThan(0), PATIENCE);
  expect(await ask(`${url}/healthz`)).toEqual([200, undefined]);
  expect(answered).toBeLessThan(count);
  expect(new Set(await Promise.all(scans))).toEqual(new Set([200]));
});

test('a scan pauses regularly, and requests that have arrived go first', async () => {
  let stops = 0;
  const countStop = () => {
    stops++;
    return null;
  };
  const options = { budget: BUDGET, endOfTurn: countStop };
  const handler = createHandler(createFolderFiles(folder), options);
  await (await handler(new Request(`http://edge.test${STREAM}`))).text();
  expect(stops).toBeGreaterThan(1);
  const order: string[] = [];
  setImmediate(() => order.push('a reader'));
  let turn: Promise<void> | null = null;
  // Far longer than a turn.
  for (let i = 0; i < 2e7 && turn === null; i++) turn = endOfTurn();
  expect(turn).not.toBeNull();
  await turn;
  expect(order).toEqual(['a reader']);
});

test("a reader who doesn't read delays no other", async () => {
  const url = await serve();
  const { host } = new URL(url);
  const slow = Array.from({ length: Math.min(MOST, randomRuns(20)) }, () => {
    const socket = connectTo(url).pause();
    // Pipelined questions whose answers fill the buffers of both systems.
    for (let i = 0; i < 40; i++) socket.write(`GET ${STREAM} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    return socket;
  });
  expect(await ask(url + SCAN)).toEqual([200, undefined]);
  for (const socket of slow) socket.destroy();
  expect(await ask(url + SCAN)).toEqual([200, undefined]);
});

test('slow and fast readers get the bytes that they asked for', async () => {
  const url = await serve();
  const { host } = new URL(url);
  const handler = createHandler(createFolderFiles(folder), { budget: BUDGET });
  const paths = Array.from({ length: 20 }, (_, i) => `${LONG}&offset=${i}`);
  const wholes = await Promise.all(
    paths.map(async path => (await handler(new Request(`http://edge.test${path}`))).text()),
  );
  const read = async (pause: number) => {
    const socket = connectTo(url).setEncoding('utf8');
    const last = paths.length - 1;
    for (const [i, path] of paths.entries())
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${i === last ? 'Connection: close\r\n' : ''}\r\n`,
      );
    // All answers are more than the buffers of both systems have room for.
    await new Promise(done => setTimeout(done, pause));
    let text = '';
    for await (const part of socket) text += part;
    return text
      .split(/^HTTP\/1.1 200 OK\r\n[\s\S]*?\r\n\r\n/m)
      .slice(1)
      .map(body => body.replace(/(^|\r\n)[0-9a-f]+\r\n/g, '').trim());
  };
  const paces = Array.from({ length: randomRuns(6) }, (_, i) => read((i % 3) * 100));
  for (const texts of await Promise.all(paces)) expect(texts).toEqual(wholes.map(whole => whole.trim()));
});

describe('a connection with many requests', () => {
  test('has one of them answered at a time, in order', async () => {
    let running = 0;
    let most = 0;
    const url = await answering(
      takeTurns((request, response) => {
        most = Math.max(most, ++running);
        response.once('finish', () => running--);
        setImmediate(() => response.end(`<${request.headers.host}>`));
      }),
    );
    const socket = connectTo(url);
    const hosts = Array.from({ length: 2000 }, (_, i) => `h${i}`);
    let text = '';
    socket.setEncoding('latin1').on('data', (part: string) => (text += part));
    socket.write(hosts.map(host => `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`).join(''));
    await vi.waitFor(() => expect(text).toContain('<h1999>'), PATIENCE);
    socket.destroy();
    expect([...text.matchAll(/<(h\d+)>/g)].map(([, host]) => host)).toEqual(hosts);
    expect(most).toBe(1);
  });

  test('holds nothing after it is closed: the next client is answered', async () => {
    const url = await serve();
    for (let i = 0; i < 3; i++) {
      const socket = connectTo(url);
      socket.write(`GET ${SCAN} HTTP/1.1\r\nHost: h\r\n\r\n`.repeat(45));
      await new Promise(done => socket.once('readable', done));
      socket.destroy();
    }
    await vi.waitFor(async () => expect(await ask(url + SCAN)).toEqual([200, undefined]), PATIENCE);
  });

  test('or two hosts is refused', async () => {
    const asked = 'GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n';
    const text = await sendRaw(await serve(), asked);
    expect(text).toMatch(/^HTTP\/1.1 400 [\s\S]*one Host header/);
  });
});

test('a reader who hangs up in a stream is no error', async () => {
  const errors: unknown[] = [];
  const url = await serve({ onError: error => errors.push(error) });
  const controller = new AbortController();
  await fetch(url + STREAM, { signal: controller.signal });
  controller.abort();
  // Its turn is over when another reader has a whole answer.
  expect(await ask(url + STREAM)).toEqual([200, undefined]);
  expect(errors).toEqual([]);
});

describe('one address', () => {
  test('has a part of the connections, and others still get one', async () => {
    const url = await answering(
      (_, response) => response.end('ok'),
      server => limitConnections(server, false),
    );
    const open = async (localAddress: string) => {
      const socket = connectTo(url, localAddress);
      await once(socket, 'connect');
      return socket;
    };
    const idle = await Promise.all(Array.from({ length: 1000 }, () => open('127.0.0.3')));
    const surplus = await open('127.0.0.3');
    await once(surplus, 'close');
    expect(await ask(url, '127.0.0.2')).toEqual([200, undefined]);
    idle[0]!.destroy();
    await vi.waitFor(async () => expect(await ask(url, '127.0.0.3')).toEqual([200, undefined]), PATIENCE);
  });

  test('is the last one that the proxy names, if any', async () => {
    const held: http.ServerResponse[] = [];
    const url = await answering(limitClients((_, response) => void held.push(response), true));
    const client = async (forwarded: string) =>
      (await ask(url, '127.0.0.1', { 'X-Forwarded-For': forwarded }))[0];
    const many = Array.from({ length: 1000 }, (_, i) => client(`10.0.0.${i % 250}, 192.0.2.7`));
    await vi.waitFor(() => expect(held).toHaveLength(1000), PATIENCE);
    expect(await client('198.51.100.1, 192.0.2.7')).toBe(429);
    const other = client('192.0.2.7, 192.0.2.8');
    await vi.waitFor(() => expect(held).toHaveLength(1001), PATIENCE);
    for (const response of held) response.end();
    expect([await other, ...(await Promise.all(many))].every(status => status === 200)).toBe(true);
  });

  test('behind a proxy releases the waiting requests of a closed connection', async () => {
    const url = await serve({ trustProxy: true });
    const headers = 'Host: h\r\nX-Forwarded-For: 192.0.2.7\r\n';
    for (let i = 0; i < 4; i++) {
      const socket = connectTo(url);
      socket.write(`GET ${SCAN} HTTP/1.1\r\n${headers}\r\n`.repeat(400));
      await new Promise(done => socket.once('readable', done));
      socket.destroy();
    }
    const askAgain = async () =>
      (await fetch(url + SCAN, { headers: { 'X-Forwarded-For': '192.0.2.7' } })).status;
    await vi.waitFor(async () => {
      const found = await Promise.all(Array.from({ length: 60 }, askAgain));
      expect(new Set(found)).toEqual(new Set([200]));
    }, PATIENCE);
  });
});
