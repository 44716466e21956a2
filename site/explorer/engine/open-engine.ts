/** The page's side of the engine. A worker does the work, and answers each task on its own port. */
import { openRows } from './coded-rows.ts';
import {
  type AskOptions,
  type Engine,
  EngineError,
  type FromWorker,
  type Task,
  type TaskMessage,
  type TaskResult,
  type ToWorker,
} from './engine.ts';
import { SCRIPT_PATIENCE, SILENCE } from './patience.ts';

/** Loads nothing before `prepare` or the first question. */
export function openEngine(root: URL): Engine {
  /** What ends each task without an answer. */
  const unanswered = new Set<(error: unknown) => void>();
  let worker: Worker | null = null;
  let starting: ReturnType<typeof setTimeout> | undefined;
  let closed = false;

  const startWorker = () => {
    const started = new Worker(new URL('./engine-worker.ts', import.meta.url), { type: 'module' });
    // The worker or a script of it didn't load, or it crashed. The next question starts a new one.
    const giveUp = () => {
      if (worker === started) endWorker(new EngineError({ kind: 'worker' }));
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
    new Promise<TaskResult>((done, fail) => {
      if (closed) throw new Error('The engine is closed.');
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
            done(data.result);
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

  return {
    prepare() {
      if (!closed) worker ??= startWorker();
    },
    async first(key, parameters, limit, options) {
      const { table, total } = await run({ kind: 'rows', key, parameters, limit, sort: null }, options);
      return { table: openRows(table), total };
    },
    async ask(key, parameters, sort, options) {
      return openRows((await run({ kind: 'rows', key, parameters, limit: null, sort }, options)).table);
    },
    async sql(statement, options) {
      const { table, total } = await run({ kind: 'sql', statement }, options);
      return { ...openRows(table), more: total === null };
    },
    async close() {
      closed = true;
      endWorker(new Error('The engine was closed.'));
    },
  };
}
