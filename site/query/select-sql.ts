/**
 * The statement that reads rows of Parquet files in the order of an answer, in DuckDB's SQL. Hosts that only rewrite run
 * this too, so it keeps to the language that site/edge/adapters/rewrite/rules.ts names.
 */

/**
 * `columns`: as SQL; `order`: names, one or more; `limit`: Infinity sets none. The order makes LIMIT and OFFSET mean the same page every time: DuckDB itself keeps
 * no order where it joins a longer list of values.
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
    renderPage(offset, limit)
  );
}

/** `limit`: Infinity sets none. */
function renderPage(offset: number, limit: number): string {
  return (limit < Infinity ? ' LIMIT ' + limit : '') + (offset > 0 ? ' OFFSET ' + offset : '');
}

/** `values`: as SQL, one or more. */
export function renderOneOf(column: string, values: readonly string[]): string {
  return quoteName(column) + (values.length > 1 ? ' IN (' + values.join(', ') + ')' : ' = ' + values[0]);
}

/** DuckDB ends a statement at a NUL, so a text with a NUL is joined from texts without one. */
export function quoteText(text: string): string {
  return "'" + swap(swap(text, "'", "''"), '\0', "' || chr(0) || '") + "'";
}

export function quoteName(name: string): string {
  return '"' + swap(name, '"', '""') + '"';
}

/** Not by a regular expression: where many parts match, that takes njs a tenth of a second. */
export function swap(text: string, from: string, to: string): string {
  return text.split(from).join(to);
}
