/** jsonld.json: a dataset as schema.org/Dataset, which search engines read from its page. Pure. */
import type { Fields, Json } from '../format/json.ts';
import { jsonLdPath, ROOT } from '../format/paths.ts';
import {
  addressOf,
  type DatasetRecord,
  datasetFacts,
  oneLine,
  type TreeDescription,
  treeFacts,
} from './tree-description.ts';

/** The longest and the shortest description that search engines accept. */
const MOST_TEXT = 5000;
const LEAST_TEXT = 50;

export function jsonLdDocument(tree: TreeDescription, dataset: DatasetRecord): Fields {
  const { service, license, attribution } = tree.publisher;
  const { schema } = dataset;
  const whole = treeFacts(tree);
  const { domain, topic, text, periods, ...facts } = datasetFacts(tree, dataset);
  const to = (path: string) => addressOf(tree, jsonLdPath(domain, topic), path);
  const organization = (name: string): Json => ({ '@type': 'Organization', name });
  const more = `Levels ${schema.detail_levels.join(', ')}; ${facts.years}. Published by ${service}.`;
  return {
    '@context': 'https://schema.org/',
    '@type': 'Dataset',
    name: facts.title,
    description: (text.length < LEAST_TEXT ? `${text}: ${more}` : text).slice(0, MOST_TEXT),
    url: to(facts.page),
    identifier: facts.key,
    version: facts.version,
    license: whole.license ?? license ?? undefined,
    isAccessibleForFree: true,
    creator: organization(facts.creator ?? whole.publisher),
    publisher: organization(whole.publisher),
    creditText: attribution ?? undefined,
    dateModified: facts.modified,
    temporalCoverage: periods.length === 1 ? periods[0] : periods,
    keywords: facts.tags,
    isBasedOn: facts.source,
    variableMeasured: schema.columns
      .filter(column => column.role === 'metric')
      .map(column => ({
        '@type': 'PropertyValue',
        name: column.name,
        description: oneLine(column.description) || undefined,
        unitText: column.unit ?? undefined,
        minValue: column.value_min ?? undefined,
        maxValue: column.value_max ?? undefined,
      })),
    includedInDataCatalog: { '@type': 'DataCatalog', name: service, url: to(ROOT.service) },
    distribution: facts.downloads.map(({ title, type, path, file }) => ({
      '@type': 'DataDownload',
      name: title,
      contentUrl: to(path),
      encodingFormat: type,
      contentSize: `${file.bytes} B`,
      sha256: file.sha256,
    })),
  };
}
