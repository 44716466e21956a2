/** Everything that a build reads and is told, before any of it is understood. */

import { type Diagnostic, hasErrors } from './contract/diagnostic.ts';
import type { ContractFile } from './contract/parse-contracts.ts';
import { readContractFolder } from './contract-folder.ts';
import { type LakeFile, listLake } from './lake/lake-files.ts';
import { digestOf, PROGRAM } from './publish/build-state.ts';
import { UnableError } from './publish/failure.ts';
import type { HostTarget } from './publish/host-profile.ts';

export interface CheckOptions {
  /** Folder of the contracts. */
  readonly contracts: string;
  /** Folder of the lake. */
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
  /** Path or URL of an earlier tree's root manifest.json. */
  readonly previous: string | null;
  /** Where the tree will be served, ending in a slash. */
  readonly baseUrl: string | null;
  /** The host that the tree is for; none where it is not said. */
  readonly host?: HostTarget | null | undefined;
}

export interface BuildInput {
  readonly contractFiles: readonly ContractFile[];
  readonly lakeFiles: readonly LakeFile[];
  /** Same digest, same tree: of the files' bytes or fingerprints and of every option that shows in the tree. */
  readonly digest: string;
}

export async function readBuildInput(options: BuildOptions): Promise<BuildInput> {
  const [contractFiles, lakeFiles] = await Promise.all([
    readContractFolder(options.contracts),
    readLake(options.data),
  ]);
  const digest = digestOf([
    PROGRAM,
    contractFiles.map(({ file, text }) => [file, text]),
    lakeFiles.map(({ path, fingerprint }) => [path, fingerprint]),
    [
      options.only,
      options.strict,
      options.releaseDate,
      process.env['SOURCE_DATE_EPOCH'] ?? null,
      options.previous,
      options.baseUrl,
      options.host?.profile ?? null,
      options.host?.basePath ?? null,
    ],
  ]);
  return { contractFiles, lakeFiles, digest };
}

export async function readLake(folder: string): Promise<LakeFile[]> {
  return listLake(folder).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new UnableError('lake-unreadable', `${folder} cannot be read (${why}). Name the lake's folder.`);
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

/** Whether a text is a day of the calendar, as YYYY-MM-DD. */
export function isDate(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** The release date: as told, else SOURCE_DATE_EPOCH, else the newest file that the tree is made from. */
export function releaseDate(told: string | null, newest: number): string {
  if (told !== null) {
    if (!isDate(told)) {
      throw new UnableError('release-date', `"${told}" is not a date. Write --release-date as YYYY-MM-DD.`);
    }
    return told;
  }
  const epoch = process.env['SOURCE_DATE_EPOCH'];
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
