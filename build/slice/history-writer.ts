/** Writes the history of a level: all years in one file, ordered by place. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { LakeSlice } from '../lake/inventory.ts';
import { rowsInput, type SliceInput } from './dataset-slices.ts';
import { groupRows } from './parquet-options.ts';
import { copyParquet, type WrittenParquet } from './rows-writer.ts';
import { sliceRows } from './slice-table.ts';

/** `slices` are all slices of the level, and `rows` counts their rows. */
export async function writeHistory(
  input: SliceInput,
  detail: string,
  slices: readonly LakeSlice[],
  rows: number,
): Promise<WrittenParquet> {
  const { placeColumns, order: rowOrder } = input.dataset;
  const name = `history/${detail}.parquet`;
  await mkdir(path.join(input.folder, 'history'), { recursive: true });
  const order = [...new Set([...placeColumns, ...rowOrder])];
  const table = `(${sliceRows(input, slices, order)})`;
  const { file } = await copyParquet(rowsInput(input, table, rows), name, groupRows('history', rows));
  return file;
}
