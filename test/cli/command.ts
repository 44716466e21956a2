/** Runs commands of `civic` in this process, with the program's parser and messages. */
import path from 'node:path';
import { Command, CommanderError } from 'commander';
import { vi } from 'vitest';
import type { SiteParts } from '../../build/cli/arguments.ts';
import { buildCommand } from '../../build/cli/build-command.ts';
import { CHECK, VALIDATE } from '../../build/cli/check-commands.ts';
import { citeCheckCommand } from '../../build/cli/cite-check-command.ts';
import { DEPLOY } from '../../build/cli/deploy-command.ts';
import { COSIGN, KEYGEN } from '../../build/cli/key-commands.ts';
import { queryCommand } from '../../build/cli/query-command.ts';
import { DIFF, snapshotCommand, VERIFY } from '../../build/cli/tree-commands.ts';
import { EXIT } from '../../build/failure.ts';
import { openExplorer } from '../../site/explorer/page-maker.ts';
import { NO_EDGES } from '../publishers/built-tree.ts';
import type { Ended } from './program.ts';

const COMPILED = path.resolve(import.meta.dirname, '../../lib');
const SITE: SiteParts = { openPages: async () => openExplorer(COMPILED), edges: NO_EDGES };

function program(): Command {
  const all = new Command('civic').exitOverride();
  const site = () => import('../../site/edge/adapters/command.ts');
  const query = [queryCommand(site), citeCheckCommand(site)];
  const commands = [VALIDATE, CHECK, buildCommand(SITE), VERIFY, KEYGEN, COSIGN, snapshotCommand(SITE), DIFF];
  for (const add of [...commands, DEPLOY, ...query]) add(all);
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
