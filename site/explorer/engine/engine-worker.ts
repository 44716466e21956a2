/** The engine's own thread: reads, decodes and computes, so that the page stays responsive. */
import duckdbModule from '@duckdb/duckdb-wasm/dist/duckdb-eh.wasm.gz?url';
import { EngineError } from './engine.ts';
import { type FromWorker, READ_CHANNEL, type Task, type ToWorker } from './messages.ts';
import { packedBuffers } from './packed-table.ts';
import { ScriptMissing } from './patience.ts';
import { TaskRunner } from './task-runner.ts';

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
