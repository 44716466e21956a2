/** What runs side by side, and is waited for as a whole. */
import type { Session } from './database.ts';

/**
 * What all of several results are, once none of them is still being made, whatever became of the others: a database
 * is not closed under a statement. Throws what the first that failed did.
 */
export async function allEnded<Results extends readonly unknown[]>(
  running: readonly [...{ [Index in keyof Results]: Promise<Results[Index]> }],
): Promise<Results> {
  await Promise.allSettled(running);
  return (await Promise.all(running)) as unknown as Results;
}

/**
 * Runs tasks on some sessions, the first tasks first, each on the next session that is free; the results in the order of
 * the tasks. A task that fails stops those that have not begun.
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
