/** Answers made of rows are kept whole, in the memory that the host gives them. */
import { rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFolderFiles } from '../../site/edge/adapters/folder.ts';
import type { BodyAnswer, Incoming } from '../../site/edge/answer.ts';
import { createHyparquetExecutor } from '../../site/edge/executors/hyparquet.ts';
import { createEdge } from '../../site/edge/handler.ts';
import { temporaryFolder } from '../publishers/publisher-folder.ts';
import { countReads } from './counting-files.ts';
import { BUDGET, copyThings, THINGS, useTree } from './tree/fixture.ts';

const tree = useTree();
const SCAN = '?detail=units&step=1,2&limit=50';
const OTHER = '?detail=units&step=1,2&limit=50&offset=50';

function open({ folder = tree.folder, bytes = 1 << 20, room = (): boolean => true } = {}) {
  const files = countReads(createFolderFiles(folder));
  let held = 0;
  let before = 0;
  const edge = createEdge(files, {
    executors: [createHyparquetExecutor(BUDGET)],
    refreshAfter: 0,
    answers: {
      bytes,
      hold: (_, size) => {
        if (!room()) return null;
        held += size;
        return () => (held -= size);
      },
    },
  });
  return {
    /** How many reads the last question took. */
    reads: () => files.reads.length - before,
    /** The bytes on their way to readers. */
    held: () => held,
    async ask(query: string, change?: Partial<Incoming>) {
      before = files.reads.length;
      const asked = { method: 'GET', root: '', path: THINGS, query, origin: 'http://edge.test' };
      const answer = await edge({ ...asked, header: () => null, signal: undefined, ...change });
      expect(answer).toMatchObject({ kind: 'body' });
      return answer as BodyAnswer;
    },
  };
}

test('a question that was just asked is answered without a read, and byte for byte', async () => {
  const { ask, reads, held } = open();
  const first = await ask(SCAN);
  expect(reads()).toBeGreaterThan(0);
  const { release, ...again } = await ask(SCAN);
  expect(reads()).toBe(0);
  expect(again).toEqual(first);
  expect(held()).toBe((first.body as Uint8Array).length);
  release?.();
  expect(held()).toBe(0);
  expect((await ask(OTHER)).body).not.toEqual(first.body);
});

test('a condition is judged, and another host has its own links', async () => {
  const { ask } = open();
  const { headers, body } = await ask(SCAN);
  const same = (name: string) => (name === 'if-none-match' ? headers['ETag']! : null);
  expect(await ask(SCAN, { header: same })).toMatchObject({ status: 304, body: null });
  const changed = (name: string) => (name === 'if-match' ? '"other"' : null);
  expect(await ask(SCAN, { header: changed })).toMatchObject({ status: 412 });
  const elsewhere = (await ask(SCAN, { root: '/mirror' })).body;
  expect(String(Buffer.from(elsewhere as Uint8Array))).toContain('"/mirror/api/v1/');
  expect((await ask(SCAN)).body).toEqual(body);
});

test('where no room is left, the question waits for its turn like any other', async () => {
  const { ask } = open({ room: () => false });
  await ask(SCAN);
  expect((await ask(SCAN)).release).toBeUndefined();
});

test('what was asked longest ago makes room, and an answer larger than all is not kept', async () => {
  const { length } = (await open().ask(SCAN)).body as Uint8Array;
  const one = open({ bytes: Math.floor(1.9 * length) });
  for (const query of [SCAN, OTHER, SCAN]) expect((await one.ask(query)).release).toBeUndefined();
  expect((await one.ask(SCAN)).release).toBeDefined();
  const none = open({ bytes: length });
  for (const query of [SCAN, SCAN]) expect((await none.ask(query)).release).toBeUndefined();
});

test('another release answers with its own rows', async () => {
  const served = join(await temporaryFolder(), 'served');
  await copyThings(served);
  const { ask } = open({ folder: served });
  const before = await ask(SCAN);
  await rm(served, { recursive: true });
  await copyThings(served, { sample: true });
  // All trees of the tests are of one second, and a server tells releases apart by time and size.
  await utimes(join(served, 'manifest.json'), new Date(), new Date());
  const after = await ask(SCAN);
  expect(after.body).not.toEqual(before.body);
  expect((await ask(SCAN)).body).toEqual(after.body);
});
