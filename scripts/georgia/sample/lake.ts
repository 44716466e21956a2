/** Writes a lake of invented data, and keeps the folder of the lake safe. */
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { refused } from '../../../build/failure.ts';
import { type Session, withSession } from '../../../build/lake/database.ts';
import {
  columnTypes,
  hasContract,
  type LakeTable,
  listSlices,
  readTable,
  writeSlice,
} from '../lake-table.ts';
import { datasets, dimensions } from './datasets.ts';
import { createWorld, type Scale } from './world.ts';

export interface SampleOptions {
  /** Folder of the lake. A sample lake there is replaced; any other content is refused. */
  readonly out: string;
  readonly scale: Scale;
  readonly seed: number;
  /** Keys of the datasets to write; by default all. Dimensions are always written. */
  readonly only?: readonly string[];
  /** Folder of the contracts; by default `contracts` in the working directory. */
  readonly contracts?: string;
  /** Called after each table. */
  readonly onWritten?: (written: Written) => void;
}

export interface Written {
  readonly key: string;
  readonly files: number;
  readonly rows: number;
}

/**
 * The same seed, scale and contracts give the same bytes.
 *
 * @throws RefusedError
 */
export async function writeSampleLake(options: SampleOptions): Promise<readonly Written[]> {
  const { out, scale, seed, only = Object.keys(datasets), contracts } = options;
  const unknown = only.find(key => !(key in datasets));
  if (unknown !== undefined) {
    const known = Object.keys(datasets).join(', ');
    throw refused('unknown-dataset', unknown, `is not a dataset of the sample; known are ${known}`);
  }
  const tables = Object.entries({ ...dimensions, ...datasets });
  const asked = tables.filter(([path]) => !(path in datasets) || only.includes(path));
  const lacking = asked.find(([path]) => !hasContract(path, contracts));
  if (lacking !== undefined)
    throw refused('no-contract', lacking[0], 'has no contract, from which the sample takes its columns');
  const root = await stageFolder(out, scale, seed);
  // For the small lake, a second thread takes a third more processor time.
  const threads = scale === 'small' ? 1 : 2;
  const written: Written[] = [];
  try {
    await withSession({ threads, memoryLimit: '2GB', temporaryFolder: tmpdir() }, async session => {
      await createWorld(session, scale, seed);
      for (const [path, sql] of asked) {
        const result = await writeTable(session, readTable(path, contracts), root, sql);
        written.push(result);
        options.onWritten?.(result);
      }
    });
    await swapFolder(root, out);
    return written;
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

async function writeTable(session: Session, table: LakeTable, root: string, sql: string): Promise<Written> {
  const level = table.kind === 'dataset' ? ', detail VARCHAR' : '';
  await session.run(`
    CREATE OR REPLACE TEMP TABLE loaded (${columnTypes(table)}${level});
    INSERT INTO loaded BY NAME ${sql}`);
  const slices = await listSlices(session, table, 'loaded');
  for (const slice of slices) {
    const file = join(root, slice.path);
    await mkdir(dirname(file), { recursive: true });
    await writeSlice(session, table, 'loaded', slice, file);
  }
  const { rows } = await session.row<{ rows: number }>('SELECT count(*) AS rows FROM loaded');
  return { key: table.path, files: slices.length, rows };
}

/** Marks a folder as a sample lake, which may be replaced. */
export const markerName = '_sample.json';

const NOTICE =
  'Synthetic sample data: all names and figures are invented by a seeded generator; only county codes are real.';

/**
 * Starts an empty lake next to `out`. It is moved there when it is complete, so that no reader sees half of one. Returns
 * its path. Refuses to replace anything but an empty folder or one with the marker.
 */
async function stageFolder(out: string, scale: Scale, seed: number): Promise<string> {
  const isEmpty = async () => (await stat(out)).isDirectory() && (await readdir(out)).length === 0;
  if (existsSync(out) && !existsSync(join(out, markerName)) && !(await isEmpty())) {
    const message = `is not a sample lake (it has no ${markerName}), so it is left alone; choose another --out`;
    throw refused('not-a-sample-lake', out, message);
  }
  const staging = beside(out, 'staging');
  await rm(staging, { recursive: true, force: true });
  await mkdir(staging, { recursive: true });
  const marker = { sample: true, seed, scale, notice: NOTICE };
  await writeFile(join(staging, markerName), `${JSON.stringify(marker, null, 2)}\n`);
  return staging;
}

async function swapFolder(staging: string, out: string): Promise<void> {
  const previous = beside(out, 'previous');
  await rm(previous, { recursive: true, force: true });
  if (existsSync(out)) await rename(out, previous);
  await rename(staging, out);
  await rm(previous, { recursive: true, force: true });
}

function beside(out: string, state: string): string {
  return join(dirname(resolve(out)), `.${basename(resolve(out))}.sample-${state}.civic`);
}
