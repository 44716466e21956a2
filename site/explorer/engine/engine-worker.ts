/** The engine's worker: reads, decodes and computes while the page stays responsive. */
import duckdbModule from '@duckdb/duckdb-wasm/dist/duckdb-eh.wasm.gz?url';
import { TreeMismatch } from '../../edge/files/files.ts';
import { HostError } from '../../edge/files/watched-fetch.ts';
import { buffersOf } from './coded-rows.ts';
import {
  EngineError,
  type FromWorker,
  type Progress,
  READ_CHANNEL,
  type TaskMessage,
  type ToWorker,
  type Trouble,
} from './engine.ts';
import { inTime, ScriptMissing } from './patience.ts';
import { readRows } from './rows-answer.ts';
import type { SqlAnswers } from './sql-answer.ts';
import { openTree, type Tree } from './tree-reader.ts';

/** A worker's scope, which the types of a page lack. */
interface WorkerScope {
  postMessage(message: FromWorker): void;
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
}

const scope = self as unknown as WorkerScope;
let tree: Tree | null = null;
let sql: Promise<SqlAnswers> | null = null;

scope.onmessage = ({ data, ports: [port] }) => {
  if (port) void answer(data, port);
};
scope.postMessage('ready');

const channel = new BroadcastChannel(READ_CHANNEL);
const report = () => channel.postMessage(performance.getEntriesByType('resource').map(({ name }) => name));
channel.onmessage = ({ data }) => {
  if (data === 'report') report();
};

async function answer({ root, silence, task }: ToWorker, port: MessagePort): Promise<void> {
  const control = new AbortController();
  const { signal } = control;
  port.onmessage = () => control.abort();
  const say = (message: TaskMessage, transfer: Transferable[] = []) => port.postMessage(message, transfer);
  const onProgress = (progress: Progress) => say({ kind: 'progress', progress });
  try {
    onProgress({ stage: 'plan', done: 0, total: null });
    tree ??= openTree(root, silence);
    const result = await tree(async access => {
      switch (task.kind) {
        case 'rows': {
          const { table } = await access.subject(task.key);
          return readRows(table, task, { files: access.files, signal, expect: access.expect });
        }
        case 'sql': {
          // Loads with the first statement.
          sql ??= inTime(import('./sql-answer.ts')).then(({ openSql }) =>
            openSql(new URL(duckdbModule, import.meta.url), silence),
          );
          return (await sql)(access, task.statement, onProgress);
        }
        default:
          return task satisfies never;
      }
    }, onProgress);
    say({ kind: 'result', result }, buffersOf(result.table));
  } catch (error) {
    // The browser remembers a missing script for as long as the worker lives.
    if (error instanceof ScriptMissing) return scope.postMessage('broken');
    const message = error instanceof Error ? error.message : String(error);
    say({ kind: 'failure', message, trouble: troubleOf(error) });
  } finally {
    report();
  }
}

/** Null if the reader can't be told why. */
function troubleOf(error: unknown): Trouble | null {
  if (error instanceof EngineError) return error.trouble;
  if (error instanceof TreeMismatch) return { kind: 'mismatch', path: error.path, words: error.message };
  if (error instanceof HostError) return { kind: 'rows', status: error.status, silence: error.silence };
  return null;
}
