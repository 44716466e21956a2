/** Firefox, driven by WebDriver BiDi, the browser's own protocol. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { WebSocket } from 'undici';
import { expect } from 'vitest';
import { atEnd } from '../at-end.ts';

/** Path of the program; null if it isn't installed. */
export const FIREFOX =
  ['firefox-esr', 'firefox'].map(name => `/usr/bin/${name}`).find(file => existsSync(file)) ?? null;

interface Reply {
  readonly id?: number;
  readonly type: string;
  readonly method?: string;
  readonly result?: unknown;
  readonly message?: string;
  readonly params?: { readonly level?: string; readonly text?: string };
}

export type FirefoxPage = Awaited<ReturnType<typeof launchFirefox>>;

/** A page that ends with the test or the file. */
export async function launchFirefox() {
  const profile = await mkdtemp(path.join(tmpdir(), 'firefox-'));
  const options = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port=0'];
  const program = spawn(FIREFOX ?? '', [...options, 'about:blank'], {
    env: { ...process.env, HOME: profile },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const address = await addressOf(program.stderr);
  program.stderr.resume();
  const socket = new WebSocket(`${address}/session`);
  atEnd(async () => {
    socket.close();
    const gone = once(program, 'exit');
    program.kill('SIGKILL');
    await gone;
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  });
  /** Errors in the page's console. */
  const faults: string[] = [];
  const waiting = new Map<number, (reply: Reply) => void>();
  socket.addEventListener('message', ({ data }) => {
    const reply = JSON.parse(String(data)) as Reply;
    if (reply.method === 'log.entryAdded' && reply.params?.level === 'error')
      faults.push(reply.params.text ?? '');
    waiting.get(reply.id ?? 0)?.(reply);
  });
  await new Promise((done, fail) => {
    socket.addEventListener('open', done);
    socket.addEventListener('error', ({ error }) => fail(error));
  });
  let last = 0;
  const send = async (method: string, params: object): Promise<unknown> => {
    const id = ++last;
    const reply = await new Promise<Reply>(done => {
      waiting.set(id, done);
      socket.send(JSON.stringify({ id, method, params }));
    });
    waiting.delete(id);
    if (reply.type === 'error') throw new Error(`${method}: ${reply.message}`);
    return reply.result;
  };
  await send('session.new', { capabilities: {} });
  await send('session.subscribe', { events: ['log.entryAdded'] });
  // The first tab leaves the focus in the address bar, where no key reaches a page.
  const { context } = (await send('browsingContext.create', { type: 'tab' })) as { readonly context: string };
  await send('browsingContext.setViewport', { context, viewport: { width: 1280, height: 800 } });

  /** The JSON value of an expression in the page. */
  const read = async <Value>(expression: string): Promise<Value> => {
    const answer = (await send('script.evaluate', {
      expression: `JSON.stringify((${expression}) ?? null)`,
      target: { context },
      awaitPromise: true,
    })) as { readonly type: string; readonly result?: { readonly value: string } };
    if (answer.type === 'exception') throw new Error(`The page cannot compute ${expression}.`);
    return JSON.parse(answer.result?.value ?? 'null') as Value;
  };
  const until = (expression: string) =>
    expect.poll(() => read<boolean>(`Boolean(${expression})`), { message: expression }).toBe(true);
  return {
    faults,
    read,
    until,
    open: (url: string) => send('browsingContext.navigate', { context, url, wait: 'complete' }),
    async click(element: string): Promise<void> {
      await until(element);
      await read(`(${element}).click()`);
    },
    async press(...keys: readonly string[]): Promise<void> {
      const actions = keys.flatMap(value => ['keyDown', 'keyUp'].map(type => ({ type, value })));
      await send('input.performActions', { context, actions: [{ type: 'key', id: 'keys', actions }] });
    },
  };
}

/** Where Firefox says that it listens. */
async function addressOf(stderr: NodeJS.ReadableStream): Promise<string> {
  let said = '';
  for await (const line of createInterface(stderr)) {
    said += line;
    const found = /WebDriver BiDi listening on (ws:\S+)/.exec(line)?.[1];
    if (found !== undefined) return found;
  }
  throw new Error(`Firefox did not start: ${said}`);
}
