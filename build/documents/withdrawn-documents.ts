/** Writes the remaining documents of withdrawn datasets and dimensions: a notice, and the contracts of datasets. */
import { datasetRelease } from '../catalog/release.ts';
import type { WithdrawnRecord } from '../catalog/tree-description.ts';
import type { Dataset, Dimension } from '../contract/dataset.ts';
import type { WithdrawalDocument } from '../format/documents.ts';
import type { PublishedFile } from '../format/manifest.ts';
import type { Compiled } from '../input/compiled-input.ts';
import type { Staging } from '../tree/staging.ts';
import { stampOf } from './assembly.ts';
import { WITHDRAWN_DATASET, WITHDRAWN_DIMENSION, writeRegistered } from './register.ts';

/** Returns records sorted by key. `datasets` are the requested ones; `kept` are keys that stay unchanged. */
export async function writeWithdrawn(
  staging: Staging,
  compiled: Pick<Compiled, 'contracts' | 'inventory'>,
  datasets: readonly Dataset[],
  kept: ReadonlySet<string> = new Set(),
): Promise<WithdrawnRecord[]> {
  const records: WithdrawnRecord[] = [];
  const write = async (
    { withdrawal, title, version, source }: Dataset | Dimension,
    key: string,
    documents: (notice: WithdrawalDocument) => Promise<PublishedFile[]>,
  ) => {
    if (withdrawal === null) return;
    const release = datasetRelease(source.published, [], []);
    const stamp = stampOf(release, compiled);
    const written = await documents({ ...stamp, status: 'withdrawn', key, title, version, ...withdrawal });
    records.push({ title, entry: { key, release, ...withdrawal, documents: written } });
  };
  for (const dataset of datasets) {
    const name = [dataset.domain, dataset.topic];
    await write(dataset, dataset.key, notice =>
      writeRegistered(WITHDRAWN_DATASET, { dataset, notice }, name, staging),
    );
  }
  for (const dimension of compiled.contracts.withdrawn.dimensions) {
    for (const domain of domainsOf(dimension, datasets)) {
      const key = `${domain}/_dimensions/${dimension.name}`;
      if (kept.has(key)) continue;
      const name = [domain, dimension.name];
      await write(dimension, key, notice => writeRegistered(WITHDRAWN_DIMENSION, { notice }, name, staging));
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
