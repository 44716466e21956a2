/** Answers SQL: loads the tables that a statement reads into DuckDB, which computes the answer. */
import type { ColumnType } from '../../../build/format/documents.ts';
import { ROOT } from '../../../build/format/paths.ts';
import type { Catalog } from '../../edge/catalog.ts';
import { TreeMismatch } from '../../edge/files/files.ts';
import { nearest } from '../../../build/format/nearest.ts';
import type { Value } from '../../query/order.ts';
import { quoteName } from '../../query/select-sql.ts';
import type { CodedColumn } from './coded-rows.ts';
import { DuckDb, loadModule } from './duckdb.ts';
import { EngineError, type Progress, type TaskResult } from './engine.ts';
import { collectNames, SqlTables, spellNames, type TableNames } from './sql-tables.ts';
import type { TreeAccess } from './tree-reader.ts';

/** The most rows of an answer. */
const MOST_ROWS = 100_000;

interface Session {
  readonly database: DuckDb;
  readonly names: TableNames;
  readonly tables: SqlTables;
  /** The tree of these tables: a manifest that is read again may be of another release. */
  readonly catalog: Catalog;
}

export type SqlAnswers = (
  access: TreeAccess,
  statement: string,
  onProgress: (progress: Progress) => void,
) => Promise<TaskResult>;

/** `url` is the address of DuckDB's module; `silence` the milliseconds without a byte after which loading it fails. */
export function openSql(url: URL, silence: number): SqlAnswers {
  let session: Session | null = null;
  let module: WebAssembly.Module | null = null;
  /** Statements run one after another, since they share their tables. */
  let last: Promise<unknown> = Promise.resolve();

  const openSession = async (
    { catalog, isCurrent }: TreeAccess,
    onProgress: (progress: Progress) => void,
  ): Promise<Session> => {
    if (session?.catalog === catalog) {
      if (await isCurrent()) return session;
      throw new TreeMismatch(ROOT.manifest, 'is that of another release');
    }
    const { entries } = await catalog.current();
    module ??= await loadModule(url, silence, onProgress);
    const database = await DuckDb.start(module);
    const names = collectNames([...entries.keys()]);
    session = { database, names, tables: new SqlTables(database, names), catalog };
    return session;
  };

  const answer: SqlAnswers = async (access, text, onProgress) => {
    const statement = text.trim().replace(/;\s*$/, '');
    const { database, names, tables } = await openSession(access, onProgress);
    const query = `SELECT * FROM (\n${statement}\n)`;
    await tables.load(access, statement, () => {
      prepare(database, statement, names);
      refuseOthers(database, query);
    });
    onProgress({ stage: 'compute', done: 0, total: null });
    const columns = describe(database, query);
    const casts = columns.map((column, at) => `${leave(column, `#${at + 1}`)} AS ${quoteName(column.name)}`);
    const answered = database.query(
      `SELECT ${casts.join(', ')} FROM (\n${statement}\n) LIMIT ${MOST_ROWS + 1}`,
      columns.map(({ name, type, cast }) => ({ name, type: cast === 'VARCHAR' ? 'string' : type })),
    );
    const table = {
      rows: answered.rows,
      columns: answered.columns.map((column, at) => toNumbers(column, columns[at]!)),
    };
    if (table.rows <= MOST_ROWS) return { table, total: table.rows };
    return { table: { ...table, rows: MOST_ROWS }, total: null };
  };

  return (...asked) => {
    const work = last.then(() => answer(...asked));
    last = work.catch(() => undefined);
    return work;
  };
}

/** Replaces DuckDB's suggestion for a wrong table name: it may be far off, and has the table's internal name. */
function prepare(database: DuckDb, statement: string, names: TableNames): void {
  try {
    database.prepare(statement);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const [, wrong] = /Table with name (.+?) does not exist/.exec(message) ?? [];
    if (wrong === undefined) throw error;
    const near = nearest(
      wrong,
      [...new Set([...names.values()].flat())].flatMap(key => spellNames(names, key)),
    );
    const meant = near === null ? '' : `\nDid you mean ${near}?`;
    const words = message.replace(/\n?Did you mean .*/, '').replace(/(does not exist)!?/, `$1.${meant}`);
    throw new EngineError({ kind: 'refusal', words });
  }
}

function refuseOthers(database: DuckDb, query: string): void {
  try {
    database.prepare(query);
  } catch {
    throw new EngineError({ kind: 'select' });
  }
}

interface TypedColumn {
  readonly name: string;
  readonly type: ColumnType;
  readonly cast: string;
  readonly isTimestamp?: boolean;
}

/** SQL that casts a value to what the page gets: a timestamp is written as in the API. */
function leave({ cast, isTimestamp }: TypedColumn, value: string): string {
  const left = `CAST(${value} AS ${cast})`;
  return isTimestamp ? `replace(${left}, ' ', 'T')` : left;
}

/** The columns of a query, each with the type that the page gets. */
function describe(database: DuckDb, query: string): readonly TypedColumn[] {
  const text = (name: string) => ({ name, type: 'string' }) as const;
  const { rows, columns } = database.query(`DESCRIBE ${query}`, [text('name'), text('type')]);
  const [names, types] = columns.map(({ codes, values }) => [...codes].map(code => String(values[code])));
  return Array.from({ length: rows }, (_, row) => readType(names![row]!, types![row]!));
}

/** Boolean, number, or DuckDB's text for anything else. */
function readType(name: string, type: string): TypedColumn {
  if (type === 'BOOLEAN') return { name, type: 'boolean', cast: type };
  if (/^(TINYINT|SMALLINT|INTEGER|UTINYINT|USMALLINT)$/.test(type))
    return { name, type: 'integer', cast: 'INTEGER' };
  if (/^(FLOAT|DOUBLE)$/.test(type)) return { name, type: 'number', cast: 'DOUBLE' };
  if (/^(UINTEGER|U?BIGINT|U?HUGEINT)$/.test(type)) return { name, type: 'integer', cast: 'VARCHAR' };
  if (type.startsWith('DECIMAL')) return { name, type: 'number', cast: 'VARCHAR' };
  return { name, type: 'string', cast: 'VARCHAR', isTimestamp: type === 'TIMESTAMP' };
}

/** Exact numbers come as texts, and stay texts if a double would lose digits of one. */
function toNumbers(column: CodedColumn, { type, cast }: TypedColumn): CodedColumn {
  const isExact = (type === 'integer' || type === 'number') && cast === 'VARCHAR';
  const isSafe = (text: Value) =>
    text === null || Number.isSafeInteger(Number(String(text).replace('.', '')));
  if (!isExact || !column.values.every(isSafe)) return column;
  return { ...column, type, values: column.values.map(text => (text === null ? null : Number(text))) };
}
