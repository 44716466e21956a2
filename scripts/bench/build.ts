/** `npm run bench -- build`: the time and memory of a build, against a DuckDB COPY of the same rows. */
import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuildResult } from '../../build/pipeline/build.ts';
import { writeSampleLake } from '../georgia/sample/lake.ts';
import { changingSlice } from './changing-slice.ts';
import { type Measured, runMeasured } from './process.ts';
import { repeatRows } from './repeated-lake.ts';

export interface BuildBenchOptions {
  /** Datasets, as `domain/topic` with `*`, separated by commas; null: all. */
  readonly only: string | null;
  readonly runs: number;
  readonly times: number;
  /** An existing lake; null to write a full sample. */
  readonly lake: string | null;
}

const CLI = fileURLToPath(new URL('../../bin/civic.js', import.meta.url));
const PLAIN_COPY = fileURLToPath(new URL('./plain-copy.js', import.meta.url));
const CONTRACTS = path.resolve('contracts');
const JOBS = String(Math.min(8, os.availableParallelism()));

export async function benchBuild(options: BuildBenchOptions): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'civic-bench-'));
  try {
    let lake = path.join(folder, 'lake');
    // The benchmark changes slices, so it works on a copy.
    if (options.lake !== null) await cp(options.lake, lake, { recursive: true });
    else {
      const made = performance.now();
      const keys = options.only === null ? undefined : options.only.split(',');
      const result = await writeSampleLake({
        out: lake,
        scale: 'full',
        seed: 1,
        ...(keys && { only: keys }),
      });
      if (!result.ok) throw new Error(JSON.stringify(result));
      say(`Full sample lake written in ${((performance.now() - made) / 1000).toFixed(1)} s.`);
    }
    if (options.times > 1) lake = await repeatRows(lake, path.join(folder, 'repeated'), options.times);
    await measure(folder, lake, options.runs);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(folder: string, lake: string, runs: number): Promise<void> {
  const builds: Measured[] = [];
  const plain: Measured[] = [];
  const out = path.join(folder, 'tree');
  const arguments_ = [
    'build',
    '--contracts',
    CONTRACTS,
    '--data',
    lake,
    '--out',
    out,
    '--jobs',
    JOBS,
    '--json',
  ];
  let result: BuildResult | null = null;
  for (let run = 0; run < runs; run++) {
    await rm(out, { recursive: true, force: true });
    await rm(path.join(folder, '.tree.civic'), { recursive: true, force: true });
    settle();
    const built = await runMeasured(CLI, arguments_);
    result = JSON.parse(built.output) as BuildResult;
    builds.push(built);
    const copies = path.join(folder, 'plain');
    await rm(copies, { recursive: true, force: true });
    await mkdir(copies);
    settle();
    plain.push(await runMeasured(PLAIN_COPY, [CONTRACTS, lake, copies, JOBS, out]));
  }
  if (result === null) return;
  const full = median(builds, one => one.seconds);
  const copy = median(plain, one => one.seconds);
  const pairs = builds.map((one, i) => one.seconds / (plain[i]?.seconds ?? Number.NaN)).sort((a, b) => a - b);
  say(
    `${result.datasets} datasets, ${result.rows} rows, ${result.files} files; ${runs} runs of each in turn, ${JOBS} jobs.`,
  );
  say(
    `civic build      ${spread(builds, one => one.seconds)} s wall, ${spread(builds, one => one.processor)} s CPU, peak ${spread(builds, one => one.peak)} MiB`,
  );
  say(
    `plain DuckDB     ${spread(plain, one => one.seconds)} s wall, ${spread(plain, one => one.processor)} s CPU, peak ${spread(plain, one => one.peak)} MiB`,
  );
  say(
    `ratio            ${pairs.map(ratio => ratio.toFixed(2)).join(' ')} (median ${(full / copy).toFixed(2)})`,
  );
  say(
    `stages           ${Object.entries(result.seconds)
      .map(([stage, seconds]) => `${stage} ${seconds.toFixed(2)} s`)
      .join(', ')} (last run)`,
  );
  for (const [format, bytes] of await bytesByFormat(out)) {
    say(`${format.padEnd(16)} ${bytes} bytes, ${(bytes / result.rows).toFixed(1)} a row`);
  }
  const run = () => runMeasured(CLI, arguments_);
  settle();
  const idle = await repeated(runs, run);
  say(
    `nothing to do    ${spread(idle, one => one.seconds)} s: ${((100 * median(idle, one => one.seconds)) / copy).toFixed(1)} % of a plain COPY of everything`,
  );
  for (const candidates of await someSlices(lake)) {
    const found = await firstThatCanChange(candidates, folder, run);
    if (found === null) continue;
    settle();
    const { slice, change } = found;
    const touch = async () => utimes(slice, new Date(), new Date());
    for (const [what, make] of [
      ['one slice', change],
      ['one touched', touch],
    ] as const) {
      const changed = await repeated(2 * runs, async () => {
        await make();
        return run();
      });
      const share = (100 * median(changed, one => one.seconds)) / copy;
      say(
        `${what.padEnd(16)} ${spread(changed, one => one.seconds)} s: ${share.toFixed(1)} % (${path.relative(lake, slice)})`,
      );
    }
  }
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

/** The largest slice, a middling one and a small one, each followed by all smaller ones. */
async function someSlices(lake: string): Promise<string[][]> {
  const entries = await readdir(lake, { recursive: true, withFileTypes: true });
  const files = entries.filter(entry => entry.isFile() && /^year=/.test(path.basename(entry.parentPath)));
  const sized = await Promise.all(
    files.map(async entry => {
      const file = path.join(entry.parentPath, entry.name);
      return { file, bytes: (await stat(file)).size };
    }),
  );
  const sorted = sized.sort((a, b) => b.bytes - a.bytes || (a.file < b.file ? -1 : 1)).map(one => one.file);
  return [0, 0.5, 0.9].map(share => sorted.slice(Math.floor(share * sorted.length)));
}

/** Returns the first slice that still keeps its rules without one row; shares may no longer add up, for example. */
async function firstThatCanChange(
  slices: readonly string[],
  folder: string,
  build: () => Promise<Measured>,
): Promise<{ slice: string; change: () => Promise<void> } | null> {
  for (const slice of slices) {
    const change = await changingSlice(slice, folder);
    await change();
    const refusal = await build().then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    await change();
    await build();
    if (refusal === null) return { slice, change };
    say(
      `passed over      ${path.basename(path.dirname(slice))}: ${refusal.replace(/\s+/g, ' ').slice(0, 200)}`,
    );
  }
  return null;
}

async function bytesByFormat(folder: string): Promise<Map<string, number>> {
  const sums = new Map<string, number>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const isRows = /year=\d+$/.test(entry.parentPath) && !entry.name.endsWith('.html');
    const format =
      entry.parentPath.endsWith('_copies') && !entry.name.endsWith('.html')
        ? 'copies'
        : isRows
          ? (entry.name.split('.').at(-1) ?? '')
          : 'documents';
    sums.set(format, (sums.get(format) ?? 0) + (await stat(file)).size);
  }
  return sums;
}

function median(list: readonly Measured[], of: (one: Measured) => number): number {
  const sorted = list.map(of).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** The least, the median and the greatest. */
function spread(list: readonly Measured[], of: (one: Measured) => number): string {
  const sorted = list.map(of).sort((a, b) => a - b);
  return [sorted[0], sorted[Math.floor(sorted.length / 2)], sorted[Math.floor(sorted.length * 0.9)]]
    .map(one => (one ?? 0).toFixed(2))
    .join('/');
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
