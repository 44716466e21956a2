/** Writes a dimension's rows to files, from the table that slices join, and its shapes. */
import type { Dimension, Publisher } from '../contract/dataset.ts';
import type { Diagnostic } from '../contract/diagnostic.ts';
import type { Session } from '../lake/database.ts';
import type { LakeFile } from '../lake/lake-files.ts';
import { type DimensionShapes, readShapes } from './dimension-shapes.ts';
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
  readonly file: LakeFile;
  /** GeoJSON or TopoJSON of the lake; null if the dimension brings none. */
  readonly boundaries: LakeFile | null;
  /** The dimension's folder in the tree, on disk. */
  readonly folder: string;
}

/** A dimension's files, and its shapes if it has any. */
export interface WrittenDimension extends WrittenSlice {
  readonly shapes: DimensionShapes | null;
  /** What is wrong with its shapes, short of an error. */
  readonly diagnostics: readonly Diagnostic[];
}

export async function writeDimensionRows(input: DimensionRowsInput): Promise<WrittenDimension> {
  const { session, dimension, types, publisher, sample, rows, folder } = input;
  const stamp = envelopeStamp(dimension, publisher, sample);
  const written = await writeSlice(
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
  return { ...written, ...(await readShapes(session, input)) };
}
