/** Everything that a build reads and is told, before any of it is understood. */
import path from 'node:path';
import { isDate } from '../contract/calendar-date.ts';
import { type Diagnostic, hasErrors } from '../contract/diagnostic.ts';
import type { ContractFile } from '../contract/parse-contracts.ts';
import type { PageMaker } from '../documents/people-pages.ts';
import { UnableError } from '../failure.ts';
import type { HostTarget } from '../hosts/host-profile.ts';
import { type Lake, LakeError } from '../lake/lake.ts';
import { openLake } from '../lake/lake-location.ts';
import { digestOf, PROGRAM } from '../memory/build-state.ts';
import type { ContentOf } from '../memory/file-contents.ts';
import { readContractFolder } from './contract-folder.ts';

export interface CheckOptions {
  /** Folder of the contracts. */
  readonly contracts: string;
  /** Folder of the lake, or `s3://bucket/prefix`. */
  readonly data: string;
  /** Datasets to take, as `domain/topic` with `*`; null takes all. */
  readonly only: string | null;
  /** Warnings count as errors. */
  readonly strict: boolean;
  /** Slices that are made at once, and DuckDB's threads. */
  readonly jobs: number;
  /** DuckDB's memory limit, such as `800MB`. */
  readonly memory: string;
  /** Seconds that a contract's own query may take before it is stopped; 300 where it is not said. */
  readonly ruleSeconds?: number | undefined;
}

export interface BuildOptions extends CheckOptions {
  readonly out: string;
  /** YYYY-MM-DD; null takes SOURCE_DATE_EPOCH, else the newest file of the lake. */
  readonly releaseDate: string | null;
  /** With `only`: a tree of these datasets alone, where there is a tree already too. */
  readonly extract?: boolean | undefined;
  /** Path or URL of an earlier tree's root manifest.json. */
  readonly previous: string | null;
  /** Where the tree will be served, ending in a slash. */
  readonly baseUrl: string | null;
  /** Makes people's pages; null or absent leaves folders with plain listings. */
  readonly pages?: PageMaker | null;
  /** The host that the tree is for; none where it is not said. */
  readonly host?: HostTarget | null | undefined;
}

export interface BuildInput {
  readonly contractFiles: readonly ContractFile[];
  readonly lake: Lake;
}

/** `cache` is the folder in which objects of a lake at a bucket are kept. */
export async function readBuildInput(options: BuildOptions, cache: string): Promise<BuildInput> {
  const contractFiles = readContractFolder(options.contracts);
  return { contractFiles, lake: await readLake(options.data, cache) };
}

/** Of everything that shows in the tree, lake files by what `contentOf` says: the same digest, the same tree. */
export function inputDigest(
  options: BuildOptions,
  { contractFiles, lake }: BuildInput,
  contentOf: ContentOf,
): string {
  const newest = lake.files.reduce((last, file) => Math.max(last, file.modified), 0);
  return digestOf([
    PROGRAM,
    contractFiles.map(({ file }) => path.relative(options.contracts, file)),
    contractFiles.map(({ text }) => text),
    lake.files.map(file => [file.path, contentOf(file)]),
    [...lake.ignored],
    [
      options.only,
      options.extract === true,
      options.strict,
      releaseDate(options.releaseDate, newest),
      options.previous,
      options.baseUrl,
      options.pages?.version ?? null,
      options.host?.profile ?? null,
      options.host?.basePath ?? null,
    ],
  ]);
}

/** The lake, whose troubles end a build as what the machine cannot do. */
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

/** Whether a dataset is asked for. `*` stands for anything but a slash, `**` for anything. */
export function matchesGlob(glob: string | null, key: string): boolean {
  if (glob === null) return true;
  return glob.split(',').some(part => {
    const source = part
      .trim()
      .split(/(\*\*|\*|\?)/)
      .map(piece => {
        if (piece === '**') return '.*';
        if (piece === '*') return '[^/]*';
        if (piece === '?') return '[^/]';
        return piece.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
      })
      .join('');
    return new RegExp(`^${source}$`).test(key);
  });
}

/** With --strict, whatever would be a warning stops the build. */
export function refuses(diagnostics: readonly Diagnostic[], strict: boolean): boolean {
  return hasErrors(diagnostics) || (strict && diagnostics.length > 0);
}

/** The release date: as told, else SOURCE_DATE_EPOCH, else the newest file that the tree is made from. */
export function releaseDate(told: string | null, newest: number): string {
  if (told !== null) {
    if (!isDate(told)) {
      throw new UnableError('release-date', `"${told}" is not a date. Write --release-date as YYYY-MM-DD.`);
    }
    return told;
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
