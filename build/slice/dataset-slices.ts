/** Writes one slice of a dataset from the lake to files. */
import type { Publisher } from '../contract/dataset.ts';
import { yearSegment } from '../format/paths.ts';
import type { Session } from '../lake/database.ts';
import type { LakeSlice } from '../lake/inventory.ts';
import { identifier } from '../lake/sql.ts';
import { readCellAggregates } from '../lake/text-cells.ts';
import { envelopeStamp, sliceEnvelope } from './page-envelope.ts';
import { groupRows } from './parquet-options.ts';
import type { PublishedColumn } from './row-columns.ts';
import { type RowsInput, type WrittenSlice, writeSlice } from './rows-writer.ts';
import { type SliceTableInput, sliceRows } from './slice-table.ts';
import { needsSql, type TextNeeds, UNKNOWN_TEXT } from './text-sql.ts';

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
): Promise<WrittenSlice> {
  const { dataset, session, publisher, sample } = input;
  const stamp = envelopeStamp(dataset, publisher, sample);
  await session.run(`CREATE TEMP TABLE ${SLICE} AS ${sliceRows(input, [slice], dataset.order)}`);
  try {
    return await writeSlice(
      { ...rowsInput(input, SLICE, rows), needsOf: await readNeeds(input, SLICE) },
      `${yearSegment(slice.year)}/${slice.detail}`,
      groupRows('slice', rows),
      (release, page) => sliceEnvelope({ dataset: dataset.key, ...stamp }, slice, release, page),
    );
  } finally {
    await session.run(`DROP TABLE ${SLICE}`);
  }
}

/** Most texts need no quotes, and the SQL that writes quotes takes memory for each column. */
async function readNeeds(
  { session, columns, types }: SliceInput,
  table: string,
): Promise<RowsInput['needsOf']> {
  const free = columns.flatMap(column =>
    column.column.type === 'string' && types.needsOf(column) === UNKNOWN_TEXT
      ? [{ column, text: identifier(column.column.name) }]
      : [],
  );
  const asked = needsSql('v');
  const found = await readCellAggregates<boolean | null, (typeof free)[number]>(session, table, free, () => [
    asked.jsonEscape,
    asked.csvQuote,
    asked.lineFeed,
  ]);
  const needs = new Map(
    free.map(({ column }, i): [PublishedColumn, TextNeeds] => {
      const [jsonEscape = false, csvQuote = false, lineFeed = false] = found[i]!.map(need => need === true);
      return [column, { jsonEscape, csvQuote, lineFeed }];
    }),
  );
  return column => needs.get(column) ?? types.needsOf(column);
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
