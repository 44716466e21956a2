/** Runs tasks in parallel, and waits for all of them. */
import type { Session } from './database.ts';
import { isMemoryShortage } from './memory-shortage.ts';

/**
 * Like Promise.all, but waits for every promise even after one rejects, so that no database is closed while a statement
 * runs.
 */
export async function allEnded<Results extends readonly unknown[]>(
  running: readonly [...{ [Index in keyof Results]: Promise<Results[Index]> }],
): Promise<Results> {
  await Promise.allSettled(running);
  return (await Promise.all(running)) as unknown as Results;
}

/**
 * Runs tasks in order, each on the next free session, and returns the results in the order of the tasks. After a
 * failure, no further task starts.
 */
export async function spread<Task, Result>(
  sessions: readonly Session[],
  tasks: readonly Task[],
  act: (session: Session, task: Task) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = [...tasks.entries()];
  const work = async (session: Session): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [index, task] = next;
      results[index] = await act(session, task);
    }
  };
  await allEnded(
    sessions.map(session =>
      work(session).catch(error => {
        queue.length = 0;
        throw error;
      }),
    ),
  );
  return results;
}

/**
 * Like `spread`, but a task that runs out of memory runs again, alone, once `alone` has ended what else takes memory: then
 * all of it is its own.
 */
export async function spreadInMemory<Task>(
  sessions: readonly Session[],
  tasks: readonly Task[],
  act: (session: Session, task: Task) => Promise<void>,
  alone: () => Promise<void>,
): Promise<void> {
  const crowdedOut: Task[] = [];
  await spread(sessions, tasks, async (session, task) => {
    await act(session, task).catch(error => {
      if (!isMemoryShortage(error)) throw error;
      crowdedOut.push(task);
    });
  });
  if (crowdedOut.length === 0) return;
  await alone();
  await spread(sessions.slice(0, 1), crowdedOut, act);
}
