/** Runs commands of `civic` in this process, with the program's parser and messages. */
import path from 'node:path';
import { Command, CommanderError } from 'commander';
import { vi } from 'vitest';
import type { SiteParts } from '../../build/cli/arguments.ts';
import { addBuildCommand } from '../../build/cli/build-command.ts';
import { addCheckCommand, addValidateCommand } from '../../build/cli/check-commands.ts';
import { runCommand } from '../../build/cli/command-run.ts';
import { addDeployCommand } from '../../build/cli/deploy-command.ts';
import { addCosignCommand, addKeygenCommand } from '../../build/cli/key-commands.ts';
import { addQueryCommand } from '../../build/cli/query-command.ts';
import { addDiffCommand, addSnapshotCommand, addVerifyCommand } from '../../build/cli/tree-commands.ts';
import { EXIT } from '../../build/failure.ts';
import { openExplorer } from '../../site/explorer/page-maker.ts';
import { NO_EDGES } from '../publishers/built-tree.ts';
import type { Ended } from './program.ts';

const COMPILED = path.resolve(import.meta.dirname, '../../lib');
const SITE: SiteParts = { openPages: async () => openExplorer(COMPILED), edges: NO_EDGES };

function program(): Command {
  const all = new Command('civic').exitOverride();
  addValidateCommand(all, runCommand);
  addCheckCommand(all, runCommand);
  addBuildCommand(all, runCommand, SITE);
  addVerifyCommand(all, runCommand);
  addKeygenCommand(all, runCommand);
  addCosignCommand(all, runCommand);
  addSnapshotCommand(all, runCommand, SITE);
  addDiffCommand(all, runCommand);
  addDeployCommand(all, runCommand);
  addQueryCommand(all, runCommand, () => import('../../site/edge/adapters/command.ts'));
  return all;
}

export async function command(...args: readonly string[]): Promise<Ended> {
  const text = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map(stream =>
    vi.spyOn(process[stream], 'write').mockImplementation(part => {
      text[stream] += String(part);
      return true;
    }),
  );
  const before = process.exitCode;
  process.exitCode = EXIT.done;
  try {
    await program().parseAsync(args, { from: 'user' });
    return { code: Number(process.exitCode), ...text };
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return { code: error.exitCode === 0 ? EXIT.done : EXIT.usage, ...text };
  } finally {
    process.exitCode = before;
    for (const spy of spies) spy.mockRestore();
  }
}
