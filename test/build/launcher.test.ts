/** How `civic` starts and ends. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from './publisher-folder.ts';

const LIB = path.resolve(import.meta.dirname, '../../lib');
const run = promisify(execFile);

test('a command that ends before it is done does not look done', async () => {
  const folder = await temporaryFolder();
  const preload = path.join(folder, 'preload.cjs');
  writeFileSync(preload, "require('node:fs/promises').mkdtemp = () => new Promise(() => {});");
  const program = path.join(LIB, 'bin/civic.js');
  const checked = run(process.execPath, [
    ...['--require', preload, program, 'check'],
    ...['--contracts', folder, '--data', folder],
  ]);
  await expect(checked).rejects.toMatchObject({
    code: 3,
    stderr: expect.stringContaining('before it was done'),
  });
});
