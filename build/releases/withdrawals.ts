/** Refuses a release that drops published data without a declaration, or changes a schema under the same version. */
import { isRaised, requiredVersion } from '../contract/contract-difference.ts';
import type { Dataset, InactiveContract } from '../contract/dataset.ts';
import { matchesGlob } from '../contract/dataset-name.ts';
import { type Diagnostic, sortDiagnostics } from '../contract/diagnostic.ts';
import type { ContractFile } from '../contract/parse-contracts.ts';
import { ascending, isWithdrawnSlice } from '../contract/years-and-levels.ts';
import { RefusedError, UnableError } from '../failure.ts';
import type { DatasetManifest, TreeManifest } from '../format/manifest.ts';
import { NO_YEAR } from '../format/paths.ts';
import { spellYears, yearRuns } from '../format/time-text.ts';
import { sliceName } from '../lake/lake-files.ts';
import type { ReleaseOptions } from '../plan/build-input.ts';
import type { TreePlan } from '../plan/plan.ts';
import { versionDiagnostics } from './contract-versions.ts';

/**
 * Throws UnableError if the date is before the last release's. Throws RefusedError for changed schemas without a raised
 * version, and for published data that would vanish without a declaration.
 */
export async function refuseSilentChanges(
  options: ReleaseOptions,
  plan: TreePlan,
  files: readonly ContractFile[],
): Promise<void> {
  const { contracts, date, before, named, previous } = plan;
  if (before === null) return;
  const { release, date: last } = before.manifest;
  // `as_of` takes the newest release of a day or before, so dates must not go back.
  if (options.draft !== true && date < last)
    throw new UnableError(
      'release-date',
      `This release would have the date ${date}, and the one before, ${release}, has ${last}: questions about the past would get the wrong one. Give --release-date ${last} or a later day. Without it, the date is that of the newest file of the lake.`,
    );
  const asked = plan.datasets.map(({ dataset }) => dataset);
  const { unraised, diagnostics } = await versionDiagnostics(contracts, asked, files, before);
  const found = new Map(diagnostics.map(one => [one.message, one]));
  // The tree in place may have been published too, even if --previous names another release.
  for (const { manifest, datasets } of options.draft === true ? [named] : [named, previous]) {
    if (manifest === null) continue;
    const input = { ...options, date, unraised };
    for (const one of silentWithdrawals(input, plan, { manifest, datasets })) {
      // Reports a cause that holds for both releases once, for that of --previous.
      const cause = one.message.replaceAll(manifest.release, '');
      if (!found.has(cause)) found.set(cause, one);
    }
  }
  if (found.size > 0) throw new RefusedError(sortDiagnostics([...found.values()]));
}

interface Published {
  readonly manifest: TreeManifest;
  /** Readable manifests, by `domain/topic`. */
  readonly datasets: ReadonlyMap<string, DatasetManifest>;
}

interface WithdrawalInput extends Pick<ReleaseOptions, 'only' | 'contracts' | 'data'> {
  /** Date of this release. */
  readonly date: string;
  /** Keys of the datasets whose unraised version another diagnostic reports. */
  readonly unraised: ReadonlySet<string>;
}

interface Lost {
  readonly noun: 'dataset' | 'dimension' | 'slices';
  readonly key: string;
  /** The lost years and levels, in words; '' for all of it. */
  readonly part: string;
  readonly rows: number;
  readonly place: Pick<Diagnostic, 'file' | 'line' | 'column'>;
  /** Why it is lost and what to do. Must read well for one key and for several. */
  readonly cause: string;
}

/** The change that a raised major version declares. */
export const REMOVAL = [{ level: 'major', text: 'removed' }] as const;

