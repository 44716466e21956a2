/**
 * `npm run fuzz -- --requests 100000 --seed N` compares answers to random requests with DuckDB reading the lake;
 * `npm run fuzz -- --drafts 2000 --seed N` drafts random tables, builds them and reads every value back.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Command } from 'commander';
import { integer } from '../../build/cli/arguments.ts';
import { CIVIC, runMeasured, startWorker } from '../bench/measurement.ts';
import { writeSampleLake } from '../georgia/sample/lake.ts';
import { fuzzDrafts } from './drafts.ts';
import { fuzz } from './run.ts';

interface Arguments {
  readonly requests: number;
  readonly seed: number;
  readonly contracts: string;
  readonly lake?: string;
  readonly tree?: string;
  readonly worker?: true;
  readonly drafts?: number;
}

const { requests, seed, contracts, drafts, ...options } = new Command('npm run fuzz --')
  .description('Sends random requests to the edge and compares each answer with DuckDB reading the lake.')
  .option('--requests <n>', 'number of requests', integer(1, Number.MAX_SAFE_INTEGER), 5000)
  .option(
    '--seed <n>',
    'seed of the requests, which a failure prints',
    integer(1, Number.MAX_SAFE_INTEGER),
    Date.now() % 2 ** 31,
  )
  .option('--contracts <dir>', 'folder of the contracts', 'contracts')
  .option('--lake <dir>', 'an existing lake, instead of a new small sample')
  .option('--tree <dir>', 'an existing tree of that lake, instead of a new one')
  .option('--worker', 'ask the edge under workerd instead of the one in this process')
  .option(
    '--drafts <n>',
    'draft, build and read back this many random tables instead of sending requests',
    integer(1, Number.MAX_SAFE_INTEGER),
  )
  .parse()
  .opts<Arguments>();

async function draftTables(tables: number): Promise<boolean> {
  const { drafted, asked, refused, failure } = await fuzzDrafts({ seed, tables });
  const said = `${drafted} tables are drafted, built and read back unchanged (${asked} of them after an answer); ${refused} are refused as they should be (seed ${seed}).`;
  console.log(failure ?? said);
  return failure === null;
}

async function sendRequests(scratch: string): Promise<boolean> {
  const { lake = path.join(scratch, 'lake'), tree = path.join(scratch, 'tree') } = options;
  if (options.lake === undefined) {
    const written = await writeSampleLake({ out: lake, scale: 'small', seed: 1, contracts });
    if (!written.ok) throw new Error(JSON.stringify(written.problems));
  }
  if (options.tree === undefined)
    await runMeasured(CIVIC, ['build', '--contracts', contracts, '--data', lake, '--out', tree]);
  const worker = options.worker ? await startWorker(tree) : null;
  try {
    const onProgress = (count: number) => process.stderr.write(`\r${count} requests`);
    const server = worker ? { server: worker.url } : {};
    const result = await fuzz({ lake, tree, requests, seed, onProgress, ...server });
    const said = `${result.requests} requests, ${result.answered} of them answered with rows, ${result.rows} rows in all (seed ${seed}).`;
    console.log(`\n${result.failure ?? `Every answer is right: ${said}`}`);
    return result.failure === null;
  } finally {
    await worker?.stop();
  }
}

console.log(`Seed ${seed}.`);
const scratch = await mkdtemp(path.join(os.tmpdir(), 'civic-fuzz-'));
try {
  const isRight = drafts === undefined ? await sendRequests(scratch) : await draftTables(drafts);
  if (!isRight) process.exitCode = 1;
} finally {
  await rm(scratch, { recursive: true, force: true });
}
