/**
 * The disk writes while a build computes. `sync` programs here write a line each time, then run the real one.
 */
import { chmod, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { writeEarly } from '../../build/tree/durability.ts';
import { PATIENCE } from '../patience.ts';
import { temporaryFolder } from '../publishers/publisher-folder.ts';
import { isInstalled } from './mirror-hosts.ts';

/** Puts a `sync` before the machine's own. The result counts its calls for this folder. */
async function countingSync(folder: string, then: string): Promise<() => Promise<number>> {
  const calls = path.join(folder, 'calls');
  const program = path.join(folder, 'sync');
  await writeFile(program, `#!/bin/sh\necho "$@" >> '${calls}'\n${then}\n`);
  await chmod(program, 0o755);
  const before = process.env['PATH'] ?? '';
  vi.stubEnv('PATH', `${folder}${path.delimiter}${before}`);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  return async () => {
    const text = await readFile(calls, 'utf8').catch(() => '');
    return text.split('\n').filter(line => line === `-f ${folder}`).length;
  };
}

test.skipIf(!isInstalled('sync'))('the disk writes while a build computes, and no longer', async () => {
  const folder = await temporaryFolder();
  const counted = await countingSync(folder, 'PATH=/usr/bin:/bin exec sync "$@"');
  const act = async () => {
    await vi.waitUntil(async () => (await counted()) > 2, PATIENCE);
    return 'done';
  };
  expect(await writeEarly(folder, act, 0.001)).toBe('done');
  const atEnd = await counted();
  await setTimeout(100);
  // One may have begun before the end.
  expect(await counted()).toBeLessThanOrEqual(atEnd + 1);
});

test('without a program that writes early, a build continues, and its own failure is reported', async () => {
  const folder = await temporaryFolder();
  const counted = await countingSync(folder, 'exit 1');
  const act = async () => {
    await vi.waitUntil(async () => (await counted()) > 0, PATIENCE);
    throw new Error('The build failed.');
  };
  await expect(writeEarly(folder, act, 0.001)).rejects.toThrow('The build failed.');
  expect(await counted()).toBe(1);
});
