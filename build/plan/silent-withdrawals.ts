/** Refuses to drop what the release before published, unless a contract declares it withdrawn. */

import { isRaised, requiredVersion } from '../catalog/contract-difference.ts';
import type { Contracts, Dataset, InactiveContract } from '../contract/dataset.ts';
import { matchesGlob } from '../contract/dataset-glob.ts';
import type { Diagnostic } from '../contract/diagnostic.ts';
import { isWithdrawnSlice } from '../contract/withdrawn-slices.ts';
import type { DatasetManifest, TreeManifest } from '../format/manifest.ts';
import type { ReleaseOptions } from '../input/build-input.ts';
import type { LakeSlice } from '../lake/inventory.ts';
import { compressLosses, describeLosses, type Loss, withdrawalYaml } from './slice-losses.ts';

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

export interface WithdrawalInput extends Pick<ReleaseOptions, 'only' | 'contracts'> {
  /** Date of this release. */
  readonly date: string;
  /** Keys of the datasets with an unraised version, which another diagnostic reports. */
  readonly unraised: ReadonlySet<string>;
}

/** One diagnostic for each reason why published datasets, dimensions, years or levels would vanish. */
export function silentWithdrawals(
  input: WithdrawalInput,
  contracts: Contracts,
  planned: Planned,
  before: Published,
): Diagnostic[] {
  return [...lostContracts(input, contracts, planned, before), ...lostSlices(input, planned, before)];
}

/** A published dataset or dimension that this release lacks. */
interface Lost {
  readonly key: string;
  readonly noun: 'dataset' | 'dimension';
  readonly file: string;
  /** Why it is gone, and what to do. Diagnostics group by it. */
  readonly cause: string;
}

/** With --only, only the datasets of the build can be lost. */
function lostContracts(
  { only, contracts: folder, date }: WithdrawalInput,
  contracts: Contracts,
  { datasets, withdrawn, dimensions }: Planned,
  { manifest: before, datasets: manifests }: Published,
): Diagnostic[] {
  const there = new Set([...datasets.map(({ dataset }) => dataset.key), ...withdrawn.map(({ key }) => key)]);
  const contracted = new Map(contracts.datasets.map(({ key, source }) => [key, source.file]));
  // Compares dimensions by name alone: their domains follow from the datasets' joins, which their versions cover.
  const names = new Set(
    [...dimensions.map(one => one.dimension), ...contracts.withdrawn.dimensions].map(one => one.name),
  );
  const served = new Map([...contracts.dimensions.values()].map(one => [one.name, one]));
  const joined = new Set(datasets.flatMap(({ dataset }) => dataset.foreignKeys.map(key => key.dimension)));
  const yaml = `{ property: withdrawn, value: { date: ${date}, reason: "…" } }`;
  const word = `status: retired, and under customProperties - ${yaml}`;
  const inactive = ({ place, status }: InactiveContract): Pick<Lost, 'file' | 'cause'> => ({
    file: `${place.file}:${place.line}:${place.column}`,
    cause:
      status === 'retired' || status === 'deprecated'
        ? `the contract has status: ${status} and lacks the property withdrawn, which says when and why: add under customProperties - ${yaml}`
        : `the contract has status: ${status}, and only active is published: make it active, or withdraw it with ${word}`,
  });
  const gone = (noun: string) =>
    `no contract has the ${noun} any more: bring the contract back and, if its rows are to go, give it ${word}`;
  const lost = [...before.datasets, ...before.dimensions, ...(before.withdrawn ?? [])].flatMap(
    ({ key }): Lost[] => {
      const [domain = '', , name] = key.split('/');
      if (name === undefined) {
        if (there.has(key) || !matchesGlob(only, key)) return [];
        const base = { key, noun: 'dataset' } as const;
        const file = contracted.get(key);
        if (file !== undefined)
          return [
            { ...base, file, cause: `the lake has no rows of it: add them, or withdraw it with ${word}` },
          ];
        const idle = contracts.inactive.find(one => one.kind === 'dataset' && one.key === key);
        return [{ ...base, ...(idle ? inactive(idle) : { file: folder, cause: gone('dataset') }) }];
      }
      if (names.has(name) || only !== null) return [];
      const base = { key, noun: 'dimension' } as const;
      const dimension = served.get(name);
      if (dimension !== undefined) {
        const { scope, path, source } = dimension;
        if (scope === 'global' && !joined.has(dimension.key)) return [];
        const cause = `the lake has no ${path}: add it, or withdraw the dimension with ${word}`;
        return [{ ...base, file: source.file, cause }];
      }
      const idle = contracts.inactive.find(
        one => one.kind === 'dimension' && [name, `${domain}/${name}`].includes(one.key),
      );
      return [{ ...base, ...(idle ? inactive(idle) : { file: folder, cause: gone('dimension') }) }];
    },
  );
  const causes = grouped(lost, ({ noun, file, cause }) =>
    // Missing rows are one cause, even for several contracts.
    cause.startsWith('the lake has no rows') ? `${noun} ${cause}` : `${noun} ${file} ${cause}`,
  );
  return causes.flatMap((all): Diagnostic[] => {
    const [first] = all;
    if (first === undefined) return [];
    const { noun, file, cause } = first;
    const keys = all.map(one => one.key);
    const rows = keys.reduce((sum, key) => sum + (manifests.get(key)?.rows ?? 0), 0);
    const counted = rows === 0 ? '' : ` with ${rows} rows`;
    const [place = '', line, column] = /^(.*):(\d+):(\d+)$/.exec(file)?.slice(1) ?? [file];
    return [
      {
        severity: 'error',
        code: `${noun}-withdrawn-silently`,
        file: place,
        ...(line === undefined ? {} : { line: Number(line), column: Number(column) }),
        message: `${keys.join(', ')} ${keys.length === 1 ? 'was' : 'were'} published in release ${before.release}${counted}, and ${keys.length === 1 ? cause : plural(cause)}`,
      },
    ];
  });
}

