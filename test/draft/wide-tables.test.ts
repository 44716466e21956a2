/**
 * The number of statements of `civic init` and of a build grows with batches of columns, not with columns.
 */
import { expect, test, vi } from 'vitest';
import { Session } from '../../build/lake/database.ts';
import { built, draftIn, writtenFiles } from './drafted.ts';

/** A statement has 32 aggregates, and a column needs about ten: a third of a statement. */
const STATEMENTS_OF_A_COLUMN = 0.5;

async function statements(act: () => Promise<unknown>): Promise<number> {
  const spies = [vi.spyOn(Session.prototype, 'rows'), vi.spyOn(Session.prototype, 'run')];
  try {
    await act();
    return spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

const ROWS = 6;

async function publish(columns: number, cell: (row: number, column: number) => string, builds: boolean) {
  const names = ['town', ...Array.from({ length: columns }, (_, i) => `c${i}x`)];
  const rows = Array.from({ length: ROWS }, (_, row) =>
    [`Town ${'abcdef'[row]}`, ...names.slice(1).map((_, column) => cell(row, column))].join(';'),
  );
  const root = await writtenFiles({ 'wide.csv': [names.join(';'), ...rows, ''].join('\n') });
  let types = new Set<string>();
  const drafting = await statements(async () => {
    const { tables } = await draftIn(root, ['wide.csv']);
    types = new Set(tables[0]?.columns.slice(1).map(({ type }) => type));
  });
  const building = builds ? await statements(() => built(root)) : 0;
  return { types: [...types].sort(), drafting, building };
}

test.each<[what: string, type: string, builds: boolean, cell: (row: number, column: number) => string]>([
  ['figures with a comma', 'number', true, (row, column) => `${row * 31 + column},${row}`],
  ['dates', 'date', false, (row, column) => `${13 + row}/0${1 + (column % 9)}/2024`],
])('%s', async (_, type, builds, cell) => {
  const [few, many] = [10, 40];
  const one = await publish(few, cell, builds);
  const other = await publish(many, cell, builds);
  expect([one.types, other.types]).toEqual([[type], [type]]);
  const most = (many - few) * STATEMENTS_OF_A_COLUMN;
  expect(other.drafting - one.drafting).toBeLessThan(most);
  expect(other.building - one.building).toBeLessThan(most);
});
