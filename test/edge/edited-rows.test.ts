/** Lines of a stored CSV in place of others, wherever the reads of the file end. */
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFolderFiles } from '../../site/edge/adapters/folder.ts';
import { editRows } from '../../site/edge/executors/text-cut.ts';
import { randomRuns } from '../random-runs.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'edited-rows-'));
});
afterAll(() => rm(folder, { recursive: true }));

const MEBIBYTE = 1 << 20;

/** Long rows that end near a mebibyte, and rows with line ends in quotes. */
const ROW = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('a,1', 'é,2', '"two\r\nlines",3', '"one ""quoted""",4') },
  {
    weight: 1,
    arbitrary: fc.integer({ min: MEBIBYTE / 2 - 20, max: MEBIBYTE / 2 + 20 }).map(n => 'x'.repeat(n)),
  },
);
const EDIT = fc.record({
  row: fc.nat(40),
  drops: fc.boolean(),
  text: fc.constantFrom('', 'new,9\r\n', '"n\r\n",8\r\n'),
});

test('any rows, edited anywhere', async () => {
  let files = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(ROW, { maxLength: 12 }),
      fc.uniqueArray(EDIT, { selector: edit => edit.row, maxLength: 8 }),
      async (rows, drawn) => {
        const lines = rows.map(row => `${row}\r\n`);
        const edits = drawn
          .map(({ row, ...edit }) => ({ ...edit, at: row % (rows.length + 1) }))
          .sort((a, b) => a.at - b.at)
          .filter(({ at }, index, all) => at !== all[index - 1]?.at)
          .map(edit => ({ ...edit, drops: edit.drops && edit.at < rows.length }));
        const content = Buffer.from(`name,count\r\n${lines.join('')}`);
        const name = `${files++}.csv`;
        await writeFile(path.join(folder, name), content);
        const sha256 = createHash('sha256').update(content).digest('hex');
        const entry = { path: name, bytes: content.length, sha256, modified: '', rows: rows.length };
        const parts: Uint8Array[] = [];
        const asked = edits.map(edit => ({ ...edit, text: Buffer.from(edit.text) }));
        for await (const part of editRows(createFolderFiles(folder), { path: name, entry }, asked))
          parts.push(part);
        const wanted = [...lines, ''].map((line, at) => {
          const edit = edits.find(one => one.at === at);
          return (edit?.text ?? '') + (edit?.drops ? '' : line);
        });
        expect(Buffer.concat(parts).equals(Buffer.from(wanted.join('')))).toBe(true);
      },
    ),
    { numRuns: randomRuns(200) },
  );
}, 60_000);

test('an edit behind the last row is a mismatch', async () => {
  const content = Buffer.from('name\r\na\r\n');
  await writeFile(path.join(folder, 'short.csv'), content);
  const sha256 = createHash('sha256').update(content).digest('hex');
  const entry = { path: 'short.csv', bytes: content.length, sha256, modified: '', rows: 1 };
  const edits = [{ at: 2, drops: false, text: Buffer.from('b\r\n') }];
  const read = editRows(createFolderFiles(folder), { path: 'short.csv', entry }, edits);
  const toEnd = async () => {
    for await (const part of read) expect(part).toBeDefined();
  };
  await expect(toEnd()).rejects.toThrow('ends before row 2');
});
