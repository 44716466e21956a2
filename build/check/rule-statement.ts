/**
 * Checks a contract's SQL before it runs: one SELECT that reads no file, names only existing tables and
 * returns one number. The text is untrusted. DuckDB parses it, and it runs only in a locked database.
 */
import { quote } from '../contract/diagnostic.ts';
import type { Json } from '../format/documents.ts';
import { nearest } from '../format/nearest.ts';
import { databaseMessage, type Session } from '../lake/database.ts';
import { DIMENSION_SCHEMA, type LoadedTable } from '../lake/fact-table.ts';
import { literal } from '../lake/sql.ts';

export type RuleStatement =
  | {
      readonly ok: true;
      readonly sql: string;
      /** Other datasets (`domain/topic`) and dimensions (`_dimensions/name`) that it reads. */
      readonly reads: readonly string[];
    }
  | { readonly ok: false; readonly code: RuleProblem; readonly message: string };

export type RuleProblem =
  | 'rule-not-one-select'
  | 'rule-reads-file'
  | 'rule-not-deterministic'
  | 'rule-does-not-bind'
  | 'rule-result'
  | 'rule-no-answer';

/** Table functions that only depend on their arguments. */
const HARMLESS_FUNCTIONS = new Set(['range', 'generate_series', 'unnest', 'repeat_row']);

/** Fills in the placeholders of ODCS, in any of its versions. */
function withTable(query: string, table: string, column: string | null): string {
  const named = query.replace(/\$?\{(object|table|model)\}/g, () => table);
  return column === null
    ? named
    : named.replace(/\$?\{(column|property|field)\}/g, () => `"${column.replaceAll('"', '""')}"`);
}

interface RuleQuery {
  readonly query: string;
  readonly column: string | null;
}

/** Runs nothing and needs no tables. */
export async function parseRule(
  session: Session,
  subject: LoadedTable,
  { query, column }: RuleQuery,
): Promise<RuleStatement> {
  const sql = withTable(query, subject.view, column);
  return readStatement(subject, sql, await syntaxTree(session, sql));
}

function readStatement(subject: LoadedTable, sql: string, tree: JsonObject | string): RuleStatement {
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
      message: `The query calls ${bad}(), but a rule may read only the tables of datasets and dimensions. Use {object}, domain.topic or ${DIMENSION_SCHEMA}.name.`,
    };
  }
  const varies = whatVaries(names, subject.columns);
  if (varies !== null) {
    return {
      ok: false,
      code: 'rule-not-deterministic',
      message: `The query uses ${varies}, so that the same rows may pass today and fail tomorrow. Compare columns with each other or with constants.`,
    };
  }
  const reads = [...new Set(names.tables.map(name => name.toLowerCase()))];
  return { ok: true, sql, reads: reads.filter(name => name !== subject.name).sort() };
}

/** Selects the rows that a plain count counts; null for other queries. */
export async function countedRows(
  session: Session,
  { table }: LoadedTable,
  { query, column }: RuleQuery,
): Promise<string | null> {
  const tree = await syntaxTree(session, withTable(query, table, column));
  const star = await syntaxTree(session, 'SELECT * FROM t');
  const node = countNode(tree);
  const list = selectList(star);
  if (node === null || list === null) return null;
  // DuckDB writes statements from their nodes.
  const statements = [{ node: { ...node, select_list: list }, named_param_map: [] }];
  const written = literal(JSON.stringify({ error: false, statements }));
  return answer(session, `json_deserialize_sql(${written}::JSON)`);
}

/** A rule may read only tables that `isTable` accepts. Returns null if the rule is fine. */
export async function bindRule(
  session: Session,
  { sql, reads }: Extract<RuleStatement, { ok: true }>,
  isTable: (name: string) => boolean,
): Promise<{ code: RuleProblem; message: string } | null> {
  let types: string[];
  try {
    types = await session.bind(sql);
  } catch (error) {
    const message = databaseMessage(error);
    if (/file system operations are disabled|No files found/.test(message)) {
      return {
        code: 'rule-reads-file',
        message: 'The query names a file, but a rule may read only the tables of datasets and dimensions.',
      };
    }
    return { code: 'rule-does-not-bind', message: `The query does not bind: ${message}${meant(error)}` };
  }
  const other = reads.find(name => !isTable(name));
  if (other !== undefined) {
    return {
      code: 'rule-reads-file',
      message: `The query reads ${other}, but a rule may read only the tables of datasets and dimensions. Use {object}, domain.topic or ${DIMENSION_SCHEMA}.name.`,
    };
  }
  const [type] = types;
  if (types.length !== 1 || type === undefined || !NUMBER.test(type)) {
    return {
      code: 'rule-result',
      message: `The query returns ${types.length === 1 ? `one ${type}` : `${types.length} columns`}, but a rule returns one number. Use COUNT(*) or another aggregate.`,
    };
  }
  return null;
}

