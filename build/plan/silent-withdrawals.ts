/** Refuses to drop what the release before published, unless a contract declares it withdrawn. */
import { isRaised, requiredVersion } from '../contract/contract-difference.ts';
import type { Contracts, Dataset, InactiveContract } from '../contract/dataset.ts';
import { matchesGlob } from '../contract/dataset-name.ts';
import type { Diagnostic } from '../contract/diagnostic.ts';
import { isWithdrawnSlice } from '../contract/years-and-levels.ts';
import type { DatasetManifest, TreeManifest } from '../format/manifest-schemas.ts';
import type { ReleaseOptions } from '../input/build-input.ts';
import type { LakeSlice } from '../lake/inventory.ts';
import { compressLosses, describeLosses, withdrawalYaml } from './slice-losses.ts';

/** What this release will hold. */
interface Planned {
  readonly datasets: readonly { readonly dataset: Dataset; readonly slices: readonly LakeSlice[] }[];
  readonly withdrawn: readonly { readonly key: string }[];
  readonly dimensions: readonly { readonly dimension: { readonly name: string } }[];
}

/** A release that was published. */
export interface Published {
  readonly manifest: TreeManifest;
  /** Readable manifests, by `domain/topic`. */
  readonly datasets: ReadonlyMap<string, DatasetManifest>;
}

export interface WithdrawalInput extends Pick<ReleaseOptions, 'only' | 'contracts' | 'data'> {
  /** Date of this release. */
  readonly date: string;
  /** Keys of the datasets with an unraised version, which another diagnostic reports. */
  readonly unraised: ReadonlySet<string>;
}

/** Something published that this release lacks. */
interface Lost {
  readonly noun: 'dataset' | 'dimension' | 'slices';
  readonly key: string;
  /** The years and levels that are gone, in words; '' for all of it. */
  readonly part: string;
  readonly rows: number;
  readonly place: Pick<Diagnostic, 'file' | 'line' | 'column'>;
  /** Why it is gone and what to do, in words that fit one key as well as several. */
  readonly cause: string;
}

/** The change that a raised major version declares. */
export const REMOVAL = [{ level: 'major', text: 'removed' }] as const;

/** One diagnostic for each reason why published datasets, dimensions, years or levels would vanish. */
export function silentWithdrawals(
  input: WithdrawalInput,
  contracts: Contracts,
  planned: Planned,
  before: Published,
): Diagnostic[] {
  const lost = [...lostContracts(input, contracts, planned, before), ...lostSlices(input, planned, before)];
  const reasons = new Map<string, { readonly first: Lost; readonly keys: string[]; rows: number }>();
  for (const one of lost) {
    const { key, rows, ...reason } = one;
    const name = JSON.stringify(reason);
    const same = reasons.get(name) ?? { first: one, keys: [], rows: 0 };
    same.keys.push(key);
    same.rows += rows;
    reasons.set(name, same);
  }
  return [...reasons.values()].map(({ first: { noun, part, place, cause }, keys, rows }): Diagnostic => {
    const named = keys.join(', ') + (part === '' ? '' : ` (${part})`);
    const counted = rows === 0 ? '' : ` with ${rows} rows`;
    const message = `${named}: published in release ${before.manifest.release}${counted}, and gone from this one. ${cause}`;
    return { severity: 'error', code: `${noun}-withdrawn-silently`, ...place, message };
  });
}

