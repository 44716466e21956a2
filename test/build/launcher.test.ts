/** `civic` starts from chunks that are kept compiled, and from their text where those are not to be trusted. */
import { execFile } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { codeFile } from '../../build/compiled-chunk.ts';
import { temporaryFolder } from './publisher-folder.ts';

const LIB = path.resolve(import.meta.dirname, '../../lib');
const run = promisify(execFile);

const chunksOf = (folder: string) =>
  readdirSync(folder)
    .filter(name => name.endsWith('.js') && name !== 'civic.js')
    .map(name => path.join(folder, name));

/** Whether V8 took what is kept of each chunk, in a process of its own: a test runner has other flags. */
async function keptOf(folder: string): Promise<boolean[]> {
  const program = `import { readChunk } from ${JSON.stringify(path.join(LIB, 'build/compiled-chunk.js'))};
    console.log(JSON.stringify(${JSON.stringify(chunksOf(folder))}.map(file => readChunk(file).kept)));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program]);
  return JSON.parse(stdout) as boolean[];
}

/** A copy of the program, which a test may damage. */
async function copyProgram(): Promise<string> {
  const folder = path.join(await temporaryFolder(), 'bin');
  cpSync(path.join(LIB, 'bin'), folder, { recursive: true });
  return folder;
}

async function versionOf(folder: string): Promise<string> {
  const { stdout } = await run(process.execPath, [path.join(folder, 'civic.js'), '--version']);
  return stdout.trim();
}

test('every chunk is kept compiled', async () => {
  const kept = await keptOf(path.join(LIB, 'bin'));
  expect(kept.length).toBeGreaterThan(10);
  expect(new Set(kept)).toEqual(new Set([true]));
});

describe('what is kept is not taken', () => {
  test.each<[string, (code: string, chunk: string) => void]>([
    ['where it is gone', code => rmSync(code)],
    ['where it is cut off', code => truncateSync(code, 1000)],
    ['where there is next to nothing of it', code => truncateSync(code, 10)],
    [
      'where one bit of it is another',
      code => {
        const bytes = readFileSync(code);
        const at = bytes.length >> 1;
        bytes.writeUInt8((bytes[at] ?? 0) ^ 1, at);
        writeFileSync(code, bytes);
      },
    ],
    [
      'where the chunk is another, of the same length',
      (_, chunk) => writeFileSync(chunk, readFileSync(chunk, 'utf8').replace('"use strict"', '"use struct"')),
    ],
  ])('%s', async (_, damage) => {
    const folder = await copyProgram();
    for (const chunk of chunksOf(folder)) damage(codeFile(chunk), chunk);
    expect(new Set(await keptOf(folder))).toEqual(new Set([false]));
    expect(await versionOf(folder)).toBe('0.1.0');
  });
});

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
