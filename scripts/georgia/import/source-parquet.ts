import { identifier, literal } from '../../../build/lake/sql.ts';
import { openDatabase } from './database.ts';
import type { SourceRecord } from './source-csv.ts';

/** A Parquet file, whose rows never become texts in memory: published records of single people are millions. */
export interface ParquetSource {
  readonly path: string;
  readonly columns: readonly string[];
  readonly rows: number;
}

/** The header and the first rows of a Parquet file, as records. */
export async function readParquetHead(
  path: string,
  rows: number,
): Promise<{ readonly parquet: ParquetSource; readonly head: readonly SourceRecord[] }> {
  const database = await openDatabase();
  try {
    const file = `read_parquet(${literal(path)})`;
    const described = await database.rows<{ column_name: string }>(`DESCRIBE SELECT * FROM ${file}`);
    const columns = described.map(({ column_name }) => column_name);
    const [count] = await database.rows<{ rows: number }>(
      `SELECT CAST(count(*) AS INTEGER) AS rows FROM ${file}`,
    );
    const first = await database.rows<{ cells: string }>(
      `SELECT CAST(to_json([${columns.map(cellText).join(', ')}]) AS VARCHAR) AS cells FROM ${file} LIMIT ${rows}`,
    );
    const head = first.map(({ cells }, index) => ({
      line: index + 1,
      cells: (JSON.parse(cells) as (string | null)[]).map(cell => cell ?? ''),
    }));
    return { parquet: { path, columns, rows: count!.rows }, head: [{ line: 0, cells: columns }, ...head] };
  } finally {
    database.close();
  }
}

/** SQL for `source`: `line`, and these columns as VARCHAR, blanks NULL. */
export function parquetRows({ path, columns }: ParquetSource, cells: ReadonlyMap<string, number>): string {
  const read = [...cells].map(([name, index]) => `${cellText(columns[index]!)} AS ${identifier(name)}`);
  return `SELECT CAST(file_row_number + 1 AS INTEGER) AS line, ${read.join(', ')}
    FROM read_parquet(${literal(path)}, file_row_number = true)`;
}

/** A whole number of a DOUBLE column, as Pandas writes counts and codes with blanks, is 27 and not 27.0. */
function cellText(column: string): string {
  const text = `CAST(${identifier(column)} AS VARCHAR)`;
  return `nullif(trim(CASE WHEN typeof(${identifier(column)}) IN ('DOUBLE', 'FLOAT')
    THEN regexp_replace(${text}, '\\.0$', '') ELSE ${text} END), '')`;
}
