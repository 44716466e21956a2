/**
 * Threads that compute answers, so that the server's own thread is free for stored files whatever a crowd asks.
 * A question waits for a turn, and is refused with 503 where its turn does not come in time.
 */
import os from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Answer, Incoming } from '../../answer.ts';
import type { Weight } from '../../exchange.ts';
import { TreeMismatch } from '../../files/files.ts';
import { refuse } from '../../respond/refusal.ts';
import { FairQueue } from './fair-queue.ts';
import type { FromWorker, NumberedFolder, SentAnswer, ToWorker, WorkerLimits } from './messages.ts';

export interface PoolLimits {
  /** Light questions that the server's own thread works on at once. The way to another thread and back costs as much. */
  readonly here: number;
  /** Questions that wait for a turn. */
  readonly waiting: number;
  /** Milliseconds in which an answer must begin, the wait for a turn included. */
  readonly patience: number;
  /** Bytes of computed answers in memory that readers have not taken yet. One client may hold half of it. */
  readonly held: number;
  /** A thread that has had nothing to do for so many milliseconds ends, and gives its memory back. */
  readonly idle: number;
}

const LIMITS: PoolLimits = { here: 4, waiting: 1000, patience: 30_000, held: 128 << 20, idle: 60_000 };

export interface PoolOptions {
  /** Threads; at least 1. */
  readonly workers: number;
  /** The compiled file of a thread; by default the one beside this file. */
  readonly entry?: URL;
  readonly limits?: Partial<PoolLimits>;
  readonly onError?: (error: unknown) => void;
}

/** The seconds that a refused reader is asked to wait. */
const RETRY_AFTER = '10';

/** Questions that one thread works on at once: DuckDB computes on other threads, and files take a moment to read. */
const TURNS = 2;

/** The most threads that ask DuckDB at once. Each holds one of the four threads with which Node reads files. */
const MOST_LARGE = 2;

/** What an answer in parts may hold: a part here, and the rows that its thread has read ahead. */
const STREAM_BYTES = 2 << 20;

/** The system gives the server's own thread some ten times the time of a thread that computes. */
const PRIORITY = 10;

/** Memory of all threads for decoded row groups. */
const GROUPS_BYTES = 96 << 20;

/**
 * In one turn of its event loop, the server's own thread answers light questions for so many milliseconds, and none while
 * so many questions wait. A turn accepts one connection: in a crowd, a newcomer would wait for hundreds of long turns.
 */
const MOST_A_TURN = 40;
const MOST_WAITING = 16;

interface Task {
  readonly id: number;
  readonly client: string;
  readonly large: boolean;
  readonly folder: NumberedFolder;
  readonly incoming: Incoming;
  readonly settle: (outcome: Answer | Error) => void;
  /** Whether the reader has an answer, or has hung up. Its thread may still be at work. */
  settled: boolean;
}

interface Thread {
  readonly worker: Worker;
  /** Questions that it works on. */
  readonly tasks: Map<number, Task>;
  /** Who waits for the next part of a stream. */
  readonly streams: Map<number, (message: FromWorker | null) => void>;
  idle: NodeJS.Timeout | null;
}

export class ComputePool {
  private readonly options: PoolOptions;
  private readonly limits: PoolLimits;
  private readonly queue: FairQueue<Task>;
  private readonly threads: (Thread | null)[];
  private readonly held = new Map<string, number>();
  private heldBytes = 0;
  private here = 0;
  /** When the first light question of this turn came; null before it. */
  private turn: number | null = null;
  private last = 0;
  private closed = false;

  constructor(options: PoolOptions) {
    this.options = options;
    this.limits = { ...LIMITS, ...options.limits };
    this.queue = new FairQueue(this.limits.waiting);
    this.threads = Array.from({ length: options.workers }, () => null);
  }

  /**
   * The answer, or 503. A light question is answered by `here` while this thread has few of them. Rejects where the
   * reader hangs up.
   */
  ask(
    folder: NumberedFolder,
    incoming: Incoming,
    weight: Weight,
    here: () => Promise<Answer>,
  ): Promise<Answer> {
    const { client = '' } = incoming;
    return weight === 'light' && this.hasTime() && this.hasRoom(client)
      ? this.answerHere(client, here)
      : this.answerElsewhere(folder, incoming, weight === 'heavy');
  }

