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

type Edits = Parameters<typeof editRows>[2];

let files = 0;
async function edit(content: string, rows: number, edits: Edits): Promise<string> {
  const name = `${files++}.csv`;
  await writeFile(path.join(folder, name), content);
  const sha256 = createHash('sha256').update(content).digest('hex');
  const entry = { path: name, bytes: Buffer.byteLength(content), sha256, modified: '', rows };
  const parts: Uint8Array[] = [];
  for await (const part of editRows(createFolderFiles(folder), { path: name, entry }, edits))
    parts.push(part);
  return Buffer.concat(parts).toString();
}

test('any rows, edited anywhere', async () => {
  const edits = fc.uniqueArray(EDIT, { selector: edit => edit.row, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(fc.array(ROW, { maxLength: 12 }), edits, async (rows, drawn) => {
      const lines = rows.map(row => `${row}\r\n`);
      const sorted = drawn
        .map(({ row, text, drops }) => ({ at: row % (rows.length + 1), text: Buffer.from(text), drops }))
        .sort((a, b) => a.at - b.at)
        .filter(({ at }, index, all) => at !== all[index - 1]?.at)
        .map(one => ({ ...one, drops: one.drops && one.at < rows.length }));
      const wanted = [...lines, ''].map((line, at) => {
        const found = sorted.find(one => one.at === at);
        return `${found?.text ?? ''}${found?.drops ? '' : line}`;
      });
      const given = await edit(`name,count\r\n${lines.join('')}`, rows.length, sorted);
      expect(given === wanted.join('')).toBe(true);
    }),
    { numRuns: randomRuns(200) },
  );
});

test('an edit behind the last row is a mismatch', async () => {
  const behind = edit('name\r\na\r\n', 1, [{ at: 2, drops: false, text: Buffer.from('b\r\n') }]);
  await expect(behind).rejects.toThrow('ends before row 2');
});
