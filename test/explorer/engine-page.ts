/** The bundled explorer in trees that were written without pages, and its engine in a page of Chromium. */
import { cp, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Scalar } from '../../build/format/documents.ts';
import { PAGES } from '../../build/format/paths.ts';
import type { Engine } from '../../site/explorer/engine/engine.ts';
import type { Sort } from '../../site/explorer/view/rows.ts';
import { writeChecksums, writeTree } from '../edge/tree/write.ts';
import { TREE_SOURCES } from '../georgia/sample-lake.ts';
import { keptFolder } from '../kept-folder.ts';
import { type Host, openPage, sharedBrowser } from './browser.ts';

export interface Rows {
  readonly columns: readonly string[];
  readonly types: readonly string[];
  readonly rows: readonly (readonly (Scalar | null)[])[];
  readonly total?: number | null;
}

type Parameters = readonly (readonly [string, string])[];

const pairsOf = (parameters: Parameters) => parameters.map(([name, value]) => ({ name, value }));

interface EnginePage {
  readonly page: Page;
  readonly faults: readonly string[];
  ask(key: string, parameters: Parameters, options?: { limit?: number; sort?: Sort }): Promise<Rows>;
  sql(statement: string): Promise<Rows>;
}

/** The engine over a host, for the tests of a block. */
export function useEngine(host: Host, at?: string): EnginePage {
  const engine = {} as EnginePage;
  beforeAll(async () => {
    Object.assign(engine, await openEnginePage(host.url, at));
  });
  afterAll(() => expect(engine.faults).toEqual([]));
  return engine;
}

/** An engine in a page without a script of its own. */
export async function openEnginePage(root: string, at = 'bare.html'): Promise<EnginePage> {
  const { page, faults } = await openPage(await sharedBrowser(), root + at);
  // As text: the tests' compiler would rewrite the import in a function.
  const script = JSON.stringify(`${root}${await bundled('engine/open-engine.ts')}`);
  await page.evaluate(
    `import(${script}).then(({ openEngine }) => {
      globalThis.engine = openEngine(new URL(${JSON.stringify(root)}));
    })`,
  );
  const call = (method: 'ask' | 'sql', ...given: readonly unknown[]) =>
    page.evaluate(
      async ([name, values]) => {
        const { engine } = globalThis as unknown as { engine: Engine };
        const ask = engine[name] as (...all: readonly unknown[]) => Promise<unknown>;
        const { table, total } = (await ask(...values)) as Awaited<ReturnType<Engine['ask']>>;
        const rows = [];
        for (let row = 0; row < table.rows; row++) rows.push(table.columns.map((_, i) => table.cell(row, i)));
        return {
          columns: table.columns.map(column => column.name),
          types: table.columns.map(column => column.type as string),
          rows,
          total,
        };
      },
      [method, given] as const,
    );
  return {
    page,
    faults,
    ask: (key, parameters, options) => call('ask', key, pairsOf(parameters), options),
    sql: statement => call('sql', statement),
  };
}

const BUNDLE = path.resolve(import.meta.dirname, '../../lib/explorer');

/** The policy of every page. */
const POLICY =
  "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; connect-src 'self' blob:; " +
  "img-src 'self' data: blob:; style-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'";

/** The hand-written tree with the bundle. Tests copy it to change it. */
export function bundledThings(): Promise<string> {
  return keptFolder(
    'bundled-things',
    [...TREE_SOURCES, 'test/edge/tree', 'test/explorer/engine-page.ts'],
    async out => {
      await mkdir(out);
      await writeTree(out, { sample: true });
      await addBundle(out);
    },
  );
}

/**
 * Puts the bundle into a tree, and two pages with the policy of all pages: one empty, one with their script.
 */
export async function addBundle(tree: string): Promise<void> {
  await cp(BUNDLE, path.join(tree, PAGES.assets), { recursive: true });
  await rename(path.join(tree, PAGES.assets, PAGES.worker), path.join(tree, PAGES.worker));
  const sources = ['messages/page-en.ts', 'app/explorer.ts'];
  const files = await Promise.all(sources.map(bundled));
  const script = files.map(file => `<script type="module" src="${file}"></script>`).join('');
  await writeFile(path.join(tree, 'bare.html'), renderPage(''));
  await writeFile(path.join(tree, 'page.html'), renderPage(script));
  // The digest in the root's page covers the files before the change.
  const index = path.join(tree, 'index.html');
  await writeFile(index, (await readFile(index, 'utf8')).replace(/<meta name="civic-digest"[^>]*>/, ''));
  await writeChecksums(tree);
}

function renderPage(head: string): string {
  return `<!doctype html><html lang="en" data-root="./"><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}"><title>Test</title><link rel="icon" href="data:,">${head}`;
}

/** A bundled source's path, relative to the tree's root. */
export async function bundled(source: string): Promise<string> {
  const manifest = JSON.parse(await readFile(path.join(BUNDLE, 'manifest.json'), 'utf8'));
  return `${PAGES.assets}/${manifest[source].file}`;
}
