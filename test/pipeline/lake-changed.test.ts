/** A lake that somebody writes to while it is read: nothing is published from half of the one and half of the other. */
import { readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { cp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { UnableError } from '../../build/failure.ts';
import { build } from '../../build/pipeline/build.ts';
import { check } from '../../build/pipeline/check-lake.ts';
import type { BuildEvent } from '../../build/report.ts';
import { buildShard } from '../../build/shards/shard.ts';
import { civic, startCivic } from '../cli/program.ts';
import { buildOptions, buildPublisher, snapshot } from '../publishers/built-tree.ts';
import {
  copyPublisher,
  type PublisherFolder,
  temporaryFolder,
  writePublisher,
} from '../publishers/publisher-folder.ts';
import { rainFile } from '../publishers/weather.ts';

let original: PublisherFolder;
beforeAll(async () => {
  original = await writePublisher(await temporaryFolder('never'));
});
afterAll(() => rm(original.root, { recursive: true, force: true }));

const CHANGED = rainFile(2021, 'regions');

interface Change {
  readonly what: string;
  readonly told: string;
  readonly make: (lake: string) => void;
}

const CHANGES: readonly Change[] = [
  {
    what: 'a file gets other bytes of the same number, and its time is put back',
    told: `${CHANGED} (changed)`,
    make: lake => {
      const file = path.join(lake, CHANGED);
      const { atime, mtime } = statSync(file);
      const bytes = readFileSync(file);
      bytes[20] = (bytes[20] ?? 0) ^ 1;
      writeFileSync(file, bytes);
      utimesSync(file, atime, mtime);
    },
  },
  {
    what: 'a file is replaced by another of the same bytes and time',
    told: `${CHANGED} (changed)`,
    make: lake => {
      const file = path.join(lake, CHANGED);
      const { atime, mtime } = statSync(file);
      writeFileSync(`${file}.new`, readFileSync(file));
      utimesSync(`${file}.new`, atime, mtime);
      renameSync(`${file}.new`, file);
    },
  },
  {
    what: 'a file is gone',
    told: `${CHANGED} (gone)`,
    make: lake => rmSync(path.join(lake, CHANGED)),
  },
  {
    what: 'a year more is written',
    told: `${rainFile(2022, 'nation')} (new)`,
    make: lake => writeFileSync(path.join(lake, rainFile(2022, 'nation')), 'half of a fi'),
  },
  {
    what: 'a dimension is rewritten',
    told: '_dimensions/regions.parquet (changed)',
    make: lake => {
      const file = path.join(lake, '_dimensions/regions.parquet');
      writeFileSync(file, readFileSync(file));
    },
  },
];

/** Changes the lake when the first thing is read of it. */
function during(change: () => void): (event: BuildEvent) => void {
  let done = false;
  return event => {
    if (done || event.kind !== 'progress') return;
    done = true;
    change();
  };
}

async function inability(doing: Promise<unknown>): Promise<UnableError> {
  const error: unknown = await doing.then(
    () => null,
    failure => failure,
  );
  if (error instanceof UnableError) return error;
  throw error ?? new Error('It was not noticed.');
}

describe.each(CHANGES)('$what', ({ told, make }) => {
  async function publisherWithTree(): Promise<PublisherFolder> {
    const publisher = await copyPublisher(original, await temporaryFolder());
    await rm(path.join(publisher.data, rainFile(2022, 'nation')));
    await buildPublisher(publisher, { releaseDate: '2030-01-01' });
    // What is rewritten must be read: nothing is carried over.
    await rm(path.join(publisher.root, '.dist.civic'), { recursive: true });
    return publisher;
  }

  test('stops a build, a shard and a check, and leaves the tree', async () => {
    const publisher = await publisherWithTree();
    const before = await snapshot(publisher.out);
    const change = () => make(publisher.data);
    const shard = { ...publisher, out: path.join(publisher.root, 'shard') };
    const lake = path.join(publisher.root, 'lake');
    const restored = path.join(publisher.root, 'restored');
    await cp(lake, restored, { recursive: true, preserveTimestamps: true });
    const runs = [
      () => build(buildOptions(publisher), during(change)),
      () => buildShard(buildOptions(shard), { number: 1, of: 1 }, during(change)),
      () => check(buildOptions(publisher), during(change)),
    ];
    for (const run of runs) {
      const error = await inability(run());
      expect(error.code).toBe('lake-changed');
      expect(error.message).toContain(told);
      expect(await snapshot(publisher.out)).toEqual(before);
      await rm(lake, { recursive: true });
      await cp(restored, lake, { recursive: true, preserveTimestamps: true });
    }
    expect((await buildPublisher(publisher)).result.changed).toBe(true);
  });
});

test('a file that no contract promises may come and go', async () => {
  const publisher = await copyPublisher(original, await temporaryFolder());
  const log = path.join(publisher.data, 'import.log');
  await build(
    buildOptions(publisher),
    during(() => writeFileSync(log, 'a line')),
  );
});

test('the program says which file, and exits with 3', async () => {
  const publisher = await copyPublisher(original, await temporaryFolder());
  const { contracts, data, out } = publisher;
  const run = startCivic(['build', '--contracts', contracts, '--data', data, '--out', out, '--jobs', '1']);
  let stop = false;
  // Written again and again, as by a job that is still running, from when it was listed on.
  const writing = (async () => {
    while (!stop) {
      await wait(20);
      const bytes = readFileSync(path.join(original.data, CHANGED));
      await writeFile(path.join(data, CHANGED), bytes);
    }
  })();
  const { code, stderr } = await run.ended;
  stop = true;
  await writing;
  expect(code).toBe(3);
  expect(stderr).toContain(`lake-changed The lake changed while it was read: ${CHANGED} (changed).`);
  expect(await civic(['verify', out])).not.toMatchObject({ code: 0 });
});