function plural(cause: string): string {
  return cause
    .replace('the lake has no rows of it', 'the lake has no rows of them')
    .replace('withdraw it with', 'withdraw each with')
    .replace(
      /no contract has the (\w+) any more: bring the contract back and, if its rows are to go, give it/,
      (_, noun: string) =>
        `no contract has these ${noun}s any more: bring the contracts back and, if their rows are to go, give each`,
    );
}

/** Lost years and levels of datasets that stay. */
function lostSlices(
  { date, unraised }: WithdrawalInput,
  { datasets }: Planned,
  { manifest, datasets: manifests }: Published,
): Diagnostic[] {
  const found = datasets.flatMap(({ dataset, slices }) => {
    const before = manifests.get(dataset.key);
    if (before === undefined) return [];
    const there = new Set(slices.map(({ year, detail }) => `${year}/${detail}`));
    const gone = before.slices.filter(({ year, detail }) => !there.has(`${year}/${detail}`));
    const undeclared = gone.filter(({ year, detail }) => !isDeclared(dataset, before, year, detail));
    const losses = compressLosses(before.slices, undeclared);
    // The diagnostic of an unraised version covers slices that the contract no longer promises.
    const promised = undeclared.some(({ year, detail }) => isPromised(dataset, year, detail));
    if (losses.length === 0 || (unraised.has(dataset.key) && !promised)) return [];
    const rows = undeclared.reduce((sum, slice) => sum + slice.rows, 0);
    return [{ dataset, losses, promised, rows, version: before.version }];
  });
  const causes = grouped(found, ({ losses, promised }) => `${promised} ${JSON.stringify(losses)}`);
  return causes.flatMap((all): Diagnostic[] => {
    const [first] = all;
    if (first === undefined) return [];
    const keys = all.map(one => one.dataset.key);
    const [one, each, has] = keys.length === 1 ? ['the', 'it', 'promises'] : ['each', 'each', 'promise'];
    const why = first.promised
      ? `the lake lacks what the ${keys.length === 1 ? 'contract' : 'contracts'} still ${has}: put the files back, or say that they go`
      : `the ${keys.length === 1 ? 'contract' : 'contracts'} ${has} less under the same version: promise it again, or say that it goes`;
    return [
      {
        severity: 'error',
        code: 'slices-withdrawn-silently',
        file: first.dataset.source.file,
        message: `${keys.join(', ')} would lose ${describeLosses(first.losses)}, published in release ${manifest.release} with ${all.reduce((sum, { rows }) => sum + rows, 0)} rows: ${why}. To declare it, ${versionWords(all)}, and under customProperties of ${one} contract ${propertyWords(first.dataset, first.losses, date)}${each === 'each' ? ' in each' : ''}`,
      },
    ];
  });
}

function isPromised({ levels, levelYears, years }: Dataset, year: number, detail: string): boolean {
  return levels.includes(detail) && (levelYears.get(detail) ?? years).includes(year);
}

/** A contract declares a removal by its property `withdrawn`, or by a smaller promise under a raised version. */
function isDeclared(dataset: Dataset, before: DatasetManifest, year: number, detail: string): boolean {
  if (isWithdrawnSlice(dataset.withdrawnSlices, year, detail)) return true;
  return !isPromised(dataset, year, detail) && isRaised(before.version, dataset.version, REMOVAL);
}

/** The change that a raised major version declares. */
export const REMOVAL = [{ level: 'major', text: 'removed' }] as const;

function versionWords(all: readonly { readonly dataset: Dataset; readonly version: string }[]): string {
  const asked = [
    ...new Set(
      all.map(({ dataset, version }) => {
        const least = requiredVersion(version, REMOVAL);
        if (isRaised(version, dataset.version, REMOVAL)) return `keep version: ${dataset.version}`;
        return least === null ? 'give it another version' : `raise version from ${version} to ${least}`;
      }),
    ),
  ];
  return asked.length === 1 ? (asked[0] ?? '') : 'raise the major version of each';
}

function propertyWords(dataset: Dataset, losses: readonly Loss[], date: string): string {
  const entries = losses.map(loss => withdrawalYaml(loss, date));
  if (dataset.withdrawnSlices.length > 0)
    return `add to the list of the property withdrawn: ${entries.map(entry => `- ${entry}`).join(' ')}`;
  return `add - { property: withdrawn, value: ${entries.length === 1 ? entries[0] : `[${entries.join(', ')}]`} }`;
}

function grouped<One>(list: readonly One[], keyOf: (one: One) => string): One[][] {
  const groups = new Map<string, One[]>();
  for (const one of list) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return [...groups.values()];
}
