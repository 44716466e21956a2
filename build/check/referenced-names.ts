/** Finds the tables that a statement reads in DuckDB's syntax tree. */

import type { Json } from '../format/json.ts';

export type JsonObject = { readonly [name: string]: Json };

/** Returns the tables, as `schema/name`, and the table functions. Names of common table expressions are no tables. */
export function referencedNames(tree: JsonObject): { tables: string[]; functions: string[] } {
  const tables: string[] = [];
  const functions: string[] = [];
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
    // In a recursive expression, only the right side reads the expression's own rows.
    const own =
      object['type'] === 'RECURSIVE_CTE_NODE' ? withName(within, String(object['cte_name'])) : within;
    for (const [part, value] of Object.entries(object)) visit(value, part === 'right' ? own : within);
  };
  visit(tree, new Set());
  return { tables, functions };
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
