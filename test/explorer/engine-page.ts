/** The engine of the explorer in a page of Chromium. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Scalar } from '../../build/format/documents.ts';
import { PAGES } from '../../build/format/paths.ts';
import type { Engine } from '../../site/explorer/engine/engine.ts';
import type { Sort } from '../../site/explorer/view/rows.ts';
import { THINGS_DATE, writeThings } from '../edge/tree/fixture.ts';
import { openPages } from '../publishers/kept-trees.ts';
import { type Publisher, temporaryFolder } from '../publishers/publisher-folder.ts';
import { type Host, openPage, sharedBrowser } from './browser.ts';

export interface Rows {
  readonly columns: readonly string[];
  readonly types: readonly string[];
  readonly rows: readonly (readonly (Scalar | null)[])[];
  readonly total?: number | null;
}

type Parameters = readonly (readonly [string, string])[];

const pairsOf = (parameters: Parameters) => parameters.map(([name, value]) => ({ name, value }));

type EnginePage = Awaited<ReturnType<typeof openEnginePage>>;

/** The engine over a host, for the tests of a block. */
export function useEngine(host: Host): EnginePage {
  const engine = {} as EnginePage;
  beforeAll(async () => {
    Object.assign(engine, await openEnginePage(host.url));
  });
  afterAll(() => expect(engine.faults).toEqual([]));
  return engine;
}

/** An engine in a page without a script of its own. */
export async function openEnginePage(root: string) {
  const { page, faults } = await openPage(await sharedBrowser(), `${root}robots.txt`);
  // As text: the tests' compiler would rewrite the import in a function.
  const script = JSON.stringify(`${root}${await bundled('engine/open-engine.ts')}`);
  await page.evaluate(
    `import(${script}).then(({ openEngine }) => {
      globalThis.engine = openEngine(new URL(${JSON.stringify(root)}));
    })`,
  );
  const call = async (method: 'ask' | 'sql', ...given: readonly unknown[]): Promise<Rows> => {
    // As text, which crosses from the page in a tenth of the time that objects take.
    const answer = await page.evaluate(
      async ([name, values]) => {
        const { engine } = globalThis as unknown as { engine: Engine };
        const ask = engine[name] as (...all: readonly unknown[]) => Promise<unknown>;
        const { table, total } = (await ask(...values)) as Awaited<ReturnType<Engine['ask']>>;
        const rows = [];
        for (let row = 0; row < table.rows; row++) rows.push(table.columns.map((_, i) => table.cell(row, i)));
        const columns = table.columns.map(column => column.name);
        return JSON.stringify({ columns, types: table.columns.map(column => column.type), rows, total });
      },
      [method, given] as const,
    );
    return JSON.parse(answer);
  };
  return {
    page,
    faults,
    ask: (key: string, parameters: Parameters, options?: { limit?: number; sort?: Sort }) =>
      call('ask', key, pairsOf(parameters), options),
    sql: (statement: string) => call('sql', statement),
  };
}

const BUNDLE = path.resolve(import.meta.dirname, '../../lib/explorer');

/** The small tree with people's pages, which bring the bundle, in a new folder. */
export async function pagedThings(): Promise<Publisher> {
  const publisher = await writeThings(await temporaryFolder());
  await publisher.build({ pages: openPages(), releaseDate: THINGS_DATE });
  return publisher;
}

/** A bundled source's path, relative to the tree's root. */
async function bundled(source: string): Promise<string> {
  const manifest = JSON.parse(await readFile(path.join(BUNDLE, 'manifest.json'), 'utf8'));
  return `${PAGES.assets}/${manifest[source].file}`;
}
