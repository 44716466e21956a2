/** Killed builds: whenever a build is killed, readers find a whole tree, and the next build goes on from there. */
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { ROOT } from '../../build/format/paths.ts';
import { listFiles } from '../../build/lake/lake-files.ts';
import { digestFile } from '../../build/slice/file-digest.ts';
import { parseChecksums } from '../../build/tree/previous-tree.ts';
import { resolveTree } from '../../site/edge/adapters/release-folder.ts';
import { RandomChoices } from '../random.ts';
import type { FaultKind } from './fault-kind.ts';
import { CONTRACTS, inScratch, runCivic, writeSampleTree } from './sample-tree.ts';

/** Every so many builds, one loses the cache and writes every row. */
const FORGETS = 4;

export const KILL: FaultKind = {
  name: 'kill',
  about: 'kills builds at random moments, and looks for a whole tree after each',
  runs: 500,
  run: ({ runs, seed }) =>
    inScratch(async scratch => {
      const random = new RandomChoices(seed);
      const { lake, tree } = await writeSampleTree(scratch);
      // Each has another release date, so that there is something to do.
      const build = (day: number, after?: number) => {
        const date = new Date(Date.UTC(2027, 0, 1 + day)).toISOString().slice(0, 10);
        const options = ['--contracts', CONTRACTS, '--data', lake, '--out', tree, '--release-date', date];
        return runCivic(['build', ...options, '--jobs', '2'], after);
      };
      const started = performance.now();
      await build(0);
      let [failed, killed, longest] = [0, 0, performance.now() - started];
      for (let day = 1; killed < runs; day++) {
        if (random.below(FORGETS) === 0)
          await rm(path.join(scratch, '.tree.civic/cache'), { recursive: true, force: true });
        const { code, errors } = await build(day, Math.ceil(random.next() * longest));
        if (code === null) killed++;
        else longest = Math.max(50, longest * 0.95);
        const fault = code === null || code === 0 ? await faultOf(tree) : `exit ${code}: ${errors}`;
        if (fault === null) continue;
        failed++;
        console.log(`build ${day}: ${fault}`);
      }
      console.log(`${killed} killed builds: ${failed} without a whole tree`);
      return failed;
    }),
};

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
