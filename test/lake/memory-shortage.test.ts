/** What happens when DuckDB runs out of memory. */
import { expect, test, vi } from 'vitest';
import { MemoryShortage, Session, spreadInMemory, withDatabase } from '../../build/lake/database.ts';
import { built, drafted } from '../draft/drafted.ts';
import { temporaryFolder } from '../publishers/publisher-folder.ts';

/** A list is in memory as a whole: 48 MB and more, none of which can go to the disk. */
const LIST = 'SELECT len(list(r)) FROM range(6000000) t(r)';

test('a task that runs out of memory beside others runs again alone when there is more', async () => {
  const limits = { threads: 2, memoryLimit: '150MB', temporaryFolder: await temporaryFolder() };
  await withDatabase(limits, async database => {
    const sessions = await Promise.all([0, 1, 2, 3].map(() => database.connect()));
    const ended: number[] = [];
    /** How many tasks ran whenever one began again. */
    const again: number[] = [];
    let isAlone = false;
    let running = 0;
    const list = async (session: Session, task: number) => {
      running += 1;
      if (isAlone) again.push(running);
      await session.run(LIST).finally(() => {
        running -= 1;
      });
      ended.push(task);
    };
    await spreadInMemory(sessions, [0, 1, 2, 3], list, async () => {
      isAlone = true;
    });
    expect([...new Set(again)]).toEqual([1]);
    expect(ended.sort()).toEqual([0, 1, 2, 3]);
  });
});

test('checks that lack memory run again with all of it', async () => {
  const { root } = await drafted({ 'towns.csv': 'town,v\na,1\nb,2\n' });
  const limits: string[] = [];
  const { run } = Session.prototype;
  const spy = vi.spyOn(Session.prototype, 'run').mockImplementation(async function (this: Session, sql) {
    if (/^CREATE TABLE _civic."_values /.test(sql)) {
      limits.push(
        (await this.row<{ limit: string }>("SELECT current_setting('memory_limit') AS limit")).limit,
      );
      if (limits.length === 1) throw new MemoryShortage('checking towns', new Error('Out of Memory'));
    }
    return run.call(this, sql);
  });
  const { result } = await built(root, { memory: '400MB', jobs: 2 }).finally(() => spy.mockRestore());
  expect([result.rows, ...limits]).toEqual([2, '190.7 MiB', '381.4 MiB']);
});
