/** Killed builds: whenever a build is killed, readers find a whole tree, and the next build goes on from there. */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ROOT } from '../../build/format/paths.ts';
import { listFiles } from '../../build/lake/lake-files.ts';
import { digestFile } from '../../build/slice/file-digest.ts';
import { parseChecksums } from '../../build/tree/previous-tree.ts';
import { resolveTree } from '../../site/edge/adapters/release-folder.ts';
import type { FaultKind } from './fault-kind.ts';
import { RandomChoices } from '../random.ts';
import { CONTRACTS, writeSampleTree } from './sample-tree.ts';

const PROGRAM = path.resolve(import.meta.dirname, '../../bin/civic.js');

/** Every so many builds, one loses the cache and writes every row. */
const FORGETS = 4;

export const KILL: FaultKind = {
  name: 'kill',
  about: 'kills builds at random moments, and looks for a whole tree after each',
  runs: 500,
  async run({ runs, seed }) {
    const scratch = await mkdtemp(path.join(os.tmpdir(), 'civic-faults-'));
    const random = new RandomChoices(seed);
    try {
      const { lake, tree } = await writeSampleTree(scratch);
      let failed = 0;
      let killed = 0;
      let longest = await timeOfBuild(lake, tree, 0);
      for (let build = 1; killed < runs; build++) {
        if (random.below(FORGETS) === 0)
          await rm(path.join(scratch, '.tree.civic/cache'), { recursive: true, force: true });
        const ended = await killBuild(lake, tree, build, random.next() * longest);
        if (ended.code === null) killed++;
        else longest = Math.max(50, longest * 0.95);
        const fault =
          ended.code === null || ended.code === 0 ? await faultOf(tree) : `exit ${ended.code}: ${ended.said}`;
        if (fault === null) continue;
        failed++;
        console.log(`build ${build}: ${fault}`);
      }
      console.log(`${killed} killed builds, seed ${seed}: ${failed} without a whole tree`);
      return failed;
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  },
};

interface Ended {
  /** Null if the build was killed. */
  readonly code: number | null;
  readonly said: string;
}

/** Builds with the release date of day `day`, so that there is something to do. Kills it after so many milliseconds. */
async function killBuild(lake: string, out: string, day: number, after: number): Promise<Ended> {
  const date = new Date(Date.UTC(2027, 0, 1 + day)).toISOString().slice(0, 10);
  const options = ['--contracts', CONTRACTS, '--data', lake, '--out', out, '--release-date', date];
  const child = spawn(process.execPath, [PROGRAM, 'build', ...options, '--jobs', '2'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => (said += part));
  const ended = new Promise<number | null>(done => child.once('close', done));
  const early = new AbortController();
  void wait(after, undefined, { signal: early.signal }).then(
    () => child.kill('SIGKILL'),
    () => undefined,
  );
  const code = await ended;
  early.abort();
  return { code, said };
}

async function timeOfBuild(lake: string, out: string, day: number): Promise<number> {
  const started = performance.now();
  const { code, said } = await killBuild(lake, out, day, 600_000);
  if (code !== 0) throw new Error(said);
  return performance.now() - started;
}

/** What is wrong with the tree that a reader finds; null if it is whole. */
async function faultOf(out: string): Promise<string | null> {
  const tree = await resolveTree(out);
  const sums = await readFile(path.join(tree, ROOT.checksums), 'utf8').catch(() => null);
  if (sums === null) return 'there is no tree';
  const listed = parseChecksums(sums);
  const names = listFiles(tree).filter(name => name !== ROOT.checksums);
  if (names.length !== listed.size) return `${names.length} files, and ${listed.size} in ${ROOT.checksums}`;
  const wrong = names.find(name => digestFile(path.join(tree, name)).sha256 !== listed.get(name));
  return wrong === undefined ? null : `${wrong} has other bytes than ${ROOT.checksums} says`;
}
