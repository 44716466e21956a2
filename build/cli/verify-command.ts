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
    .option(
      '--repair <dir-or-url>',
      'first take damaged and missing parts from this copy of the same release',
    )
    .addOption(JOBS)
    .addOption(MEMORY)
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      '\nExample:\n  $ civic verify dist\n  $ civic verify dist --repair https://data.example.org/',
    )
    .action((folder: string, options: VerifyArguments) =>
      run(options, async terminal => {
        if (options.repair !== undefined) {
          const { repairTree } = await import('../tree/repair-tree.ts');
          await repairTree(folder, options.repair, terminal.report);
        }
        const { verify } = await import('../archive/verify.ts');
        terminal.verified(await verify(folder, options, terminal.report));
      }),
    );
}

interface VerifyArguments extends LimitArguments {
  readonly repair?: string;
}
