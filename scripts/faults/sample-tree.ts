/** What faults are tried on: a tree of some datasets of the sample, and runs of the program. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { build } from '../../build/pipeline/build.ts';
import { openExplorer } from '../../site/explorer/page-maker.ts';
import { CIVIC } from '../bench/process.ts';
import { writeSampleLake } from '../georgia/sample/lake.ts';

/** Between them they have one year and many, small files and files of many blocks. */
const SOME = ['census/employment', 'education/attendance', 'immigration/quarterly_detainer_reports'] as const;

export const CONTRACTS = 'contracts';

export interface FaultFolder {
  readonly lake: string;
  readonly tree: string;
}

/** Hands a folder over that is removed in the end. */
export async function inScratch<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'civic-faults-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes the lake and its tree into `folder`. Another seed gives other figures in the same slices. */
export async function writeSampleTree(
  folder: string,
  seed = 1,
  only: readonly string[] = SOME,
): Promise<FaultFolder> {
  const [lake, out] = [path.join(folder, 'lake'), path.join(folder, 'tree')];
  const written = await writeSampleLake({
    ...{ out: lake, scale: 'small', seed, contracts: CONTRACTS, only },
  });
  if (!written.ok) throw new Error(JSON.stringify(written.problems));
  // Compiled, the pages' bundle stands beside the scripts; elsewhere the tree has no pages.
  const pages = await openExplorer(path.resolve(import.meta.dirname, '../..'));
  await build(
    {
      ...{ contracts: CONTRACTS, data: lake, out, only: null, strict: false, releaseDate: '2026-11-21' },
      ...{ previous: null, baseUrl: null, jobs: 2, memory: '800MB', pages },
    },
    () => undefined,
  );
  return { lake, tree: out };
}

export interface Ended {
  /** Null if the program was killed. */
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** Runs the program, behind whatever is measured meanwhile; kills it after so many milliseconds. */
export async function runCivic(
  args: readonly string[],
  after?: number,
  watch: (pid: number) => void = () => undefined,
): Promise<Ended> {
  const child = spawn(process.execPath, [CIVIC, ...args], {
    ...{ stdio: 'pipe', timeout: after, killSignal: 'SIGKILL' },
  });
  if (child.pid !== undefined) {
    os.setPriority(child.pid, 10);
    watch(child.pid);
  }
  let [output, errors] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', part => (output += part));
  child.stderr.setEncoding('utf8').on('data', part => (errors += part));
  const code = await new Promise<number | null>(done => child.once('close', done));
  return { code, output, errors };
}
