/** Names never move: what the release before had is in this one too, or its contract says that it is withdrawn. */
import { type BuildOptions, matchesGlob } from './build-input.ts';
import type { Contracts } from './contract/dataset.ts';
import type { Diagnostic } from './contract/diagnostic.ts';
import type { TreeManifest } from './format/manifest.ts';
import { contractPath } from './format/paths.ts';

/** What this release will have. */
interface Planned {
  readonly datasets: readonly { readonly dataset: { readonly key: string } }[];
  readonly withdrawn: readonly { readonly key: string }[];
}

/**
 * A diagnostic for each dataset and dimension of the release before that this one would not have. With --only, a build
 * is of some datasets, and only those are looked for.
 */
export function silentWithdrawals(
  { only }: Pick<BuildOptions, 'only'>,
  contracts: Contracts,
  { datasets, withdrawn }: Planned,
  before: TreeManifest,
): Diagnostic[] {
  const there = new Set([...datasets.map(({ dataset }) => dataset.key), ...withdrawn.map(({ key }) => key)]);
  // Under which domains a dimension stands follows from the datasets, whose versions tell of their joins.
  const names = new Set(
    [...contracts.dimensions.values(), ...contracts.withdrawn.dimensions].map(dimension => dimension.name),
  );
  const contracted = new Map(contracts.datasets.map(({ key, source }) => [key, source.file]));
  const earlier = [...before.datasets, ...before.dimensions, ...(before.withdrawn ?? [])];
  return earlier.flatMap(({ key }): Diagnostic[] => {
    const [domain = '', topic = '', name] = key.split('/');
    const known = name === undefined ? there.has(key) || !matchesGlob(only, key) : names.has(name);
    if (known) return [];
    const what = name === undefined ? 'dataset' : 'dimension';
    const file = contracted.get(key);
    const remedy =
      file === undefined
        ? `keep its contract with status: retired and the custom property withdrawn (date, reason, replacement)`
        : `add its rows, or withdraw it with status: retired and the custom property withdrawn (date, reason, replacement)`;
    return [
      {
        severity: 'error',
        code: `${what}-withdrawn-silently`,
        file: file ?? (name === undefined ? contractPath(domain, topic, 'yaml') : key),
        message: `${key} was published in release ${before.release}, and ${file === undefined ? 'no contract has it any more' : 'the lake has no rows of it'}: ${remedy}`,
      },
    ];
  });
}
