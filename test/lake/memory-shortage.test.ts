/** Several tasks share the memory of one database. */
import { expect, test } from 'vitest';
import { type Session, withDatabase } from '../../build/lake/database.ts';
import { spreadInMemory } from '../../build/lake/side-by-side.ts';
import { temporaryFolder } from '../publishers/publisher-folder.ts';

/** A list stands in memory whole: 48 MB and more, none of which can go to the disk. */
const LIST = 'SELECT len(list(r)) FROM range(6000000) t(r)';

test('a task that finds no memory beside others runs again, alone', async () => {
  const limits = { threads: 2, memoryLimit: '150MB', temporaryFolder: await temporaryFolder() };
  await withDatabase(limits, async database => {
    const sessions = await Promise.all([0, 1, 2, 3].map(() => database.connect()));
    const begun: number[] = [];
    const ended: number[] = [];
    const list = async (session: Session, task: number) => {
      begun.push(task);
      await session.run(LIST);
      ended.push(task);
    };
    await spreadInMemory(sessions, [0, 1, 2, 3], list, async () => undefined);
    expect(begun.length).toBeGreaterThan(4);
    expect(ended.sort()).toEqual([0, 1, 2, 3]);
  });
});
