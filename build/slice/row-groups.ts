/** The row-group index that a manifest publishes, read from a file's footer once, here, so that no reader has to. */
import type { ColumnType, Scalar } from '../format/documents.ts';
import type { RowGroup } from '../format/manifest.ts';
import type { Session } from '../lake/database.ts';
import { fileLiteral } from '../lake/sql.ts';
import type { PublishedColumn } from './row-columns.ts';

/** `holed` are the columns that have a NULL, by number; `min`, `max` and `nulls` are of the key columns. */
interface FooterGroup {
  readonly rows: number;
  readonly start: number;
  readonly sizes: readonly number[];
  readonly holed: readonly number[];
  readonly min: readonly (string | null)[];
  readonly max: readonly (string | null)[];
  readonly nulls: readonly number[];
}

export interface RowGroups {
  readonly groups: readonly RowGroup[];
  /** Names of columns that are NULL in no row. */
  readonly full: ReadonlySet<string>;
}

export async function readRowGroups(
  session: Session,
  path: string,
  columns: readonly PublishedColumn[],
  keyColumns: readonly string[],
): Promise<RowGroups> {
  const keys = keyColumns.map(name => columns.findIndex(({ column }) => column.name === name));
  const types = keys.map(index => columns[index]?.column.type ?? 'string');
  // A large file has thousands of groups: what no reader is told of stays where it is.
  const ids = `[${keys.join(', ')}]::BIGINT[]`;
  const ofKeys = (stat: string) =>
    `coalesce(list(${stat} ORDER BY list_position(${ids}, column_id)) FILTER (WHERE list_contains(${ids}, column_id)), [])`;
  const found = await session.list<FooterGroup>(
    `SELECT row_group_id AS number, any_value(row_group_num_rows) AS rows,
       min(coalesce(dictionary_page_offset, data_page_offset)) AS start,
       list(total_compressed_size ORDER BY column_id) AS sizes,
       coalesce(list(column_id) FILTER (WHERE coalesce(stats_null_count, 1) > 0), []) AS holed,
       ${ofKeys('stats_min_value')} AS min,
       ${ofKeys('stats_max_value')} AS max,
       ${ofKeys('stats_null_count')} AS nulls
     FROM parquet_metadata(${fileLiteral(path)}) GROUP BY row_group_id`,
    'number',
  );
  const holed = new Set(found.flatMap(group => group.holed));
  return {
    groups: found.map(({ rows, start, sizes, min, max, nulls }) => ({
      rows,
      start,
      sizes,
      min: types.map((type, i) => bound(min[i] ?? null, type)),
      max: types.map((type, i) => bound(max[i] ?? null, type)),
      nulls: types.map((_, i) => nulls[i] ?? 0),
    })),
    full: new Set(columns.flatMap(({ column }, i) => (holed.has(i) ? [] : [column.name]))),
  };
}

function bound(text: string | null, type: ColumnType): Scalar | null {
  if (text === null) return null;
  switch (type) {
    case 'integer':
    case 'number':
      return Number(text);
    case 'boolean':
      return text === 'true';
    case 'string':
      return text;
    default:
      return type satisfies never;
  }
}
