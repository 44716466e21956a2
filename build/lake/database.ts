/** The only access to DuckDB: an instance with bounded memory, and sessions that run SQL. */

import { closeSync, openSync, writeSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { isFileShortage } from '../system-error.ts';
import { literal, literals } from './sql.ts';

export interface DatabaseOptions {
  readonly threads: number;
  /** Such as `800MB`; beyond it DuckDB spills to `temporaryFolder`. */
  readonly memoryLimit: string;
  readonly temporaryFolder: string;
}

/** DuckDB needs at least this much for a statement. */
const LEAST_MEGABYTES = 128;

/** Divides threads and memory among databases that are open at the same time. */
export function portionOf(options: DatabaseOptions, databases: number): DatabaseOptions {
  const threads = Math.max(1, Math.floor(options.threads / databases));
  return { ...options, threads, memoryLimit: limitOf(megabytesOf(options) / databases) };
}

/**
 * For sessions that run in parallel, each on its caller's thread. With one thread, a COPY streams rows in
 * order; with several, it buffers whole row groups to restore their order.
 */
export function ofOneThread(options: DatabaseOptions, sessions: number): DatabaseOptions {
  const memoryLimit = limitOf(Math.max(megabytesOf(options), sessions * LEAST_MEGABYTES));
  return { ...options, threads: 1, memoryLimit };
}

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
    // Otherwise timestamps would depend on the machine's time zone.
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
   * From now on, statements can only read the files in `readable`, and can't change settings. Call it before
   * running a contract's SQL. It can't be undone.
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

  constructor(connection: DuckDBConnection, bytes: number) {
    this.#connection = connection;
    this.#bytes = bytes;
  }

  async run(sql: string): Promise<void> {
    await this.#connection.run(sql);
  }

  /** 64-bit integers become numbers, or texts beyond 2^53. */
  async rows<Row = SqlRow>(sql: string): Promise<Row[]> {
    const reader = await this.#connection.runAndReadAll(sql);
    return reader.getRowObjectsJS().map(plainRow) as Row[];
  }

  /** Computes only the first `count` rows, rounded up to DuckDB's chunks of 2,048. */
  async firstRows<Row = SqlRow>(sql: string, count: number): Promise<Row[]> {
    const reader = await this.#connection.streamAndReadUntil(sql, count);
    return reader.getRowObjectsJS().map(plainRow) as Row[];
  }

  async row<Row = SqlRow>(sql: string): Promise<Row> {
    const [first] = await this.rows<Row>(sql);
    if (first === undefined) throw new Error('A query that must return one row returned none.');
    return first;
  }

  /** The types of a table's or query's columns, by name. */
  async typesOf(source: string): Promise<Map<string, string>> {
    const columns = await this.rows<{ column_name: string; column_type: string }>(`DESCRIBE ${source}`);
    return new Map(columns.map(column => [column.column_name, column.column_type]));
  }

  /** Binds a statement without running it; rejects if it doesn't bind. Returns the types of its columns. */
  async bind(sql: string): Promise<string[]> {
    const prepared = await this.#connection.prepare(sql);
    const types = Array.from({ length: prepared.columnCount }, (_, i) => String(prepared.columnType(i)));
    prepared.destroySync();
    return types;
  }

  /**
   * Interrupts a statement after the given time, or if it takes far more memory than the database may (throws
   * MemoryExceeded). `onRunaway` ends the process if the interruption has no effect.
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

export async function withSession<Result>(
  options: DatabaseOptions,
  act: (session: Session) => Promise<Result>,
): Promise<Result> {
  return withDatabase(options, async database => act(await database.connect()));
}

/** Like withSession, but opens the database when `act` first asks for the session. */
export async function withSessionLater<Result>(
  options: DatabaseOptions,
  act: (session: () => Promise<Session>) => Promise<Result>,
): Promise<Result> {
  let database: Database | undefined;
  let session: Session | undefined;
  try {
    return await act(async () => {
      database ??= await Database.open(options);
      session ??= await database.connect();
      return session;
    });
  } finally {
    database?.close();
  }
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
 * The first line of a DuckDB error, without its class. Rethrows a shortage of memory or open files, which
 * isn't the data's fault.
 */
export function databaseMessage(error: unknown): string {
  if (isMemoryShortage(error) || isFileShortage(error)) throw error;
  const text = error instanceof Error ? error.message : String(error);
  return (text.split('\n')[0] ?? text).replace(/^(\w+ )+Error: /, '');
}

export class MemoryShortage extends Error {
  readonly what: string;

  constructor(what: string, cause: unknown) {
    super(`DuckDB ran out of memory while it worked on ${what}`, { cause });
    this.what = what;
  }
}

export function isMemoryShortage(error: unknown): error is Error {
  if (error instanceof MemoryShortage) return true;
  return error instanceof Error && /(^|: )Out of Memory Error/.test(error.message);
}

const work = new WeakMap<Error, string>();

/** What was being worked on when the error came up, such as a file; null if unknown. */
export function workOf(error: unknown): string | null {
  return error instanceof Error ? (work.get(error) ?? null) : null;
}

/** Names the work of `act` in errors and in the work note. The innermost name wins. */
export async function withinMemory<Result>(what: string, act: () => Promise<Result>): Promise<Result> {
  try {
    return await noteWork(what, act);
  } catch (error) {
    if (error instanceof Error && !work.has(error)) work.set(error, what);
    throw isMemoryShortage(error) && !(error instanceof MemoryShortage)
      ? new MemoryShortage(what, error)
      : error;
  }
}

export class MemoryExceeded extends Error {
  override readonly name = 'MemoryExceeded';
}

interface MemoryWatch {
  /** In bytes. */
  readonly most: number;
  readonly interrupt: () => void;
  /**
   * Called if memory keeps growing: DuckDB checks for interruptions only between steps, so only the end of
   * the process helps.
   */
  readonly onRunaway: (() => void) | undefined;
}

const EVERY = 20;

/** Memory outside DuckDB's limit: rows in transit, and the program's objects. */
const BESIDE = 512e6;

/**
 * Watches the process's memory while a contract's SQL runs. DuckDB's limit doesn't count what functions
 * allocate for their results: one call of repeat() can take gigabytes. Throws MemoryExceeded.
 */
async function watchMemory<Result>(
  { most, interrupt, onRunaway }: MemoryWatch,
  run: () => Promise<Result>,
): Promise<Result> {
  const start = process.memoryUsage.rss();
  let exceeded = false;
  const timer = setInterval(() => {
    const grown = process.memoryUsage.rss() - start;
    if (grown < most + BESIDE) return;
    exceeded = true;
    interrupt();
    if (grown > 2 * most + BESIDE) onRunaway?.();
  }, EVERY);
  try {
    const result = await run();
    // It finished in time by chance; another time it might not.
    if (exceeded) throw new MemoryExceeded();
    return result;
  } catch (error) {
    throw exceeded ? new MemoryExceeded() : error;
  } finally {
    clearInterval(timer);
  }
}

/**
 * A file in each command's temporary folder that names the work in progress. It survives if DuckDB crashes
 * the process.
 */
const NOTE = 'at-work';

let folder: string | null = null;
/** Stays open: replacing a file makes some disks flush it first, which is slow. */
let file: number | null = null;
let longest = 0;
const underWay: string[] = [];

/** Null stops taking notes. The folder needn't exist yet. */
export function noteWorkIn(temporary: string | null): void {
  folder = temporary;
  if (file !== null) closeSync(file);
  [file, longest] = [null, 0];
}

export async function noteWork<Result>(what: string, act: () => Promise<Result>): Promise<Result> {
  underWay.push(what);
  writeNote();
  try {
    return await act();
  } finally {
    underWay.splice(underWay.indexOf(what), 1);
    writeNote();
  }
}

function writeNote(): void {
  if (folder === null) return;
  const text = Buffer.from(underWay.join('\n'));
  longest = Math.max(longest, text.length);
  // Empty lines overwrite the rest of a longer note.
  const lines = Buffer.alloc(longest, '\n');
  text.copy(lines);
  try {
    file ??= openSync(path.join(folder, NOTE), 'w');
    writeSync(file, lines, 0, longest, 0);
  } catch {
    // There is no folder yet, or the disk is full. The work will report it.
  }
}

/** What ended commands were working on. */
export async function readWorkNotes(temporary: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of await readdir(temporary).catch(() => [])) {
    const text = await readFile(path.join(temporary, name, NOTE), 'utf8').catch(() => '');
    found.push(...text.split('\n').filter(Boolean));
  }
  return [...new Set(found)].sort();
}

/**
 * Like Promise.all, but waits for all promises even if one rejects, so that no database is closed while a
 * statement runs.
 */
export async function allEnded<Results extends readonly unknown[]>(
  running: readonly [...{ [Index in keyof Results]: Promise<Results[Index]> }],
): Promise<Results> {
  await Promise.allSettled(running);
  return (await Promise.all(running)) as unknown as Results;
}

/**
 * Runs each task on the next free worker, such as a session; results keep the order of the tasks. After a
 * failure, no further task starts.
 */
export async function spread<Worker, Task, Result>(
  workers: readonly Worker[],
  tasks: readonly Task[],
  act: (worker: Worker, task: Task) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = [...tasks.entries()];
  const work = async (worker: Worker): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [index, task] = next;
      results[index] = await act(worker, task);
    }
  };
  await allEnded(
    workers.map(worker =>
      work(worker).catch(error => {
        queue.length = 0;
        throw error;
      }),
    ),
  );
  return results;
}

/**
 * Like `spread`, but tasks that run out of memory run again one by one, after `alone` has stopped everything
 * else that uses memory.
 */
export async function spreadInMemory<Task>(
  sessions: readonly Session[],
  tasks: readonly Task[],
  act: (session: Session, task: Task) => Promise<void>,
  alone: () => Promise<void>,
): Promise<void> {
  const crowdedOut: Task[] = [];
  await spread(sessions, tasks, async (session, task) => {
    await act(session, task).catch(error => {
      if (!isMemoryShortage(error)) throw error;
      crowdedOut.push(task);
    });
  });
  if (crowdedOut.length === 0) return;
  await alone();
  await spread(sessions.slice(0, 1), crowdedOut, act);
}
