/** Answers SQL: loads the tables that a statement reads into DuckDB, which computes the answer. */
import type { ColumnType } from '../../../build/format/documents.ts';
import { ROOT } from '../../../build/format/paths.ts';
import type { Catalog } from '../../edge/catalog.ts';
import { TreeMismatch } from '../../edge/files/files.ts';
import type { Value } from '../../query/order.ts';
import { quoteName } from '../../query/select-sql.ts';
import type { CodedColumn } from './coded-rows.ts';
import { DuckDb, loadModule } from './duckdb.ts';
import { EngineError, type Progress, type TaskResult } from './engine.ts';
import { collectNames, SqlTables } from './sql-tables.ts';
import type { TreeAccess } from './tree-reader.ts';

/** The most rows of an answer. */
const MOST_ROWS = 100_000;

interface Session {
  readonly database: DuckDb;
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
    session = { database, tables: new SqlTables(database, names), catalog };
    return session;
  };

  const answer: SqlAnswers = async (access, text, onProgress) => {
    const statement = text.trim().replace(/;\s*$/, '');
    const { database, tables } = await openSession(access, onProgress);
    const query = `SELECT * FROM (\n${statement}\n)`;
    await tables.load(access, statement, () => refuseOthers(database, query));
    onProgress({ stage: 'compute', done: 0, total: null });
    const described = describe(database, query);
    const texts = described.map(({ name }, at) => `CAST(#${at + 1} AS VARCHAR) AS ${quoteName(name)}`);
    const answered = database.query(
      `SELECT ${texts.join(', ')} FROM (\n${statement}\n) LIMIT ${MOST_ROWS + 1}`,
      described.map(({ name }) => name),
    );
    const table = {
      rows: answered.rows,
      columns: answered.columns.map((column, at) => readColumn(column, described[at]!.type)),
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

function refuseOthers(database: DuckDb, query: string): void {
  try {
    database.prepare(query);
  } catch {
    throw new EngineError({ kind: 'select' });
  }
}

/** The columns of a query, with DuckDB's names of their types. */
function describe(database: DuckDb, query: string): { readonly name: string; readonly type: string }[] {
  const { rows, columns } = database.query(`DESCRIBE ${query}`, ['name', 'type']);
  const [names, types] = columns.map(({ codes, values }) => [...codes].map(code => String(values[code])));
  return Array.from({ length: rows }, (_, row) => ({ name: names![row]!, type: types![row]! }));
}

/** A column of texts, as the page gets it. It stays one if a value can't be read: a double would lose its digits. */
function readColumn(column: CodedColumn, duckdbType: string): CodedColumn {
  const [type, read] = readerOf(duckdbType);
  const values = column.values.map(text => (text === null ? null : read(String(text))));
  const known = values.filter(value => value !== undefined);
  return known.length < values.length ? column : { ...column, type, values: known };
}

/** The page's type for one of DuckDB's, and what reads its texts; undefined if a value can't be read. */
function readerOf(type: string): [ColumnType, (text: string) => Value | undefined] {
  if (type === 'BOOLEAN') return ['boolean', text => text === 'true'];
  if (type === 'FLOAT' || type === 'DOUBLE')
    return ['number', text => Number(text.replace('inf', 'Infinity'))];
  if (/^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$/.test(type)) return ['integer', readExact];
  if (type.startsWith('DECIMAL')) return ['number', readExact];
  // As in the API.
  if (type === 'TIMESTAMP') return ['string', text => text.replace(' ', 'T')];
  return ['string', text => text];
}

function readExact(text: string): number | undefined {
  return Number.isSafeInteger(Number(text.replace('.', ''))) ? Number(text) : undefined;
}
