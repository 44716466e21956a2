/** What a command is given, and reads first: the texts of the contracts, and the listing of the lake. */
import { readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { type Cache, contentOf } from '../cache/cache.ts';
import { type Diagnostic, hasErrors, sortDiagnostics } from '../contract/diagnostic.ts';
import type { ContractFile } from '../contract/parse-contracts.ts';
import { RefusedError, UnableError } from '../failure.ts';
import type { DatabaseOptions } from '../lake/database.ts';
import { type Lake, openLake } from '../lake/lake.ts';
import { listLake } from '../lake/lake-files.ts';
import type { SigningKey } from '../log/signed-note.ts';
import type { Reporter } from '../report.ts';
import { isFileShortage, reasonOf, refusedPath } from '../system-error.ts';

export interface CheckOptions {
  /** Folder of the contracts. */
  readonly contracts: string;
  /** Folder of the lake, or `s3://bucket/prefix`. */
  readonly data: string;
  /** Datasets to build, as `domain/topic` with `*`; null for all. */
  readonly only: string | null;
  /** Warnings count as errors. */
  readonly strict: boolean;
  /** Slices to process at once; also DuckDB's threads. */
  readonly jobs: number;
  /** DuckDB's memory limit, such as `800MB`. */
  readonly memory: string;
  /** Seconds that a contract's own query may take; 60 by default. */
  readonly ruleSeconds?: number | undefined;
  /** The most rows of one file; MOST_ROWS by default. */
  readonly maxRows?: number | undefined;
}

/** The options that decide what a release contains. */
export interface ReleaseOptions extends CheckOptions {
  readonly out: string;
  /** YYYY-MM-DD; null takes SOURCE_DATE_EPOCH, else the newest file of the lake. */
  readonly releaseDate: string | null;
  /** With `only`: builds a tree with only these datasets, even if a tree is in place. */
  readonly extract?: boolean | undefined;
  /** Path or URL of an earlier tree's root manifest.json. */
  readonly previous: string | null;
  /** A tree only for its publisher: it follows the release of `previous`, never the tree in place. */
  readonly draft?: boolean | undefined;
  /** Signs the log of releases; without it the tree has no log. */
  readonly signingKey?: SigningKey | null | undefined;
}

/** What each stage of a command gets. */
export interface Work<Options extends CheckOptions = CheckOptions> {
  readonly options: Options;
  readonly contractFiles: readonly ContractFile[];
  readonly lake: Lake;
  readonly cache: Cache;
  readonly temporary: string;
  /** Of all databases together. */
  readonly limits: DatabaseOptions;
  readonly report: Reporter;
}

/** Milliseconds of hashing before it is reported. Few lakes take longer. */
const SILENT = 1000;

/**
 * Hashes the files of a lake in a folder too, which the keys of the cache need. `objects`: folder for the objects of a
 * lake in a bucket.
 */
export async function readWork<Options extends CheckOptions>(
  options: Options,
  cache: Cache,
  temporary: string,
  report: Reporter,
  objects = path.join(temporary, 'lake'),
): Promise<Work<Options>> {
  const contractFiles = readContractFolder(options.contracts);
  const lake = await openLake(options.data, objects);
  const start = performance.now();
  const files = lake.files.filter(({ content }) => content === undefined);
  for (const [i, file] of files.entries()) {
    contentOf(file);
    if (performance.now() - start < SILENT) continue;
    report({ kind: 'progress', stage: 'read', done: i + 1, total: files.length, what: file.path });
    // Lets the terminal draw the progress.
    await setImmediate();
  }
  const limits = { threads: options.jobs, memoryLimit: options.memory, temporaryFolder: temporary };
  return { options, contractFiles, lake, cache, temporary, limits, report };
}

/** Throws RefusedError for errors, and with `strict` for warnings; never for notes. */
export function refuse(found: readonly Diagnostic[], strict: boolean): void {
  if (hasErrors(found) || (strict && found.some(({ severity }) => severity === 'warning')))
    throw new RefusedError(sortDiagnostics(found));
}

/** Like `refuse`, and reports what isn't refused. */
export function reportFound(
  found: readonly Diagnostic[],
  { strict }: Pick<CheckOptions, 'strict'>,
  report: Reporter,
): void {
  refuse(found, strict);
  if (found.length > 0) report({ kind: 'warnings', diagnostics: sortDiagnostics(found) });
}

/** The date of a release: `given`, else SOURCE_DATE_EPOCH, else `newest`, the time of the lake's newest file. */
export function releaseDate(given: string | null, newest: number): string {
  if (given !== null) return given;
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

/**
 * The YAML files of a folder and its subfolders, except hidden ones. A link to a file in the folder counts as that file,
 * unless the file is read too; other links aren't read, and `unread` says why.
 */
export function readContractFolder(folder: string): ContractFile[] {
  try {
    const root = realpathSync(folder);
    const { files, ignored } = listLake(root);
    const shown = files.filter(({ path: name }) => isYaml(name) && !isHidden(name));
    const all = new Set(shown.map(({ absolute }) => absolute));
    return [
      ...shown.flatMap(({ path: name, absolute }): ContractFile[] => {
        const file = path.join(folder, name);
        const target = realpathSync(absolute);
        // No other file of the machine may show up in a message.
        if (!target.startsWith(root + path.sep))
          return [{ file, text: '', unread: 'link out of the folder' }];
        if (target !== absolute && all.has(target)) return [];
        return [{ file, text: readFileSync(target, 'utf8'), folder: folderOf(name) }];
      }),
      ...[...ignored].flatMap(([name, why]): ContractFile[] => {
        // A linked folder may contain contracts, whatever its name.
        if (isHidden(name) || !(isYaml(name) || why === 'link to a folder')) return [];
        const unread = why === 'broken link' || why === 'link to a folder' ? why : 'no regular file';
        return [{ file: path.join(folder, name), text: '', unread }];
      }),
    ];
  } catch (error) {
    if (isFileShortage(error)) throw error;
    const file = refusedPath(error) ?? folder;
    throw new UnableError(
      'contracts-unreadable',
      `${path.resolve(folder) === file ? folder : file} cannot be read: ${reasonOf(error)}. Name the folder of the contracts, or draft contracts with civic init.`,
    );
  }
}

/** The name of a file's nearest folder, except folders such as `_dimensions` that only sort files. */
function folderOf(name: string): string {
  const folders = name.split('/').slice(0, -1);
  return folders.findLast(part => !part.startsWith('_')) ?? '';
}

function isHidden(name: string): boolean {
  return name.split('/').some(part => part.startsWith('.'));
}

function isYaml(name: string): boolean {
  return /\.ya?ml$/i.test(name);
}
