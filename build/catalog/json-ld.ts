/** jsonld.json: a dataset as schema.org/Dataset, which search engines read from its page. Pure. */

import type { Json } from '../format/json.ts';
import { jsonLdPath, ROOT } from '../format/paths.ts';
import {
  addressOf,
  type DescribedDataset,
  datasetFile,
  datasetKey,
  datasetPage,
  datasetText,
  datasetYears,
  isAddress,
  levelFiles,
  licenseAddress,
  oneLine,
  publisherName,
  statedCreator,
  type TreeDescription,
  temporalCoverage,
} from './tree-description.ts';

/** The longest and the shortest description that search engines accept. */
const MOST_TEXT = 5000;
const LEAST_TEXT = 50;

export function jsonLdDocument(tree: TreeDescription, dataset: DescribedDataset): Json {
  const { publisher } = tree;
  const { schema, manifest, modified } = dataset;
  const from = jsonLdPath(schema.main_topic, schema.topic);
  const to = (path: string) => addressOf(tree, from, path);
  const organization = (name: string): Json => ({ '@type': 'Organization', name });
  const named = organization(publisherName(publisher));
  const stated = statedCreator(dataset);
  const license = licenseAddress(publisher) ?? publisher.license;
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
    ...(license === null ? {} : { license }),
    isAccessibleForFree: true,
    creator: stated === null ? named : organization(stated),
    publisher: named,
    ...(publisher.attribution === null ? {} : { creditText: publisher.attribution }),
    dateModified: modified,
    temporalCoverage: temporalCoverage(dataset),
    ...(schema.tags.length === 0 ? {} : { keywords: schema.tags }),
    ...(isAddress(schema.source_url) ? { isBasedOn: schema.source_url } : {}),
    variableMeasured: schema.columns
      .filter(column => column.role === 'metric')
      .map(column => ({
        '@type': 'PropertyValue',
        name: column.name,
        ...(column.description === '' ? {} : { description: oneLine(column.description) }),
        ...(column.unit === null ? {} : { unitText: column.unit }),
        ...(column.value_min === null ? {} : { minValue: column.value_min }),
        ...(column.value_max === null ? {} : { maxValue: column.value_max }),
      })),
    includedInDataCatalog: { '@type': 'DataCatalog', name: publisher.service, url: to(ROOT.service) },
    distribution: levelFiles(manifest).flatMap(({ detail, slices, whole }) => {
      const last = slices.at(-1);
      const csv = last?.files.csv[0];
      const download = (
        name: string,
        type: string,
        file: { path: string; bytes: number; sha256: string },
      ) => ({
        '@type': 'DataDownload',
        name,
        contentUrl: to(datasetFile(dataset, file)),
        encodingFormat: type,
        contentSize: `${file.bytes} B`,
        sha256: file.sha256,
      });
      return [
        ...(whole === null
          ? []
          : [download(`${detail}: all years`, 'application/vnd.apache.parquet', whole)]),
        ...(csv === undefined ? [] : [download(`${detail}: ${last?.year}`, 'text/csv', csv)]),
      ];
    }),
  };
}
