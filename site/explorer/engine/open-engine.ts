/** The page's side of the engine. A worker does the work, and answers each task on its own port. */
import { openRows } from './coded-rows.ts';
import {
  type AskOptions,
  type Engine,
  EngineError,
  type FoundRows,
  type FromWorker,
  type Task,
  type TaskMessage,
  type ToWorker,
} from './engine.ts';
import { SCRIPT_PATIENCE, ScriptMissing, SILENCE } from './patience.ts';

/** Starts its worker, so the script is there when the first question comes. */
export function openEngine(root: URL): Engine {
  /** What ends each task without an answer. */
  const unanswered = new Set<(error: unknown) => void>();
  let worker: Worker | null = null;
  let starting: ReturnType<typeof setTimeout> | undefined;

  const startWorker = () => {
    const started = new Worker(new URL('./engine-worker.ts', import.meta.url), { type: 'module' });
    // The worker or a script of it didn't load, or it crashed. The next question starts a new one.
    const giveUp = () => {
      if (worker === started) endWorker(new ScriptMissing('The worker did not start.'));
    };
    started.onmessage = ({ data }: MessageEvent<FromWorker>) =>
      data === 'ready' ? clearTimeout(starting) : giveUp();
    started.onerror = event => {
      event.preventDefault();
      giveUp();
    };
    starting = setTimeout(giveUp, SCRIPT_PATIENCE);
    return started;
  };
  const endWorker = (error: unknown) => {
    clearTimeout(starting);
    worker?.terminate();
    worker = null;
    for (const fail of [...unanswered]) fail(error);
  };
  const run = (task: Task, { signal, onProgress }: AskOptions = {}) =>
    new Promise<FoundRows>((done, fail) => {
      signal?.throwIfAborted();
      const { port1: port, port2 } = new MessageChannel();
      const settle = () => {
        unanswered.delete(refuse);
        signal?.removeEventListener('abort', cancel);
        port.close();
      };
      const refuse = (error: unknown) => {
        settle();
        fail(error);
      };
      const cancel = () => {
        // DuckDB can't be interrupted. It and its tables load again from the browser's cache.
        if (task.kind === 'sql') return endWorker(signal?.reason);
        port.postMessage('cancel');
        refuse(signal?.reason);
      };
      port.onmessage = ({ data }: MessageEvent<TaskMessage>) => {
        switch (data.kind) {
          case 'progress':
            onProgress?.(data.progress);
            return;
          case 'result':
            settle();
            done({ ...data.result, table: openRows(data.result.table) });
            return;
          case 'failure':
            refuse(data.trouble ? new EngineError(data.trouble) : new Error(data.message));
            return;
          default:
            data satisfies never;
        }
      };
      signal?.addEventListener('abort', cancel, { once: true });
      unanswered.add(refuse);
      worker ??= startWorker();
      worker.postMessage({ root: root.href, silence: SILENCE, task } satisfies ToWorker, [port2]);
    });

  worker = startWorker();
  return {
    ask: (key, parameters, { limit = null, sort = null, ...options } = {}) =>
      run({ kind: 'rows', key, parameters, limit, sort }, options),
    sql: (statement, options) => run({ kind: 'sql', statement }, options),
  };
}
