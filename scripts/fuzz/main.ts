/**
 * `npm run fuzz -- --requests 100000 --seed N` compares answers to random requests with DuckDB reading the lake;
 * `npm run fuzz -- --drafts 2000 --seed N` drafts random tables, builds them and reads every value back.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError } from 'commander';
import { build } from '../../build/pipeline/build.ts';
import { type ServerProcess, startServer } from '../bench/process.ts';
import { writeSampleLake } from '../georgia/sample/lake.ts';
import { fuzzDrafts } from './drafts.ts';
import { fuzz } from './run.ts';

const whole = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0)
    throw new InvalidArgumentError('Give a whole number from 0 up.');
  return value;
};

interface Arguments {
  readonly requests: number;
  readonly seed: number;
  readonly contracts: string;
  readonly lake?: string;
  readonly tree?: string;
  readonly worker?: true;
  readonly drafts?: number;
}

const options = new Command('npm run fuzz --')
  .description('Sends random requests to the edge and compares each answer with DuckDB reading the lake.')
  .option('--requests <n>', 'number of requests', whole, 5000)
  .option(
    '--seed <n>',
    'seed of the requests; a failure prints the seed that repeats it',
    whole,
    Date.now() % 2 ** 31,
  )
  .option('--contracts <dir>', 'folder of the contracts', 'contracts')
  .option('--lake <dir>', 'an existing lake, instead of a new small sample')
  .option('--tree <dir>', 'an existing tree of that lake, instead of a new one')
  .option('--worker', 'ask half of the questions of the edge under workerd')
  .option('--drafts <n>', 'draft, build and read back so many random tables, in place of requests', whole)
  .parse()
  .opts<Arguments>();

const REPORT_EVERY = 5000;

const WORKER = fileURLToPath(new URL('../bench/worker-main.js', import.meta.url));

async function draftTables(tables: number): Promise<void> {
  console.log(`Seed ${options.seed}, ${tables} tables.`);
  const { drafted, asked, refused, failures } = await fuzzDrafts({ ...options, tables }, failure =>
    console.error(failure),
  );
  for (const [reason, times] of refused) console.log(`${times} refused: ${reason}`);
  console.log(
    `${drafted} of ${tables} tables are drafted, build and read back unchanged (${asked} of them after an answer); ${failures.length} fail (seed ${options.seed}).`,
  );
  if (failures.length > 0) process.exitCode = 1;
}

async function sendRequests(): Promise<void> {
  const scratch = await mkdtemp(path.join(os.tmpdir(), 'civic-fuzz-'));
  let worker: ServerProcess | null = null;
  try {
    const lake = options.lake ?? path.join(scratch, 'lake');
    if (options.lake === undefined) {
      const written = await writeSampleLake({
        out: lake,
        scale: 'small',
        seed: 1,
        contracts: options.contracts,
      });
      if (!written.ok) throw new Error(JSON.stringify(written.problems));
    }
    const tree = options.tree ?? path.join(scratch, 'tree');
    if (options.tree === undefined) await buildTree(lake, tree);
    if (options.worker) worker = await startServer('workerd', process.execPath, [WORKER, tree, 'api']);
    const started = performance.now();
    console.log(`Seed ${options.seed}, ${options.requests} requests.`);
    let reported = 0;
    const result = await fuzz({
      ...options,
      lake,
      tree,
      ...(worker && { server: worker.url }),
      onProgress: requests => {
        if (requests - reported < REPORT_EVERY) return;
        reported = requests;
        console.log(
          `${requests} requests, ${Math.round(requests / ((performance.now() - started) / 1000))} per second`,
        );
      },
    });
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    if (result.failure === null) {
      const { requests, answered, rows } = result;
      console.log(
        `Every answer is right: ${requests} requests, ${answered} of them answered with rows, ${rows} rows in all (seed ${options.seed}, ${seconds} s).`,
      );
    } else {
      console.error(result.failure);
      process.exitCode = 1;
    }
  } finally {
    await worker?.stop();
    await rm(scratch, { recursive: true, force: true });
  }
}

async function buildTree(lake: string, out: string): Promise<void> {
  await build(
    {
      contracts: options.contracts,
      data: lake,
      out,
      only: null,
      strict: false,
      releaseDate: '2026-11-21',
      previous: null,
      baseUrl: null,
      jobs: Math.min(8, os.availableParallelism()),
      memory: '800MB',
    },
    () => undefined,
  );
}

if (options.drafts === undefined) await sendRequests();
else await draftTables(options.drafts);
