/** `civic diff`: what changed from one tree to another. */
import type { Command } from 'commander';
import { JOBS, type LimitArguments, MEMORY, type Run } from './arguments.ts';

export function addDiffCommand(program: Command, run: Run): void {
  program
    .command('diff')
    .description('list the changes from one tree to another: contracts, years, and rows by year and level')
    .argument('<old>', 'a tree: its folder or its address')
    .argument('<new>', 'a later tree')
    .addOption(JOBS)
    .addOption(MEMORY)
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  $ civic diff https://data.example.org/ dist')
    .action((old: string, now: string, options: LimitArguments) =>
      run(options, async terminal => {
        const { diff } = await import('../tree/diff-trees.ts');
        terminal.compared(await diff(old, now, options));
      }),
    );
}
