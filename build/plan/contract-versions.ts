/** Compares contracts with the release before: a changed schema needs a raised version. */
import {
  type ContractChange,
  type ContractShape,
  contractChanges,
  isRaised,
  promisedDimension,
  promisedShape,
  publishedDimension,
  publishedShape,
  requiredVersion,
} from '../catalog/contract-difference.ts';
import type { Contracts, Dataset, Dimension } from '../contract/dataset.ts';
import type { Diagnostic } from '../contract/diagnostic.ts';
import { type ContractFile, parseContracts } from '../contract/parse-contracts.ts';
import type { DatasetManifest } from '../format/manifest.ts';
import { contractPath, datasetManifestPath, dimensionSchemaPath, schemaPath } from '../format/paths.ts';
import type { DimensionSchemaDocument, SchemaDocument } from '../format/schema.ts';
import type { OpenedTree } from '../tree/diff-trees.ts';
import { readDocument, type TreeSource } from '../tree/tree-source.ts';

/** Contracts with a changed schema and a version that is not raised. */
export interface VersionFindings {
  /** Keys of the datasets. */
  readonly unraised: ReadonlySet<string>;
  /** One error per contract, at its version. */
  readonly diagnostics: readonly Diagnostic[];
}

export async function versionDiagnostics(
  contracts: Contracts,
  asked: readonly Dataset[],
  files: readonly ContractFile[],
  { source, manifest }: OpenedTree,
): Promise<VersionFindings> {
  const found: Diagnostic[] = [];
  const unraised = new Set<string>();
  const published = new Set(manifest.datasets.map(entry => entry.key));
  const rewritten = await readRewritten(
    asked.filter(dataset => published.has(dataset.key)),
    source,
  );
  const before = compileEarlier(rewritten, contracts, files);
  for (const { dataset } of rewritten) {
    const path = datasetManifestPath(dataset.domain, dataset.topic);
    const version = (await readDocument<DatasetManifest>(source, path))?.version;
    const earlier = before.get(dataset.key);
    const old = earlier ? promisedShape(earlier) : await readShape(dataset, source);
    if (version === undefined || old === null) continue;
    const problems = judge(dataset, version, contractChanges(old, promisedShape(dataset)));
    if (problems.length > 0) unraised.add(dataset.key);
    found.push(...problems);
  }
  for (const dimension of contracts.dimensions.values()) {
    const entry = manifest.dimensions.find(
      ({ key }) => key.endsWith(`/_dimensions/${dimension.name}`) && owns(dimension, key),
    );
    const domain = entry?.key.split('/')[0];
    const schema =
      domain === undefined
        ? null
        : await readDocument<DimensionSchemaDocument>(source, dimensionSchemaPath(domain, dimension.name));
    if (schema === null) continue;
    found.push(
      ...judge(
        dimension,
        schema.version,
        contractChanges(publishedDimension(schema), promisedDimension(dimension)),
      ),
    );
  }
  return { unraised, diagnostics: found };
}

/** A domain's own dimension may share its name with another domain's. */
function owns(dimension: Dimension, key: string): boolean {
  return dimension.scope === 'global' || key.startsWith(`${dimension.domain}/`);
}

interface Rewritten {
  readonly dataset: Dataset;
  /** The published contract. */
  readonly text: string;
}

async function readRewritten(datasets: readonly Dataset[], source: TreeSource): Promise<Rewritten[]> {
  const read = await Promise.all(
    datasets.map(async dataset => ({
      dataset,
      text: await source.text(contractPath(dataset.domain, dataset.topic, 'yaml')),
    })),
  );
  return read.flatMap(({ dataset, text }) =>
    text === null || text === dataset.source.published ? [] : [{ dataset, text }],
  );
}

/** Contracts that are compiled together, by file: one text of each, with the datasets that have it. */
type Round = Map<string, ContractFile & { readonly keys: Set<string> }>;

/** The published contracts, compiled with today's dimensions; those that do not compile are left out. */
function compileEarlier(
  rewritten: readonly Rewritten[],
  { dimensions }: Contracts,
  files: readonly ContractFile[],
): ReadonlyMap<string, Dataset> {
  if (rewritten.length === 0) return new Map();
  const own = new Set([...dimensions.values()].map(dimension => dimension.source.file));
  const shared = files.filter(({ file }) => own.has(file));
  const now = new Map(rewritten.map(({ dataset }) => [dataset.key, dataset]));
  // The tables of a contract have its text, with servers of their own.
  const rounds: Round[] = [];
  for (const { dataset, text } of rewritten) {
    const { file } = dataset.source;
    const found = rounds.find(one => (one.get(file)?.text ?? text) === text);
    const round: Round = found ?? new Map();
    if (found === undefined) rounds.push(round);
    const folder = files.find(one => one.file === file)?.folder ?? '';
    const entry = round.get(file) ?? { file, folder, text, keys: new Set() };
    round.set(file, entry);
    entry.keys.add(dataset.key);
  }
  return new Map(
    rounds.flatMap(round => {
      const keys = new Set([...round.values()].flatMap(one => [...one.keys]));
      return parseContracts([...round.values(), ...shared])
        .contracts.datasets.filter(({ key }) => keys.has(key))
        .map(dataset => [dataset.key, withPromises(dataset, now.get(dataset.key))] as const);
    }),
  );
}

/** A contract that leaves its years or levels to the lake, now or then, promises none that could be compared. */
function withPromises(earlier: Dataset, now: Dataset | undefined): Dataset {
  if (now === undefined) return earlier;
  const { years, levels, levelYears } = now;
  return {
    ...earlier,
    ...(earlier.open.years || now.open.years ? { years, levelYears } : {}),
    ...(earlier.open.levels || now.open.levels ? { levels, levelYears } : {}),
  };
}

/** The published shape of a contract that no longer compiles. Its years are not compared. */
async function readShape(dataset: Dataset, source: TreeSource): Promise<ContractShape | null> {
  const schema = await readDocument<SchemaDocument>(source, schemaPath(dataset.domain, dataset.topic));
  return schema && { ...publishedShape(schema), years: dataset.years, levelYears: dataset.levelYears };
}

function judge(
  { source, version, key }: Dataset | Dimension,
  published: string,
  changes: readonly ContractChange[],
): Diagnostic[] {
  if (isRaised(published, version, changes)) return [];
  const least = requiredVersion(published, changes);
  const asking = changes.filter(change => change.level !== 'patch');
  const shown = asking
    .slice(0, 3)
    .map(({ text }) => text)
    .join('; ');
  const more = asking.length > 3 ? `; and ${asking.length - 3} more` : '';
  const what = changes.some(change => change.level === 'major')
    ? 'breaks readers'
    : 'adds to what readers know';
  const line = source.text.split(/\r?\n/).findIndex(text => /^version\s*:/.test(text)) + 1;
  return [
    {
      severity: 'error',
      code: 'version-not-raised',
      file: source.file,
      line: Math.max(1, line),
      column: 1,
      message: `${key} was published as ${published}, and what changed ${what} (${shown}${more}): ${least === null ? 'give it another version' : `raise version from ${version} to ${least} or more`}, or undo the change`,
    },
  ];
}
