/** Chromium, and hosts to show it a tree: the edge, and a server that can only serve files, under a sub-path. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { findChromium } from '../../scripts/bench/chromium.ts';
import { startServer } from '../../site/edge/adapters/node.ts';

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
  const { url, close } = await startServer({ folder, port: 0, host: '127.0.0.1' });
  return { url: `${url}/`, close };
}

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript',
  css: 'text/css',
  json: 'application/json',
  svg: 'image/svg+xml',
  wasm: 'application/wasm',
};

export interface PlainOptions {
  /** As of a repository's pages: `/repo/`. */
  readonly base?: string;
  /** Compresses all that it sends, unknown types too. */
  readonly gzip?: boolean;
}

/** A server that can only serve files: no ranges, no queries, no routes; `index.html` of folders, 404 otherwise. */
export async function startPlainHost(
  folder: string,
  { base = '/', gzip = false }: PlainOptions = {},
): Promise<Host> {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const name = pathname.startsWith(base) ? decodeURIComponent(pathname.slice(base.length)) : null;
    const file =
      name === null ? null : path.join(folder, name, name === '' || name.endsWith('/') ? 'index.html' : '');
    const content = file?.startsWith(folder) ? await readFile(file).catch(() => null) : null;
    if (content === null || file === null) {
      response.writeHead(404, { 'Content-Type': 'text/html' }).end('<!doctype html><title>404</title>');
      return;
    }
    const type = TYPES[path.extname(file).slice(1)] ?? 'application/octet-stream';
    const body = gzip ? gzipSync(content) : content;
    response.writeHead(200, {
      'Content-Type': type,
      'Content-Length': body.length,
      ...(gzip && { 'Content-Encoding': 'gzip' }),
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${base}`,
    close: () =>
      new Promise(done => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}
