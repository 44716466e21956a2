/** `npm run mutate`: changes the sources in seeded places, and names the changes that no test notices. */
import { access, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Command } from 'commander';
import { integer } from '../../build/cli/arguments.ts';
import { drawMutations, keyOf, type Mutation, mutationsOf, roomOf } from './mutations.ts';
import { nearestTests, TrialCopy } from './trial.ts';

interface Arguments {
  readonly seed: number;
  readonly each: number;
  readonly room?: string;
  readonly out?: string;
  readonly against?: string;
}

interface Result extends Mutation {
  /** The test that failed twice; null if none did. */
  readonly caughtBy: string | null;
  /** Whether all tests have run. */
  readonly isTried: boolean;
}

const options = new Command('npm run mutate --')
  .description(
    'Changes build/ and site/ in seeded places, runs the tests, and names the changes that no test notices.',
  )
  .option('--seed <n>', 'seed of the choice', integer(1, Number.MAX_SAFE_INTEGER), 1)
  .option('--each <n>', 'mutations of each room', integer(1, Number.MAX_SAFE_INTEGER), 3)
  .option('--room <room>', 'only one room, such as build/lake')
  .option('--out <file>', 'keep the results as JSON, and skip mutations that the file already has')
  .option('--against <file>', 'results to compare with: exit with 1 if fewer are caught')
  .parse()
  .opts<Arguments>();

const all: Mutation[] = [];
for (const half of ['build', 'site'])
  for (const entry of await readdir(half, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.tsx?$/.test(entry.name)) continue;
    const file = path.join(entry.parentPath, entry.name);
    all.push(...mutationsOf(file.split(path.sep).join('/'), await readFile(file, 'utf8')));
  }
const rooms = [...drawMutations(options.seed, all)].filter(
  ([room]) => options.room === undefined || room === options.room,
);

const earlier = options.against === undefined ? [] : await read(options.against);
const results: Result[] = options.out === undefined ? [] : await read(options.out);
const scratch = await mkdtemp(path.join(os.tmpdir(), 'civic-mutate-'));
try {
  const copy = await TrialCopy.of(process.cwd(), path.join(scratch, 'project'));
  const unchanged = await copy.failureOf(['--project=quick']);
  if (unchanged !== null) throw new Error(`${unchanged} fails without a mutation.`);
  for (const [room, mutations] of rooms) {
    let left = options.each - results.filter(result => roomOf(result.file) === room).length;
    for (const mutation of mutations) {
      if (left <= 0) break;
      if (results.some(result => keyOf(result) === keyOf(mutation))) continue;
      if (!(await copy.with([mutation], () => copy.compiles()))) continue;
      left -= 1;
      const caughtBy = await copy.with([mutation], () => firstFailure(copy, mutation, room));
      await note({ ...mutation, caughtBy, isTried: caughtBy !== null });
    }
  }
  // All tests run once with all uncaught mutations in place. Each test that fails then runs with each of these alone.
  const rest = () => results.filter(result => !result.isTried);
  let failing = rest().length === 0 ? [] : await copy.with(rest(), () => copy.failingFiles());
  while (failing.length > 0 && rest().length > 0) {
    const [first = '', ...others] = failing;
    for (const one of rest()) {
      const caughtBy = await copy.with([one], () => copy.failureOf([first]));
      if (caughtBy !== null) await note({ ...one, caughtBy, isTried: true });
    }
    failing = others.length === 0 ? [] : await copy.with(rest(), () => copy.failingFiles(others));
  }
  for (const one of results.filter(result => !result.isTried)) await note({ ...one, isTried: true });
} finally {
  await rm(scratch, { recursive: true, force: true });
}

/** Runs the test that caught it in earlier results, then the quick tests, then those about its room. */
async function firstFailure(copy: TrialCopy, mutation: Mutation, room: string): Promise<string | null> {
  const [file = ''] = caughtBefore(mutation).split(' > ');
  const asBefore = await access(file).then(
    () => copy.failureOf([file]),
    () => null,
  );
  return asBefore ?? (await copy.failureOf(['--project=quick'])) ?? copy.failureOf(nearestTests(room));
}

async function note(result: Result): Promise<void> {
  const at = results.findIndex(one => keyOf(one) === keyOf(result));
  if (at < 0) results.push(result);
  else results[at] = result;
  const state = result.caughtBy ?? (result.isTried ? 'SURVIVED' : 'no near test fails');
  console.log(`${describe(result)}: ${state}`);
  if (options.out !== undefined) await writeFile(options.out, `${JSON.stringify(results, null, 2)}\n`);
}

const survivors = results.filter(result => result.caughtBy === null);
console.log(
  `${results.length - survivors.length} of ${results.length} mutations are caught (seed ${options.seed}).`,
);
for (const survivor of survivors) console.log(`Survived: ${describe(survivor)}`);
if (options.against !== undefined) {
  const lost = survivors.filter(survivor => caughtBefore(survivor) !== '');
  for (const one of lost)
    console.log(`No longer caught: ${describe(one)}, which ${caughtBefore(one)} caught.`);
  if (lost.length > 0) process.exitCode = 1;
}

/** The test that caught it in earlier results; '' if there is none. */
function caughtBefore(mutation: Mutation): string {
  return earlier.find(result => keyOf(result) === keyOf(mutation))?.caughtBy ?? '';
}

async function read(file: string): Promise<Result[]> {
  const text = await readFile(file, 'utf8').catch(() => '[]');
  return JSON.parse(text);
}

function describe({ file, line, before, after }: Mutation): string {
  const short = before.length > 60 ? `${before.slice(0, 57)}...` : before;
  return `${file}:${line} ${short.replaceAll('\n', ' ').trim()} -> ${after === '' ? '(nothing)' : after}`;
}
