/** `npm run bench -- NAME`: measurements, each against something else in the same run. */
import { Command, InvalidArgumentError } from 'commander';
import { benchBuild } from './build.ts';

const count = (text: string): number => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('Give a whole number from 1.');
  return value;
};

const program = new Command('bench').description(
  'Measures the software against plain tools, in one run on one machine.',
);

program
  .command('build')
  .description('civic build against a plain DuckDB COPY of the same sorted rows to the same files')
  .option(
    '--only <glob>',
    'datasets of the lake',
    'education/attendance,education/ccrpi_graduation_rate,census/employment,immigration/ice_arrests',
  )
  .option('--all', 'all datasets', false)
  .option('--runs <n>', 'runs of each, in turn', count, 3)
  .option('--times <n>', 'how often each fact row is repeated, for memory', count, 1)
  .option('--lake <dir>', 'a lake that exists, instead of a new full sample')
  .action((options: { only: string; all: boolean; runs: number; times: number; lake?: string }) =>
    benchBuild({
      only: options.all ? null : options.only,
      runs: options.runs,
      times: options.times,
      lake: options.lake ?? null,
    }),
  );

await program.parseAsync();
