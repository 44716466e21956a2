/** The facts about the tree that a dataset's page states. */
import type { ServiceDocument } from '../../../build/format/documents.ts';
import type { DatasetDocuments, Documents } from './documents.ts';

export interface Publication {
  readonly service: Pick<ServiceDocument, 'service' | 'attribution' | 'license' | 'license_url'>;
  /** The tree's future address, ending in a slash; null if unknown. */
  readonly baseUrl: string | null;
  readonly sample: boolean;
  /** Of the release. */
  readonly year: string;
  /** Day of the dataset's last change; null if unknown. */
  readonly modified: string | null;
}

/** All but what its frame says. */
export function publicationOf(
  { service: tree, source, manifest }: Documents,
  { key }: DatasetDocuments,
): Publication {
  const { service, attribution, license, license_url } = tree;
  const entry = manifest.datasets.find(one => one.key === key);
  return {
    service: { service, attribution, license, license_url },
    baseUrl: source.baseUrl,
    sample: manifest.sample === true,
    year: manifest.date.slice(0, 4),
    modified: entry?.modified.slice(0, 10) ?? null,
  };
}
