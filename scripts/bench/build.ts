/** `npm run bench -- build`: the time and memory of a build and of a DuckDB COPY of the same rows. */
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { copyFile, cp, mkdir, rm, utimes } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { Command } from 'commander';
import { integer } from '../../build/cli/arguments.ts';
import { listFiles } from '../../build/lake/lake-files.ts';
import { fileLiteral, literal } from '../../build/lake/sql.ts';
import type { BuildResult } from '../../build/pipeline/build.ts';
import { withTemporaryFolder } from '../../build/tree/workspace.ts';
import { CIVIC, type Measured, median, runMeasured, say, writeLake } from './measurement.ts';

const PLAIN_COPY = path.join(import.meta.dirname, 'plain-copy.js');
const CONTRACTS = path.resolve('contracts');
const JOBS = String(Math.min(8, os.availableParallelism()));

export const BUILD: Command = new Command('build')
  .description('compares civic build with a DuckDB COPY of the same sorted rows to the same files')
  .option(
    '--only <keys>',
    'datasets of a new lake',
    'education/attendance,education/ccrpi_graduation_rate,census/employment,immigration/ice_arrests',
  )
  .option('--runs <n>', 'runs of each, alternating', integer(1, Number.MAX_SAFE_INTEGER), 3)
  .option('--lake <dir>', 'an existing lake, instead of a new full sample')
  .action(({ only, runs, lake: given }: { only: string; runs: number; lake?: string }) =>
    withTemporaryFolder(async folder => {
      const lake = path.join(folder, 'lake');
      // The benchmark changes a slice, so it works on a copy.
      if (given !== undefined) await cp(given, lake, { recursive: true });
      else await writeLake(lake, 'full', only.split(','));
      await measure(folder, lake, runs);
    }),
  );

async function measure(folder: string, lake: string, runs: number): Promise<void> {
  const [out, copies] = [path.join(folder, 'tree'), path.join(folder, 'plain')];
  const options = ['--contracts', CONTRACTS, '--data', lake, '--out', out, '--jobs', JOBS];
  const build = () => runMeasured(CIVIC, ['build', ...options, '--json']);
  const [builds, plain]: [Measured[], Measured[]] = [[], []];
  for (let run = 0; run < runs; run++) {
    for (const old of ['tree', '.tree.civic', 'plain'])
      await rm(path.join(folder, old), { recursive: true, force: true });
    await mkdir(copies);
    builds.push(...(await repeated(1, build)));
    plain.push(...(await repeated(1, () => runMeasured(PLAIN_COPY, [CONTRACTS, lake, copies, JOBS, out]))));
  }
  const result = JSON.parse(builds.at(-1)?.output ?? '') as BuildResult;
  const copy = median(plain.map(one => one.seconds));
  say(`${result.datasets} datasets, ${result.rows} rows, ${result.files} files; ${runs} runs, ${JOBS} jobs.`);
  describe('civic build', builds, copy);
  describe('plain COPY', plain, copy);
  const stages = Object.entries(result.seconds).map(([stage, one]) => `${stage} ${one.toFixed(2)} s`);
  say(`stages           ${stages.join(', ')} (last run)`);
  describe('nothing to do', await repeated(runs, build), copy);
  const change = await changeOfSlice(lake, folder, build);
  describe('one slice', await repeated(2 * runs, () => change().then(build)), copy);
}

/** `copy`: seconds of a plain COPY of everything. */
function describe(what: string, list: readonly Measured[], copy: number): void {
  const of = (pick: (one: Measured) => number) => median(list.map(pick)).toFixed(2);
  const share = (median(list.map(one => one.seconds)) / copy).toFixed(3);
  say(
    `${what.padEnd(16)} ${of(one => one.seconds)} s wall, ${of(one => one.processor)} s CPU, peak ${of(one => one.peak)} MiB: ${share}`,
  );
}

/** Waits for the disk first: a run mustn't pay for what earlier runs wrote. */
async function repeated(runs: number, run: () => Promise<Measured>): Promise<Measured[]> {
  execFileSync('sync');
  const found: Measured[] = [];
  for (let i = 0; i < runs; i++) found.push(await run());
  return found;
}

/**
 * Finds the largest slice that still passes its checks without its middle row (shares may no longer add up, for
 * example). Returns a function that alternately removes that row and restores it.
 */
async function changeOfSlice(
  lake: string,
  folder: string,
  build: () => Promise<Measured>,
): Promise<() => Promise<void>> {
  const [short, whole] = [path.join(folder, 'short.parquet'), path.join(folder, 'whole.parquet')];
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  const slices = listFiles(lake).filter(name => /\/year=\d+\/[^/]+$/.test(name));
  const sizeOf = (name: string) => statSync(path.join(lake, name)).size;
  for (const name of slices.sort((a, b) => sizeOf(b) - sizeOf(a))) {
    const file = path.join(lake, name);
    await copyFile(file, whole);
    await connection.run(
      `COPY (SELECT * EXCLUDE (file_row_number) FROM read_parquet(${fileLiteral(whole)}, hive_partitioning = false, file_row_number = true) QUALIFY file_row_number <> max(file_row_number) OVER () // 2) TO ${literal(short)} (FORMAT parquet)`,
    );
    let turn = 0;
    const change = async () => {
      await copyFile(turn++ % 2 === 0 ? short : whole, file);
      await utimes(file, new Date(), new Date());
    };
    await change();
    const good = await build().catch(() => null);
    await change().then(build);
    say(`${good ? 'one slice is' : 'passed over'}     ${name}`);
    if (good) return change;
  }
  throw new Error('No slice of the lake passes its checks without a row.');
}