  private hasTime(): boolean {
    if (this.here >= this.limits.here || this.queue.count > MOST_WAITING) return false;
    const now = performance.now();
    if (this.turn === null)
      setImmediate(() => {
        this.turn = null;
      });
    this.turn ??= now;
    return now - this.turn < MOST_A_TURN;
  }

  async close(): Promise<void> {
    this.closed = true;
    await Promise.all(this.threads.map(thread => thread?.worker.terminate()));
  }

  private async answerHere(client: string, here: () => Promise<Answer>): Promise<Answer> {
    this.here++;
    try {
      const answer = await here();
      if (answer.kind === 'file' || !(answer.body instanceof Uint8Array)) return answer;
      return { ...answer, release: this.hold(client, answer.body.length) };
    } finally {
      this.here--;
    }
  }

  /** `large`: DuckDB computes it. */
  private answerElsewhere(folder: NumberedFolder, incoming: Incoming, large: boolean): Promise<Answer> {
    const { client = '', signal } = incoming;
    return new Promise<Answer>((done, fail) => {
      const hangUp = () => this.abandon(task, new Error('The reader hung up.'));
      const late = setTimeout(() => this.abandon(task, refuseBusy()), this.limits.patience);
      const settle = (outcome: Answer | Error) => {
        task.settled = true;
        clearTimeout(late);
        signal?.removeEventListener('abort', hangUp);
        if (outcome instanceof Error) fail(outcome);
        else done(outcome);
      };
      const task: Task = { id: ++this.last, client, large, folder, incoming, settle, settled: false };
      if (signal?.aborted) return hangUp();
      signal?.addEventListener('abort', hangUp);
      this.queue.add(client, task)?.settle(refuseBusy());
      this.assign();
    });
  }

  /** Gives turns for as long as a thread is free and a task may begin. */
  private assign(): void {
    while (!this.closed) {
      const small = this.freest(false);
      const large = this.freest(true);
      const task =
        small === null
          ? null
          : this.queue.take(one => this.hasRoom(one.client) && (large !== null || !one.large));
      if (!task) return;
      const thread = this.open((task.large ? large : small)!);
      if (thread.idle) clearTimeout(thread.idle);
      thread.tasks.set(task.id, task);
      const { method, root, path, query, origin } = task.incoming;
      const asked = { method, root, path, query, origin };
      post(thread, { kind: 'ask', id: task.id, folder: task.folder, asked });
    }
  }

  /** The number of the thread that has the fewest tasks and can take one more; null where none can. */
  private freest(large: boolean): number | null {
    let found: number | null = null;
    let fewest = TURNS;
    for (const [at, thread] of this.threads.entries()) {
      if (large && (at >= this.largeThreads() || hasLarge(thread))) continue;
      const tasks = thread?.tasks.size ?? 0;
      if (tasks < fewest) [found, fewest] = [at, tasks];
    }
    return found;
  }

  private largeThreads(): number {
    return Math.max(1, Math.min(MOST_LARGE, this.options.workers - 1));
  }

  private hasRoom(client: string): boolean {
    const { held } = this.limits;
    return this.heldBytes < held && (this.held.get(client) ?? 0) < held / 2;
  }

  /** Counts an answer that is in memory already as on its way, until the result is called; null where there is no room. */
  lend(client: string, bytes: number): (() => void) | null {
    return this.hasRoom(client) ? this.hold(client, bytes) : null;
  }

  private hold(client: string, bytes: number): () => void {
    this.held.set(client, (this.held.get(client) ?? 0) + bytes);
    this.heldBytes += bytes;
    let released = false;
    return () => {
      if (released) return;
      released = true;
      this.heldBytes -= bytes;
      const left = (this.held.get(client) ?? 0) - bytes;
      if (left > 0) this.held.set(client, left);
      else this.held.delete(client);
      this.assign();
    };
  }

  /** A reader who hung up, or a deadline, ends the task wherever it is. */
  private abandon(task: Task, outcome: Answer | Error): void {
    const thread = this.threads.find(one => one?.tasks.has(task.id));
    if (thread) {
      post(thread, { kind: 'stop', id: task.id });
      // A thread that does not stop is of no more use.
      const stuck = () => thread.tasks.has(task.id) && void thread.worker.terminate();
      setTimeout(stuck, this.limits.patience).unref();
    } else this.queue.remove(task.client, task);
    task.settle(outcome);
  }

