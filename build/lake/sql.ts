/** Writes untrusted names and values as SQL. Every name and value that reaches DuckDB goes through these functions. */

/** Quotes a name. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function identifiers(names: readonly string[]): string {
  return names.map(identifier).join(', ');
}

/** The ORDER BY list of published rows: ascending, NULLs first. `table` is the alias of the columns' table. */
export function rowOrder(columns: Iterable<string>, table?: string): string {
  const of = table === undefined ? '' : `${table}.`;
  return [...columns].map(name => `${of}${identifier(name)} NULLS FIRST`).join(', ');
}

export function literal(value: string | number | boolean | null): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  return String(value);
}

/** Lists values for IN or for a list constant. */
export function literals(values: readonly (string | number | boolean)[]): string {
  return values.map(literal).join(', ');
}

/** A path for read_parquet, with glob characters escaped. */
export function fileLiteral(path: string): string {
  return literal(path.replace(/[[*?]/g, character => `[${character}]`));
}

/** A list of files for read_parquet. */
export function fileList(paths: readonly string[]): string {
  return `[${paths.map(fileLiteral).join(', ')}]`;
}

/** The rows of files, without columns from the names of folders. */
export function parquetRows(paths: readonly string[]): string {
  return `read_parquet(${fileList(paths)}, hive_partitioning = false)`;
}

/** A table with row numbers from 0: `rowid`, unless a column has that name. */
export function numberedRows(
  table: string,
  columns: readonly string[],
): { readonly from: string; readonly number: string } {
  if (!columns.some(name => name.toLowerCase() === 'rowid')) return { from: table, number: 'rowid' };
  const number = '"number of row"';
  return { from: `(SELECT *, row_number() OVER () - 1 AS ${number} FROM ${table})`, number };
}
