/** Chromium, what is wrong with a page in it, and hosts to show it a tree. */
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { beforeAll, expect, onTestFinished } from 'vitest';
import { findChromium } from '../../scripts/bench/browser.ts';
import { startServer } from '../../site/edge/adapters/node.ts';
import { startPlainHost as startPlain } from '../../site/edge/adapters/plain-host.ts';
import { atEnd } from '../at-end.ts';
import { PATIENCE } from '../patience.ts';
import { answering } from '../served.ts';

/** The machine's browser; null without one. */
export const CHROMIUM = findChromium();

/** A browser that reaches only this machine. */
function launchBrowser(): Promise<Browser> {
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
 * The browser of all test files of a worker. One browser for all workers would be reached through vitest's
 * own process, and couldn't say where it saves files.
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

/** Its context is closed at the end of the test or file. */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await newContext(browser, options);
  atEnd(() => context.close());
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
  /** A selector of something that the page's script makes. */
  readonly ready?: string;
  /** Faults that the test causes. */
  readonly expected?: RegExp;
}

/** A page for one test, which fails if anything goes wrong in the page. */
export async function visit(url: string, { ready, expected, ...options }: VisitOptions = {}): Promise<Page> {
  const { page, faults } = await openPage(await sharedBrowser(), url, options);
  onTestFinished(() => expect(faults.filter(fault => !expected?.test(fault))).toEqual([]));
  if (ready !== undefined) await page.waitForSelector(ready, { state: 'attached' });
  return page;
}

export const SCREENS = [
  { viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  { viewport: { width: 320, height: 800 }, colorScheme: 'dark' },
] as const;

/** How many pixels a page is wider than its window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** The file that the button saves. */
export async function saveBy(page: Page, button: string): Promise<{ name: string; content: Buffer }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button, exact: true }).first().click(),
  ]);
  return { name: download.suggestedFilename(), content: await readFile(await download.path()) };
}

/** A host that ends with the test or the file, if no test closes it earlier. */
export interface Host {
  /** The tree's root, with a final slash. */
  readonly url: string;
  close(): Promise<void>;
}

function hostAt(url: string, close: () => Promise<void>): Host {
  atEnd(() => close().catch(() => undefined));
  return { url, close };
}

/** `civic serve`. */
export async function startEdgeHost(folder: string): Promise<Host> {
  const { url, close } = await startServer({ folder, port: 0 });
  return hostAt(`${url}/`, close);
}

/** A host for the tests of a block. */
export function useHost(start: () => Promise<Host>): Host {
  const host = {} as Host;
  beforeAll(async () => {
    Object.assign(host, await start());
  });
  return host;
}

interface PlainOptions {
  /** A sub-path, such as `/repo/`. */
  readonly base?: string;
  /** Compresses everything that it sends, and so gives no ranges. */
  readonly gzip?: boolean;
}

/** `civic serve --plain`. */
export async function startPlainHost(
  folder: string,
  { base = '/', gzip = false }: PlainOptions = {},
): Promise<Host> {
  const { url, close } = await startPlain({ folder, port: 0, basePath: base });
  return gzip ? startCompressingHost(url, base, close) : hostAt(url + base, close);
}

/** A host in front of another that compresses every whole answer. */
async function startCompressingHost(behind: string, base: string, end: () => Promise<void>): Promise<Host> {
  const answer = async ({ method = 'GET', url = '/' }: IncomingMessage, response: ServerResponse) => {
    const ask = () => fetch(behind + url, { method, redirect: 'manual' });
    // The host behind may have just closed the idle connection; a second request opens another one.
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
  // A page may still ask while both hosts close.
  const url = await answering((...asked) => void answer(...asked).catch(() => asked[1].destroy()));
  return hostAt(url + base, end);
}

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** Violations of WCAG 2.2 A and AA and of good practice, each with the elements. */
export async function accessibilityFindings(page: Page, part?: string): Promise<string[]> {
  // Evaluated rather than added, so the page's policy stays in force.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(await readFile(AXE, 'utf8'));
  const findings = await page.evaluate(async (selector): Promise<readonly Finding[]> => {
    const { axe } = globalThis as unknown as {
      axe: { run(context: unknown, options: object): Promise<{ violations: readonly Finding[] }> };
    };
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    // Without this, axe-core also describes every element in which it finds nothing.
    const options = { runOnly: { type: 'tag', values: tags }, resultTypes: ['violations'] };
    const { violations } = await axe.run(selector ?? document, options);
    return violations.map(({ id, nodes }) => ({
      id,
      nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary: failureSummary ?? '' })),
    }));
  }, part);
  return findings.flatMap(({ id, nodes }) =>
    nodes.map(node => `${id}: ${node.html} ${node.failureSummary ?? ''}`),
  );
}

/** What axe-core finds, and whether the page is wider than its window, at both sizes and in both schemes. */
export async function faultsAt(page: Page, part?: string): Promise<string[]> {
  const faults: string[] = [];
  for (const { viewport, colorScheme } of SCREENS) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    const found = await accessibilityFindings(page, part);
    const wider = await overflow(page);
    faults.push(...found, ...(wider > 0 ? [`${wider} px wider than ${viewport.width}`] : []));
  }
  return faults;
}
