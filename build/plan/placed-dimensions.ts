/** Decides under which domains each dimension is published. Pure. */
import type { Contracts, Dataset, Dimension } from '../contract/dataset.ts';
import type { Inventory } from '../lake/inventory.ts';
import type { LakeFile } from '../lake/lake-files.ts';

export interface PlacedDimension {
  readonly dimension: Dimension;
  readonly file: LakeFile;
  /** Null if it brings none. */
  readonly boundaries: LakeFile | null;
  /** The domain that owns it, else the first domain, by name, whose datasets join it. */
  readonly home: string;
  /** The home and all other domains whose datasets join it, sorted. */
  readonly domains: readonly string[];
}

/** A dimension that the tree in place has under a domain. */
export interface StandingDimension {
  readonly key: string;
  readonly domain: string;
}

export function placeDimensions(
  contracts: Contracts,
  inventory: Inventory,
  published: readonly Dataset[],
  kept: readonly StandingDimension[] = [],
): PlacedDimension[] {
  return [...contracts.dimensions.values()].flatMap(dimension => {
    const file = inventory.dimensions.get(dimension.key);
    const placement = placeDimension(dimension, published, kept);
    const boundaries = inventory.boundaries.get(dimension.key) ?? null;
    return file === undefined || placement === null ? [] : [{ dimension, file, boundaries, ...placement }];
  });
}

/** Null for a dimension without an owner that no dataset joins. */
function placeDimension(
  dimension: Dimension,
  datasets: readonly Dataset[],
  kept: readonly StandingDimension[],
): Pick<PlacedDimension, 'home' | 'domains'> | null {
  const joining = datasets.filter(dataset =>
    dataset.foreignKeys.some(key => key.dimension === dimension.key),
  );
  const owner = dimension.domain === '' ? [] : [dimension.domain];
  const elsewhere = kept.filter(({ key }) => key === dimension.key);
  // A dimension that no dataset of this build joins stays unchanged.
  if (elsewhere.length > 0 && joining.length === 0) return null;
  const others = elsewhere.map(({ domain }) => domain);
  const domains = [...new Set([...owner, ...joining.map(dataset => dataset.domain), ...others])].sort();
  const home = owner[0] ?? domains[0];
  return home === undefined ? null : { home, domains };
}
