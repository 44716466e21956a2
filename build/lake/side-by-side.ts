/** What runs side by side, and is waited for as a whole. */
import type { Session } from './database.ts';

/** Runs tasks on some sessions, each on the next that is free; the results in the order of the tasks. */
export async function spread<Task, Result>(
  sessions: readonly Session[],
  tasks: readonly Task[],
  run: (session: Session, task: Task) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = [...tasks.entries()];
  const work = async (session: Session): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift())
      results[next[0]] = await run(session, next[1]);
  };
  await allEnded(sessions.map(work));
  return results;
}

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
