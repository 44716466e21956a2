/** Several tasks share the memory of one database. */
import { expect, test } from 'vitest';
import { type Session, withDatabase } from '../../build/lake/database.ts';
import { isMemoryShortage } from '../../build/lake/memory-shortage.ts';
import { spreadInMemory } from '../../build/lake/side-by-side.ts';
import { temporaryFolder } from '../publishers/publisher-folder.ts';

/** A list stands in memory whole: 48 MB and more, none of which can go to the disk. */
const LIST = 'SELECT len(list(r)) FROM range(6000000) t(r)';

const limits = async (memoryLimit: string) => ({
  threads: 2,
  memoryLimit,
  temporaryFolder: await temporaryFolder(),
});

test('a task that finds no memory beside others runs again, alone', async () => {
  await withDatabase(await limits('150MB'), async database => {
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

test('a task that finds too little memory runs again when all others have had their turn, with all that there is', async () => {
  await withDatabase(await limits('30MB'), async database => {
    const sessions = await Promise.all([0, 1].map(() => database.connect()));
    const begun: number[] = [];
    const list = async (session: Session, task: number) => {
      begun.push(task);
      await session.run(LIST);
    };
    const running = spreadInMemory(sessions, [0, 1, 2], list, async () => undefined);
    await expect(running).rejects.toSatisfy(isMemoryShortage);
    expect(begun.slice(0, 3)).toEqual([0, 1, 2]);
    expect(begun).toHaveLength(4);
    const whole = await limits('300MB');
    await spreadInMemory(sessions.slice(0, 1), [3], list, () => database.limit({ ...whole, threads: 1 }));
    expect(begun.slice(4)).toEqual([3, 3]);
  });
});