/** From DuckDB's own message. */
function meant(error: unknown): string {
  const text = error instanceof Error ? error.message : '';
  const [, wrong = ''] = /column "([^"]+)"/.exec(text) ?? [];
  const [, listed = ''] = /Candidate bindings: (.*)/.exec(text) ?? [];
  const names = [...listed.matchAll(/"([^"]+)"/g)].map(([, name = '']) => name);
  const near = /Did you mean "([^"]+)"/.exec(text)?.[1] ?? nearest(wrong, names);
  return near === null ? '' : ` Did you mean ${quote(near)}?`;
}

const NUMBER = /^(U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)|DOUBLE|FLOAT|DECIMAL.*|BOOLEAN)$/;

/** The syntax tree, or the reason why the text can't be parsed. */
async function syntaxTree(session: Session, text: string): Promise<JsonObject | string> {
  try {
    return readTree(await answer(session, `json_serialize_sql(${literal(text)})`));
  } catch (error) {
    return databaseMessage(error);
  }
}

async function answer(session: Session, expression: string): Promise<string> {
  const { text } = await session.row<{ text: string }>(`SELECT ${expression} AS text`);
  return text;
}

function readTree(text: string): JsonObject | string {
  // Positions are 64-bit numbers, which JavaScript would round. They aren't needed.
  const tree = JSON.parse(text.replace(/"query_location":\d+/g, '"query_location":0')) as JsonObject;
  if (tree['error'] === true) return String(tree['error_message'] ?? 'it cannot be parsed');
  const statements = tree['statements'];
  if (!Array.isArray(statements) || statements.length !== 1) {
    return `it contains ${Array.isArray(statements) ? statements.length : 0} statements`;
  }
  return tree;
}

/** The node of a SELECT COUNT(*) without groups. */
function countNode(tree: JsonObject | string | undefined): JsonObject | null {
  const node = selectNode(tree);
  const [only, ...more] = selectList(tree) ?? [];
  const isCount =
    more.length === 0 && isObject(only) && only['function_name'] === 'count_star' && only['filter'] === null;
  const groups = node?.['group_expressions'];
  return isCount && Array.isArray(groups) && groups.length === 0 ? node : null;
}

function selectList(tree: JsonObject | string | undefined): readonly Json[] | null {
  const list = selectNode(tree)?.['select_list'];
  return Array.isArray(list) ? list : null;
}

function selectNode(tree: JsonObject | string | undefined): JsonObject | null {
  if (tree === undefined || typeof tree === 'string') return null;
  const [statement] = tree['statements'] as readonly JsonObject[];
  const node = statement?.['node'];
  return isObject(node) && node['type'] === 'SELECT_NODE' ? node : null;
}

type JsonObject = { readonly [name: string]: Json };

interface ReferencedNames {
  /** As `schema/name`, without common table expressions. */
  readonly tables: readonly string[];
  /** Table functions. */
  readonly functions: readonly string[];
  /** Functions in expressions, in lower case, with their numbers of arguments. */
  readonly calls: readonly { readonly name: string; readonly count: number }[];
  /** Unqualified names in lower case: columns, or words such as `current_date`. */
  readonly words: readonly string[];
  readonly samples: boolean;
}

function referencedNames(tree: JsonObject): ReferencedNames {
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

/** Each may read those before it. */
function commonTables(expressions: Json | undefined): { name: string; query: Json }[] {
  const list = isObject(expressions) ? expressions['map'] : null;
  if (!Array.isArray(list)) return [];
  return list.flatMap(entry =>
    isObject(entry) ? [{ name: String(entry['key']), query: entry['value'] ?? null }] : [],
  );
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Everything that `duckdb_functions()` doesn't call CONSISTENT, and macros and settings that lead there. */
const VARYING = new Set([
  ...['random', 'setseed', 'uuid', 'uuidv4', 'uuidv7', 'gen_random_uuid', 'nextval', 'currval'],
  ...['now', 'today', 'ago', 'current_date', 'current_time', 'current_timestamp', 'get_current_time'],
  ...['get_current_timestamp', 'current_localtime', 'current_localtimestamp', 'transaction_timestamp'],
  ...['pg_conf_load_time', 'pg_postmaster_start_time', 'localtime', 'localtimestamp'],
  ...['current_connection_id', 'current_query', 'current_query_id', 'current_transaction_id'],
  ...['txid_current', 'current_setting', 'getvariable', 'getenv', 'stats', 'sleep_ms', 'write_log'],
]);

/** SQL writes these without parentheses. A column may have the same name. */
const WORDS = new Set(['current_date', 'current_time', 'current_timestamp', 'localtime', 'localtimestamp']);

/** What makes a statement vary, for a message; null if nothing does. */
function whatVaries({ calls, words, samples }: ReferencedNames, columns: readonly string[]): string | null {
  const call = calls.find(({ name, count }) => VARYING.has(name) || (name === 'age' && count === 1));
  if (call) return call.name === 'age' ? 'age() with one argument' : `${call.name}()`;
  const own = new Set(columns.map(column => column.toLowerCase()));
  const word = words.find(name => WORDS.has(name) && !own.has(name));
  if (word !== undefined) return word;
  return samples ? 'a sample of rows' : null;
}
