/** Reads the row-group index from a file's footer. The manifest publishes it, so that readers skip the footer. */
import { asyncBufferFromFile, type ColumnMetaData, parquetMetadataAsync } from 'hyparquet';
import type { Scalar } from '../format/documents.ts';
import type { RowGroup } from '../format/manifest.ts';
import { dateText, timestampText } from '../format/time-text.ts';
import type { PublishedColumn } from './row-columns.ts';
import { FAR, type KnownValues } from './text-sql.ts';

export interface RowGroups {
  readonly groups: readonly RowGroup[];
  readonly known: KnownValues;
}

/** Bounds are texts that compare as the rows do: without the Z of UTC. */
const TIMES_AS_TEXT = { dateFromDays: dateText, timestampFromMicroseconds: timestampText };

/** The file must have exactly these columns. */
export async function readRowGroups(
  path: string,
  columns: readonly PublishedColumn[],
  keyColumns: readonly string[],
): Promise<RowGroups> {
  const { row_groups } = await parquetMetadataAsync(await asyncBufferFromFile(path), {
    geoparquet: false,
    parsers: TIMES_AS_TEXT,
  });
  const keys = keyColumns.map(name => columns.findIndex(({ column }) => column.name === name));
  const holed = new Set<number>();
  const far = new Set<number>();
  const groups = row_groups.map((group): RowGroup => {
    const chunks = group.columns.map(({ meta_data }): ColumnMetaData => {
      if (meta_data === undefined) throw new Error(`${path} has a column without metadata.`);
      return meta_data;
    });
    for (const [i, { statistics }] of chunks.entries()) {
      if (statistics?.null_count !== 0n) holed.add(i);
      if (!(isNear(statistics?.min_value) && isNear(statistics?.max_value))) far.add(i);
    }
    const ofKeys = keys.map(index => chunks[index]?.statistics);
    return {
      rows: Number(group.num_rows),
      start: Math.min(...chunks.map(one => Number(one.dictionary_page_offset ?? one.data_page_offset))),
      sizes: chunks.map(one => Number(one.total_compressed_size)),
      min: ofKeys.map(one => bound(one?.min_value)),
      max: ofKeys.map(one => bound(one?.max_value)),
      nulls: ofKeys.map(one => Number(one?.null_count ?? 0)),
    };
  });
  const without = (found: ReadonlySet<number>) =>
    new Set(columns.flatMap(({ column }, i) => (found.has(i) ? [] : [column.name])));
  return { groups, known: { full: without(holed), near: without(far) } };
}

function isNear(value: unknown): boolean {
  return typeof value === 'number' && Math.abs(value) < FAR;
}

function bound(value: NonNullable<ColumnMetaData['statistics']>['min_value']): Scalar | null {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'boolean':
      return value;
    case 'bigint':
      return Number(value);
    case 'undefined':
      return null;
    default:
      throw new Error(`A published column cannot have the value ${String(value)}.`);
  }
}
