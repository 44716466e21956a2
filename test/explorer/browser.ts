/** Chromium, and hosts to show it a tree: the edge, and a server that can only serve files, under a sub-path. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { findChromium } from '../../scripts/bench/chromium.ts';
import { startServer } from '../../site/edge/adapters/node.ts';
import { startPlainHost as startPlain } from '../../site/edge/adapters/plain-host.ts';

/** The browser of this machine; null where it has none. */
export const CHROMIUM = findChromium();

/** What cuts a browser off from every host but this machine. */
export const CUT_OFF = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1';

export function launchBrowser(...more: readonly string[]): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM ?? '',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...more,
    ],
  });
}

/** A page, and what went wrong in it: errors, messages of the Content-Security-Policy, requests to other hosts. */
export interface Visit {
  readonly page: Page;
  readonly faults: readonly string[];
}

export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  const { origin } = new URL(url);
  const faults: string[] = [];
  context.on('request', request => {
    const asked = request.url();
    if (!asked.startsWith(`${origin}/`) && !/^(data|blob):/.test(asked)) faults.push(`asked for ${asked}`);
  });
  page.on('pageerror', error => faults.push(String(error)));
  page.on('console', message => {
    if (message.type() === 'error') faults.push(message.text());
  });
  await page.goto(url);
  return { page, faults };
}

export interface Host {
  /** Of the tree's root, ending in a slash. */
  readonly url: string;
  close(): Promise<void>;
}

/** `civic serve`. */
export async function startEdgeHost(folder: string): Promise<Host> {
  const { url, close } = await startServer({ folder, port: 0 });
  return { url: `${url}/`, close };
}

/** The browser and `civic serve` for the tests of a block, of a tree that an earlier hook has made. */
export function useEdgePages(tree: () => string): { readonly browser: Browser; readonly host: Host } {
  const open = {} as { browser: Browser; host: Host };
  beforeAll(async () => {
    open.browser = await launchBrowser();
    open.host = await startEdgeHost(tree());
  });
  afterAll(async () => {
    await open.browser.close();
    await open.host.close();
  });
  return open;
}

export interface PlainOptions {
  /** As of a repository's pages: `/repo/`. */
  readonly base?: string;
  /** Compresses all that it sends, unknown types too, and so gives no ranges. */
  readonly gzip?: boolean;
}

/** `civic serve --plain`. */
export async function startPlainHost(
  folder: string,
  { base = '/', gzip = false }: PlainOptions = {},
): Promise<Host> {
  const { url, close } = await startPlain({ folder, port: 0, basePath: base });
  return gzip ? startCompressingHost(url, base, close) : { url: url + base, close };
}

/** A host in front of another that compresses whatever that one sends whole. */
async function startCompressingHost(behind: string, base: string, end: () => Promise<void>): Promise<Host> {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = 'GET', url = '/' } = request;
    const ask = () => fetch(behind + url, { method, redirect: 'manual' });
    // The host behind may have just closed the idle connection: a second request opens another one.
    const found = await ask().catch(ask);
    const body = gzipSync(await found.arrayBuffer());
    const headers = Object.fromEntries(
      ['Content-Type', 'Location'].flatMap(name => {
        const value = found.headers.get(name);
        return value === null ? [] : [[name, value]];
      }),
    );
    response.writeHead(found.status, {
      ...headers,
      'Content-Encoding': 'gzip',
      'Content-Length': body.length,
    });
    response.end(method === 'HEAD' ? undefined : body);
  };
  const server = createServer((request, response) => {
    // A page may still ask while both hosts close.
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${base}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await end();
    },
  };
}
