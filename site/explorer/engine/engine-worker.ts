/** The engine's worker: reads, decodes and computes while the page stays responsive. */
import duckdbModule from '@duckdb/duckdb-wasm/dist/duckdb-eh.wasm.gz?url';
import { TreeMismatch } from '../../edge/files/files.ts';
import { HostError } from '../../edge/files/watched-fetch.ts';
import { EngineError, type Progress } from './engine.ts';
import { type FromWorker, READ_CHANNEL, type Task, type TaskResult, type ToWorker } from './messages.ts';
import { packedBuffers } from './packed-table.ts';
import { inTime, ScriptMissing } from './patience.ts';
import { readRows, type TaskControl } from './rows-answer.ts';
import type { SqlAnswers } from './sql-answer.ts';
import { openTree, type TreeAccess } from './tree-reader.ts';

/** A worker's scope, which the types of a page lack. */
interface WorkerScope {
  postMessage(message: FromWorker, transfer?: readonly Transferable[]): void;
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
}

const scope = self as unknown as WorkerScope;
const running = new Map<number, AbortController>();
let answer: (task: Task, options: TaskOptions) => Promise<TaskResult>;

scope.onmessage = ({ data }) => {
  switch (data.kind) {
    case 'open':
      answer = openTasks(data.root, new URL(duckdbModule, import.meta.url), data.silence);
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
    const result = await answer(task, {
      signal: control.signal,
      onProgress: progress => scope.postMessage({ kind: 'progress', id, progress }),
    });
    scope.postMessage({ kind: 'result', id, result }, packedBuffers(result.table));
  } catch (error) {
    // The browser remembers a missing script for as long as the worker lives.
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
  onProgress(progress: Progress): void;
}

/**
 * `root` is the tree's root, ending in a slash; `module` the address of DuckDB's module; `silence` the milliseconds without
 * a byte after which a read fails. A task rejects with EngineError if the reader can be told why.
 */
function openTasks(root: string, module: URL, silence: number): typeof answer {
  const tree = openTree(root, silence);
  let sql: Promise<SqlAnswers> | null = null;
  return async (task, { signal, onProgress }) => {
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
    const answerFrom = async (access: TreeAccess): Promise<TaskResult> => {
      switch (task.kind) {
        case 'rows':
          return readRows(access, task, control);
        case 'sql':
          // Loads with the first statement.
          sql ??= inTime(import('./sql-answer.ts')).then(({ openSql }) => openSql(module, silence));
          return (await sql)(access, task.statement, control, onProgress);
        default:
          return task satisfies never;
      }
    };
    try {
      onProgress({ stage: 'plan', done: 0, total: null });
      return await tree(answerFrom, onBytes);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof TreeMismatch)
        throw new EngineError({ kind: 'mismatch', path: error.path, words: error.message });
      if (error instanceof HostError)
        throw new EngineError({ kind: 'rows', status: error.status, silence: error.silence });
      throw error;
    }
  };
}
