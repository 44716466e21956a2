/** SQL over a tree: loads the tables that a statement reads, and DuckDB computes the answer. */
import type { ColumnType } from '../../../build/format/documents.ts';
import { ROOT } from '../../../build/format/paths.ts';
import type { Catalog } from '../../edge/catalog.ts';
import { TreeMismatch } from '../../edge/files/files.ts';
import { nearest } from '../../query/nearest.ts';
import { quoteName } from '../../query/select-sql.ts';
import { type AnswerColumn, DuckDb, loadModule } from './duckdb.ts';
import { EngineError, type Progress } from './engine.ts';
import type { TaskResult } from './messages.ts';
import { firstRows, type PackedTable } from './packed-table.ts';
import type { TaskControl } from './rows-answer.ts';
import { collectNames, SqlTables, spellNames, type TableNames } from './sql-tables.ts';
import type { TreeAccess } from './tree-reader.ts';

/** Most rows of an answer: no screen needs more. */
const MOST_ROWS = 100_000;

interface Session {
  readonly database: DuckDb;
  readonly names: TableNames;
  readonly tables: SqlTables;
  /** The tree of these tables: manifests that are read again may describe others. */
  readonly catalog: Catalog;
}

export class SqlAnswers {
  private readonly module: URL;
  private readonly silence: number;
  private session: Session | null = null;
  private starting: Promise<WebAssembly.Module> | null = null;
  /** Statements run one after another, since they share their tables. */
  private last: Promise<unknown> = Promise.resolve();

  /** `module` is the address of DuckDB's module; `silence`: milliseconds without a byte after which it gives up. */
  constructor(module: URL, silence: number) {
    this.module = module;
    this.silence = silence;
  }

  answer(
    access: TreeAccess,
    statement: string,
    control: TaskControl,
    onProgress: (progress: Progress) => void,
  ): Promise<TaskResult> {
    const work = this.last.then(() => {
      control.signal.throwIfAborted();
      return this.run(access, statement, control, onProgress);
    });
    this.last = work.catch(() => undefined);
    return work;
  }

  private async run(
    access: TreeAccess,
    text: string,
    control: TaskControl,
    onProgress: (progress: Progress) => void,
  ): Promise<TaskResult> {
    const statement = text.trim().replace(/;\s*$/, '');
    const { database, names, tables } = await this.open(access, control.signal, onProgress);
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
    const more = table.rows > MOST_ROWS;
    return {
      table: more ? firstRows(table, MOST_ROWS) : table,
      total: more ? null : table.rows,
    };
  }

  private async open(
    access: TreeAccess,
    signal: AbortSignal,
    onProgress: (progress: Progress) => void,
  ): Promise<Session> {
    const { catalog } = access;
    if (this.session?.catalog === catalog) {
      if (await access.isCurrent()) return this.session;
      throw new TreeMismatch(ROOT.manifest, 'is that of another release');
    }
    const { entries } = await catalog.current();
    const module = await this.load(signal, onProgress);
    const database = await DuckDb.start(module);
    const names = collectNames([...entries.keys()]);
    this.session = { database, names, tables: new SqlTables(database, names), catalog };
    return this.session;
  }

  private async load(
    signal: AbortSignal,
    onProgress: (progress: Progress) => void,
  ): Promise<WebAssembly.Module> {
    this.starting ??= loadModule(this.module, this.silence, signal, onProgress);
    try {
      return await this.starting;
    } catch (error) {
      this.starting = null;
      throw error;
    }
  }
}

/** DuckDB suggests a table for every wrong name, however distant, under the name that this page uses internally. */
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

/** SQL for a value as it leaves DuckDB: a timestamp is written as the API writes it. */
function leave({ cast, isTimestamp }: TypedColumn, value: string): string {
  const left = `CAST(${value} AS ${cast})`;
  return isTimestamp ? `replace(${left}, ' ', 'T')` : left;
}

/** The type in which a column leaves DuckDB: boolean, number, or DuckDB's text for it. */
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