  /** The thread of a number, which starts where it does not run. */
  private open(at: number): Thread {
    const running = this.threads[at];
    if (running) return running;
    const { entry = new URL('./compute-worker.js', import.meta.url), workers } = this.options;
    const limits: WorkerLimits = {
      priority: PRIORITY,
      groupsBytes: Math.floor(GROUPS_BYTES / workers),
      duckdbThreads: Math.max(1, Math.round(workers / this.largeThreads())),
      duckdbMemory: `${Math.max(256, Math.floor(os.totalmem() / 4 / this.largeThreads() / 1e6))}MB`,
    };
    const worker = new Worker(entry, { workerData: limits, resourceLimits: { maxOldGenerationSizeMb: 512 } });
    const thread: Thread = {
      worker,
      tasks: new Map(),
      streams: new Map(),
      idle: null,
    };
    worker.unref();
    worker.on('message', (message: FromWorker) => this.receive(thread, message));
    worker.on('error', error => this.options.onError?.(error));
    worker.on('exit', () => {
      if (this.threads[at] === thread) this.threads[at] = null;
      for (const task of thread.tasks.values()) task.settle(refuseBusy());
      const waiting = [...thread.streams.values()];
      thread.streams.clear();
      for (const wake of waiting) wake(null);
      this.assign();
    });
    this.threads[at] = thread;
    return thread;
  }

  private receive(thread: Thread, message: FromWorker): void {
    if (message.kind === 'error') return this.options.onError?.(new Error(message.message));
    const task = thread.tasks.get(message.id);
    if (!task) return thread.streams.get(message.id)?.(message);
    thread.tasks.delete(message.id);
    if (task.settled) post(thread, { kind: 'stop', id: task.id });
    else if (message.kind === 'answer') task.settle(this.openAnswer(thread, task, message.answer));
    else task.settle(failureOf(message));
    this.rest(thread);
    this.assign();
  }

  private rest(thread: Thread): void {
    if (thread.idle) clearTimeout(thread.idle);
    if (thread.tasks.size > 0 || thread.streams.size > 0) return;
    thread.idle = setTimeout(() => {
      this.threads[this.threads.indexOf(thread)] = null;
      void thread.worker.terminate();
    }, this.limits.idle).unref();
  }

  /** The answer as the server sends it, held until the reader has taken it. */
  private openAnswer(thread: Thread, { id, client }: Task, answer: SentAnswer): Answer {
    if (answer.kind === 'file') return answer;
    const { body } = answer;
    if (body !== 'parts') return { ...answer, body, release: this.hold(client, body?.length ?? 0) };
    const release = this.hold(client, STREAM_BYTES);
    thread.streams.set(id, () => undefined);
    const close = () => {
      if (thread.streams.delete(id)) post(thread, { kind: 'stop', id });
      this.rest(thread);
      release();
    };
    return { ...answer, body: readParts(thread, id), release: close };
  }
}

async function* readParts(thread: Thread, id: number): AsyncGenerator<Uint8Array> {
  for (;;) {
    const message = await new Promise<FromWorker | null>(done => {
      if (!thread.streams.has(id)) return done(null);
      thread.streams.set(id, done);
      post(thread, { kind: 'more', id });
    });
    if (message?.kind === 'part') yield message.bytes;
    else if (message?.kind === 'end') return;
    else throw failureOf(message);
  }
}

function failureOf(message: FromWorker | null): Error {
  if (message?.kind !== 'failed') return new Error('The thread of this answer ended.');
  const { mismatch, message: text } = message;
  return mismatch === null ? new Error(text) : new TreeMismatch(mismatch, text.slice(mismatch.length + 1));
}

function hasLarge(thread: Thread | null): boolean {
  return thread !== null && [...thread.tasks.values()].some(one => one.large);
}

function post({ worker }: Thread, message: ToWorker): void {
  worker.postMessage(message);
}

function refuseBusy(): Answer {
  return refuse(503, 'The server is busy with other questions. Ask again in a moment.', {
    'Retry-After': RETRY_AFTER,
  });
}
