/** `npm run bench -- releases`: what earlier releases and the log add to a tree, a build and an answer. */
import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';
import { fileLiteral, literal } from '../../build/lake/sql.ts';
import { createFolderFiles } from '../../site/edge/adapters/folder.ts';
import { FOLDER_BUDGET } from '../../site/edge/adapters/folder-limits.ts';
import { ColumnCache } from '../../site/edge/rows/column-cache.ts';
import { createHandler } from '../../site/edge/fetch.ts';
import { writeSampleLake } from '../georgia/sample/lake.ts';
import { runMeasured } from './process.ts';

export interface ReleasesBenchOptions {
  readonly runs: number;
  /** How many releases follow the first one, a month apart. */
  readonly releases: number;
  /** How many of the newest slices these releases correct, in turn. */
  readonly slices: number;
  /** An existing lake; null to write a full sample. */
  readonly lake: string | null;
}

const CLI = fileURLToPath(new URL('../../bin/civic.js', import.meta.url));
const KEY = 'education/attendance';
const FACTS = `/api/v1/${KEY}`;
const FIRST = '2030-01-01';
/** Of the rows of a slice, one in so many is corrected. */
const SHARE = 20;

export async function benchReleases({
  runs,
  releases,
  slices: most,
  lake: given,
}: ReleasesBenchOptions): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'civic-bench-'));
  try {
    const lake = path.join(folder, 'lake');
    if (given !== null) await cp(given, lake, { recursive: true });
    else {
      const written = await writeSampleLake({ out: lake, scale: 'full', seed: 1, only: [KEY] });
      if (!written.ok) throw new Error(JSON.stringify(written));
    }
    const out = path.join(folder, 'tree');
    await buildTree(lake, out, FIRST);
    const slices = (await readdir(path.join(lake, KEY), { recursive: true }))
      .filter(name => name.endsWith('schools.parquet'))
      .sort()
      .slice(-most);
    await measureBuilds(folder, lake, out, slices.at(-1) ?? '', runs);
    const builds: number[] = [];
    const first = await bytesOf(out, () => true);
    for (let i = 0; i < releases; i++) {
      await correct(path.join(lake, KEY, slices[i % slices.length] ?? ''), i + 1);
      const date = new Date(Date.UTC(2030, i + 1, 1)).toISOString().slice(0, 10);
      builds.push((await buildTree(lake, out, date)).processor);
    }
    say(`processor seconds of each of these builds: ${builds.map(one => one.toFixed(1)).join(' ')}`);
    const grown = (await bytesOf(out, () => true)) - first;
    const replaced = await bytesOf(path.join(out, 'api/v1', KEY), isReplaced);
    say(
      `after ${releases} releases that corrected a ${SHARE}th of one of ${slices.length} slices each: the tree grew by ${grown} bytes, ${(grown / replaced).toFixed(3)} of the ${replaced} bytes of replaced Parquet files`,
    );
    await measureAnswers(out, runs);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The same correction as the first release again, as the next release, and as one with a log. */
async function measureBuilds(
  folder: string,
  lake: string,
  out: string,
  slice: string,
  runs: number,
): Promise<void> {
  const key = path.join(folder, 'signing.key');
  execFileSync(process.execPath, [CLI, 'keygen', '--name', 'bench.example.org', '--out', key]);
  const [work, other] = [path.join(folder, 'work'), path.join(folder, 'other-lake')];
  await cp(lake, other, { recursive: true });
  await correct(path.join(other, KEY, slice), 0);
  const kinds = [
    ['the first release', FIRST, []],
    ['the next release', '2030-02-01', []],
    ['the next, with a log', '2030-02-01', ['--signing-key', key]],
  ] as const;
  const found = new Map<string, { seconds: number; processor: number }[]>();
  for (let run = 0; run < runs; run++)
    for (const [kind, date, more] of kinds) {
      for (const name of ['', '.civic']) {
        const [from, to] = [out, work].map(one =>
          name === '' ? one : path.join(folder, `.${path.basename(one)}.civic`),
        );
        await rm(to!, { recursive: true, force: true });
        await cp(from!, to!, { recursive: true, preserveTimestamps: true }).catch(() => undefined);
      }
      execFileSync('sync');
      const { seconds, processor } = await buildTree(other, work, date, ...more);
      found.set(kind, [...(found.get(kind) ?? []), { seconds, processor }]);
    }
  for (const [kind, list] of found) {
    const [seconds, processor] = [
      median(list.map(one => one.seconds)),
      median(list.map(one => one.processor)),
    ];
    say(
      `a ${SHARE}th of a slice corrected, ${kind.padEnd(20)} ${seconds.toFixed(2)} s wall, ${processor.toFixed(2)} s of processor`,
    );
  }
}

/** Asks each question of today and of the first release in turn. */
async function measureAnswers(tree: string, runs: number): Promise<void> {
  const handler = createHandler(createFolderFiles(tree), {
    budget: FOLDER_BUDGET,
    cache: new ColumnCache(64 << 20),
  });
  const ask = async (query: string) => {
    const begun = performance.now();
    const answer = await handler(new Request(`http://edge.test${FACTS}${query}`));
    const { byteLength } = await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`${query} answered ${answer.status}.`);
    return { milliseconds: performance.now() - begun, bytes: byteLength };
  };
  for (const query of [
    '?detail=schools&format=csv',
    '?detail=schools&format=parquet',
    '?detail=schools',
    '?detail=schools&offset=200000',
    '?detail=schools&year=2020&format=csv',
    '?detail=schools&demographic=all&format=csv',
    '?detail=schools&place=601:0103',
    '?detail=districts&place=601',
    '?detail=schools&year=2020&place=601:0103',
  ]) {
    const [today, earlier]: [number[], number[]] = [[], []];
    let bytes = 0;
    for (let run = 0; run < 3 * runs; run++) {
      const now = await ask(query);
      today.push(now.milliseconds);
      earlier.push((await ask(`${query}&as_of=${FIRST}`)).milliseconds);
      ({ bytes } = now);
    }
    const [now, then] = [median(today), median(earlier)];
    say(
      `${query.padEnd(46)} ${String(bytes).padStart(9)} bytes: today ${now.toFixed(1)} ms, a year back ${then.toFixed(1)} ms, ratio ${(then / now).toFixed(2)}`,
    );
  }
}

/** Gives some rows of a slice one student more. */
async function correct(file: string, turn: number): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run(
    `COPY (SELECT * REPLACE (CASE WHEN num_students > 0 AND hash(district_code, school_code, demographic, ${turn}) % ${SHARE} = 0 THEN num_students + 1 ELSE num_students END AS num_students) FROM read_parquet(${fileLiteral(file)}, hive_partitioning = false)) TO ${literal(`${file}.new`)} (FORMAT parquet)`,
  );
  connection.closeSync();
  instance.closeSync();
  execFileSync('mv', [`${file}.new`, file]);
}

function buildTree(lake: string, out: string, date: string, ...more: readonly string[]) {
  const args = ['--contracts', path.resolve('contracts'), '--data', lake, '--out', out];
  return runMeasured(CLI, ['build', ...args, '--release-date', date, '--json', ...more]);
}

function isReplaced(name: string): boolean {
  return /^_past\/.*\.parquet$/.test(name);
}

async function bytesOf(folder: string, counts: (name: string) => boolean): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  let bytes = 0;
  for (const name of names.filter(counts)) {
    const found = await stat(path.join(folder, name));
    if (found.isFile()) bytes += found.size;
  }
  return bytes;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function say(text: string): void {
  console.log(text);
}
