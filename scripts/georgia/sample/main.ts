/** `npm run sample`: arguments, progress and exit code. Only this file prints. */
import { Command, Option } from 'commander';
import { integer } from '../../../build/cli/arguments.ts';
import { RefusedError } from '../../../build/failure.ts';
import { writeSampleLake } from './lake.ts';
import { type Scale, scales } from './world.ts';

interface Arguments {
  readonly out: string;
  readonly scale: Scale;
  readonly seed: number;
  readonly only?: readonly string[];
}

const command = new Command('npm run sample --')
  .description('Writes a lake of invented data that fits the contracts.')
  .option('--out <folder>', 'folder of the lake', 'data/lake')
  .addOption(new Option('--scale <scale>', 'number of places').choices(scales).default('small'))
  .option('--seed <number>', 'seed of the invented figures', integer(0, Number.MAX_SAFE_INTEGER), 1)
  .option('--only <dataset...>', 'only these datasets, such as education/attendance')
  .parse();

const { out, scale, seed, only } = command.opts<Arguments>();
const started = Date.now();
try {
  const written = await writeSampleLake({
    out,
    scale,
    seed,
    ...(only && { only }),
    onWritten: ({ key, files, rows }) =>
      console.log(`${key.padEnd(48)} ${String(rows).padStart(9)} rows  ${String(files).padStart(3)} files`),
  });
  const rows = written.reduce((sum, table) => sum + table.rows, 0);
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(`${out}: ${rows} rows of invented data (${scale}, seed ${seed}) in ${seconds} s`);
} catch (error) {
  if (!(error instanceof RefusedError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
