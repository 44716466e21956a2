/** The only access to DuckDB: an instance with bounded memory, and sessions that run SQL. */
import path from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { isFileShortage } from '../system-error.ts';
import { isMemoryShortage } from './memory-shortage.ts';
import { watchMemory } from './memory-watch.ts';
import { literal, literals } from './sql.ts';

export interface DatabaseOptions {
  readonly threads: number;
  /** Such as `800MB`; beyond it DuckDB spills to `temporaryFolder`. */
  readonly memoryLimit: string;
  readonly temporaryFolder: string;
}

/** The least memory in which DuckDB can run a statement. */
const LEAST_MEGABYTES = 128;

/** Divides threads and memory among databases that are open at the same time. */
export function portionOf(options: DatabaseOptions, databases: number): DatabaseOptions {
  const threads = Math.max(1, Math.floor(options.threads / databases));
  return { ...options, threads, memoryLimit: limitOf(megabytesOf(options) / databases) };
}

/**
 * Options for several sessions that run in parallel, each on the thread of its caller. With one thread, a COPY streams
 * rows in order; with several, it holds back whole row groups to restore their order.
 */
export function ofOneThread(options: DatabaseOptions, sessions: number): DatabaseOptions {
  const memoryLimit = limitOf(Math.max(megabytesOf(options), sessions * LEAST_MEGABYTES));
  return { ...options, threads: 1, memoryLimit };
}

/** Megabytes of 10^6 bytes. */
function megabytesOf({ memoryLimit }: Pick<DatabaseOptions, 'memoryLimit'>): number {
  const [, amount = '0', unit = 'MB'] = /^(\d+)(\w+)$/.exec(memoryLimit) ?? [];
  const binary = unit.endsWith('iB');
  const kilo = binary ? 1024 : 1000;
  return (Number(amount) * kilo ** (unit.startsWith('G') ? 3 : 2)) / 1e6;
}

function limitOf(megabytes: number): string {
  return `${Math.max(LEAST_MEGABYTES, Math.floor(megabytes))}MB`;
}

export type SqlValue = string | number | boolean | null;
export type SqlRow = Readonly<Record<string, SqlValue>>;

/** The number of databases that this process has opened. */
let opened = 0;

export class Database {
  readonly #instance: DuckDBInstance;
  readonly #sessions: Session[] = [];
  #bytes: number;

  private constructor(instance: DuckDBInstance, bytes: number) {
    this.#instance = instance;
    this.#bytes = bytes;
  }

  static async open(options: DatabaseOptions): Promise<Database> {
    const instance = await DuckDBInstance.create(':memory:', {
      threads: String(options.threads),
      memory_limit: options.memoryLimit,
      // Two databases in one folder would overwrite each other's spilled blocks.
      temp_directory: path.join(options.temporaryFolder, `database-${process.pid}-${++opened}`),
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
    });
    const connection = await instance.connect();
    // Else a timestamp would depend on the clock of this machine.
    await connection.run("SET GLOBAL TimeZone = 'UTC'");
    connection.disconnectSync();
    return new Database(instance, megabytesOf(options) * 1e6);
  }

  async limit({ threads, memoryLimit }: Omit<DatabaseOptions, 'temporaryFolder'>): Promise<void> {
    this.#bytes = megabytesOf({ memoryLimit }) * 1e6;
    const session = await this.connect();
    await session.run(`SET threads = ${threads}; SET memory_limit = ${literal(memoryLimit)}`);
  }

  async connect(): Promise<Session> {
    const session = new Session(await this.#instance.connect(), this.#bytes);
    this.#sessions.push(session);
    return session;
  }

  /**
   * Denies all later statements access to files, except reading those in `readable`, and changes of settings. Call it
   * before running the SQL of a contract. It cannot be undone.
   */
  async lock(readable: readonly string[] = []): Promise<void> {
    const session = await this.connect();
    await session.run(
      `SET allowed_paths = [${literals(readable)}]; SET enable_external_access = false; SET lock_configuration = true`,
    );
  }

  close(): void {
    for (const session of this.#sessions) session.close();
    this.#instance.closeSync();
  }
}

export class Session {
  readonly #connection: DuckDBConnection;
  readonly #bytes: number;

  /** `bytes`: the database's memory limit. */
  constructor(connection: DuckDBConnection, bytes: number) {
    this.#connection = connection;
    this.#bytes = bytes;
  }

  async run(sql: string): Promise<void> {
    await this.#connection.run(sql);
  }

  /** Returns all rows, with 64-bit integers as numbers, or as text beyond 2^53. */
  async rows<Row = SqlRow>(sql: string): Promise<Row[]> {
    const reader = await this.#connection.runAndReadAll(sql);
    return reader.getRowObjectsJS().map(plainRow) as Row[];
  }

  /** Returns at least the first `count` rows, rounded up to DuckDB's chunks of 2,048, and does not compute the rest. */
  async firstRows<Row = SqlRow>(sql: string, count: number): Promise<Row[]> {
    const reader = await this.#connection.streamAndReadUntil(sql, count);
    return reader.getRowObjectsJS().map(plainRow) as Row[];
  }

  /** Returns the only row of a query. */
  async row<Row = SqlRow>(sql: string): Promise<Row> {
    const [first] = await this.rows<Row>(sql);
    if (first === undefined) throw new Error('A query that must return one row returned none.');
    return first;
  }

  /** Binds a statement without running it, and rejects if it does not bind. Returns the types of its columns. */
  async bind(sql: string): Promise<string[]> {
    const prepared = await this.#connection.prepare(sql);
    const types = Array.from({ length: prepared.columnCount }, (_, i) => String(prepared.columnType(i)));
    prepared.destroySync();
    return types;
  }

  /**
   * Interrupts the running statement after the given time, or where it takes far more memory than the database may.
   * `onRunaway` ends the process where no interruption helps. Throws MemoryExceeded.
   */
  async within<Result>(seconds: number, run: () => Promise<Result>, onRunaway?: () => void): Promise<Result> {
    const interrupt = () => this.#connection.interrupt();
    const timer = setTimeout(interrupt, seconds * 1000);
    try {
      return await watchMemory({ most: this.#bytes, interrupt, onRunaway }, run);
    } finally {
      clearTimeout(timer);
    }
  }

  close(): void {
    this.#connection.closeSync();
  }
}

/** Opens a session on demand: most callers never need it. */
export type SessionSource = () => Promise<Session>;

/** Opens a database, and closes it after `act`. */
export async function withDatabase<Result>(
  options: DatabaseOptions,
  act: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = await Database.open(options);
  try {
    return await act(database);
  } finally {
    database.close();
  }
}

/** Opens a database with one session, and closes both after `act`. */
export async function withSession<Result>(
  options: DatabaseOptions,
  act: (session: Session) => Promise<Result>,
): Promise<Result> {
  return withDatabase(options, async database => act(await database.connect()));
}

function plainRow(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plainValue(value)]));
}

function plainValue(value: unknown): unknown {
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : String(value);
  }
  if (Array.isArray(value)) return value.map(plainValue);
  return value;
}

/**
 * The first line of a DuckDB error, without its class. Rethrows a shortage of memory or of open files, which says nothing
 * about the data.
 */
export function databaseMessage(error: unknown): string {
  if (isMemoryShortage(error) || isFileShortage(error)) throw error;
  const text = error instanceof Error ? error.message : String(error);
  return (text.split('\n')[0] ?? text).replace(/^(\w+ )+Error: /, '');
}
