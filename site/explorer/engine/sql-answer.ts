/** Answers SQL: loads the tables that a statement reads into DuckDB, which computes the answer. */
import type { ColumnType } from '../../../build/format/documents.ts';
import { ROOT } from '../../../build/format/paths.ts';
import type { Catalog } from '../../edge/catalog.ts';
import { TreeMismatch } from '../../edge/files/files.ts';
import { nearest } from '../../query/nearest.ts';
import { quoteName } from '../../query/select-sql.ts';
import { type AnswerColumn, DuckDb, loadModule } from './duckdb.ts';
import { EngineError, type Progress } from './engine.ts';
import type { TaskResult } from './messages.ts';
import type { PackedTable } from './packed-table.ts';
import type { TaskControl } from './rows-answer.ts';
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
  control: TaskControl,
  onProgress: (progress: Progress) => void,
) => Promise<TaskResult>;

/** `module` is the address of DuckDB's module; `silence` the milliseconds without a byte after which loading it fails. */
export function openSql(module: URL, silence: number): SqlAnswers {
  let session: Session | null = null;
  let loading: Promise<WebAssembly.Module> | null = null;
  /** Statements run one after another, since they share their tables. */
  let last: Promise<unknown> = Promise.resolve();

  const openSession = async (
    { catalog, isCurrent }: TreeAccess,
    signal: AbortSignal,
    onProgress: (progress: Progress) => void,
  ): Promise<Session> => {
    if (session?.catalog === catalog) {
      if (await isCurrent()) return session;
      throw new TreeMismatch(ROOT.manifest, 'is that of another release');
    }
    const { entries } = await catalog.current();
    loading ??= loadModule(module, silence, signal, onProgress);
    loading.catch(() => {
      loading = null;
    });
    const database = await DuckDb.start(await loading);
    const names = collectNames([...entries.keys()]);
    session = { database, names, tables: new SqlTables(database, names), catalog };
    return session;
  };

  const answer: SqlAnswers = async (access, text, control, onProgress) => {
    control.signal.throwIfAborted();
    const statement = text.trim().replace(/;\s*$/, '');
    const { database, names, tables } = await openSession(access, control.signal, onProgress);
    const query = `SELECT * FROM (\n${statement}\n)`;
    await tables.load(access, statement, control, () => {
      prepare(database, statement, names);
      refuseOthers(database, query);
    });
    onProgress({ stage: 'compute', done: 0, total: null });
    const read = (columns: readonly TypedColumn[]) => {
      const casts = columns.map(
        (column, at) => `${leave(column, `#${at + 1}`)} AS ${quoteName(column.name)}`,
      );
      const limited = `SELECT ${casts.join(', ')} FROM (\n${statement}\n) LIMIT ${MOST_ROWS + 1}`;
      return database.query(limited, columns, control.signal);
    };
    const columns = database.describe(query).map(readType);
    const rounded = await read(columns);
    const exact = columns.map((column, at) =>
      isRounded(rounded, column, at) ? asText(column.name) : column,
    );
    const table = exact.some((column, at) => column !== columns[at]) ? await read(exact) : rounded;
    return table.rows > MOST_ROWS
      ? { table: { ...table, rows: MOST_ROWS }, total: null }
      : { table, total: table.rows };
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
  readonly wide: boolean;
  readonly cast: string;
  /** Decimal places of DuckDB's exact numbers. */
  readonly scale: number | null;
  readonly isTimestamp?: boolean;
}

/** SQL that casts a value to what the page gets: a timestamp is written as in the API. */
function leave({ cast, isTimestamp }: TypedColumn, value: string): string {
  const left = `CAST(${value} AS ${cast})`;
  return isTimestamp ? `replace(${left}, ' ', 'T')` : left;
}

/** The type that the page gets: boolean, number, or DuckDB's text for anything else. */
function readType({ name, type }: AnswerColumn): TypedColumn {
  const inexact = { name, wide: false, scale: null };
  if (type === 'BOOLEAN') return { ...inexact, type: 'boolean', cast: type };
  if (/^(TINYINT|SMALLINT|INTEGER|UTINYINT|USMALLINT)$/.test(type))
    return { ...inexact, type: 'integer', cast: 'INTEGER' };
  if (/^(UINTEGER|U?BIGINT|U?HUGEINT)$/.test(type))
    return { name, type: 'integer', wide: true, cast: 'DOUBLE', scale: 0 };
  const decimal = /^DECIMAL\(\d+,(\d+)\)$/.exec(type);
  if (decimal) return { name, type: 'number', wide: true, cast: 'DOUBLE', scale: Number(decimal[1]) };
  if (/^(FLOAT|DOUBLE)$/.test(type)) return { ...inexact, type: 'number', wide: true, cast: 'DOUBLE' };
  return { ...asText(name), isTimestamp: type === 'TIMESTAMP' };
}

function asText(name: string): TypedColumn {
  return { name, type: 'string', wide: false, cast: 'VARCHAR', scale: null };
}

/** Whether an exact number may lose digits as a double. */
function isRounded(rows: PackedTable, { scale }: TypedColumn, at: number): boolean {
  const column = rows.columns[at];
  if (scale === null || column?.kind !== 'number') return false;
  const most = Number.MAX_SAFE_INTEGER / 10 ** scale;
  return column.values.some(value => Math.abs(value) > most);
}
