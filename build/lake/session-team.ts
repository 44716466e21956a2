/** Sessions that take tasks from one queue. Whoever has none left helps with parts of those that others are at. */
import type { Session } from './database.ts';
import { allEnded } from './side-by-side.ts';

/** A part of a task, which any session of the same database can do. */
export type Part<Result> = (session: Session) => Promise<Result>;

/** A part that whoever is idle may take. */
export interface Offered<Result> {
  /** Does it, unless somebody took it. Never rejects. */
  take(session: Session): Promise<void>;
  /** Rejects with what the part fails with. */
  readonly result: Promise<Result>;
}

export interface Helpers {
  offer<Result>(part: Part<Result>): Offered<Result>;
}

/** Does on `session` those parts that nobody took; the results of all, once none of them is still being made. */
export async function finishParts<Result>(
  session: Session,
  parts: readonly Offered<Result>[],
): Promise<Result[]> {
  for (const part of parts) await part.take(session);
  return allEnded(parts.map(({ result }) => result));
}

/** Runs tasks on some sessions, each on the next that is free; the results in the order of the tasks. */
export async function spread<Task, Result>(
  sessions: readonly Session[],
  tasks: readonly Task[],
  act: (session: Session, task: Task) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  await new SessionTeam(sessions).run([...tasks.entries()], async (session, [index, task]) => {
    results[index] = await act(session, task);
  });
  return results;
}

export class SessionTeam implements Helpers {
  readonly #sessions: readonly Session[];
  readonly #parts: Offered<unknown>[] = [];
  #busy = 0;
  #tell: () => void = () => undefined;
  #news: Promise<void>;

  constructor(sessions: readonly Session[]) {
    this.#sessions = sessions;
    this.#news = new Promise(done => {
      this.#tell = done;
    });
  }

  offer<Result>(part: Part<Result>): Offered<Result> {
    const offered = new OpenPart(part);
    this.#parts.push(offered);
    this.#wake();
    return offered;
  }

  /** Runs the tasks, the first ones first; one that fails stops those that nobody began. Ends when all have ended. */
  async run<Task>(
    tasks: readonly Task[],
    act: (session: Session, task: Task) => Promise<void>,
  ): Promise<void> {
    const queue = [...tasks];
    await allEnded(
      this.#sessions.map(session =>
        this.#work(session, queue, act).catch(error => {
          queue.length = 0;
          throw error;
        }),
      ),
    );
  }

  async #work<Task>(
    session: Session,
    queue: Task[],
    act: (session: Session, task: Task) => Promise<void>,
  ): Promise<void> {
    for (;;) {
      const task = queue.shift();
      const part = task === undefined ? this.#parts.shift() : undefined;
      if (task !== undefined) await this.#during(act(session, task));
      else if (part !== undefined) await part.take(session);
      else if (this.#busy > 0) await this.#news;
      else return;
    }
  }

  async #during(work: Promise<void>): Promise<void> {
    this.#busy++;
    try {
      await work;
    } finally {
      this.#busy--;
      this.#wake();
    }
  }

  /** Has those who wait look again. */
  #wake(): void {
    this.#tell();
    this.#news = new Promise(done => {
      this.#tell = done;
    });
  }
}

class OpenPart<Result> implements Offered<Result> {
  readonly result: Promise<Result>;
  #part: Part<Result> | null;
  #settle: (result: Promise<Result>) => void = () => undefined;

  constructor(part: Part<Result>) {
    this.#part = part;
    this.result = new Promise(done => {
      this.#settle = done;
    });
    // Whoever finishes the parts is told of it.
    this.result.catch(() => undefined);
  }

  async take(session: Session): Promise<void> {
    const part = this.#part;
    if (part === null) return;
    this.#part = null;
    const made = part(session);
    this.#settle(made);
    await made.catch(() => undefined);
  }
}
