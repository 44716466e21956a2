/** Firefox, driven by WebDriver BiDi, the browser's own protocol. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { WebSocket } from 'undici';
import { expect } from 'vitest';
import { PATIENCE } from '../patience.ts';

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

export class FirefoxPage {
  /** Errors in the page's console. */
  readonly faults: string[] = [];
  private readonly program: ChildProcess;
  private readonly profile: string;
  private readonly socket: WebSocket;
  private readonly waiting = new Map<number, (reply: Reply) => void>();
  private context = '';
  private last = 0;

  private constructor(program: ChildProcess, profile: string, socket: WebSocket) {
    this.program = program;
    this.profile = profile;
    this.socket = socket;
    socket.addEventListener('message', ({ data }) => {
      const reply = JSON.parse(String(data)) as Reply;
      if (reply.method === 'log.entryAdded' && reply.params?.level === 'error')
        this.faults.push(reply.params.text ?? '');
      this.waiting.get(reply.id ?? 0)?.(reply);
    });
  }

  static async launch(): Promise<FirefoxPage> {
    const profile = await mkdtemp(path.join(tmpdir(), 'firefox-'));
    const options = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port=0'];
    const program = spawn(FIREFOX ?? '', [...options, 'about:blank'], {
      env: { ...process.env, HOME: profile },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const address = await new Promise<string>((done, fail) => {
      let said = '';
      const timer = setTimeout(() => fail(new Error(`Firefox did not start: ${said}`)), PATIENCE);
      program.stderr?.on('data', part => {
        said += part;
        const found = /WebDriver BiDi listening on (ws:\S+)/.exec(said)?.[1];
        if (found === undefined) return;
        clearTimeout(timer);
        done(found);
      });
    });
    const socket = new WebSocket(`${address}/session`);
    await new Promise((done, fail) => {
      socket.addEventListener('open', done);
      socket.addEventListener('error', ({ error }) => fail(error));
    });
    const page = new FirefoxPage(program, profile, socket);
    await page.send('session.new', { capabilities: {} });
    await page.send('session.subscribe', { events: ['log.entryAdded'] });
    // The first tab leaves the focus in the address bar, where no key reaches a page.
    const made = await page.send('browsingContext.create', { type: 'tab' });
    page.context = (made as { readonly context: string }).context;
    const viewport = { width: 1280, height: 800 };
    await page.send('browsingContext.setViewport', { context: page.context, viewport });
    return page;
  }

  private async send(method: string, params: object): Promise<unknown> {
    this.last++;
    const id = this.last;
    const reply = await new Promise<Reply>(done => {
      this.waiting.set(id, done);
      this.socket.send(JSON.stringify({ id, method, params }));
    });
    this.waiting.delete(id);
    if (reply.type === 'error') throw new Error(`${method}: ${reply.message}`);
    return reply.result;
  }

  async open(url: string): Promise<void> {
    await this.send('browsingContext.navigate', { context: this.context, url, wait: 'complete' });
  }

  /** The JSON value of an expression in the page. */
  async read<Value>(expression: string): Promise<Value> {
    const answer = (await this.send('script.evaluate', {
      expression: `JSON.stringify((${expression}) ?? null)`,
      target: { context: this.context },
      awaitPromise: true,
    })) as { readonly type: string; readonly result?: { readonly value: string } };
    if (answer.type === 'exception') throw new Error(`The page cannot compute ${expression}.`);
    return JSON.parse(answer.result?.value ?? 'null') as Value;
  }

  async until(expression: string): Promise<void> {
    await expect.poll(() => this.read<boolean>(`Boolean(${expression})`), { message: expression }).toBe(true);
  }

  async click(element: string): Promise<void> {
    await this.until(element);
    await this.read(`(${element}).click()`);
  }

  async press(...keys: readonly string[]): Promise<void> {
    const actions = keys.flatMap(value => ['keyDown', 'keyUp'].map(type => ({ type, value })));
    const input = { context: this.context, actions: [{ type: 'key', id: 'keys', actions }] };
    await this.send('input.performActions', input);
  }

  async close(): Promise<void> {
    this.socket.close();
    const gone = new Promise(done => this.program.once('exit', done));
    this.program.kill('SIGKILL');
    await gone;
    await rm(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }
}
