/** `npm run bench -- NAME`: measurements, each against something else in the same run. */
import { Command, InvalidArgumentError } from 'commander';
import { benchBrowser } from './browser.ts';
import { benchBuild } from './build.ts';
import { benchServe } from './serve.ts';

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

const upTo =
  (most: number) =>
  (text: string): number => {
    const value = count(text);
    if (value > most) throw new InvalidArgumentError(`Give at most ${most}.`);
    return value;
  };

program
  .command('serve')
  .description(
    'the edge under Node and workerd, nginx over the same files, and a live service of the same API',
  )
  .option('--lake <dir>', 'a lake that exists, instead of a new full sample')
  .option('--tree <dir>', 'a tree that exists, instead of building one')
  .option('--rounds <n>', 'how often each is measured, in turn', upTo(20), 3)
  .option('--seconds <n>', 'of load each time', upTo(60), 3)
  .option('--connections <n>', 'open at once', upTo(256), 16)
  .action((options: { lake?: string; tree?: string; rounds: number; seconds: number; connections: number }) =>
    benchServe({ ...options, lake: options.lake ?? null, tree: options.tree ?? null }),
  );

program
  .command('browser')
  .description(
    'the explorer in Chromium: first rows, a filtered and a grouped answer, beside fetching the whole file',
  )
  .requiredOption('--tree <dir>', 'a tree that exists')
  .option('--runs <n>', 'how often each is measured, in turn', upTo(50), 5)
  .action((options: { tree: string; runs: number }) => benchBrowser(options));

await program.parseAsync();
