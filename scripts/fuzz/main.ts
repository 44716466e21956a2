/**
 * `npm run fuzz -- --requests 100000 --seed N` compares answers to random requests with DuckDB reading the lake;
 * `npm run fuzz -- --drafts 2000 --seed N` drafts random tables, builds them and reads every value back.
 */
import path from 'node:path';
import { Command } from 'commander';
import { integer } from '../../build/cli/arguments.ts';
import { withTemporaryFolder } from '../../build/tree/workspace.ts';
import { CIVIC, runMeasured, startWorker, writeLake } from '../bench/measurement.ts';
import { fuzzDrafts } from './drafts.ts';
import { fuzz } from './run.ts';

const count = integer(1, Number.MAX_SAFE_INTEGER);
const { requests, seed, drafts, ...options } = new Command('npm run fuzz --')
  .description('Sends random requests to the edge and compares each answer with DuckDB reading the lake.')
  .option('--requests <n>', 'number of requests', count, 5000)
  .option('--seed <n>', 'seed of the requests, which a failure prints', count, Date.now() % 2 ** 31)
  .option('--lake <dir>', 'an existing lake, instead of a new small sample')
  .option('--tree <dir>', 'an existing tree of that lake, instead of a new one')
  .option('--worker', 'ask the edge under workerd instead of the one in this process')
  .option(
    '--drafts <n>',
    'draft, build and read back this many random tables instead of sending requests',
    count,
  )
  .parse()
  .opts<{ requests: number; seed: number; lake?: string; tree?: string; worker?: true; drafts?: number }>();

async function sendRequests(scratch: string): ReturnType<typeof fuzz> {
  const { lake = path.join(scratch, 'lake'), tree = path.join(scratch, 'tree') } = options;
  if (options.lake === undefined) await writeLake(lake, 'small');
  if (options.tree === undefined) await runMeasured(CIVIC, ['build', '--data', lake, '--out', tree]);
  const worker = options.worker ? await startWorker(tree) : null;
  try {
    const onProgress = (sent: number) => process.stderr.write(`\r${sent} requests`);
    return await fuzz({ lake, tree, requests, seed, onProgress, server: worker?.url });
  } finally {
    await worker?.stop();
  }
}

console.log(`Seed ${seed}.`);
const { failure, ...counts } =
  drafts === undefined ? await withTemporaryFolder(sendRequests) : await fuzzDrafts(drafts, seed);
const counted = Object.entries(counts).map(([what, number]) => `${number} ${what}`);
console.log(`\n${failure ?? `Everything is right: ${counted.join(', ')} (seed ${seed}).`}`);
if (failure !== null) process.exitCode = 1;
