/** `civic check` checks contracts and every row; `civic validate` checks only the contracts. */
import { Option } from 'commander';
import { formatCauses } from '../contract/diagnostic.ts';
import { countOf } from '../format/shown-text.ts';
import {
  CONTRACTS,
  FOLDERS,
  JSON_RESULT,
  LAKE_LIMITS,
  type LakeArguments,
  LIMITS,
  type LimitArguments,
  type PublisherFolders,
  publisherFolders,
  type Shared,
  STRICT,
} from './arguments.ts';
import { defineCommand, examples } from './command-run.ts';

interface CheckArguments extends LimitArguments, LakeArguments, Partial<PublisherFolders> {
  readonly only?: string;
  readonly disclosure: boolean;
  readonly strict: boolean;
}

export const CHECK = defineCommand<CheckArguments>({
  name: 'check',
  description: "check every row of a lake against its contracts' rules, without publishing",
  options: [
    ...FOLDERS,
    new Option('--only <glob>', 'check only these datasets, as domain/topic; * stands for any name'),
    new Option(
      '--disclosure',
      'look for withheld counts that readers can work out by subtraction, or from a share and its total',
    ).default(false),
    STRICT,
    ...LIMITS,
    ...LAKE_LIMITS,
    JSON_RESULT,
  ],
  help: examples("check --contracts contracts --data data/lake --only 'transit/*'"),
  act: async (options, terminal) => {
    const { check } = await import('../pipeline/check.ts');
    const only = options.only ?? null;
    const result = await check({ ...options, ...publisherFolders(options), only }, terminal.report);
    const { datasets, rows, rules } = result;
    const line = `${countOf(datasets, 'dataset')}, ${countOf(rows, 'row')}: ${countOf(rules.run, 'rule')} run, ${rules.warned} warned, ${rules.skipped} skipped. No errors.`;
    terminal.say([line], { ...result, disclosure: terminal.disclosure });
  },
});

export const VALIDATE = defineCommand<Shared & { contracts?: string; strict: boolean }>({
  name: 'validate',
  description: 'check the contracts without a lake and report every problem',
  options: [CONTRACTS, STRICT, JSON_RESULT],
  help: examples('validate --contracts contracts'),
  act: async (options, terminal) => {
    const { validate } = await import('../pipeline/check.ts');
    const result = await validate(publisherFolders(options).contracts, options.strict);
    const { files, datasets, dimensions, rules, inactive, diagnostics } = result;
    terminal.warn(formatCauses(diagnostics));
    const others = inactive > 0 ? `, ${countOf(inactive, 'contract')} not active` : '';
    const line = `${countOf(files, 'file')}: ${countOf(datasets, 'dataset')}, ${countOf(dimensions, 'dimension')}, ${countOf(rules, 'rule')}${others}. No errors.`;
    terminal.say([line], result, diagnostics);
  },
});
