/** Opens a file of a publisher as a table whose columns a draft can look at. */
import type { Diagnostic } from '../contract/diagnostic.ts';
import type { Session } from '../lake/database.ts';
import { identifier, parquetRows } from '../lake/sql.ts';
import { tableFormat } from '../lake/table-format.ts';
import { loadTextTable, textColumn } from '../lake/text-table.ts';
import { isParquet } from './parquet-mark.ts';

export interface DraftFile {
  /** The name that the user gave. */
  readonly name: string;
  readonly absolute: string;
  readonly bytes: number;
}

export interface RawColumn {
  readonly name: string;
  /** SQL of the column in `DraftTable.table`. */
  readonly sql: string;
  /** DuckDB's type in a Parquet file; null for text. */
  readonly native: string | null;
}

export interface DraftTable {
  readonly file: DraftFile;
  /** SQL of the table's name. */
  readonly table: string;
  readonly columns: readonly RawColumn[];
  readonly rows: number;
  /** Tells of the encoding, if it is a guess. */
  readonly notes: readonly Diagnostic[];
}

/** Loads the file's rows. Returns a diagnostic if it has none, or cannot be read. */
export async function openDraftTable(
  session: Session,
  file: DraftFile,
  index: number,
): Promise<DraftTable | Diagnostic> {
  const fail = (code: string, message: string): Diagnostic => ({
    severity: 'error',
    code,
    file: file.name,
    message,
  });
  const table = `temp.main.${identifier(`table ${index}`)}`;
  const format = tableFormat(file.absolute);
  if (format === null)
    return fail(
      'draft-format',
      'The file is no CSV, TSV, JSON lines, Parquet or XLSX by its name. Save it as one of these.',
    );
  let columns: RawColumn[];
  let notes: readonly Diagnostic[] = [];
  if (format === 'parquet') {
    if (!isParquet(file.absolute))
      return fail('lake-unreadable-file', 'The file is not a complete Parquet file.');
    await session.run(
      `CREATE TEMP VIEW ${table.replace('temp.main.', '')} AS SELECT * FROM ${parquetRows([file.absolute])}`,
    );
    const types = await session.rows<{ column_name: string; column_type: string }>(`DESCRIBE ${table}`);
    columns = types.map(({ column_name: name, column_type: native }) => ({
      name,
      sql: identifier(name),
      native,
    }));
  } else {
    const text = await loadTextTable(session, { ...file, path: file.name }, format, table);
    if ('severity' in text) return text;
    notes = text.notes;
    columns = text.columns.map((name, i) => ({ name, sql: textColumn(i), native: null }));
  }
  const unnamed = columns.findIndex(({ name }) => name === '');
  if (unnamed >= 0)
    return fail('draft-header', `Column ${unnamed + 1} of the header has no name. Give it one.`);
  const lower = columns.map(({ name }) => name.toLowerCase());
  const twice = columns.find((_, i) => lower.indexOf(lower[i] ?? '') < i);
  if (twice !== undefined)
    return fail(
      'draft-header',
      `Two columns are called ${JSON.stringify(twice.name)}. Give each its own name.`,
    );
  const { rows } = await session.row<{ rows: number }>(`SELECT count(*) AS rows FROM ${table}`);
  if (rows === 0)
    return fail('draft-no-rows', 'The file has no rows, so there is nothing to guess from. Add some rows.');
  return { file, table, columns, rows, notes };
}
