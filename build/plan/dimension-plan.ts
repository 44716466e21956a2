/** Decides under which domains each dimension is published, and whether the published tree already has them all. Pure. */
import type { Contracts, Dataset, Dimension } from '../contract/dataset.ts';
import type { RuleCounts } from '../format/documents.ts';
import type { DimensionManifest } from '../format/manifest.ts';
import { dimensionFolder } from '../format/paths.ts';
import type { Inventory } from '../lake/inventory.ts';
import type { LakeFile } from '../lake/lake-files.ts';
import { type BuildState, digestOf } from '../memory/build-state.ts';
import type { ContentOf } from '../memory/file-contents.ts';
import { hasMemoryOf, type PreviousTree } from '../tree/previous-tree.ts';

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

export interface DimensionsPlan {
  readonly placed: readonly PlacedDimension[];
  /** Digest of everything that their files depend on. */
  readonly recipe: string;
  readonly unchanged: boolean;
  /** Digest of everything that rules on dimensions read: every dimension of the lake, placed or not. */
  readonly checkInputs: string;
  /** The last result of their rules on these inputs; null if the rules must run. */
  readonly passed: RuleCounts | null;
}

export function planDimensions(
  contracts: Contracts,
  inventory: Inventory,
  published: readonly Dataset[],
  trees: { readonly previous: PreviousTree; readonly named: PreviousTree },
  known: Pick<BuildState, 'dimensions' | 'passedDimensions'> | undefined,
  program: string,
  contentOf: ContentOf,
  kept: readonly StandingDimension[] = [],
): DimensionsPlan {
  const placed = [...contracts.dimensions.values()].flatMap(dimension => {
    const file = inventory.dimensions.get(dimension.key);
    const placement = placeDimension(dimension, published, kept);
    const boundaries = inventory.boundaries.get(dimension.key) ?? null;
    return file === undefined || placement === null ? [] : [{ dimension, file, boundaries, ...placement }];
  });
  const recipe = digestOf([
    program,
    contracts.publisher,
    inventory.sample,
    placed.map(one => [
      one.dimension.source.text,
      contentOf(one.file),
      one.boundaries && contentOf(one.boundaries),
      one.home,
      one.domains,
    ]),
  ]);
  const whole = placed.every(one => one.domains.every(domain => isWhole(trees, domain, one.dimension.name)));
  const checkInputs = digestOf([
    program,
    [...contracts.dimensions.values()].map(one => {
      const file = inventory.dimensions.get(one.key);
      return [one.key, one.source.text, file && contentOf(file)];
    }),
  ]);
  const passed = known?.passedDimensions;
  return {
    placed,
    recipe,
    unchanged: recipe === known?.dimensions && whole,
    checkInputs,
    passed: passed?.inputs === checkInputs ? passed.rules : null,
  };
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

function isWhole(
  { previous, named }: { readonly previous: PreviousTree; readonly named: PreviousTree },
  domain: string,
  name: string,
): boolean {
  const key = `${domain}/_dimensions/${name}`;
  const manifest = previous.dimensions.get(key);
  return (
    manifest !== undefined &&
    hasMemoryOf(named, manifest, tree => tree.dimensions.get(key)) &&
    dimensionFiles(manifest).every(
      file => previous.files.get(`${dimensionFolder(domain, name)}/${file.path}`)?.sha256 === file.sha256,
    )
  );
}

/** Every file in a dimension's manifest. */
export function dimensionFiles({ files, documents }: DimensionManifest) {
  return [...files.json, ...files.csv, ...files.parquet, ...documents];
}
