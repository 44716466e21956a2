/** Compiles what a build has read: contracts, and the lake's inventory. */
import path from 'node:path';
import type { Cache } from '../cache/cache.ts';
import { byFingerprint, type ContentOf, type FileContents } from '../cache/file-contents.ts';
import type { Contracts, Dataset } from '../contract/dataset.ts';
import { matchesGlob } from '../contract/dataset-name.ts';
import { nearestName, sortDiagnostics } from '../contract/diagnostic.ts';
import { parseContracts } from '../contract/parse-contracts.ts';
import { completeDataset } from '../contract/years-and-levels.ts';
import { RefusedError, UnableError } from '../failure.ts';
import type { DatabaseOptions } from '../lake/database.ts';
import { type Inventory, takeInventory, usedFiles } from '../lake/inventory.ts';
import { summarizeMissing } from '../lake/inventory-diagnostics.ts';
import type { Reporter } from '../report.ts';
import { type BuildInput, type CheckOptions, refuses } from './build-input.ts';
import { prepareTables } from './prepared-tables.ts';

export interface Compiled {
  readonly contracts: Contracts;
  /** The datasets of --only, or all, with rows in the lake; sorted by key. */
  readonly asked: readonly Dataset[];
  /** The datasets of --only, or all, that their contracts withdraw. */
  readonly withdrawn: readonly Dataset[];
  readonly inventory: Inventory;
  readonly contentOf: ContentOf;
}

export interface Compiling {
  readonly cache: Cache;
  /** Folder for the files that are read instead of the lake's tables. */
  readonly temporary: string;
  readonly limits: DatabaseOptions;
  /** Identifies files by their content; null identifies them by size, times and place. */
  readonly contents: FileContents | null;
}

/** Refuses contracts or a lake with errors. */
export async function compileInput(
  options: CheckOptions & { readonly out?: string },
  { contractFiles, lake }: BuildInput,
  { cache, temporary, limits, contents }: Compiling,
  report: Reporter,
): Promise<Compiled> {
  const contentOf: ContentOf = contents === null ? byFingerprint : file => contents.of(file);
  // Parsing thirty contracts takes a third of a build with one changed slice.
  const recipe = { what: 'contracts', inputs: [process.version, contractFiles] };
  const parsed = await cache.make(recipe, async () => ({ value: parseContracts(contractFiles), files: [] }));
  if (refuses(parsed.diagnostics, options.strict))
    throw new RefusedError(sortDiagnostics(parsed.diagnostics));
  const datasets = parsed.contracts.datasets.filter(dataset => matchesGlob(options.only, dataset.key));
  const withdrawn = parsed.contracts.withdrawn.datasets.filter(({ key }) => matchesGlob(options.only, key));
  // A build with --only may withdraw datasets and do nothing else.
  const withdraws = options.out !== undefined && options.only !== null && withdrawn.length > 0;
  const nothing = nothingToBuild(options, parsed.contracts, withdraws ? withdrawn : datasets);
  if (nothing !== null) {
    if (parsed.diagnostics.length > 0) report({ kind: 'warnings', diagnostics: parsed.diagnostics });
    throw new UnableError('nothing-to-build', nothing);
  }
  const tables = { lake, cache, folder: path.join(temporary, 'tables'), limits, contentOf };
  const prepared = await prepareTables(parsed.contracts, tables, report);
  const { inventory, diagnostics } = takeInventory(lake, parsed.contracts, datasets, prepared);
  const complete = (dataset: Dataset) => completeDataset(dataset, inventory.slices.get(dataset.key) ?? []);
  const contracts = { ...parsed.contracts, datasets: parsed.contracts.datasets.map(complete) };
  const found = summarizeMissing(diagnostics, datasets, inventory.slices, options.data);
  const all = sortDiagnostics([...parsed.diagnostics, ...found]);
  if (refuses(all, options.strict)) throw new RefusedError(all);
  if (all.length > 0) report({ kind: 'warnings', diagnostics: all });
  const keys = new Set(datasets.map(({ key }) => key).filter(key => inventory.slices.has(key)));
  const asked = contracts.datasets.filter(({ key }) => keys.has(key));
  if (asked.length === 0 && !withdraws) {
    throw new UnableError(
      'lake-empty',
      `${options.data} has no rows of any dataset of the contracts. Name the lake's folder.`,
    );
  }
  await contents?.read(usedFiles(inventory), (done, total, what) =>
    report({ kind: 'progress', stage: 'read', done, total, what }),
  );
  return { contracts, asked, withdrawn, inventory, contentOf };
}

/** Why there is nothing to build. One pattern without a match is enough: the build would silently publish less. */
function nothingToBuild(
  { only, contracts: folder }: CheckOptions,
  contracts: Contracts,
  asked: readonly Dataset[],
): string | null {
  const keys = [...contracts.datasets, ...contracts.withdrawn.datasets].map(({ key }) => key);
  const unmatched = (only?.split(',') ?? []).filter(part => !keys.some(key => matchesGlob(part, key)));
  if (unmatched.length === 0 && asked.length > 0) return null;
  if (only === null) return `${folder} holds no active data contract. Name the folder of the contracts.`;
  const near = unmatched[0] === undefined ? null : nearestName(unmatched[0], keys);
  const meant = near === null ? '' : ` Did you mean ${near}?`;
  return `No dataset matches --only ${unmatched.join(',') || only}.${meant} Name it as domain/topic; * stands for any name.`;
}
