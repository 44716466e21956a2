/** Writes the history of a level: all years in one file, ordered by place. It describes these rows too. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { LakeSlice } from '../lake/inventory.ts';
import { rowsInput, type SliceInput } from './dataset-slices.ts';
import { countRows, type LevelStatistics, readStatistics, type YearRows } from './level-statistics.ts';
import { groupRows } from './parquet-options.ts';
import { copyParquet, type WrittenParquet } from './rows-writer.ts';
import { sliceRows } from './slice-table.ts';

export interface WrittenHistory {
  readonly file: WrittenParquet;
  readonly statistics: LevelStatistics;
}

/** `slices` are all slices of the level, and `years` counts their rows. */
export async function writeHistory(
  input: SliceInput,
  detail: string,
  slices: readonly LakeSlice[],
  years: readonly YearRows[],
): Promise<WrittenHistory> {
  const { session, dataset, columns, folder } = input;
  const { placeColumns, order: rowOrder } = dataset;
  const rows = countRows(years);
  const name = `history/${detail}.parquet`;
  await mkdir(path.join(folder, 'history'), { recursive: true });
  const order = [...new Set([...placeColumns, ...rowOrder])];
  const table = `(${sliceRows(input, slices, order)})`;
  const { file, full } = await copyParquet(rowsInput(input, table, rows), name, groupRows('history', rows));
  const written = { dataset, columns, years, files: [path.join(folder, name)], full };
  return { file, statistics: await readStatistics(session, written) };
}
