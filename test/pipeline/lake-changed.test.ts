/** A lake that changes while it is read: nothing is published from a mixture. */
import { readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { build } from '../../build/pipeline/build.ts';
import { check } from '../../build/pipeline/check.ts';
import { buildShard } from '../../build/pipeline/shard.ts';
import type { BuildEvent } from '../../build/report.ts';
import { buildOptions } from '../publishers/built-tree.ts';
import { keptWeather } from '../publishers/kept-trees.ts';
import type { Publisher } from '../publishers/publisher-folder.ts';
import { rainFile } from '../publishers/weather.ts';

const CHANGED = rainFile(2021, 'regions');

/** Changes a file's bytes, in place or as another file of its name, and restores its time. */
function rewrite(file: string, change: (bytes: Buffer) => Buffer, written = file): void {
  const { atime, mtime } = statSync(file);
  writeFileSync(written, change(readFileSync(file)));
  utimesSync(written, atime, mtime);
  renameSync(written, file);
}

const DIMENSION = '_dimensions/regions.parquet';
const NEW = rainFile(2022, 'nation');

let original: Publisher;
beforeAll(async () => {
  original = await (await keptWeather()).copy();
  await rm(path.join(original.data, NEW));
  await original.build({ releaseDate: '2030-01-01' });
});

/** What happens to the lake, and the message. */
const CHANGES: readonly (readonly [
  what: string,
  told: string,
  make: (at: (name: string) => string) => void,
])[] = [
  [
    'a file has other bytes of the same number and time',
    `${CHANGED} (changed)`,
    at => rewrite(at(CHANGED), bytes => bytes.fill(bytes[20]! ^ 1, 20, 21)),
  ],
  [
    'a file is another of the same bytes and time',
    `${CHANGED} (changed)`,
    at => rewrite(at(CHANGED), bytes => bytes, at(`${CHANGED}.new`)),
  ],
  ['a file is gone', `${CHANGED} (gone)`, at => rmSync(at(CHANGED))],
  ['a year more is written', `${NEW} (new)`, at => writeFileSync(at(NEW), 'half of a fi')],
  [
    'a dimension is rewritten',
    `${DIMENSION} (changed)`,
    at => writeFileSync(at(DIMENSION), readFileSync(at(DIMENSION))),
  ],
];

/** Changes the lake at the first read. */
function during(change: () => void): (event: BuildEvent) => void {
  let done = false;
  return event => {
    if (done || event.kind !== 'progress') return;
    done = true;
    change();
  };
}

const RUNS = {
  build: (one: Publisher, report: (event: BuildEvent) => void) => build(buildOptions(one), report),
  shard: (one: Publisher, report: (event: BuildEvent) => void) => {
    const cache = { folder: path.join(one.root, 'cache') };
    return buildShard({ ...buildOptions(one), cache }, { number: 1, of: 1 }, report);
  },
  check: (one: Publisher, report: (event: BuildEvent) => void) => check(buildOptions(one), report),
};

test.each([
  ...CHANGES.map(one => ['build', ...one] as const),
  ['shard', ...CHANGES[0]!] as const,
  ['check', ...CHANGES[1]!] as const,
])('a %s stops and leaves the tree: %s', async (run, _, told, make) => {
  const publisher = await original.copyBuilt();
  const before = await publisher.snapshot();
  // The cache must be empty, so that the files are read.
  await rm(path.join(publisher.root, '.dist.civic'), { recursive: true });
  const change = () => make(name => path.join(publisher.data, name));
  await expect(RUNS[run](publisher, during(change))).rejects.toMatchObject({
    code: 'lake-changed',
    message: expect.stringContaining(told),
  });
  expect(await publisher.snapshot()).toEqual(before);
});

test('a file that no contract promises may come and go', async () => {
  const publisher = await original.copy();
  const log = path.join(publisher.data, 'import.log');
  await build(
    buildOptions(publisher),
    during(() => writeFileSync(log, 'a line')),
  );
});
