/** A page with a table of a million rows: everything is real but the engine, whose rows are made as they are asked for. */
import { readDataset } from '../../site/explorer/app/explore/documents.ts';
import { showPanel } from '../../site/explorer/app/explore/mount.tsx';
import type { Engine, TableData } from '../../site/explorer/engine/engine.ts';

const MILLION = 1_000_000;

const root = new URL('./', location.href);
const dataset = await readDataset(root, 'climate/rainfall');

function makeRows(rows: number): TableData {
  const { columns } = dataset.table;
  return {
    columns,
    rows,
    cell: (row, column) => {
      if ((row + column) % 17 === 0) return null;
      const { type } = columns[column]!;
      return type === 'string' ? `${column}-${row}` : type === 'boolean' ? row % 2 === 0 : row + column / 4;
    },
  };
}

const engine: Engine = {
  prepare: () => undefined,
  first: async (_key, _parameters, limit) => ({ table: makeRows(limit), total: MILLION, notices: [] }),
  ask: async () => makeRows(MILLION),
  sql: () => Promise.reject(new Error('not asked here')),
  close: () => Promise.resolve(),
};

showPanel(document.body.appendChild(document.createElement('main')), dataset, engine, root);
