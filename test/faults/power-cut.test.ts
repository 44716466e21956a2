/** A power cut after any step of a build leaves the old tree or the new one. `npm run faults -- power` tries every step. */
import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { cutSteps } from '../../scripts/faults/power.ts';
import { type DiskStep, recordSteps } from '../../scripts/faults/write-log.ts';
import { buildArguments, buildPublisher } from '../publishers/built-tree.ts';
import { publisherAt, temporaryFolder, writePublisher } from '../publishers/publisher-folder.ts';
import { isInstalled } from '../tree/mirror-hosts.ts';

const PROGRAM = path.resolve(import.meta.dirname, '../../lib/bin/civic.js');

test.skipIf(!isInstalled('strace'))(
  'a power cut: the old tree or the new one, never neither',
  async context => {
    const root = await temporaryFolder();
    const disk = path.join(root, 'disk');
    const folder = { ...publisherAt(disk), out: path.join(disk, 'tree') };
    await writePublisher(disk);
    await buildPublisher(folder);
    // The next build writes every row.
    await rm(path.join(disk, '.tree.civic/cache'), { recursive: true });
    await cp(disk, `${disk}.before`, { recursive: true, preserveTimestamps: true });
    const command = [
      process.execPath,
      PROGRAM,
      ...buildArguments(folder, '--release-date', '2032-01-01', '--jobs', '1'),
    ];
    const steps = await recordSteps(command, disk).catch((error: Error) => {
      if (/ptrace|Operation not permitted/.test(error.message)) return null;
      throw error;
    });
    if (steps === null) return context.skip('this machine lets no program be traced');
    expect(steps.length).toBeGreaterThan(300);
    const cut = async (of: readonly DiskStep[], every: number) => {
      const said: string[] = [];
      const failed = await cutSteps(disk, of, { every, seed: 26, say: text => void said.push(text) });
      return { failed, said: said.join('\n') };
    };
    const { failed, said } = await cut(steps, 200);
    expect(failed, said).toBe(0);
    expect(said).toMatch(/[1-9]\d* times the old tree, [1-9]\d* times the new one/);
    // The same build without a call that makes anything durable loses both trees.
    const careless = steps.filter(({ kind }) => kind !== 'sync' && kind !== 'sync-all');
    expect((await cut(careless, 200)).failed).toBeGreaterThan(0);
  },
);
