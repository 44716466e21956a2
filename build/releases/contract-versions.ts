/** Finds contracts with a changed schema and an unraised version, compared with the release before. */
import {
  type ContractChange,
  type ContractShape,
  contractChanges,
  isRaised,
  promisedDimension,
  promisedShape,
  publishedShape,
  requiredVersion,
} from '../contract/contract-difference.ts';
import type { Contracts, Dataset, Dimension } from '../contract/dataset.ts';
import type { Diagnostic } from '../contract/diagnostic.ts';
import { type ContractFile, parseContracts } from '../contract/parse-contracts.ts';
import type { DimensionSchemaDocument, SchemaDocument } from '../format/documents.ts';
import { contractPath, dimensionSchemaPath, schemaPath } from '../format/paths.ts';
import type { EarlierRelease } from '../plan/plan.ts';
import { readDocument, type TreeSource } from '../tree/tree-source.ts';

interface VersionFindings {
  /** Keys of the datasets. */
  readonly unraised: ReadonlySet<string>;
  /** One error per contract, at the line of its version. */
  readonly diagnostics: readonly Diagnostic[];
}

export async function versionDiagnostics(
  contracts: Contracts,
  asked: readonly Dataset[],
  files: readonly ContractFile[],
  { source, manifest, datasets: manifests }: EarlierRelease,
): Promise<VersionFindings> {
  const found: Diagnostic[] = [];
  const unraised = new Set<string>();
  const published = new Set(manifest.datasets.map(entry => entry.key));
  const shared = new Set([...contracts.dimensions.values()].map(({ source: { file } }) => file));
  const dimensionFiles = files.filter(({ file }) => shared.has(file));
  const known = asked.filter(({ key }) => published.has(key));
  const texts = await Promise.all(
    known.map(({ domain, topic }) => source.text(contractPath(domain, topic, 'yaml'))),
  );
  for (const [i, dataset] of known.entries()) {
    const text = texts[i] ?? null;
    if (text === null || text === dataset.source.published) continue;
    const version = manifests.get(dataset.key)?.version;
    const own = files.find(({ file }) => file === dataset.source.file);
    // Compiled with today's dimensions.
    const earlier = parseContracts([
      ...(own ? [{ ...own, text }] : []),
      ...dimensionFiles,
    ]).contracts.datasets.find(({ key }) => key === dataset.key);
    const old = earlier
      ? promisedShape(withPresentPromises(earlier, dataset), contracts)
      : await readShape(dataset, source);
    if (version === undefined || old === null) continue;
    const problems = judge(dataset, version, contractChanges(old, promisedShape(dataset, contracts)));
    if (problems.length > 0) unraised.add(dataset.key);
    found.push(...problems);
  }
  for (const dimension of contracts.dimensions.values()) {
    // Two domains may have dimensions with the same name.
    const entry = manifest.dimensions.find(
      ({ key }) =>
        key.endsWith(`/_dimensions/${dimension.name}`) &&
        (dimension.scope === 'global' || key.startsWith(`${dimension.domain}/`)),
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
        contractChanges(publishedShape(schema), promisedDimension(dimension)),
      ),
    );
  }
  return { unraised, diagnostics: found };
}

/** If either contract leaves its years or levels to the lake, they can't be compared, so takes the present ones. */
function withPresentPromises(earlier: Dataset, now: Dataset): Dataset {
  const { years, levels, levelYears } = now;
  return {
    ...earlier,
    ...(earlier.open.years || now.open.years ? { years, levelYears } : {}),
    ...(earlier.open.levels || now.open.levels ? { levels, levelYears } : {}),
  };
}

/** The published shape of a contract that no longer compiles, with the present years. */
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
