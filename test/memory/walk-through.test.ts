/** Runs every command of docs/corrections.md in an empty folder, and compares the output with the guide. */
import { spawn } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../publishers/publisher-folder.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const GUIDE = path.join(ROOT, 'docs/corrections.md');
const COMMANDS = 30;
/** Commands, and the output that the guide shows. */
const SHOWN = /```sh\n(.*?)```\n(?:\n```text\n(.*?)```)?/gs;

test('its commands work, fail and print what it says', async () => {
  const folder = await temporaryFolder();
  const programs = path.join(folder, '.programs');
  await mkdir(programs);
  const npx = path.join(programs, 'npx');
  await writeFile(npx, `#!/bin/sh\nshift\nexec "${process.execPath}" "${ROOT}/lib/bin/civic.js" "$@"\n`);
  await chmod(npx, 0o755);
  const environment = {
    ...process.env,
    PATH: `${programs}:${process.env['PATH']}`,
    CIVIC_SIGNING_KEY: undefined,
  };
  const run = (command: string) =>
    new Promise<{ readonly code: number | null; readonly output: string }>((resolve, reject) => {
      const child = spawn('sh', ['-c', command], {
        cwd: folder,
        env: environment,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (part: string) => (output += part));
      child.on('error', reject).on('close', code => resolve({ code, output }));
    });
  const text = await readFile(GUIDE, 'utf8');
  const ran: string[] = [];
  for (const [, commands = '', printed = ''] of text.matchAll(SHOWN)) {
    let output = '';
    for (const line of commands.trimEnd().split('\n')) {
      const [command = ''] = line.split(/\s+# /);
      const ended = await run(command);
      ran.push(command);
      output += ended.output;
      expect([command, ended.code !== 0], ended.output).toEqual([command, line.endsWith('# fails')]);
    }
    const lines = output.split('\n');
    for (const shown of printed.trimEnd().split('\n')) {
      expect(lines.some(line => isAlike(line, shown)) ? shown : output).toBe(shown);
    }
  }
  expect(ran).toHaveLength(COMMANDS);
});

/** `…` matches any text: names of releases and hashes. */
function isAlike(line: string, shown: string): boolean {
  const [first = '', ...parts] = shown.split('…');
  let at = first.length;
  for (const part of parts) {
    const found = line.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return line.startsWith(first) && (parts.at(-1) === '' || at === line.length);
}
