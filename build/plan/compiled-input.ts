/** Compiles contracts and the lake's inventory. */
import type { Contracts, Dataset } from '../contract/dataset.ts';
import { matchesGlob } from '../contract/dataset-name.ts';
import { parseContracts } from '../contract/parse-contracts.ts';
import { completeDataset } from '../contract/years-and-levels.ts';
import { UnableError } from '../failure.ts';
import { nearest } from '../format/nearest.ts';
import { takeInventory } from '../lake/inventory.ts';
import { summarizeMissing } from '../lake/inventory-diagnostics.ts';
import { type CheckOptions, refuse, reportFound, type Work } from './build-input.ts';
import { type Compiled, placeDimensions, planDataset } from './plan.ts';
import { prepareTables } from './prepared-tables.ts';

/** Throws RefusedError if contracts or the lake have errors. */
export async function compileInput(
  work: Work & { readonly options: { readonly out?: string } },
): Promise<Compiled> {
  const { options, contractFiles, lake, cache, report } = work;
  // Parsing thirty contracts would take a third of a build with one changed slice.
  const recipe = { what: 'contracts', inputs: [process.version, contractFiles], files: [] };
  const parse = async () => ({ value: parseContracts(contractFiles), files: [] });
  const parsed = await cache.make(recipe, parse);
  refuse(parsed.diagnostics, options.strict);
  const datasets = parsed.contracts.datasets.filter(dataset => matchesGlob(options.only, dataset.key));
  const withdrawn = parsed.contracts.withdrawn.datasets.filter(({ key }) => matchesGlob(options.only, key));
  // A build with --only may only withdraw datasets.
  const withdraws = options.out !== undefined && options.only !== null && withdrawn.length > 0;
  const nothing = nothingToBuild(options, parsed.contracts, withdraws ? withdrawn : datasets);
  if (nothing !== null) {
    if (parsed.diagnostics.length > 0) report({ kind: 'warnings', diagnostics: parsed.diagnostics });
    throw new UnableError('nothing-to-build', nothing);
  }
  const prepared = await prepareTables(parsed.contracts, work);
  const { inventory, diagnostics } = takeInventory(lake, parsed.contracts, datasets, prepared);
  const complete = (dataset: Dataset) => completeDataset(dataset, inventory.slices.get(dataset.key) ?? []);
  const contracts = { ...parsed.contracts, datasets: parsed.contracts.datasets.map(complete) };
  const found = summarizeMissing(diagnostics, datasets, inventory.slices, options.data);
  reportFound([...parsed.diagnostics, ...found], options, report);
  const planned = contracts.datasets.flatMap(dataset => {
    const slices = matchesGlob(options.only, dataset.key) ? inventory.slices.get(dataset.key) : undefined;
    return slices === undefined ? [] : [planDataset(dataset, contracts, slices)];
  });
  if (planned.length === 0 && !withdraws) {
    throw new UnableError(
      'lake-empty',
      `${options.data} has no rows of any dataset of the contracts. Name the lake's folder.`,
    );
  }
  const compiled = { contracts, datasets: planned, withdrawn, inventory };
  return { ...compiled, dimensions: placeDimensions(compiled) };
}

/** Why there is nothing to build; null if there is. A pattern without a match counts: the build would silently publish less. */
function nothingToBuild(
  { only, contracts: folder }: CheckOptions,
  contracts: Contracts,
  asked: readonly Dataset[],
): string | null {
  const keys = [...contracts.datasets, ...contracts.withdrawn.datasets].map(({ key }) => key);
  const unmatched = (only?.split(',') ?? []).filter(part => !keys.some(key => matchesGlob(part, key)));
  if (unmatched.length === 0 && asked.length > 0) return null;
  if (only === null) return `${folder} has no active data contract. Name the folder of the contracts.`;
  const near = unmatched[0] === undefined ? null : nearest(unmatched[0], keys);
  const meant = near === null ? '' : ` Did you mean ${near}?`;
  return `No dataset matches --only ${unmatched.join(',') || only}.${meant} Name it as domain/topic; * stands for any name.`;
}
