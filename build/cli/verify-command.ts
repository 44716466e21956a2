/** `civic verify`: whether a tree is whole. */
import type { Command } from 'commander';
import { JOBS, type LimitArguments, MEMORY, type Run } from './arguments.ts';

export function addVerifyCommand(program: Command, run: Run): void {
  program
    .command('verify')
    .description(
      'recompute every hash of a tree, compare the formats of every slice, and look for missing and extra files',
    )
    .argument('<dir-or-file>', 'folder of the tree, or an archive of one')
    .addOption(JOBS)
    .addOption(MEMORY)
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  $ civic verify dist')
    .action((folder: string, options: LimitArguments) =>
      run(options, async terminal => {
        const { verify } = await import('../archive/verify.ts');
        terminal.verified(await verify(folder, options, terminal.report));
      }),
    );
}
