/** `civic validate`: contracts alone. */
import type { Command } from 'commander';
import type { Run, Shared } from './arguments.ts';

export function addValidateCommand(program: Command, run: Run): void {
  program
    .command('validate')
    .description('read contracts alone and report everything that is wrong with them')
    .requiredOption('--contracts <dir>', 'folder of the contracts, in any layout')
    .option('--strict', 'warnings are errors', false)
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  $ civic validate --contracts contracts')
    .action((options: Shared & { contracts: string; strict: boolean }) =>
      run(options, async terminal => {
        const { validate } = await import('../pipeline/validation.ts');
        const result = await validate(options.contracts, options.strict);
        terminal.validated(result);
      }),
    );
}
