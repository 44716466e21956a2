/** Chromium, and hosts to show it a tree: the edge, and a server that can only serve files, under a sub-path. */
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { findChromium } from '../../scripts/bench/chromium.ts';
import { startServer } from '../../site/edge/adapters/node.ts';
import { startPlainHost as startPlain } from '../../site/edge/adapters/plain-host.ts';
import { PATIENCE } from '../patience.ts';

/** The browser of this machine; null where it has none. */
export const CHROMIUM = findChromium();

/** Cut off from every host but this machine. */
export function launchBrowser(): Promise<Browser> {
  const off = ['gpu', 'quic', 'background-networking', 'component-update', 'sync'];
  const resolver = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1';
  const args = ['--no-sandbox', '--no-first-run', resolver, ...off.map(name => `--disable-${name}`)];
  return chromium.launch({ executablePath: CHROMIUM ?? '', args });
}

export async function newContext(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(PATIENCE);
  return context;
}

let shared: Promise<Browser> | null = null;

/**
 * The browser of all test files of a worker, which ends with it. One for all workers would be reached through vitest's
 * own process, and could not say where it saves files.
 */
export function sharedBrowser(): Promise<Browser> {
  shared ??= launchBrowser();
  return shared;
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
  const context = await newContext(browser, options);
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

export interface VisitOptions extends BrowserContextOptions {
  /** A selector of what the page's script makes. */
  readonly ready?: string;
  /** Faults that belong to the test. */
  readonly expected?: RegExp;
}

/** A page for one test, which fails if anything goes wrong in the page. */
export async function visit(url: string, { ready, expected, ...options }: VisitOptions = {}): Promise<Page> {
  const { page, faults } = await openPage(await sharedBrowser(), url, options);
  onTestFinished(async () => {
    await page.context().close();
    expect(faults.filter(fault => !expected?.test(fault))).toEqual([]);
  });
  if (ready !== undefined) await page.waitForSelector(ready, { state: 'attached' });
  return page;
}

/** The widths and schemes that every page must do in. */
export const SCREENS = [
  { viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  { viewport: { width: 320, height: 800 }, colorScheme: 'dark' },
] as const;

/** How far a page is wider than its window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** What the button saves. */
export async function saveBy(page: Page, button: string): Promise<{ name: string; content: Buffer }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button, exact: true }).first().click(),
  ]);
  return { name: download.suggestedFilename(), content: await readFile(await download.path()) };
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

/** A host for the tests of a block. */
export function useHost(start: () => Promise<Host>): Host {
  const host = {} as Host;
  beforeAll(async () => {
    Object.assign(host, await start());
  });
  afterAll(() => host.close?.());
  return host;
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
    const own = ['Content-Type', 'Location'].flatMap(name => {
      const value = found.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    });
    const packed = { 'Content-Encoding': 'gzip', 'Content-Length': body.length };
    response.writeHead(found.status, { ...Object.fromEntries(own), ...packed });
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
