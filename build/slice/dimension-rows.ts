/** Writes a dimension's rows to files, from the table that slices join. */
import type { Dimension, Publisher } from '../contract/dataset.ts';
import type { Session } from '../lake/database.ts';
import { dimensionEnvelope, envelopeStamp } from './page-envelope.ts';
import { groupRows } from './parquet-options.ts';
import { dimensionRowColumns } from './row-columns.ts';
import { type WrittenSlice, writeSlice } from './rows-writer.ts';
import { enumTable, type ValueTypes } from './value-types.ts';

export interface DimensionRowsInput {
  readonly session: Session;
  readonly dimension: Dimension;
  readonly types: ValueTypes;
  readonly publisher: Publisher;
  readonly sample: boolean;
  readonly rows: number;
  /** The dimension's folder in the tree, on disk. */
  readonly folder: string;
}

export async function writeDimensionRows(input: DimensionRowsInput): Promise<WrittenSlice> {
  const { session, dimension, types, publisher, sample, rows, folder } = input;
  const stamp = envelopeStamp(dimension, publisher, sample);
  return writeSlice(
    {
      session,
      table: enumTable(dimension),
      rows,
      columns: dimensionRowColumns(dimension),
      keyColumns: dimension.primaryKey,
      needsOf: types.needsOf,
      metadata: { subject: { dimension: dimension.name }, version: dimension.version, publisher, sample },
      folder,
    },
    'rows',
    groupRows('slice', rows),
    (release, page) => dimensionEnvelope({ dimension: dimension.name, ...stamp }, release, page),
  );
}