/** One diagnostic for each reason why published datasets, dimensions, years or levels would vanish. */
function silentWithdrawals(input: WithdrawalInput, plan: TreePlan, before: Published): Diagnostic[] {
  const lost = [...lostContracts(input, plan, before), ...lostSlices(input, plan, before)];
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

/** Lost datasets and dimensions. With --only, only datasets of the build can be lost. */
function lostContracts(
  { only, contracts: folder, data, date }: WithdrawalInput,
  { contracts, datasets, withdrawn, dimensions }: TreePlan,
  { manifest: before, datasets: manifests }: Published,
): Lost[] {
  const there = new Set([...datasets.map(({ dataset }) => dataset.key), ...withdrawn.map(({ key }) => key)]);
  const contracted = new Set(contracts.datasets.map(({ key }) => key));
  // Compares dimensions only by name: their domains follow from the datasets' joins, which the versions cover.
  const names = new Set(
    [...dimensions.map(one => one.dimension), ...contracts.withdrawn.dimensions].map(one => one.name),
  );
  const served = new Map([...contracts.dimensions.values()].map(one => [one.name, one]));
  const joined = new Set(datasets.flatMap(({ dataset }) => dataset.foreignKeys.map(key => key.dimension)));
  const yaml = `{ property: withdrawn, value: { date: ${date}, reason: "…" } }`;
  const word = `status: retired, and under customProperties - ${yaml}`;
  type Why = Pick<Lost, 'place' | 'cause'>;
  /** For a contract that is inactive or missing. */
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
  { datasets }: TreePlan,
  { datasets: manifests }: Published,
): Lost[] {
  return datasets.flatMap(({ dataset, slices }): Lost[] => {
    const before = manifests.get(dataset.key);
    if (before === undefined) return [];
    const there = new Set(slices.map(sliceName));
    const undeclared = before.slices.filter(
      slice => !there.has(sliceName(slice)) && !isDeclared(dataset, before.version, slice.year, slice.detail),
    );
    const losses = compressLosses(before.slices, undeclared);
    // For slices that the contract no longer promises, an unraised version is reported instead.
    const isLacking = undeclared.some(({ year, detail }) => isPromised(dataset, year, detail));
    if (losses.length === 0 || (unraised.has(dataset.key) && !isLacking)) return [];
    const why = isLacking
      ? 'The lake lacks what the contract still promises: put the files back, or declare that they go.'
      : 'The contract promises less under the same version: promise it again, or declare that it goes.';
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

/** A contract declares a removal with the property `withdrawn`, or by promising less under a raised version. */
function isDeclared(dataset: Dataset, published: string, year: number, detail: string): boolean {
  if (isWithdrawnSlice(dataset.withdrawnSlices, year, detail)) return true;
  return !isPromised(dataset, year, detail) && isRaised(published, dataset.version, REMOVAL);
}

function versionWords(published: string, version: string): string {
  if (isRaised(published, version, REMOVAL)) return `keep version: ${version}`;
  const least = requiredVersion(published, REMOVAL);
  return least === null ? 'give it another version' : `raise version from ${published} to ${least}`;
}

export interface SliceName {
  readonly year: number;
  readonly detail: string;
}

/** Slices that one phrase names: all levels of some years, all years of some levels, or some levels of some years. */
interface Loss {
  /** Ascending; empty for all years. */
  readonly years: readonly number[];
  /** Empty for all levels. */
  readonly levels: readonly string[];
}

/** The `lost` ones of the `published` slices, by the years that levels lose. */
export function compressLosses(published: readonly SliceName[], lost: readonly SliceName[]): Loss[] {
  const yearsOf = (slices: readonly SliceName[], detail: string) =>
    ascending(slices.filter(one => one.detail === detail).map(one => one.year));
  const losses = new Map<string, Loss>();
  for (const detail of [...new Set(lost.map(one => one.detail))].sort()) {
    const gone = yearsOf(lost, detail);
    const years = gone.length === yearsOf(published, detail).length ? [] : gone;
    const levels = [...(losses.get(String(years))?.levels ?? []), detail];
    losses.set(String(years), { years, levels });
  }
  const all = new Set(published.map(one => one.detail)).size;
  // Whole levels first.
  const sorted = [...losses.values()].sort((a, b) => a.years.length - b.years.length);
  return sorted.map(({ years, levels }) => ({
    years,
    levels: years.length > 0 && levels.length === all ? [] : levels,
  }));
}

/** `2000 to 2009; the level tracts; counties of 2012` */
export function describeLosses(losses: readonly Loss[]): string {
  return losses
    .map(({ years: all, levels }) => {
      const years = all.filter(year => year !== NO_YEAR);
      if (levels.length === 0) return spellYears(years);
      const named = levels.join(', ');
      return years.length === 0
        ? `the ${levels.length === 1 ? 'level' : 'levels'} ${named}`
        : `${named} of ${spellYears(years)}`;
    })
    .join('; ');
}

/** An entry of a contract's `withdrawn`, as YAML on one line. */
function withdrawalYaml({ years, levels }: Loss, date: string): string {
  const runs = yearRuns(years);
  const [run] = runs;
  const list =
    runs.length === 1 && run && run.first < run.last ? `"${run.first}-${run.last}"` : `[${years.join(', ')}]`;
  const parts = [
    `date: ${date}`,
    'reason: "…"',
    ...(years.length === 0 ? [] : [`years: ${list}`]),
    ...(levels.length === 0 ? [] : [`levels: [${levels.join(', ')}]`]),
  ];
  return `{ ${parts.join(', ')} }`;
}
