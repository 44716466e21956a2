/** jsonld.json: a dataset as schema.org/Dataset, which search engines read from its page. Pure. */
import type { Fields, Json } from '../format/json.ts';
import { jsonLdPath, ROOT } from '../format/paths.ts';
import {
  addressOf,
  type DatasetRecord,
  datasetKey,
  datasetPage,
  datasetText,
  datasetYears,
  downloads,
  licenseAddress,
  modifiedOn,
  oneLine,
  publisherName,
  sourceAddress,
  statedCreator,
  type TreeDescription,
  tagsOf,
  temporalCoverage,
} from './tree-description.ts';

/** The longest and the shortest description that search engines accept. */
const MOST_TEXT = 5000;
const LEAST_TEXT = 50;

export function jsonLdDocument(tree: TreeDescription, dataset: DatasetRecord): Fields {
  const { publisher } = tree;
  const { schema, manifest } = dataset;
  const modified = modifiedOn(dataset);
  const to = (path: string) => addressOf(tree, jsonLdPath(schema.main_topic, schema.topic), path);
  const organization = (name: string): Json => ({ '@type': 'Organization', name });
  const text = datasetText(tree, dataset);
  const more = `Levels ${schema.detail_levels.join(', ')}; ${datasetYears(dataset)}. Published by ${publisher.service}.`;
  return {
    '@context': 'https://schema.org/',
    '@type': 'Dataset',
    name: schema.title,
    description: (text.length < LEAST_TEXT ? `${text}: ${more}` : text).slice(0, MOST_TEXT),
    url: to(datasetPage(tree, dataset)),
    identifier: datasetKey(dataset),
    version: manifest.version,
    license: licenseAddress(publisher) ?? publisher.license ?? undefined,
    isAccessibleForFree: true,
    creator: organization(statedCreator(dataset) ?? publisherName(publisher)),
    publisher: organization(publisherName(publisher)),
    creditText: publisher.attribution ?? undefined,
    dateModified: modified,
    temporalCoverage: temporalCoverage(dataset),
    keywords: tagsOf(dataset),
    isBasedOn: sourceAddress(dataset),
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
    includedInDataCatalog: { '@type': 'DataCatalog', name: publisher.service, url: to(ROOT.service) },
    distribution: downloads(dataset).map(({ title, type, path, file }) => ({
      '@type': 'DataDownload',
      name: title,
      contentUrl: to(path),
      encodingFormat: type,
      contentSize: `${file.bytes} B`,
      sha256: file.sha256,
    })),
  };
}
