/** Datasets of trees as the explorer knows them, and trees with people's pages of other publishers. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Scalar } from '../../build/format/documents.ts';
import type { DimensionSchemaDocument } from '../../build/format/schema.ts';
import { deriveDataset, type ExploredDataset } from '../../site/explorer/view/dataset.ts';
import type { Rows } from '../../site/explorer/view/rows.ts';
import { AIR_CONTRACTS, AIR_LAKE } from '../publishers/air.ts';
import { keptPaged } from '../publishers/kept-weather.ts';
import { HOSTILE_CONTRACTS, HOSTILE_LAKE } from './hostile.ts';
import { UNEVEN_CONTRACTS, UNEVEN_LAKE } from './uneven-weather.ts';

export const unevenPages = () => keptPaged('uneven', UNEVEN_CONTRACTS, UNEVEN_LAKE);
export const airPages = () => keptPaged('air', AIR_CONTRACTS, AIR_LAKE);
export const hostilePages = () => keptPaged('hostile', HOSTILE_CONTRACTS, HOSTILE_LAKE);

/** A dataset as the explorer knows it, from the documents of a tree. */
export async function readExplored(
  tree: string,
  key: string,
  dimensions: readonly DimensionSchemaDocument[] = [],
): Promise<ExploredDataset> {
  const read = async (name: string) => JSON.parse(await readFile(path.join(tree, 'api/v1', name), 'utf8'));
  return deriveDataset({
    schema: await read(`datasets/${key}/index.json`),
    values: await read(`${key}/values.json`),
    manifest: await read(`${key}/manifest.json`),
    contract: await read(`datasets/${key}/contract.json`),
    dimensions,
  });
}

type Row = Readonly<Record<string, Scalar | null>>;

/** Rows of a level over all its years, as the engine would give them. */
export async function readLevelRows(
  tree: string,
  { key, manifest: { slices, columns } }: ExploredDataset,
  detail: string,
  keep: (row: Row) => boolean = () => true,
): Promise<Rows> {
  const files = slices.flatMap(slice => (slice.detail === detail ? slice.files.json : []));
  const pages = files.map(async file =>
    JSON.parse(await readFile(path.join(tree, 'api/v1', key, file.path), 'utf8')),
  );
  const rows: Row[] = (await Promise.all(pages)).flatMap(page => page.data).filter(keep);
  const cell = (row: number, column: number) => rows[row]?.[columns[column]?.name ?? ''] ?? null;
  return { columns, rows: rows.length, cell };
}
