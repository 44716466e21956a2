/**
 * A contract's SQL, before it may run: that it is one SELECT, reads no file, names only tables that exist, and
 * returns one number. The text is untrusted; DuckDB parses it, and it runs only in a locked database.
 */
import { databaseMessage, type Session } from '../lake/database.ts';
import { DIMENSION_SCHEMA, type LoadedTable } from '../lake/fact-table.ts';
import { literal } from '../lake/sql.ts';

export type RuleStatement =
  | {
      readonly ok: true;
      /** The statement over the dataset's view. */
      readonly sql: string;
      /** Other datasets (`domain/topic`) and dimensions (`_dimensions/name`) that it reads. */
      readonly reads: readonly string[];
      /** The rows that it counts, with their slice, where it is a plain count; null where it is not. */
      readonly rows: string | null;
    }
  | { readonly ok: false; readonly code: RuleProblem; readonly message: string };

export type RuleProblem =
  | 'rule-not-one-select'
  | 'rule-reads-file'
  | 'rule-does-not-bind'
  | 'rule-result'
  | 'rule-no-answer';

/** Table functions that make rows from their arguments alone. */
const HARMLESS_FUNCTIONS = new Set(['range', 'generate_series', 'unnest', 'repeat_row']);

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
type JsonObject = { readonly [name: string]: Json };

/** Puts the table for `{object}`, as the dialect writes it, or `${table}`, as the standard's examples do. */
function withTable(query: string, table: string, column: string | null): string {
  const named = query.replace(/\$?\{(object|table|model)\}/g, () => table);
  return column === null
    ? named
    : named.replace(/\$?\{(column|property|field)\}/g, () => `"${column.replaceAll('"', '""')}"`);
}

/** Parses a rule's query. Runs nothing of it and needs no table but DuckDB's parser. */
export async function parseRule(
  session: Session,
  subject: LoadedTable,
  query: string,
  column: string | null,
): Promise<RuleStatement> {
  const { view, table } = subject;
  const sql = withTable(query, view, column);
  const tree = await syntaxTree(session, sql);
  if (typeof tree === 'string') {
    return {
      ok: false,
      code: 'rule-not-one-select',
      message: `The query is not one SELECT: ${tree}. Write one SELECT that returns one number.`,
    };
  }
  const names = referencedNames(tree);
  const [bad] = names.functions.filter(name => !HARMLESS_FUNCTIONS.has(name));
  if (bad !== undefined) {
    return {
      ok: false,
      code: 'rule-reads-file',
      message: `The query calls ${bad}(), and a rule may read only the tables of datasets and dimensions. Use {object}, domain.topic or ${DIMENSION_SCHEMA}.name.`,
    };
  }
  return {
    ok: true,
    sql,
    reads: [...new Set(names.tables.map(name => name.toLowerCase()))]
      .filter(name => name !== subject.name)
      .sort(),
    rows: await countedRows(session, withTable(query, table, column)),
  };
}

/** Binds a parsed rule against the tables there are. Null where it is fine. */
export async function bindRule(
  session: Session,
  sql: string,
): Promise<{ code: RuleProblem; message: string } | null> {
  let types: string[];
  try {
    types = await session.bind(sql);
  } catch (error) {
    const message = databaseMessage(error);
    if (/file system operations are disabled|No files found/.test(message)) {
      return {
        code: 'rule-reads-file',
        message: 'The query names a file, and a rule may read only the tables of datasets and dimensions.',
      };
    }
    return { code: 'rule-does-not-bind', message: `The query does not bind: ${message}` };
  }
  const [type] = types;
  if (types.length !== 1 || type === undefined || !NUMBER.test(type)) {
    return {
      code: 'rule-result',
      message: `The query returns ${types.length === 1 ? `one ${type}` : `${types.length} columns`}; a rule returns one number. Use COUNT(*) or another aggregate.`,
    };
  }
  return null;
}

const NUMBER = /^(U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)|DOUBLE|FLOAT|DECIMAL.*|BOOLEAN)$/;

/** The statement's syntax tree, or why it has none. */
async function syntaxTree(session: Session, sql: string): Promise<JsonObject | string> {
  let tree: JsonObject;
  try {
    const { text } = await session.row<{ text: string }>(
      `SELECT json_serialize_sql(${literal(sql)}) AS text`,
    );
    // Places in the text are 64-bit numbers that JavaScript would round, and nothing here needs them.
    tree = JSON.parse(text.replace(/"query_location":\d+/g, '"query_location":0')) as JsonObject;
  } catch (error) {
    return databaseMessage(error);
  }
  if (tree['error'] === true) return String(tree['error_message'] ?? 'it cannot be parsed');
  const statements = tree['statements'];
  if (!Array.isArray(statements) || statements.length !== 1) {
    return `it has ${Array.isArray(statements) ? statements.length : 0} statements`;
  }
  return tree;
}

/** Tables as `schema/name` (a common table expression's own name is none), and table functions. */
function referencedNames(tree: JsonObject): { tables: string[]; functions: string[] } {
  const tables: string[] = [];
  const functions: string[] = [];
  const ctes = new Set<string>();
  const visit = (node: Json): void => {
    if (node === null || typeof node !== 'object') return;
    if (Array.isArray(node)) {
      for (const item of node) visit(item);
      return;
    }
    const object = node as JsonObject;
    if (isObject(object['cte_map']) && Array.isArray(object['cte_map']['map'])) {
      for (const entry of object['cte_map']['map']) if (isObject(entry)) ctes.add(String(entry['key']));
    }
    if (object['type'] === 'BASE_TABLE') {
      const schema = String(object['schema_name'] ?? '');
      tables.push(schema === '' ? String(object['table_name']) : `${schema}/${String(object['table_name'])}`);
    }
    if (object['type'] === 'TABLE_FUNCTION' && isObject(object['function'])) {
      functions.push(String(object['function']['function_name']));
    }
    for (const value of Object.values(object)) visit(value);
  };
  visit(tree);
  return { tables: tables.filter(name => !ctes.has(name)), functions };
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `SELECT COUNT(*) FROM … WHERE …` as `SELECT * FROM … WHERE …`; null where the query is anything else. */
async function countedRows(session: Session, sql: string): Promise<string | null> {
  const tree = await syntaxTree(session, sql);
  const star = await syntaxTree(session, 'SELECT * FROM t');
  if (typeof tree === 'string' || typeof star === 'string') return null;
  const node = selectNode(tree);
  const starNode = selectNode(star);
  if (node === null || starNode === null) return null;
  const list = node['select_list'];
  const [only] = Array.isArray(list) ? list : [];
  const isCount =
    Array.isArray(list) &&
    list.length === 1 &&
    isObject(only) &&
    only['function_name'] === 'count_star' &&
    only['filter'] === null;
  const groups = node['group_expressions'];
  if (!isCount || (Array.isArray(groups) && groups.length > 0)) return null;
  const [statement] = tree['statements'] as readonly JsonObject[];
  const rewritten = {
    ...tree,
    statements: [{ ...statement, node: { ...node, select_list: starNode['select_list'] } }],
  };
  const { text } = await session.row<{ text: string }>(
    `SELECT json_deserialize_sql(${literal(JSON.stringify(rewritten))}::JSON) AS text`,
  );
  return text;
}

function selectNode(tree: JsonObject): JsonObject | null {
  const [statement] = tree['statements'] as readonly JsonObject[];
  const node = statement?.['node'];
  return isObject(node) && node['type'] === 'SELECT_NODE' ? node : null;
}
