/** `npm run bench -- build`: the time and memory of a build, against a DuckDB COPY of the same rows. */
import { execFileSync } from 'node:child_process';
import { copyFile, cp, mkdir, mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';
import { Option } from 'commander';
import { fileLiteral, literal } from '../../build/lake/sql.ts';
import type { BuildResult } from '../../build/pipeline/build.ts';
import { writeSampleLake } from '../georgia/sample/lake.ts';
import { type Bench, median, say, wholeNumber } from './bench.ts';
import { CIVIC, type Measured, runMeasured } from './process.ts';

interface BuildBenchOptions {
  /** Datasets of a new lake, separated by commas. */
  readonly only: string;
  readonly all?: true;
  readonly runs: number;
  readonly lake?: string;
}

const PLAIN_COPY = fileURLToPath(new URL('./plain-copy.js', import.meta.url));
const CONTRACTS = path.resolve('contracts');
const JOBS = String(Math.min(8, os.availableParallelism()));

export const BUILD: Bench = {
  name: 'build',
  about: 'compares civic build with a DuckDB COPY of the same sorted rows to the same files',
  options: [
    new Option('--only <keys>', 'datasets of a new lake').default(
      'education/attendance,education/ccrpi_graduation_rate,census/employment,immigration/ice_arrests',
    ),
    new Option('--all', 'all datasets'),
    new Option('--runs <n>', 'runs of each, alternating').argParser(wholeNumber()).default(3),
    new Option('--lake <dir>', 'an existing lake, instead of a new full sample'),
  ],
  async run(command) {
    const { only, all, runs, lake: given } = command.opts<BuildBenchOptions>();
    const folder = await mkdtemp(path.join(os.tmpdir(), 'civic-bench-'));
    try {
      const lake = path.join(folder, 'lake');
      // The benchmark changes a slice, so it works on a copy.
      if (given !== undefined) await cp(given, lake, { recursive: true });
      else {
        const keys = all ? {} : { only: only.split(',') };
        const result = await writeSampleLake({ out: lake, scale: 'full', seed: 1, ...keys });
        if (!result.ok) throw new Error(JSON.stringify(result));
      }
      await measure(folder, lake, runs);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function measure(folder: string, lake: string, runs: number): Promise<void> {
  const [out, copies] = [path.join(folder, 'tree'), path.join(folder, 'plain')];
  const options = ['--contracts', CONTRACTS, '--data', lake, '--out', out, '--jobs', JOBS];
  const build = () => runMeasured(CIVIC, ['build', ...options, '--json']);
  const [builds, plain]: [Measured[], Measured[]] = [[], []];
  for (let run = 0; run < runs; run++) {
    for (const old of [out, path.join(folder, '.tree.civic'), copies])
      await rm(old, { recursive: true, force: true });
    await mkdir(copies);
    settle();
    builds.push(await build());
    settle();
    plain.push(await runMeasured(PLAIN_COPY, [CONTRACTS, lake, copies, JOBS, out]));
  }
  const result = JSON.parse(builds.at(-1)?.output ?? '') as BuildResult;
  const copy = median(plain.map(one => one.seconds));
  say(`${result.datasets} datasets, ${result.rows} rows, ${result.files} files; ${runs} runs, ${JOBS} jobs.`);
  describe('civic build', builds, copy);
  describe('plain COPY', plain, copy);
  const stages = Object.entries(result.seconds).map(([stage, one]) => `${stage} ${one.toFixed(2)} s`);
  say(`stages           ${stages.join(', ')} (last run)`);
  settle();
  describe('nothing to do', await repeated(runs, build), copy);
  const change = await changeOfSlice(lake, folder, build);
  settle();
  const changed = await repeated(2 * runs, async () => {
    await change();
    return build();
  });
  describe('one slice', changed, copy);
}

/** The share is of the time that a plain COPY of everything takes. */
function describe(what: string, list: readonly Measured[], copy: number): void {
  const of = (pick: (one: Measured) => number) => median(list.map(pick)).toFixed(2);
  const share = (median(list.map(one => one.seconds)) / copy).toFixed(3);
  say(
    `${what.padEnd(16)} ${of(one => one.seconds)} s wall, ${of(one => one.processor)} s CPU, peak ${of(one => one.peak)} MiB: ${share}`,
  );
}

/** Waits for the disk, so that a run does not pay for what earlier runs wrote. */
function settle(): void {
  execFileSync('sync');
}

async function repeated(runs: number, run: () => Promise<Measured>): Promise<Measured[]> {
  const found: Measured[] = [];
  for (let i = 0; i < runs; i++) found.push(await run());
  return found;
}

/** A change of the largest slice that still keeps its rules without one row; shares may no longer add up, for example. */
async function changeOfSlice(
  lake: string,
  folder: string,
  build: () => Promise<Measured>,
): Promise<() => Promise<void>> {
  const entries = await readdir(lake, { recursive: true, withFileTypes: true });
  const files = entries.filter(entry => entry.isFile() && /^year=/.test(path.basename(entry.parentPath)));
  const sized = files.map(async entry => {
    const file = path.join(entry.parentPath, entry.name);
    return { file, bytes: (await stat(file)).size };
  });
  for (const { file } of (await Promise.all(sized)).sort((a, b) => b.bytes - a.bytes)) {
    const change = await withoutOneRow(file, folder);
    await change();
    const good = await build().catch(() => null);
    await change();
    await build();
    say(`${good ? 'one slice is' : 'passed over'}     ${path.relative(lake, file)}`);
    if (good) return change;
  }
  throw new Error('No slice of the lake keeps its rules without a row.');
}

/** Returns a function that in turn removes the file's middle row and restores it. `folder` keeps both versions. */
async function withoutOneRow(file: string, folder: string): Promise<() => Promise<void>> {
  const [short, whole] = [path.join(folder, 'short.parquet'), path.join(folder, 'whole.parquet')];
  await copyFile(file, whole);
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  await connection.run(
    `COPY (SELECT * EXCLUDE (file_row_number) FROM read_parquet(${fileLiteral(whole)}, hive_partitioning = false, file_row_number = true) QUALIFY file_row_number <> max(file_row_number) OVER () // 2) TO ${literal(short)} (FORMAT parquet)`,
  );
  instance.closeSync();
  let turn = 0;
  return async () => {
    await copyFile(turn++ % 2 === 0 ? short : whole, file);
    const now = new Date();
    await utimes(file, now, now);
  };
}
