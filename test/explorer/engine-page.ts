/** The engine in a page of Chromium, asked from a test. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Scalar } from '../../build/format/documents.ts';
import type { Engine } from '../../site/explorer/engine/engine.ts';
import type { Sort } from '../../site/explorer/view/rows.ts';
import { type Host, openPage, sharedBrowser } from './browser.ts';
import { bundled } from './bundle.ts';

export interface Rows {
  readonly columns: readonly string[];
  readonly types: readonly string[];
  readonly rows: readonly (readonly (Scalar | null)[])[];
  readonly total?: number | null;
  readonly more?: boolean;
}

type Parameters = readonly (readonly [string, string])[];

const pairsOf = (parameters: Parameters) => parameters.map(([name, value]) => ({ name, value }));

export interface EnginePage {
  readonly page: Page;
  readonly faults: readonly string[];
  first(key: string, parameters: Parameters, limit: number): Promise<Rows>;
  ask(key: string, parameters: Parameters, sort?: Sort | null): Promise<Rows>;
  sql(statement: string): Promise<Rows>;
  close(): Promise<void>;
}

/** The engine over a host, for the tests of a block. */
export function useEngine(host: Host, at?: string): EnginePage {
  const engine = {} as EnginePage;
  beforeAll(async () => {
    Object.assign(engine, await openEnginePage(host.url, at));
  });
  afterAll(async () => {
    expect(engine.faults).toEqual([]);
    await engine.close();
  });
  return engine;
}

/** In a page without a script of its own. */
export async function openEnginePage(root: string, at = 'bare.html'): Promise<EnginePage> {
  const { page, faults } = await openPage(await sharedBrowser(), root + at);
  // As text: in a function the tests' compiler would rewrite the import.
  const script = JSON.stringify(`${root}${await bundled('engine/open-engine.ts')}`);
  await page.evaluate(
    `import(${script}).then(({ openEngine }) => {
      globalThis.engine = openEngine(new URL(${JSON.stringify(root)}));
    })`,
  );
  const call = (method: 'first' | 'ask' | 'sql', ...given: readonly unknown[]) =>
    page.evaluate(
      async ([name, values]) => {
        const { engine } = globalThis as unknown as { engine: Engine };
        const ask = engine[name] as (...all: readonly unknown[]) => Promise<unknown>;
        const answer = (await ask(...values)) as Awaited<ReturnType<Engine['first' | 'ask']>>;
        const table = 'table' in answer ? answer.table : answer;
        const rows = [];
        for (let row = 0; row < table.rows; row++) rows.push(table.columns.map((_, i) => table.cell(row, i)));
        return {
          columns: table.columns.map(column => column.name),
          types: table.columns.map(column => column.type as string),
          rows,
          ...('more' in table && { more: table.more as boolean }),
          ...('table' in answer && { total: answer.total }),
        };
      },
      [method, given] as const,
    );
  return {
    page,
    faults,
    first: (key, parameters, limit) => call('first', key, pairsOf(parameters), limit),
    ask: (key, parameters, sort = null) => call('ask', key, pairsOf(parameters), sort),
    sql: statement => call('sql', statement),
    close: () => page.context().close(),
  };
}
