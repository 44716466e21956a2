/** `civic check` checks contracts and every row; `civic validate` checks only the contracts. */
import type { Command } from 'commander';
import { formatCauses } from '../contract/diagnostic.ts';
import { countOf } from '../format/shown-text.ts';
import {
  JOBS,
  type LakeArguments,
  MAX_ROWS,
  MEMORY,
  publisherFolders,
  RULE_SECONDS,
  type Run,
  type Shared,
} from './arguments.ts';

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
        const { check } = await import('../pipeline/check.ts');
        const only = options.only ?? null;
        const result = await check({ ...options, ...publisherFolders(options), only }, terminal.report);
        const { datasets, rows, rules } = result;
        const line = `${countOf(datasets, 'dataset')}, ${countOf(rows, 'row')}: ${countOf(rules.run, 'rule')} run, ${rules.warned} warned, ${rules.skipped} skipped. No errors.`;
        terminal.say([line], { ...result, disclosure: terminal.disclosure });
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

export function addValidateCommand(program: Command, run: Run): void {
  program
    .command('validate')
    .description('check the contracts without a lake and report every problem')
    .option('--contracts <dir>', 'folder of the contracts (default: contracts)')
    .option('--strict', 'warnings are errors', false)
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  $ civic validate --contracts contracts')
    .action((options: Shared & { contracts?: string; strict: boolean }) =>
      run(options, async terminal => {
        const { validate } = await import('../pipeline/check.ts');
        const result = await validate(publisherFolders(options).contracts, options.strict);
        const { files, datasets, dimensions, rules, inactive, diagnostics } = result;
        terminal.warn(formatCauses(diagnostics));
        const others = inactive > 0 ? `, ${countOf(inactive, 'contract')} not active` : '';
        const line = `${countOf(files, 'file')}: ${countOf(datasets, 'dataset')}, ${countOf(dimensions, 'dimension')}, ${countOf(rules, 'rule')}${others}. No errors.`;
        terminal.say([line], result, diagnostics);
      }),
    );
}
