/** The small tree of the contracts beside this file, made once for all tests that read it, a second one with fewer files, and ways to ask for it. */
import { cp } from 'node:fs/promises';
import path from 'node:path';
import type { DatasetManifest, RowColumn } from '../../../build/format/manifest.ts';
import { NO_LIMITS } from '../../../build/hosts/host-profile.ts';
import { HOSTS } from '../../../build/hosts/hosts.ts';
import { createFolderFiles } from '../../../site/edge/adapters/folder.ts';
import { createHandler, type Handler } from '../../../site/edge/fetch.ts';
import type { Files } from '../../../site/edge/files/files.ts';
import { ColumnCache } from '../../../site/edge/rows/column-cache.ts';
import type { Budget } from '../../../site/edge/rows/scan.ts';
import { keptFolder } from '../../kept-folder.ts';
import { NO_EDGES, snapshot } from '../../publishers/built-tree.ts';
import { readContracts } from '../../publishers/contract-text.ts';
import { type Publisher, quoted, writePublisher } from '../../publishers/publisher-folder.ts';
import { AREAS, COLUMNS, column, LEVELS, position, type Row, sliceRows, YEARS } from './rows.ts';

export const BUDGET: Budget = { bytes: 64 << 20, rows: 100_000 };
export const THINGS_DATE = '2026-11-21';
export const THINGS = '/api/v1/demo/things';
export const SLICE = '/api/v1/demo/things/year=2022/areas';

/** In `parquet`, slices are stored only as Parquet; the edge makes the other formats from it. */
type ThingsTree = 'whole' | 'parquet';

const TYPES: Readonly<Record<string, string>> = {
  ...{ INT32: 'INTEGER', INT64: 'BIGINT', DOUBLE: 'DOUBLE', BYTE_ARRAY: 'VARCHAR', BOOLEAN: 'BOOLEAN' },
};

function selectOf(columns: readonly RowColumn[], rows: readonly Row[]): string {
  const fields = columns.map(
    ({ name, parquet }, i) => `CAST(row ->> ${i} AS ${TYPES[parquet]}) AS "${name}"`,
  );
  return `SELECT ${fields.join(', ')} FROM (SELECT unnest(CAST(${quoted(JSON.stringify(rows))} AS JSON[])) AS row)`;
}

/** Contracts and a sample lake. */
export async function writeThings(root: string): Promise<Publisher> {
  const own = COLUMNS.filter(({ from }) => from === null);
  const rowsOf = (year: number, detail: string) =>
    sliceRows(year, detail).map(row => own.map(({ name }) => row[position(name)] ?? null));
  const areas = selectOf(
    ['area_code', 'area_name', 'area_type'].map(name => column(name)),
    AREAS.map(({ code, name, type }) => [code, name, type]),
  );
  const slices = LEVELS.flatMap(detail =>
    YEARS[detail]!.map(year => [
      `demo/things/year=${year}/${detail}.parquet`,
      selectOf(own, rowsOf(year, detail)),
    ]),
  );
  return writePublisher(root, readContracts('edge/tree/contracts'), {
    ...Object.fromEntries(slices),
    'demo/_dimensions/areas.parquet': areas,
    'demo/_dimensions/units.parquet': `SELECT area_code, 'u' || lpad(i::VARCHAR, 3, '0') AS unit_code FROM range(60) t(i), (${areas})`,
    '_sample.json': '{"sample":true}',
  });
}

async function buildTrees(root: string): Promise<void> {
  const whole = (await writeThings(root)).with({ out: path.join(root, 'whole') });
  await whole.build({ releaseDate: THINGS_DATE });
  const manifest = await whole.json<DatasetManifest>('api/v1/demo/things/manifest.json');
  const texts = manifest.slices.flatMap(({ files: { json, csv } }) => [...json, ...csv]);
  const limits = { ...NO_LIMITS, files: (await snapshot(whole.out)).size - texts.length };
  const host = { profile: { ...HOSTS.generic, limits }, basePath: '/', edges: NO_EDGES };
  await whole.with({ out: path.join(root, 'parquet') }).build({ releaseDate: THINGS_DATE, host });
}

/** Folder of a tree, which tests read and copy. */
export async function thingsTree(tree: ThingsTree = 'whole'): Promise<string> {
  const sources = ['test/edge/tree', 'build', 'package-lock.json'];
  return path.join(await keptFolder('things', sources, buildTrees), tree);
}

/** Copies a tree to a new folder. */
export async function copyThings(folder: string, tree: ThingsTree = 'whole'): Promise<void> {
  await cp(await thingsTree(tree), folder, { recursive: true, preserveTimestamps: true });
}

export async function openThings() {
  const folder = await thingsTree();
  const handler = makeHandler(folder);
  return {
    folder,
    ask: (path: string, init?: RequestInit, from = handler) =>
      from(new Request(`http://edge.test${path}`, init)),
    /** Another handler, with its reads. `memory`: bytes for decoded columns. */
    count(memory = 1 << 20) {
      const files = countReads(createFolderFiles(folder));
      const cache = new ColumnCache(memory);
      // The manifest isn't read again, however long a test takes.
      const options = { budget: BUDGET, cache, refreshAfter: Number.POSITIVE_INFINITY };
      return { files, handler: createHandler(files, options) };
    },
  };
}

export function makeHandler(root: string, budget: Budget = BUDGET): Handler {
  const cache = new ColumnCache(1 << 20);
  return createHandler(createFolderFiles(root), { budget, cache, refreshAfter: 0 });
}

interface CountingFiles extends Files {
  readonly reads: { readonly path: string; readonly bytes: number }[];
}

export function countReads(files: Files): CountingFiles {
  const reads: { path: string; bytes: number }[] = [];
  return {
    reads,
    stat: (path, signal) => files.stat(path, signal),
    async read(path, range, signal) {
      const found = await files.read(path, range, signal);
      reads.push({ path, bytes: found?.bytes.length ?? 0 });
      return found;
    },
  };
}
