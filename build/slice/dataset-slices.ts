/** One slice of a dataset: from the lake to files. */
import type { Publisher } from '../contract/dataset.ts';
import { type FactEnvelope, PAGE_ROWS } from '../format/documents.ts';
import { SAMPLE_NOTICE } from '../format/envelope.ts';
import type { DatasetManifest } from '../format/manifest.ts';
import type { Session } from '../lake/database.ts';
import type { LakeSlice } from '../lake/inventory.ts';
import type { Helpers } from '../lake/session-team.ts';
import { identifier } from '../lake/sql.ts';
import { groupRows } from './parquet-options.ts';
import { type Page, type RowsInput, type TextFormat, type WrittenSlice, writeSlice } from './rows-writer.ts';
import { type SliceTableInput, sliceRows } from './slice-table.ts';

export interface SliceInput extends SliceTableInput {
  readonly session: Session;
  readonly helpers: Helpers;
  readonly publisher: Publisher;
  readonly sample: boolean;
  readonly keyColumns: readonly string[];
  /** The dataset's folder in the tree, on disk. */
  readonly folder: string;
}

export async function writeDatasetSlice(
  input: SliceInput,
  slice: LakeSlice,
  rows: number,
  texts: readonly TextFormat[],
): Promise<WrittenSlice> {
  const { dataset, session } = input;
  const table = identifier(`slice ${dataset.key} ${slice.year} ${slice.detail}`);
  await session.run(`CREATE TABLE ${table} AS ${sliceRows(input, [slice], dataset.grain)}`);
  const written = await writeSlice(
    rowsInput(input, table, rows),
    `year=${slice.year}/${slice.detail}`,
    groupRows('slice', rows),
    (release, page) => sliceEnvelope(envelopeStamp(input), slice, release, page),
    texts,
  );
  await session.run(`DROP TABLE ${table}`);
  return written;
}

function envelopeStamp({ dataset, publisher, sample }: SliceInput): EnvelopeStamp {
  return {
    dataset: dataset.key,
    version: dataset.version,
    schema_hash: dataset.schemaHash,
    license: publisher.license,
    attribution: publisher.attribution,
    ...(sample ? { sample: true as const } : {}),
  };
}

/** What an envelope says of its dataset: a manifest has the same fields. */
export type EnvelopeStamp = Pick<
  DatasetManifest,
  'dataset' | 'version' | 'schema_hash' | 'license' | 'attribution' | 'sample'
>;

/** Head of a page of one slice, as it is stored. */
export function sliceEnvelope(
  { dataset, version, schema_hash, license, attribution, sample }: EnvelopeStamp,
  { year, detail }: { readonly year: number; readonly detail: string },
  release: string,
  { total, offset, count, next }: Page,
): FactEnvelope {
  return {
    dataset,
    version,
    schema_hash,
    release,
    license,
    attribution,
    ...(sample ? { sample } : {}),
    detail,
    years: [year],
    filters: {},
    total,
    offset,
    limit: PAGE_ROWS,
    count,
    next,
    notices: sample ? [SAMPLE_NOTICE] : [],
  };
}

export function rowsInput(input: SliceInput, table: string, rows: number): RowsInput {
  const { dataset, session, helpers, columns, keyColumns, types, publisher, sample, folder } = input;
  return {
    session,
    helpers,
    table,
    rows,
    columns,
    keyColumns,
    needsOf: types.needsOf,
    metadata: { subject: { dataset: dataset.key }, version: dataset.version, publisher, sample },
    folder,
  };
}
