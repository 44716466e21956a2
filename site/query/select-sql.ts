/**
 * DuckDB SQL that reads rows of Parquet files in the order of an answer. Hosts that only rewrite run this
 * too, so it keeps to the language that site/edge/adapters/rewrite/rules.ts names.
 */

/**
 * `columns`: SQL; `order`: one or more names; `limit`: Infinity for none. Ordering makes pages stable: DuckDB
 * itself keeps no order when it joins a long list of values.
 */
export function renderSelect(
  columns: string,
  files: readonly string[],
  conditions: readonly string[],
  order: readonly string[],
  offset: number,
  limit: number,
): string {
  return (
    'SELECT ' +
    columns +
    ' FROM read_parquet([' +
    files.map(quoteText).join(', ') +
    '], hive_partitioning = false)' +
    (conditions[0] ? ' WHERE ' : '') +
    conditions.join(' AND ') +
    ' ORDER BY ' +
    order.map(name => quoteName(name) + ' NULLS FIRST').join(', ') +
    (limit < Infinity ? ' LIMIT ' + limit : '') +
    (offset > 0 ? ' OFFSET ' + offset : '')
  );
}

/** `values`: SQL, one or more. */
export function renderOneOf(column: string, values: readonly string[]): string {
  return quoteName(column) + (values.length > 1 ? ' IN (' + values.join(', ') + ')' : ' = ' + values[0]);
}

/** A statement ends at a NUL in DuckDB, so a text with a NUL is concatenated from others. */
export function quoteText(text: string): string {
  return "'" + swap(swap(text, "'", "''"), '\0', "' || chr(0) || '") + "'";
}

export function quoteName(name: string): string {
  return '"' + swap(name, '"', '""') + '"';
}

/** A regular expression with many matches takes njs a tenth of a second. */
export function swap(text: string, from: string, to: string): string {
  return text.split(from).join(to);
}
