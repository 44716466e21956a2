/** The one door to DuckDB: an instance with bounded memory, and connections that run SQL text. */
import path from 'node:path';
import { type DuckDBConnection, DuckDBInstance, version } from '@duckdb/node-api';
import { isMemoryShortage } from './memory-shortage.ts';
import { literal, literals } from './sql.ts';

export interface DatabaseOptions {
  readonly threads: number;
  /** Such as `800MB`; beyond it DuckDB spills to `temporaryFolder`. */
  readonly memoryLimit: string;
  readonly temporaryFolder: string;
}

/** Below this DuckDB has no room for one statement: a part of the memory is never smaller. */
const LEAST_MEGABYTES = 128;

/** The same with a part of the memory and of the threads, for databases that are open at the same time. */
export function portionOf(options: DatabaseOptions, parts: number): DatabaseOptions {
  const threads = Math.max(1, Math.floor(options.threads / parts));
  return { ...options, threads, memoryLimit: limitOf(megabytesOf(options) / parts) };
}

/**
 * Of one thread, for several sessions that work side by side: each works on the thread that waits for it. A COPY of one
 * thread keeps its rows' order as it streams, where one of several threads holds whole row groups back to sort them out.
 */
export function ofOneThread(options: DatabaseOptions, sessions: number): DatabaseOptions {
  const memoryLimit = limitOf(Math.max(megabytesOf(options), sessions * LEAST_MEGABYTES));
  return { ...options, threads: 1, memoryLimit };
}

/** Megabytes of 10^6 bytes. */
function megabytesOf({ memoryLimit }: DatabaseOptions): number {
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

/** Databases opened by this process, so that each spills to a folder of its own. */
let opened = 0;

export class Database {
  readonly #instance: DuckDBInstance;
  readonly #sessions: Session[] = [];

  private constructor(instance: DuckDBInstance) {
    this.#instance = instance;
  }

  static async open(options: DatabaseOptions): Promise<Database> {
    return new Database(
      await DuckDBInstance.create(':memory:', {
        threads: String(options.threads),
        memory_limit: options.memoryLimit,
        // Two databases in one folder would write over each other's spilled blocks.
        temp_directory: path.join(options.temporaryFolder, `database-${process.pid}-${++opened}`),
        autoinstall_known_extensions: 'false',
        autoload_known_extensions: 'false',
      }),
    );
  }

  /** Sets other limits than it was opened with. */
  async limit({ threads, memoryLimit }: Omit<DatabaseOptions, 'temporaryFolder'>): Promise<void> {
    const session = await this.connect();
    await session.run(`SET threads = ${threads}; SET memory_limit = ${literal(memoryLimit)}`);
  }

  async connect(): Promise<Session> {
    const session = new Session(await this.#instance.connect());
    this.#sessions.push(session);
    return session;
  }

  /**
   * From here on no statement can read or write a file or change a setting; cannot be undone. Statements of
   * contracts run only after this. `readable` are the files that views stand for.
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

  constructor(connection: DuckDBConnection) {
    this.#connection = connection;
  }

  async run(sql: string): Promise<void> {
    await this.#connection.run(sql);
  }

  /** All rows; 64-bit integers come as numbers, those beyond 2^53 as text. */
  async rows<Row = SqlRow>(sql: string): Promise<Row[]> {
    const reader = await this.#connection.runAndReadAll(sql);
    return reader.getRowObjectsJS().map(plainRow) as Row[];
  }

  /** The first rows of a query whose rows nobody has counted, some 2,000 at most; the rest is not made. */
  async firstRows<Row = SqlRow>(sql: string, count: number): Promise<Row[]> {
    const reader = await this.#connection.streamAndReadUntil(sql, count);
    return reader.getRowObjectsJS().map(plainRow) as Row[];
  }

  /** The one row of a query that returns one. */
  async row<Row = SqlRow>(sql: string): Promise<Row> {
    const [first] = await this.rows<Row>(sql);
    if (first === undefined) throw new Error('A query that must return one row returned none.');
    return first;
  }

  /** Binds a statement without running it; rejects where it does not bind. Returns its result's column types. */
  async bind(sql: string): Promise<string[]> {
    const prepared = await this.#connection.prepare(sql);
    const types = Array.from({ length: prepared.columnCount }, (_, i) => String(prepared.columnType(i)));
    prepared.destroySync();
    return types;
  }

  /** Runs statements, and interrupts the one that is running when the time is over. */
  async within<Result>(seconds: number, run: () => Promise<Result>): Promise<Result> {
    const timer = setTimeout(() => this.#connection.interrupt(), seconds * 1000);
    try {
      return await run();
    } finally {
      clearTimeout(timer);
    }
  }

  close(): void {
    this.#connection.closeSync();
  }
}

/** A session that is made when it is asked for: most who might need one do not. */
export type SessionSource = () => Promise<Session>;

/** Runs with a database of its own, which is closed then. */
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

/** A session of a database of its own, for as long as it is used. */
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

/** Such as `v1.5.5`. */
export function duckDbVersion(): string {
  return version();
}

/**
 * The first line of a DuckDB error, without its class: what a person can use. Throws the error where memory ran out, which
 * says nothing of what was read.
 */
export function databaseMessage(error: unknown): string {
  if (isMemoryShortage(error)) throw error;
  const text = error instanceof Error ? error.message : String(error);
  return (text.split('\n')[0] ?? text).replace(/^(\w+ )+Error: /, '');
}
