/** Runs every command of docs/corrections.md in an empty folder, and compares the output with the guide. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { folderOfNpx } from '../cli/program.ts';
import { temporaryFolder } from '../publishers/publisher-folder.ts';
import { run } from '../tree/mirror-hosts.ts';

const GUIDE = path.resolve(import.meta.dirname, '../../docs/corrections.md');
const COMMANDS = 30;
/** Commands, and the output that the guide shows. */
const SHOWN = /```sh\n(.*?)```\n(?:\n```text\n(.*?)```)?/gs;

test('its commands work, fail and print what it says', async () => {
  const folder = await temporaryFolder();
  const environment = { PATH: `${await folderOfNpx()}:${process.env['PATH']}`, CIVIC_SIGNING_KEY: '' };
  const text = await readFile(GUIDE, 'utf8');
  const ran: string[] = [];
  for (const [, commands = '', printed = ''] of text.matchAll(SHOWN)) {
    let output = '';
    for (const line of commands.trimEnd().split('\n')) {
      const [command = ''] = line.split(/\s+# /);
      const ended = await run('sh', ['-c', command], folder, environment);
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
