/**
 * What a part of a build leaves for `civic merge`: files of rows beneath `rows/`, and `part.json`, which says what
 * they were made from and holds all that the tree's documents need of them. No part can be served: its files bear no
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

const PART_FORMAT = 'civic-part/1';
export const PART_RECORD = 'part.json';
/** Folder of a part's files, which are named within it as in the tree. */
export const PART_ROWS = 'rows';

export interface PartNumber {
  /** From 1. */
  readonly number: number;
  readonly of: number;
}

/** What all parts of one build have in common. */
export interface PartInputs {
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

export interface PartRecord extends PartNumber {
  readonly inputs: PartInputs;
  /** SHA-256 of each file of the lake that this part read. */
  readonly read: Readonly<Record<string, string>>;
  /** By dataset key, of those whose rules this part ran. */
  readonly findings: Readonly<Record<string, DatasetFindings>>;
  /** Every part checks every dimension. */
  readonly dimensionRules: RuleCounts;
  /** By dataset key, then `year/level`. */
  readonly slices: Readonly<Record<string, Readonly<Record<string, WrittenSlice>>>>;
  /** By dataset key, then level. */
  readonly histories: Readonly<Record<string, Readonly<Record<string, WrittenParquet>>>>;
  /** By dimension key. */
  readonly dimensions: Readonly<Record<string, PartDimension>>;
}

export interface PartDimension {
  /** Name and domain of its folder. */
  readonly name: string;
  readonly home: string;
  readonly written: WrittenSlice;
}

/** A part's files of rows, named as in the tree. */
export function partFiles({ slices, histories, dimensions }: PartRecord): WrittenRows[] {
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

export async function writePartRecord(folder: string, record: PartRecord): Promise<void> {
  const part = { format: PART_FORMAT, digest: digestOf(record), ...record };
  await writeFile(path.join(folder, PART_RECORD), `${JSON.stringify(part)}\n`);
}

/** A part's record; `absent` where the folder has none, `damaged` where it is not as it was written. */
export async function readPartRecord(folder: string): Promise<PartRecord | 'absent' | 'damaged'> {
  const text = await readFile(path.join(folder, PART_RECORD), 'utf8').catch(() => null);
  if (text === null) return 'absent';
  try {
    const { format, digest, ...record } = JSON.parse(text) as PartRecord & { format: string; digest: string };
    return format === PART_FORMAT && digest === digestOf(record) ? record : 'damaged';
  } catch {
    return 'damaged';
  }
}
