/** The engine's own thread: reads, decodes and computes, so that the page stays responsive. */

import duckdbModule from '@duckdb/duckdb-wasm/dist/duckdb-eh.wasm.gz?url';
import { TreeMismatch } from '../../edge/files/files.ts';
import { HostError } from '../../edge/files/watched-fetch.ts';
import { EngineError, type Progress } from './engine.ts';
import { type FromWorker, READ_CHANNEL, type Task, type TaskResult, type ToWorker } from './messages.ts';
import { packedBuffers } from './packed-table.ts';
import { inTime, ScriptMissing, SILENCE } from './patience.ts';
import { readRows, type TaskControl } from './rows-answer.ts';
import type { SqlAnswers } from './sql-answer.ts';
import { type TreeAccess, TreeReader } from './tree-reader.ts';

/** The part of a worker's scope that this file uses: the page's types lack it. */
interface WorkerScope {
  postMessage(message: FromWorker, transfer?: readonly Transferable[]): void;
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
}

const scope = self as unknown as WorkerScope;
const running = new Map<number, AbortController>();
let runner: TaskRunner | null = null;

scope.onmessage = ({ data }) => {
  switch (data.kind) {
    case 'open':
      runner = new TaskRunner(data.root, new URL(duckdbModule, import.meta.url), data.silence);
      scope.postMessage({ kind: 'ready' });
      return;
    case 'task':
      void runTask(data.id, data.task);
      return;
    case 'cancel':
      running.get(data.id)?.abort();
      return;
    default:
      data satisfies never;
  }
};

const channel = new BroadcastChannel(READ_CHANNEL);
const report = () => channel.postMessage(performance.getEntriesByType('resource').map(({ name }) => name));
channel.onmessage = ({ data }) => {
  if (data === 'report') report();
};

async function runTask(id: number, task: Task): Promise<void> {
  const control = new AbortController();
  running.set(id, control);
  try {
    const result = await runner!.run(task, {
      signal: control.signal,
      onProgress: progress => scope.postMessage({ kind: 'progress', id, progress }),
    });
    scope.postMessage({ kind: 'result', id, result }, packedBuffers(result.table));
  } catch (error) {
    // A browser remembers that a script was missing for as long as the worker lives.
    if (error instanceof ScriptMissing) return scope.postMessage({ kind: 'broken' });
    const message = error instanceof Error ? error.message : String(error);
    const trouble = error instanceof EngineError ? error.trouble : null;
    scope.postMessage({ kind: 'failure', id, message, trouble });
  } finally {
    running.delete(id);
    report();
  }
}

interface TaskOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

class TaskRunner {
  private readonly reader: TreeReader;
  private readonly module: URL;
  private readonly silence: number;
  private sql: Promise<SqlAnswers> | null = null;

  /**
   * `root` is the tree's root, ending in a slash; `module` is the address of DuckDB's module; `silence` is the number
   * of milliseconds without a byte after which a read gives up.
   */
  constructor(root: string, module: URL, silence = SILENCE) {
    this.reader = new TreeReader(root, silence);
    this.module = module;
    this.silence = silence;
  }

  /** Rejects with EngineError if the reader is to be told why. */
  async run(task: Task, { signal, onProgress }: TaskOptions): Promise<TaskResult> {
    let done = 0;
    let total: number | null = null;
    const onBytes = (bytes: number) => {
      done += bytes;
      onProgress({ stage: 'fetch', done, total: total === null ? null : Math.max(done, total) });
    };
    const control: TaskControl = {
      signal,
      expectBytes: bytes => {
        done = 0;
        total = bytes;
      },
    };
    try {
      onProgress({ stage: 'plan', done: 0, total: null });
      return await this.reader.run(access => this.answer(access, task, control, onProgress), onBytes);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof TreeMismatch)
        throw new EngineError({ kind: 'mismatch', path: error.path, words: error.message });
      if (error instanceof HostError) {
        const { status, silence } = error;
        throw new EngineError({ kind: 'rows', status, silence });
      }
      throw error;
    }
  }

  private answer(
    access: TreeAccess,
    task: Task,
    control: TaskControl,
    onProgress: TaskOptions['onProgress'],
  ): Promise<TaskResult> {
    switch (task.kind) {
      case 'rows':
        return readRows(access, task, control);
      case 'sql':
        return this.openSql().then(sql => sql.answer(access, task.statement, control, onProgress));
      default:
        return task satisfies never;
    }
  }

  /** Loaded on first use. */
  private openSql(): Promise<SqlAnswers> {
    this.sql ??= inTime(import('./sql-answer.ts')).then(
      ({ SqlAnswers }) => new SqlAnswers(this.module, this.silence),
    );
    return this.sql;
  }
}
