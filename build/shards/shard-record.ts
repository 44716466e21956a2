/**
 * A shard's folder, which `civic merge` reads: files of rows below `rows/`, and `shard.json`, which says what they were
 * built from and holds everything that the tree's documents need. A shard has no manifest and cannot be served.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ContractFile } from '../contract/parse-contracts.ts';
import type { DatasetFindings } from '../documents/dataset-documents.ts';
import type { RuleCounts } from '../format/documents.ts';
import { datasetFolder, dimensionFolder } from '../format/paths.ts';
import type { Ignored } from '../lake/lake-files.ts';
import { digestOf } from '../memory/build-state.ts';
import type { WrittenCopies } from '../slice/copy-writer.ts';
import type { WrittenRows, WrittenSlice } from '../slice/rows-writer.ts';
import type { WrittenDimension } from '../slice/slice-stage.ts';
import type { ShardNumber } from './shard-number.ts';

const SHARD_FORMAT = 'civic-shard/1';
export const SHARD_RECORD = 'shard.json';
/** Folder of a shard's files, which have the names that they get in the tree. */
export const SHARD_ROWS = 'rows';

/** The inputs that all shards of one build share. */
export interface ShardInputs {
  readonly program: string;
  /** With names relative to the contracts' folder. */
  readonly contracts: readonly ContractFile[];
  /** Every table of the lake, and every other file that a contract promises. */
  readonly lake: readonly { readonly path: string; readonly bytes: number }[];
  /** The Parquet files that the shard made from tables of the lake, by `tableKey`. */
  readonly tables: Readonly<Record<string, readonly ShardTable[]>>;
  /** Files of the lake that builds ignore, and why. */
  readonly ignored: readonly (readonly [name: string, why: Ignored])[];
  readonly sample: boolean;
  readonly only: string | null;
  readonly strict: boolean;
  /** Date of the release, YYYY-MM-DD. */
  readonly date: string;
  /** Name of the host that the tree is for; null without --host. */
  readonly host: string | null;
}

export interface ShardTable {
  /** Null if the table has the rows of one slice or of a dimension. */
  readonly year: number | null;
  readonly path: string;
  readonly bytes: number;
  /** SHA-256 of the Parquet file. */
  readonly fingerprint: string;
}

export interface ShardRecord extends ShardNumber {
  readonly inputs: ShardInputs;
  /** SHA-256 of each file of the lake that the shard read. */
  readonly read: Readonly<Record<string, string>>;
  /** By key of each dataset whose rules the shard ran. */
  readonly findings: Readonly<Record<string, DatasetFindings>>;
  /** Every shard checks every dimension. */
  readonly dimensionRules: RuleCounts;
  /** By dataset key, then `year/level`. */
  readonly slices: Readonly<Record<string, Readonly<Record<string, WrittenSlice>>>>;
  /** By dataset key, then name of a run. */
  readonly copies: Readonly<Record<string, Readonly<Record<string, WrittenCopies>>>>;
  /** By dimension key. */
  readonly dimensions: Readonly<Record<string, ShardDimension>>;
}

export interface ShardDimension {
  /** Name and domain of its folder. */
  readonly name: string;
  readonly home: string;
  readonly written: WrittenDimension;
}

/** A shard's files of rows, with their names in the tree. */
export function shardFiles({ slices, copies, dimensions }: ShardRecord): WrittenRows[] {
  const at = (folder: string, files: readonly WrittenRows[]) =>
    files.map(file => ({ ...file, path: `${folder}/${file.path}` }));
  const all = ({ json, csv, parquet }: WrittenSlice) => [...json, ...csv, parquet];
  const folderOf = (key: string) => datasetFolder(...domainAndTopic(key));
  return [
    ...Object.entries(slices).flatMap(([key, of]) => at(folderOf(key), Object.values(of).flatMap(all))),
    ...Object.entries(copies).flatMap(([key, of]) =>
      at(
        folderOf(key),
        Object.values(of).flatMap(written => written.copies.map(one => one.file)),
      ),
    ),
    ...Object.values(dimensions).flatMap(({ name, home, written }) =>
      at(dimensionFolder(home, name), all(written)),
    ),
  ];
}

function domainAndTopic(key: string): [string, string] {
  const [domain = '', topic = ''] = key.split('/');
  return [domain, topic];
}

export async function writeShardRecord(folder: string, record: ShardRecord): Promise<void> {
  const shard = { format: SHARD_FORMAT, digest: digestOf(record), ...record };
  await writeFile(path.join(folder, SHARD_RECORD), `${JSON.stringify(shard)}\n`);
}

/** Returns `absent` if the folder has no record, and `damaged` if the record has changed since it was written. */
export async function readShardRecord(folder: string): Promise<ShardRecord | 'absent' | 'damaged'> {
  const text = await readFile(path.join(folder, SHARD_RECORD), 'utf8').catch(() => null);
  if (text === null) return 'absent';
  try {
    const { format, digest, ...record } = JSON.parse(text) as ShardRecord & {
      format: string;
      digest: string;
    };
    return format === SHARD_FORMAT && digest === digestOf(record) ? record : 'damaged';
  } catch {
    return 'damaged';
  }
}
