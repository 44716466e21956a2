/** Finds the tables that a statement reads in DuckDB's syntax tree. */

import type { Json } from '../format/json.ts';

export type JsonObject = { readonly [name: string]: Json };

export interface ReferencedNames {
  /** As `schema/name`. Names of common table expressions are no tables. */
  readonly tables: readonly string[];
  /** Table functions. */
  readonly functions: readonly string[];
  /** Functions in expressions, in lower case, each with the number of its arguments. */
  readonly calls: readonly { readonly name: string; readonly count: number }[];
  /** Names without a table before them, in lower case: columns, or words such as `current_date`. */
  readonly words: readonly string[];
  /** Whether a part of the statement takes a sample of rows. */
  readonly samples: boolean;
}

export function referencedNames(tree: JsonObject): ReferencedNames {
  const tables: string[] = [];
  const functions: string[] = [];
  const calls: { name: string; count: number }[] = [];
  const words: string[] = [];
  let samples = false;
  const visit = (node: Json, known: Names): void => {
    if (node === null || typeof node !== 'object') return;
    if (Array.isArray(node)) {
      for (const item of node) visit(item, known);
      return;
    }
    const { cte_map: expressions, ...object } = node as JsonObject;
    let within = known;
    for (const { name, query } of commonTables(expressions)) {
      visit(query, within);
      within = withName(within, name);
    }
    if (object['type'] === 'BASE_TABLE') {
      const schema = String(object['schema_name'] ?? '');
      const name = String(object['table_name']);
      if (schema !== '') tables.push(`${schema}/${name}`);
      else if (!within.has(name.toLowerCase())) tables.push(name);
    }
    if (object['type'] === 'TABLE_FUNCTION' && isObject(object['function'])) {
      functions.push(String(object['function']['function_name']));
    }
    const { class: kind, function_name: called, children, column_names: columns } = object;
    if (kind === 'FUNCTION' && typeof called === 'string')
      calls.push({ name: called.toLowerCase(), count: Array.isArray(children) ? children.length : 0 });
    if (kind === 'COLUMN_REF' && Array.isArray(columns) && columns.length === 1)
      words.push(String(columns[0]).toLowerCase());
    if (isObject(object['sample'])) samples = true;
    // In a recursive expression, only the right side reads the expression's own rows.
    const own =
      object['type'] === 'RECURSIVE_CTE_NODE' ? withName(within, String(object['cte_name'])) : within;
    for (const [part, value] of Object.entries(object)) visit(value, part === 'right' ? own : within);
  };
  visit(tree, new Set());
  return { tables, functions, calls, words, samples };
}

/** Names of common table expressions, in lower case. */
type Names = ReadonlySet<string>;

function withName(names: Names, name: string): Names {
  return new Set([...names, name.toLowerCase()]);
}

/** A statement's common table expressions. Each may read those before it; the statement may read all of them. */
function commonTables(expressions: Json | undefined): { name: string; query: Json }[] {
  const list = isObject(expressions) ? expressions['map'] : null;
  if (!Array.isArray(list)) return [];
  return list.flatMap(entry =>
    isObject(entry) ? [{ name: String(entry['key']), query: entry['value'] ?? null }] : [],
  );
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