/** With --only, only the datasets of the build can be lost. */
function lostContracts(
  { only, contracts: folder, data, date }: WithdrawalInput,
  contracts: Contracts,
  { datasets, withdrawn, dimensions }: Planned,
  { manifest: before, datasets: manifests }: Published,
): Lost[] {
  const there = new Set([...datasets.map(({ dataset }) => dataset.key), ...withdrawn.map(({ key }) => key)]);
  const contracted = new Set(contracts.datasets.map(({ key }) => key));
  // Compares dimensions by name alone: their domains follow from the datasets' joins, which their versions cover.
  const names = new Set(
    [...dimensions.map(one => one.dimension), ...contracts.withdrawn.dimensions].map(one => one.name),
  );
  const served = new Map([...contracts.dimensions.values()].map(one => [one.name, one]));
  const joined = new Set(datasets.flatMap(({ dataset }) => dataset.foreignKeys.map(key => key.dimension)));
  const yaml = `{ property: withdrawn, value: { date: ${date}, reason: "…" } }`;
  const word = `status: retired, and under customProperties - ${yaml}`;
  type Why = Pick<Lost, 'place' | 'cause'>;
  /** Of a contract that is not active, or is gone. */
  const unserved = (noun: InactiveContract['kind'], keys: readonly string[]): Why => {
    const idle = contracts.inactive.find(one => one.kind === noun && keys.includes(one.key));
    if (idle === undefined)
      return {
        place: { file: folder },
        cause: `No contract has this ${noun} any more: bring the contract back and, if the rows are to go, give it ${word}`,
      };
    const { place, status } = idle;
    const cause =
      status === 'retired' || status === 'deprecated'
        ? `The contract has status: ${status} and lacks the property withdrawn, which says when and why: add under customProperties - ${yaml}`
        : `The contract has status: ${status}, and only active is published: make it active, or withdraw it with ${word}`;
    return { place, cause };
  };
  const lostDataset = (key: string): Why | null => {
    if (there.has(key) || !matchesGlob(only, key)) return null;
    if (!contracted.has(key)) return unserved('dataset', [key]);
    return {
      place: { file: data },
      cause: `The lake has no rows: add them, or give the contract ${word}`,
    };
  };
  const lostDimension = (domain: string, name: string): Why | null => {
    if (names.has(name) || only !== null) return null;
    const dimension = served.get(name);
    if (dimension === undefined) return unserved('dimension', [name, `${domain}/${name}`]);
    const { key, scope, path, source } = dimension;
    if (scope === 'global' && !joined.has(key)) return null;
    const cause = `The lake has no ${path}: add it, or give the contract ${word}`;
    return { place: { file: source.file }, cause };
  };
  const published = [...before.datasets, ...before.dimensions, ...(before.withdrawn ?? [])];
  return published.flatMap(({ key }): Lost[] => {
    const [domain = '', , name] = key.split('/');
    const why = name === undefined ? lostDataset(key) : lostDimension(domain, name);
    const noun = name === undefined ? 'dataset' : 'dimension';
    return why === null ? [] : [{ noun, key, part: '', rows: manifests.get(key)?.rows ?? 0, ...why }];
  });
}

/** Lost years and levels of datasets that stay. */
function lostSlices(
  { data, date, unraised }: WithdrawalInput,
  { datasets }: Planned,
  { datasets: manifests }: Published,
): Lost[] {
  return datasets.flatMap(({ dataset, slices }): Lost[] => {
    const before = manifests.get(dataset.key);
    if (before === undefined) return [];
    const there = new Set(slices.map(({ year, detail }) => `${year}/${detail}`));
    const undeclared = before.slices.filter(
      ({ year, detail }) =>
        !there.has(`${year}/${detail}`) && !isDeclared(dataset, before.version, year, detail),
    );
    const losses = compressLosses(before.slices, undeclared);
    // The diagnostic of an unraised version covers slices that the contract no longer promises.
    const isLacking = undeclared.some(({ year, detail }) => isPromised(dataset, year, detail));
    if (losses.length === 0 || (unraised.has(dataset.key) && !isLacking)) return [];
    const why = isLacking
      ? 'The lake lacks what the contract still promises: put the files back, or say that they go.'
      : 'The contract promises less under the same version: promise it again, or say that it goes.';
    const entries = losses.map(loss => withdrawalYaml(loss, date));
    const property =
      dataset.withdrawnSlices.length > 0
        ? `add to the list of the property withdrawn: ${entries.map(entry => `- ${entry}`).join(' ')}`
        : `add - { property: withdrawn, value: ${entries.length === 1 ? entries[0] : `[${entries.join(', ')}]`} }`;
    return [
      {
        noun: 'slices',
        key: dataset.key,
        part: describeLosses(losses),
        rows: undeclared.reduce((sum, slice) => sum + slice.rows, 0),
        place: { file: isLacking ? data : dataset.source.file },
        cause: `${why} To declare it, ${versionWords(before.version, dataset.version)}, and under customProperties of the contract ${property}`,
      },
    ];
  });
}

function isPromised({ levels, levelYears, years }: Dataset, year: number, detail: string): boolean {
  return levels.includes(detail) && (levelYears.get(detail) ?? years).includes(year);
}

/** A contract declares a removal by its property `withdrawn`, or by a smaller promise under a raised version. */
function isDeclared(dataset: Dataset, published: string, year: number, detail: string): boolean {
  if (isWithdrawnSlice(dataset.withdrawnSlices, year, detail)) return true;
  return !isPromised(dataset, year, detail) && isRaised(published, dataset.version, REMOVAL);
}

function versionWords(published: string, version: string): string {
  if (isRaised(published, version, REMOVAL)) return `keep version: ${version}`;
  const least = requiredVersion(published, REMOVAL);
  return least === null ? 'give it another version' : `raise version from ${published} to ${least}`;
}
