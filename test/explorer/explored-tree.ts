/** A tree's datasets as the explorer knows them. */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { DimensionSchemaDocument, Scalar } from '../../build/format/documents.ts';
import { openStagedRows } from '../../site/explorer/engine/staged-rows.ts';
import type { DocumentSource } from '../../site/explorer/pages/documents.ts';
import { deriveDataset, type ExploredDataset, readDataset } from '../../site/explorer/view/dataset.ts';
import type { Rows } from '../../site/explorer/view/rows.ts';

export async function readExplored(
  tree: string,
  key: string,
  dimensions: readonly DimensionSchemaDocument[] = [],
): Promise<ExploredDataset> {
  const read = async (name: string) => JSON.parse(await readFile(path.join(tree, name), 'utf8'));
  const documents = await readDataset(key, { read, readIfThere: read });
  return deriveDataset({ ...documents, dimensions });
}

type Row = Readonly<Record<string, Scalar | null>>;

/** Rows of a level over all its years, in the engine's form. */
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

export function stagedSource(tree: string): DocumentSource {
  const readBytes = (name: string) => {
    try {
      return readFileSync(path.join(tree, name));
    } catch {
      return null;
    }
  };
  const readRange = (name: string, start: number, end: number) => {
    const bytes = readBytes(name);
    return bytes && { size: bytes.length, bytes: bytes.subarray(start, end) };
  };
  return {
    baseUrl: null,
    readText: async name => readBytes(name)?.toString('utf8') ?? null,
    keep: (_, make) => make(),
    ...openStagedRows(readRange),
  };
}
