/** Writes the history of a level: all years in one file, ordered by place. It describes these rows too. */
import { COPIES } from '../format/paths.ts';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { LakeSlice } from '../lake/inventory.ts';
import { rowsInput, type SliceInput } from './dataset-slices.ts';
import {
  countRows,
  describeRows,
  type LevelStatistics,
  readStatistics,
  type YearRows,
} from './level-statistics.ts';
import { groupRows } from './parquet-options.ts';
import { copyParquet, type WrittenParquet } from './rows-writer.ts';
import { sliceRows } from './slice-table.ts';

export interface WrittenHistory {
  readonly file: WrittenParquet;
  readonly statistics: LevelStatistics;
}

/** The temporary table of the rows. */
const ROWS = 'history';

/** Statistics of rows in memory cost a fifth. A level of more values, some 100 MB, is read from its file instead. */
const MOST_VALUES = 20_000_000;

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
  const name = `${COPIES}/${detail}.parquet`;
  await mkdir(path.join(folder, COPIES), { recursive: true });
  const order = [...new Set([...placeColumns, ...rowOrder])];
  const select = sliceRows(input, slices, order);
  const copy = (table: string) =>
    copyParquet(rowsInput(input, table, rows), name, groupRows('history', rows));
  const level = { dataset, columns, years };
  if (rows * columns.length > MOST_VALUES) {
    const { file, known } = await copy(`(${select})`);
    const files = [path.join(folder, name)];
    return { file, statistics: await readStatistics(session, { ...level, full: known.full, files }) };
  }
  await session.run(`CREATE TEMP TABLE ${ROWS} AS ${select}`);
  try {
    const { file, known } = await copy(ROWS);
    return { file, statistics: await describeRows(session, { ...level, full: known.full }, ROWS) };
  } finally {
    await session.run(`DROP TABLE ${ROWS}`);
  }
}
