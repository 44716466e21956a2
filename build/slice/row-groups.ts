/** The row-group index that a manifest publishes, read from a file's footer once, here, so that no reader has to. */
import type { ColumnType, Scalar } from '../format/documents.ts';
import type { RowGroup } from '../format/manifest.ts';
import type { Session } from '../lake/database.ts';
import { fileLiteral } from '../lake/sql.ts';
import type { PublishedColumn } from './row-columns.ts';

interface FooterGroup {
  readonly rows: number;
  readonly start: number;
  readonly sizes: readonly number[];
  readonly min: readonly (string | null)[];
  readonly max: readonly (string | null)[];
  readonly nulls: readonly number[];
}

export async function readRowGroups(
  session: Session,
  path: string,
  columns: readonly PublishedColumn[],
  keyColumns: readonly string[],
): Promise<RowGroup[]> {
  const groups = await session.rows<FooterGroup>(
    `SELECT any_value(row_group_num_rows) AS rows,
       min(coalesce(dictionary_page_offset, data_page_offset)) AS start,
       list(total_compressed_size ORDER BY column_id) AS sizes,
       list(stats_min_value ORDER BY column_id) AS min,
       list(stats_max_value ORDER BY column_id) AS max,
       list(stats_null_count ORDER BY column_id) AS nulls
     FROM parquet_metadata(${fileLiteral(path)}) GROUP BY row_group_id ORDER BY row_group_id`,
  );
  const keys = keyColumns.map(name => {
    const index = columns.findIndex(column => column.column.name === name);
    return { index, type: columns[index]?.column.type ?? 'string' } as const;
  });
  return groups.map(group => ({
    rows: group.rows,
    start: group.start,
    sizes: group.sizes,
    min: keys.map(key => bound(group.min[key.index] ?? null, key.type)),
    max: keys.map(key => bound(group.max[key.index] ?? null, key.type)),
    nulls: keys.map(key => group.nulls[key.index] ?? 0),
  }));
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
