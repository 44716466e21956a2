/**
 * What a shard of a build leaves for `civic merge`: files of rows beneath `rows/`, and `shard.json`, which says what
 * they were made from and holds all that the tree's documents need of them. No shard can be served: its files bear no
 * URL's name, and it has no manifest.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ContractFile } from '../contract/parse-contracts.ts';
import type { DatasetFindings } from '../documents/dataset-documents.ts';
import type { RuleCounts } from '../format/documents.ts';
import { datasetFolder, dimensionFolder } from '../format/paths.ts';
import type { Ignored } from '../lake/lake-files.ts';
import { digestOf } from '../memory/build-state.ts';
import type { WrittenParquet, WrittenRows, WrittenSlice } from '../slice/rows-writer.ts';
import type { ShardNumber } from './shard-number.ts';

const SHARD_FORMAT = 'civic-shard/1';
export const SHARD_RECORD = 'shard.json';
/** Folder of a shard's files, which are named within it as in the tree. */
export const SHARD_ROWS = 'rows';

/** What all shards of one build have in common. */
export interface ShardInputs {
  readonly program: string;
  /** Names are relative to the contracts' folder. */
  readonly contracts: readonly ContractFile[];
  /** Every Parquet file of the lake, and whatever else a contract promises. */
  readonly lake: readonly { readonly path: string; readonly bytes: number }[];
  /** What of the lake is not read, and why. */
  readonly ignored: readonly (readonly [name: string, why: Ignored])[];
  readonly sample: boolean;
  readonly only: string | null;
  readonly strict: boolean;
  /** Date of the release, YYYY-MM-DD. */
  readonly date: string;
  /** Name of the host that the tree is for; null where none was named. */
  readonly host: string | null;
  /** Paths of what the tree will not store, since its host has not room for it. */
  readonly leftOut: readonly string[];
}

export interface ShardRecord extends ShardNumber {
  readonly inputs: ShardInputs;
  /** SHA-256 of each file of the lake that this shard read. */
  readonly read: Readonly<Record<string, string>>;
  /** By dataset key, of those whose rules this shard ran. */
  readonly findings: Readonly<Record<string, DatasetFindings>>;
  /** Every shard checks every dimension. */
  readonly dimensionRules: RuleCounts;
  /** By dataset key, then `year/level`. */
  readonly slices: Readonly<Record<string, Readonly<Record<string, WrittenSlice>>>>;
  /** By dataset key, then level. */
  readonly histories: Readonly<Record<string, Readonly<Record<string, WrittenParquet>>>>;
  /** By dimension key. */
  readonly dimensions: Readonly<Record<string, ShardDimension>>;
}

export interface ShardDimension {
  /** Name and domain of its folder. */
  readonly name: string;
  readonly home: string;
  readonly written: WrittenSlice;
}

/** A shard's files of rows, named as in the tree. */
export function shardFiles({ slices, histories, dimensions }: ShardRecord): WrittenRows[] {
  const at = (folder: string, files: readonly WrittenRows[]) =>
    files.map(file => ({ ...file, path: `${folder}/${file.path}` }));
  const all = ({ json, csv, parquet }: WrittenSlice) => [...json, ...csv, parquet];
  const folderOf = (key: string) => datasetFolder(...domainAndTopic(key));
  return [
    ...Object.entries(slices).flatMap(([key, of]) => at(folderOf(key), Object.values(of).flatMap(all))),
    ...Object.entries(histories).flatMap(([key, of]) => at(folderOf(key), Object.values(of))),
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

/** A shard's record; `absent` where the folder has none, `damaged` where it is not as it was written. */
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
