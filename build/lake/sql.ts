/** SQL text from untrusted names and values. Every name or value that reaches DuckDB goes through one of these. */

/** A name as a quoted identifier. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Names as a list of columns. */
export function identifiers(names: readonly string[]): string {
  return names.map(identifier).join(', ');
}

/** ORDER BY's list in the order of published rows: ascending, NULLs first. `table` is the alias that columns are of. */
export function rowOrder(columns: Iterable<string>, table?: string): string {
  const of = table === undefined ? '' : `${table}.`;
  return [...columns].map(name => `${of}${identifier(name)} NULLS FIRST`).join(', ');
}

/** A value as a literal; a string is quoted, never interpreted. */
export function literal(value: string | number | boolean | null): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  return String(value);
}

/** A list of values for IN, or as a list constant's elements. */
export function literals(values: readonly (string | number | boolean)[]): string {
  return values.map(literal).join(', ');
}

/** A file's path as a literal for read_parquet, with glob characters taken literally. */
export function fileLiteral(path: string): string {
  return literal(path.replace(/[[*?]/g, character => `[${character}]`));
}

/** A list of files for read_parquet. */
export function fileList(paths: readonly string[]): string {
  return `[${paths.map(fileLiteral).join(', ')}]`;
}

/** FROM of files as they are: what folders are called adds no column. */
export function parquetRows(paths: readonly string[]): string {
  return `read_parquet(${fileList(paths)}, hive_partitioning = false)`;
}

/** A table's rows with their numbers, from 0 on: `rowid`, unless a column takes that name. */
export function numberedRows(
  table: string,
  columns: readonly string[],
): { readonly from: string; readonly number: string } {
  if (!columns.some(name => name.toLowerCase() === 'rowid')) return { from: table, number: 'rowid' };
  const number = '"number of row"';
  return { from: `(SELECT *, row_number() OVER () - 1 AS ${number} FROM ${table})`, number };
}
