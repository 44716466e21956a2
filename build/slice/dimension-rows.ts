/** A dimension's rows: from the table that the slices are joined with to files. */
import type { Dimension, Publisher } from '../contract/dataset.ts';
import { type DimensionEnvelope, PAGE_ROWS } from '../format/documents.ts';
import { SAMPLE_NOTICE } from '../format/envelope.ts';
import type { DimensionManifest } from '../format/manifest.ts';
import type { Session } from '../lake/database.ts';
import type { Helpers } from '../lake/session-team.ts';
import { groupRows } from './parquet-options.ts';
import { dimensionRowColumns } from './row-columns.ts';
import { type Page, type WrittenSlice, writeSlice } from './rows-writer.ts';
import { enumTable, type ValueTypes } from './value-types.ts';

export interface DimensionRowsInput {
  readonly session: Session;
  readonly helpers: Helpers;
  readonly dimension: Dimension;
  readonly types: ValueTypes;
  readonly publisher: Publisher;
  readonly sample: boolean;
  readonly rows: number;
  /** The dimension's folder in the tree, on disk. */
  readonly folder: string;
}

export async function writeDimensionRows(input: DimensionRowsInput): Promise<WrittenSlice> {
  const { session, helpers, dimension, types, publisher, sample, rows, folder } = input;
  return writeSlice(
    {
      session,
      helpers,
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
    (release, page) =>
      dimensionEnvelope(
        {
          dimension: dimension.name,
          version: dimension.version,
          schema_hash: dimension.schemaHash,
          license: publisher.license,
          attribution: publisher.attribution,
          ...(sample ? { sample: true as const } : {}),
        },
        release,
        page,
      ),
  );
}

/** What an envelope says of its dimension: a manifest has the same fields. */
type EnvelopeStamp = Pick<
  DimensionManifest,
  'dimension' | 'version' | 'schema_hash' | 'license' | 'attribution' | 'sample'
>;

/** Head of a page of a dimension, as it is stored. */
export function dimensionEnvelope(
  { dimension, version, schema_hash, license, attribution, sample }: EnvelopeStamp,
  release: string,
  { total, offset, count, next }: Page,
): DimensionEnvelope {
  return {
    dimension,
    version,
    schema_hash,
    release,
    license,
    attribution,
    ...(sample ? { sample } : {}),
    total,
    offset,
    limit: PAGE_ROWS,
    count,
    next,
    notices: sample ? [SAMPLE_NOTICE] : [],
  };
}
