/** Writes the remaining documents of withdrawn datasets and dimensions: a notice, and the contracts of datasets. */
import { documentText } from '../catalog/document-text.ts';
import { datasetRelease } from '../catalog/release.ts';
import type { Dataset, Dimension } from '../contract/dataset.ts';
import type { WithdrawalDocument } from '../format/documents.ts';
import type { PublishedFile } from '../format/manifest.ts';
import { dimensionSchemaPath, schemaPath } from '../format/paths.ts';
import type { Compiled } from '../input/compiled-input.ts';
import type { WithdrawnRecord } from '../tree/published-records.ts';
import type { Staging } from '../tree/staging.ts';
import { stampOf } from './assembly.ts';
import { CONTRACT_DOCUMENTS, textOf } from './table-register.ts';

/** Returns records sorted by key. `datasets` are the requested ones; `kept` are keys that stay unchanged. */
export async function writeWithdrawn(
  staging: Staging,
  compiled: Pick<Compiled, 'contracts' | 'inventory'>,
  datasets: readonly Dataset[],
  kept: ReadonlySet<string> = new Set(),
): Promise<WithdrawnRecord[]> {
  const records: WithdrawnRecord[] = [];
  const write = async (
    contract: Dataset | Dimension,
    key: string,
    path: string,
    others: readonly (readonly [path: string, text: string])[],
  ) => {
    const { withdrawal, title, version, source } = contract;
    if (withdrawal === null) return;
    const release = datasetRelease(source.published, [], []);
    const document: WithdrawalDocument = {
      ...stampOf(release, compiled),
      status: 'withdrawn',
      key,
      title,
      version,
      ...withdrawal,
    };
    const documents: PublishedFile[] = [];
    for (const [name, text] of [[path, documentText(document)] as const, ...others])
      documents.push({ path: name, ...(await staging.write(name, text)) });
    records.push({ title, entry: { key, release, ...withdrawal, documents } });
  };
  for (const dataset of datasets) {
    const { domain, topic } = dataset;
    const contracts = CONTRACT_DOCUMENTS.map(({ path, render }): [string, string] => [
      path(domain, topic),
      textOf(render({ dataset })),
    ]);
    await write(dataset, dataset.key, schemaPath(domain, topic), contracts);
  }
  for (const dimension of compiled.contracts.withdrawn.dimensions) {
    for (const domain of domainsOf(dimension, datasets)) {
      const { name } = dimension;
      const key = `${domain}/_dimensions/${name}`;
      if (kept.has(key)) continue;
      await write(dimension, key, dimensionSchemaPath(domain, name), []);
    }
  }
  return records.sort((a, b) => (a.entry.key < b.entry.key ? -1 : 1));
}

/** The domain that owns a dimension, and the domains of the withdrawn datasets that joined it. */
function domainsOf(dimension: Dimension, datasets: readonly Dataset[]): string[] {
  const joined = datasets.filter(({ foreignKeys }) =>
    foreignKeys.some(key => key.dimension === dimension.key),
  );
  const owner = dimension.domain === '' ? [] : [dimension.domain];
  return [...new Set([...owner, ...joined.map(dataset => dataset.domain)])].sort();
}
