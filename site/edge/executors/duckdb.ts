/** DuckDB for large scans, where the tree is a folder of this machine. Node only. */
import { readdirSync } from 'node:fs';
import os from 'node:os';
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { dateText, timestampText } from '../../../build/format/time-text.ts';
import type { ColumnValues } from '../../query/encode.ts';
import type { Value } from '../../query/order.ts';
import type { ScanPlan } from '../../query/plan.ts';
import { quoteText } from '../../query/select-sql.ts';
import { renderScan } from '../../query/sql.ts';
import { TreeMismatch } from '../files/files.ts';
import { type Batch, type Budget, BudgetExceeded, type Executor, type ScanContext } from './executor.ts';
import { Gate } from './gate.ts';
import { proveSources } from './proved-sources.ts';

export interface DuckdbOptions {
  /** The tree's absolute path. DuckDB may read in it and nowhere else. */
  readonly folder: string;
  readonly budget: Budget;
  readonly threads?: number;
  /** Of its threads, as `nice` counts; by default that of the program. */
  readonly priority?: number;
  /** As DuckDB writes it, such as `512MB`; by default most of the machine's. */
  readonly memory?: string;
}

/** Reads by DuckDB at once. A slow reader holds no turn between two reads. */
const MOST_AT_ONCE = 4;

export function createDuckdbExecutor({
  folder,
  budget,
  threads = 2,
  priority = 0,
  memory,
}: DuckdbOptions): Executor {
  const base = `${folder.replace(/\/$/, '')}/`;
  let instance: Promise<DuckDBInstance> | null = null;
  const gate = new Gate(MOST_AT_ONCE);
  return {
    name: 'duckdb',
    budget,
    async *scan(plan, limit, context) {
      if (plan.bytes > budget.bytes)
        throw new BudgetExceeded(`more than ${budget.bytes} bytes of row groups`);
      if (plan.sources.length === 0) return;
      await proveSources(context.files, plan.sources, { footers: true }, context.signal);
      const settings = { threads: String(threads), ...(memory !== undefined && { memory_limit: memory }) };
      instance ??= withPriority(priority, () => openInstance(base, settings));
      const connection = await (await instance).connect();
      const stop = () => connection.interrupt();
      context.signal?.addEventListener('abort', stop);
      try {
        yield* scanRows(connection, gate, plan, renderScan(plan, base, limit), base, context);
      } finally {
        context.signal?.removeEventListener('abort', stop);
        connection.disconnectSync();
      }
    },
  };
}

/**
 * A database that can read the tree's files and nothing else, with locked settings. DuckDB is loaded when first needed.
 */
async function openInstance(base: string, settings: Record<string, string>): Promise<DuckDBInstance> {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const instance = await DuckDBInstance.create(':memory:', settings);
  const connection = await instance.connect();
  await connection.run(`SET allowed_directories = [${quoteText(base)}]`);
  await connection.run('SET enable_external_access = false');
  await connection.run('SET preserve_insertion_order = true');
  await connection.run('SET lock_configuration = true');
  connection.disconnectSync();
  return instance;
}

/** Gives the threads that begin in `open` a priority. Only Linux has one for each thread. */
async function withPriority<Opened>(priority: number, open: () => Promise<Opened>): Promise<Opened> {
  if (priority === 0 || process.platform !== 'linux') return open();
  const before = new Set(readdirSync(THREADS));
  const opened = await open();
  for (const thread of readdirSync(THREADS).filter(one => !before.has(one)))
    try {
      os.setPriority(Number(thread), priority);
    } catch {
      // It has ended.
    }
  return opened;
}

const THREADS = '/proc/self/task';

async function* scanRows(
  connection: DuckDBConnection,
  gate: Gate,
  plan: ScanPlan,
  sql: string,
  base: string,
  { signal }: ScanContext,
): AsyncGenerator<Batch> {
  signal?.throwIfAborted();
  try {
    const result = await gate.pass(() => connection.stream(sql));
    for (;;) {
      signal?.throwIfAborted();
      const chunk = await gate.pass(() => result.fetchChunk());
      if (!chunk || chunk.rowCount === 0) return;
      signal?.throwIfAborted();
      const columns = chunk.getColumns().map((values): ColumnValues => Array.from(values, toValue));
      yield { rows: chunk.rowCount, columns };
    }
  } catch (error) {
    if (signal?.aborted) throw error;
    if (/^Out of Memory Error/.test(firstLine(error)))
      throw new BudgetExceeded('more memory than the server gives to one scan');
    throw new TreeMismatch(
      plan.sources[0]?.file.path ?? '',
      `cannot be read: ${firstLine(error).replaceAll(base, '')}`,
    );
  }
}

function toValue(value: unknown): Value {
  if (typeof value === 'bigint') return Number(value);
  if (isDays(value)) return dateText(value.days);
  if (isMicros(value)) return timestampText(value.micros);
  return value === undefined ? null : (value as Value);
}

/** DuckDB's DATE. */
function isDays(value: unknown): value is { readonly days: number } {
  return typeof value === 'object' && value !== null && 'days' in value && typeof value.days === 'number';
}

/** DuckDB's TIMESTAMP and TIMESTAMPTZ. */
function isMicros(value: unknown): value is { readonly micros: bigint } {
  return typeof value === 'object' && value !== null && 'micros' in value && typeof value.micros === 'bigint';
}

function firstLine(error: unknown): string {
  return String(error instanceof Error ? error.message : error).split('\n', 1)[0]!;
}
