/** `civic check`: every rule on every row of a lake. */
import type { Command } from 'commander';
import {
  JOBS,
  type LakeArguments,
  MAX_ROWS,
  MEMORY,
  RULE_SECONDS,
  type Run,
  type Shared,
} from './arguments.ts';
import { publisherFolders } from './publisher-folders.ts';

export function addCheckCommand(program: Command, run: Run): void {
  program
    .command('check')
    .description("check every row of a lake against its contracts' rules, without publishing")
    .option('--contracts <dir>', 'folder of the contracts (default: contracts)')
    .option('--data <dir>', 'folder of the lake, or s3://bucket/folder (default: data/lake, else data)')
    .option('--only <glob>', 'check only these datasets, as domain/topic; * stands for any name')
    .option(
      '--disclosure',
      'look for withheld counts that readers can work out by subtraction, or from a share and its total',
      false,
    )
    .option('--strict', 'warnings are errors', false)
    .addOption(JOBS)
    .addOption(MEMORY)
    .addOption(RULE_SECONDS)
    .addOption(MAX_ROWS)
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      "\nExample:\n  $ civic check --contracts contracts --data data/lake --only 'transit/*'",
    )
    .action((options: CheckArguments) =>
      run(options, async terminal => {
        const { check } = await import('../pipeline/check-lake.ts');
        terminal.checked(
          await check(
            { ...options, ...publisherFolders(options), only: options.only ?? null },
            terminal.report,
          ),
        );
      }),
    );
}

interface CheckArguments extends Shared, LakeArguments {
  readonly contracts?: string;
  readonly data?: string;
  readonly only?: string;
  readonly disclosure: boolean;
  readonly strict: boolean;
  readonly jobs: number;
  readonly memory: string;
}
