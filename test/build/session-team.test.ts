/** Tasks that share sessions, and parts of tasks that whoever is idle takes over. */
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Database, type Session } from '../../build/lake/database.ts';
import { finishParts, SessionTeam } from '../../build/lake/session-team.ts';

let database: Database;
let sessions: readonly [Session, Session];

beforeAll(async () => {
  const temporaryFolder = path.join(os.tmpdir(), 'civic-session-team');
  database = await Database.open({ threads: 1, memoryLimit: '400MB', temporaryFolder });
  sessions = [await database.connect(), await database.connect()];
});

afterAll(() => database.close());

/** Some rows summed up, which takes a while. */
const sum = (session: Session) =>
  session.row<{ n: number }>('SELECT sum(range)::DOUBLE AS n FROM range(100000)').then(({ n }) => n);

test('each task runs once, in their order, on a session that has none', async () => {
  const begun: number[] = [];
  const at = new Map<Session, number>();
  await new SessionTeam(sessions).run([1, 2, 3, 4, 5], async (session, task) => {
    begun.push(task);
    expect(at.get(session) ?? 0).toBe(0);
    at.set(session, 1);
    await sum(session);
    at.set(session, 0);
  });
  expect(begun).toStrictEqual([1, 2, 3, 4, 5]);
  expect(at.size).toBe(2);
});

test('whoever has no task takes parts of one, whose results come in their order', async () => {
  const team = new SessionTeam(sessions);
  const did = new Map<Session, number[]>();
  let results: number[] = [];
  await team.run(['the only one'], async session => {
    const parts = Array.from({ length: 12 }, (_, i) =>
      team.offer(async other => {
        did.set(other, [...(did.get(other) ?? []), i]);
        await sum(other);
        return i;
      }),
    );
    results = await finishParts(session, parts);
  });
  expect(results).toStrictEqual(Array.from({ length: 12 }, (_, i) => i));
  expect(did.size).toBe(2);
  expect([...did.values()].flat().sort((a, b) => a - b)).toStrictEqual(results);
});

test('a part that was offered to nobody is done by who offers it', async () => {
  const [alone] = sessions;
  const team = new SessionTeam([alone]);
  await team.run([1, 2], async session => {
    const part = team.offer(async other => [other === alone, await sum(other)]);
    expect(await finishParts(session, [part])).toStrictEqual([[true, 4999950000]]);
  });
});

test('what a part fails with, its task fails with, when no part is at work any more; no other task begins', async () => {
  const team = new SessionTeam(sessions);
  const begun: number[] = [];
  let ended = 0;
  const parts = async (session: Session) =>
    finishParts(
      session,
      Array.from({ length: 6 }, (_, i) =>
        team.offer(async other => {
          await sum(other);
          ended++;
          if (i === 1) throw new Error('the second part');
        }),
      ),
    );
  const running = team.run([1, 2, 3], async (session, task) => {
    begun.push(task);
    if (task === 1) await parts(session);
    else for (let i = 0; i < 20; i++) await sum(session);
  });
  await expect(running).rejects.toThrow('the second part');
  expect(ended).toBe(6);
  expect(begun).toStrictEqual([1, 2]);
});
