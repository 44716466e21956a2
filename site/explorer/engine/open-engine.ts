/** The page's side of the engine. A worker does the work. */
import { type AskOptions, type Engine, EngineError } from './engine.ts';
import type { FromWorker, Task, TaskResult, ToWorker } from './messages.ts';
import { openPacked } from './packed-table.ts';
import { SCRIPT_PATIENCE, SILENCE } from './patience.ts';

/** Milliseconds in which the worker must stop a cancelled task, or the page ends the worker. */
const PATIENCE = 1000;

interface Waiting {
  readonly task: Task;
  readonly options: AskOptions;
  done(result: TaskResult): void;
  fail(error: Error): void;
}

/** Loads nothing before `prepare` or the first question. */
export function openEngine(root: URL): Engine {
  const waiting = new Map<number, Waiting>();
  /** Cancelled tasks that the worker hasn't stopped yet. */
  const cancelled = new Map<number, ReturnType<typeof setTimeout>>();
  let worker: Worker | null = null;
  let starting: ReturnType<typeof setTimeout> | undefined;
  let closed = false;
  let last = 0;

  const send = (message: ToWorker) => {
    worker ??= startWorker();
    worker.postMessage(message);
  };
  const startWorker = () => {
    const started = new Worker(new URL('./engine-worker.ts', import.meta.url), { type: 'module' });
    started.onmessage = ({ data }: MessageEvent<FromWorker>) => receive(data);
    // The worker didn't load, or crashed. The next question starts a new one.
    started.onerror = event => {
      event.preventDefault();
      if (worker === started) giveUp();
    };
    clearTimeout(starting);
    starting = setTimeout(giveUp, SCRIPT_PATIENCE);
    started.postMessage({ kind: 'open', root: root.href, silence: SILENCE } satisfies ToWorker);
    return started;
  };
  const giveUp = () => {
    endWorker();
    failAll(new EngineError({ kind: 'worker' }));
  };
  const endWorker = () => {
    clearTimeout(starting);
    worker?.terminate();
    worker = null;
    for (const timer of cancelled.values()) clearTimeout(timer);
    cancelled.clear();
  };
  /** Sends the waiting tasks to a new worker. */
  const restartWorker = () => {
    endWorker();
    for (const [id, { task }] of waiting) send({ kind: 'task', id, task });
  };
  const receive = (message: FromWorker) => {
    if (message.kind === 'ready') return clearTimeout(starting);
    if (message.kind === 'broken') return giveUp();
    if (message.kind !== 'progress') {
      clearTimeout(cancelled.get(message.id));
      cancelled.delete(message.id);
    }
    const found = waiting.get(message.id);
    if (!found) return;
    switch (message.kind) {
      case 'progress':
        found.options.onProgress?.(message.progress);
        return;
      case 'result':
        waiting.delete(message.id);
        found.done(message.result);
        return;
      case 'failure':
        waiting.delete(message.id);
        found.fail(message.trouble ? new EngineError(message.trouble) : new Error(message.message));
        return;
      default:
        message satisfies never;
    }
  };
  const failAll = (error: Error) => {
    const all = [...waiting.values()];
    waiting.clear();
    for (const one of all) one.fail(error);
  };
  const run = (task: Task, options: AskOptions = {}): Promise<TaskResult> => {
    const { signal } = options;
    if (closed) return Promise.reject(new Error('The engine is closed.'));
    if (signal?.aborted) return Promise.reject(signal.reason);
    last++;
    const id = last;
    return new Promise<TaskResult>((done, fail) => {
      const cancel = () => {
        if (!waiting.delete(id)) return;
        send({ kind: 'cancel', id });
        cancelled.set(id, setTimeout(restartWorker, PATIENCE));
        fail(signal?.reason);
      };
      const release = () => signal?.removeEventListener('abort', cancel);
      signal?.addEventListener('abort', cancel, { once: true });
      waiting.set(id, {
        task,
        options,
        done: result => {
          release();
          done(result);
        },
        fail: error => {
          release();
          fail(error);
        },
      });
      send({ kind: 'task', id, task });
    });
  };

  return {
    prepare() {
      if (!closed) worker ??= startWorker();
    },
    async first(key, parameters, limit, options) {
      const { table, total } = await run({ kind: 'rows', key, parameters, limit, sort: null }, options);
      return { table: openPacked(table), total };
    },
    async ask(key, parameters, sort, options) {
      return openPacked((await run({ kind: 'rows', key, parameters, limit: null, sort }, options)).table);
    },
    async sql(statement, options) {
      const { table, total } = await run({ kind: 'sql', statement }, options);
      return { ...openPacked(table), more: total === null };
    },
    async close() {
      closed = true;
      endWorker();
      failAll(new Error('The engine was closed.'));
    },
  };
}
