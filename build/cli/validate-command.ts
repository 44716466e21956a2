/** `civic validate`: contracts alone. */
import type { Command } from 'commander';
import type { Run, Shared } from './arguments.ts';
import { publisherFolders } from './publisher-folders.ts';

export function addValidateCommand(program: Command, run: Run): void {
  program
    .command('validate')
    .description('check the contracts alone and report every problem')
    .option('--contracts <dir>', 'folder of the contracts, in any layout (default: contracts)')
    .option('--strict', 'warnings are errors', false)
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  $ civic validate --contracts contracts')
    .action((options: Shared & { contracts?: string; strict: boolean }) =>
      run(options, async terminal => {
        const { validate } = await import('../pipeline/validation.ts');
        const result = await validate(publisherFolders(options).contracts, options.strict);
        terminal.validated(result);
      }),
    );
}
