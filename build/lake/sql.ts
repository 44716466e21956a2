/** Writes untrusted names and values as SQL. Every name and value that reaches DuckDB goes through these functions. */

export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function identifiers(names: readonly string[]): string {
  return names.map(identifier).join(', ');
}

/** Ascending, NULLs first. `table` is an alias. */
export function rowOrder(columns: Iterable<string>, table?: string): string {
  const of = table === undefined ? '' : `${table}.`;
  return [...columns].map(name => `${of}${identifier(name)} NULLS FIRST`).join(', ');
}

export function literal(value: string | number | boolean | null): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  return String(value);
}

/** For IN or a list constant. */
export function literals(values: readonly (string | number | boolean)[]): string {
  return values.map(literal).join(', ');
}

/** Escapes glob characters. */
export function fileLiteral(path: string): string {
  return literal(path.replace(/[[*?]/g, character => `[${character}]`));
}

export function fileList(paths: readonly string[]): string {
  return `[${paths.map(fileLiteral).join(', ')}]`;
}

/** Folder names add no columns. */
export function parquetRows(paths: readonly string[]): string {
  return `read_parquet(${fileList(paths)}, hive_partitioning = false)`;
}

/** Row numbers from 0: `rowid`, unless a column has that name. */
export function numberedRows(
  table: string,
  columns: readonly string[],
): { readonly from: string; readonly number: string } {
  if (!columns.some(name => name.toLowerCase() === 'rowid')) return { from: table, number: 'rowid' };
  const number = '"number of row"';
  return { from: `(SELECT *, row_number() OVER () - 1 AS ${number} FROM ${table})`, number };
}
