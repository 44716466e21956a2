/** Reads what a build is given: the texts of the contracts, and the listing of the lake. */
import { type Diagnostic, hasErrors } from '../contract/diagnostic.ts';
import type { ContractFile } from '../contract/parse-contracts.ts';
import { UnableError } from '../failure.ts';
import { isDate } from '../format/time-text.ts';
import type { DatabaseOptions } from '../lake/database.ts';
import { type Lake, LakeError, openLake } from '../lake/lake.ts';
import type { SigningKey } from '../log/log-key.ts';
import { readContractFolder } from './contract-folder.ts';

export interface CheckOptions {
  /** Folder of the contracts. */
  readonly contracts: string;
  /** Folder of the lake, or `s3://bucket/prefix`. */
  readonly data: string;
  /** Datasets to take, as `domain/topic` with `*`; null for all. */
  readonly only: string | null;
  /** Warnings count as errors. */
  readonly strict: boolean;
  /** Number of slices to process at once, and of DuckDB's threads. */
  readonly jobs: number;
  /** DuckDB's memory limit, such as `800MB`. */
  readonly memory: string;
  /** Seconds that a contract's own query may take, 60 by default. */
  readonly ruleSeconds?: number | undefined;
  /** The most rows of one file; MOST_ROWS by default. */
  readonly maxRows?: number | undefined;
}

/** The options that decide what a release holds. */
export interface ReleaseOptions extends CheckOptions {
  readonly out: string;
  /** YYYY-MM-DD; null takes SOURCE_DATE_EPOCH, else the newest file of the lake. */
  readonly releaseDate: string | null;
  /** With `only`: builds a tree of these datasets alone, even if a tree is in place. */
  readonly extract?: boolean | undefined;
  /** Path or URL of an earlier tree's root manifest.json. */
  readonly previous: string | null;
  /** Builds a tree for the eyes of its publisher alone: it follows the release of `previous`, never the tree in place. */
  readonly draft?: boolean | undefined;
  /** Signs the log of releases; without it the tree has none. */
  readonly signingKey?: SigningKey | null | undefined;
}

export interface BuildInput {
  readonly contractFiles: readonly ContractFile[];
  readonly lake: Lake;
}

/** `cache` is the folder for the objects of a lake in a bucket. */
export async function readBuildInput(options: CheckOptions, cache: string): Promise<BuildInput> {
  const contractFiles = readContractFolder(options.contracts);
  return { contractFiles, lake: await readLake(options.data, cache) };
}

/** Opens the lake, and turns its errors into UnableError. */
export async function readLake(location: string, cache: string): Promise<Lake> {
  const lake = await unableWithout(openLake(location, cache));
  return {
    ...lake,
    fetch: (files, onFetched) => unableWithout(lake.fetch(files, onFetched)),
    list: () => unableWithout(lake.list()),
  };
}

async function unableWithout<Result>(reading: Promise<Result>): Promise<Result> {
  return reading.catch((error: unknown) => {
    throw error instanceof LakeError ? new UnableError(error.code, error.message) : error;
  });
}

/** With --strict, a warning stops the build; a note never does. */
export function refuses(diagnostics: readonly Diagnostic[], strict: boolean): boolean {
  return hasErrors(diagnostics) || (strict && diagnostics.some(({ severity }) => severity === 'warning'));
}

export function databaseOptions(options: CheckOptions, temporaryFolder: string): DatabaseOptions {
  return { threads: options.jobs, memoryLimit: options.memory, temporaryFolder };
}

/** The date of a release: `--release-date`, else SOURCE_DATE_EPOCH, else that of the lake's newest file (`newest`). */
export function releaseDate(given: string | null, newest: number): string {
  if (given !== null) {
    if (!isDate(given)) {
      throw new UnableError('release-date', `"${given}" is not a date. Write --release-date as YYYY-MM-DD.`);
    }
    return given;
  }
  const epoch = process.env.SOURCE_DATE_EPOCH;
  if (epoch !== undefined && epoch !== '') {
    if (!/^\d{1,12}$/.test(epoch)) {
      throw new UnableError(
        'release-date',
        `SOURCE_DATE_EPOCH is "${epoch}"; it must be a number of seconds since 1970.`,
      );
    }
    return new Date(Number(epoch) * 1000).toISOString().slice(0, 10);
  }
  return new Date(newest).toISOString().slice(0, 10);
}
