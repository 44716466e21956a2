/** Writes one slice of a dataset from the lake to files. */
import type { Publisher } from '../contract/dataset.ts';
import { yearSegment } from '../format/paths.ts';
import type { Session } from '../lake/database.ts';
import type { LakeSlice } from '../lake/inventory.ts';
import { envelopeStamp, sliceEnvelope } from './page-envelope.ts';
import { groupRows } from './parquet-options.ts';
import { type RowsInput, type TextFormat, type WrittenSlice, writeSlice } from './rows-writer.ts';
import { type SliceTableInput, sliceRows } from './slice-table.ts';

export interface SliceInput extends SliceTableInput {
  readonly session: Session;
  readonly publisher: Publisher;
  readonly sample: boolean;
  readonly keyColumns: readonly string[];
  /** The dataset's folder in the tree, on disk. */
  readonly folder: string;
}

/** The temporary table of the slice's rows. */
const SLICE = 'slice';

export async function writeDatasetSlice(
  input: SliceInput,
  slice: LakeSlice,
  rows: number,
  texts: readonly TextFormat[],
): Promise<WrittenSlice> {
  const { dataset, session, publisher, sample } = input;
  const stamp = envelopeStamp(dataset, publisher, sample);
  await session.run(`CREATE TEMP TABLE ${SLICE} AS ${sliceRows(input, [slice], dataset.order)}`);
  try {
    return await writeSlice(
      rowsInput(input, SLICE, rows),
      `${yearSegment(slice.year)}/${slice.detail}`,
      groupRows('slice', rows),
      (release, page) => sliceEnvelope({ dataset: dataset.key, ...stamp }, slice, release, page),
      texts,
    );
  } finally {
    await session.run(`DROP TABLE ${SLICE}`);
  }
}

export function rowsInput(input: SliceInput, table: string, rows: number): RowsInput {
  const { dataset, session, columns, keyColumns, types, publisher, sample, folder } = input;
  return {
    session,
    table,
    rows,
    columns,
    keyColumns,
    needsOf: types.needsOf,
    metadata: { subject: { dataset: dataset.key }, version: dataset.version, publisher, sample },
    folder,
  };
}
