/** `npm run bench -- NAME`: measures this software against an alternative in the same run. */
import { Command, InvalidArgumentError } from 'commander';
import { benchBrowser } from './browser.ts';
import { benchBuild } from './build.ts';
import { benchReleases } from './releases.ts';
import { BENCH_HOSTS } from './hosts.ts';
import { benchServe, type ServeBenchOptions } from './serve.ts';

const count = (text: string): number => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('Give a whole number from 1 up.');
  return value;
};

const program = new Command('npm run bench --').description(
  'Measures this software against plain tools, in one run on one machine.',
);

program
  .command('build')
  .description('compares civic build with a DuckDB COPY of the same sorted rows to the same files')
  .option(
    '--only <glob>',
    'datasets to build',
    'education/attendance,education/ccrpi_graduation_rate,census/employment,immigration/ice_arrests',
  )
  .option('--all', 'all datasets', false)
  .option('--runs <n>', 'runs of each, alternating', count, 3)
  .option('--times <n>', 'copies of each fact row, to measure memory', count, 1)
  .option('--lake <dir>', 'an existing lake, instead of a new full sample')
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

type ServeOptions = Omit<ServeBenchOptions, 'tree' | 'lake' | 'only' | 'hosts'> & {
  readonly tree?: string;
  readonly lake?: string;
  readonly only?: string;
  readonly hosts: string;
};

const HOST_NAMES = BENCH_HOSTS.map(({ name }) => name).join(',');

program
  .command('serve')
  .description(
    'asks the edge under Node and workerd, and live services in Node and Python, questions that nobody asked before',
  )
  .option('--tree <dir>', 'a tree; if there is none, it is made there and kept')
  .option('--lake <dir>', 'an existing lake for a new tree, instead of a full sample')
  .option('--only <text>', 'only kinds of questions whose names hold this text')
  .option('--hosts <names>', 'what is asked', HOST_NAMES)
  .option('--python <program>', 'a Python that has fastapi, uvicorn and duckdb', 'python3')
  .option('--rounds <n>', 'measurements of each, alternating', upTo(20), 3)
  .option('--seconds <n>', 'seconds of load in each measurement', upTo(60), 3)
  .option('--connections <n>', 'connections open at once', upTo(256), 16)
  .option('--seed <n>', 'seed of the questions', count, 1)
  .action((options: ServeOptions) =>
    benchServe({
      ...options,
      tree: options.tree ?? null,
      lake: options.lake ?? null,
      only: options.only ?? null,
      hosts: options.hosts.split(','),
    }),
  );

program
  .command('browser')
  .description(
    'compares the explorer in Chromium (first rows, a filter, a grouping) with fetching whole files',
  )
  .requiredOption('--tree <dir>', 'an existing tree')
  .option('--runs <n>', 'measurements of each, alternating', upTo(50), 5)
  .action((options: { tree: string; runs: number }) => benchBrowser(options));

program
  .command('releases')
  .description(
    'measures what earlier releases and the log add to a tree and a build, and `as_of` a year back against the present answer',
  )
  .option('--lake <dir>', 'an existing lake, instead of a new full sample')
  .option('--releases <n>', 'releases after the first, a month apart', upTo(60), 12)
  .option('--slices <n>', 'of the newest slices, how many these releases correct in turn', upTo(60), 2)
  .option('--runs <n>', 'runs of each, alternating', upTo(20), 3)
  .action((options: { lake?: string; releases: number; slices: number; runs: number }) =>
    benchReleases({ ...options, lake: options.lake ?? null }),
  );

await program.parseAsync();
