/** data.json: the tree as a DCAT-US 3 catalogue, for data portals to harvest. Pure. */

import type { Json } from '../format/json.ts';
import { contractPath, ROOT, route, schemaPath } from '../format/paths.ts';
import { fourDigits, yearRuns } from '../format/year-runs.ts';
import {
  type DescribedDataset,
  datasetFile,
  datasetKey,
  datasetPage,
  datasetText,
  emailOf,
  isAddress,
  levelFiles,
  licenseAddress,
  publisherName,
  serviceText,
  statedCreator,
  type TreeDescription,
} from './tree-description.ts';

const MEDIA_TYPES = 'https://www.iana.org/assignments/media-types/';
const SHA256 = 'http://spdx.org/rdf/terms#checksumAlgorithm_sha256';
const FREQUENCY = 'http://purl.org/cld/freq/';
/** All terms of the Dublin Core frequency vocabulary. */
const FREQUENCIES =
  'triennial biennial annual semiannual threeTimesAYear quarterly bimonthly monthly semimonthly biweekly threeTimesAMonth weekly semiweekly threeTimesAWeek daily continuous irregular'.split(
    ' ',
  );

type Fields = { readonly [name: string]: Json };

/**
 * Describes each dataset with distributions for the API, for each level's Parquet file with all years, and for its
 * latest year as CSV. DCAT allows only absolute addresses: without the tree's address, a distribution is named by its
 * path.
 */
export function dataCatalog(tree: TreeDescription): Fields {
  const { publisher, baseUrl } = tree;
  return {
    ...(baseUrl === null ? {} : { '@id': at(baseUrl, ROOT.catalog) }),
    '@type': 'Catalog',
    conformsTo: { '@type': 'Standard', title: 'DCAT-US 3.0' },
    title: publisher.service,
    description: serviceText(tree),
    publisher: organization(publisherName(publisher)),
    ...contact(tree),
    modified: tree.date,
    ...license(tree),
    ...(baseUrl === null
      ? {}
      : { homepage: { '@type': 'Document', '@id': baseUrl, title: publisher.service } }),
    dataset: tree.datasets.map(dataset => datasetRecord(tree, dataset)),
  };
}

function datasetRecord(tree: TreeDescription, dataset: DescribedDataset): Fields {
  const { baseUrl } = tree;
  const { schema, manifest, modified } = dataset;
  const { main_topic: domain, topic } = schema;
  const creator = statedCreator(dataset);
  return {
    ...(baseUrl === null ? {} : { '@id': at(baseUrl, schemaPath(domain, topic)) }),
    '@type': 'Dataset',
    identifier: [datasetKey(dataset)],
    title: schema.title,
    description: datasetText(tree, dataset),
    ...(schema.tags.length === 0 ? {} : { keywordMap: { [tree.publisher.language ?? 'en']: schema.tags } }),
    version: manifest.version,
    modified,
    publisher: organization(publisherName(tree.publisher)),
    ...(creator === null ? {} : { creator: organization(creator) }),
    ...contact(tree),
    temporal: yearRuns(schema.available_years).map(({ first, last }) => ({
      '@type': 'PeriodOfTime',
      startDate: fourDigits(first),
      endDate: fourDigits(last),
    })),
    ...frequency(schema.update_frequency),
    ...(isAddress(schema.source_url) ? { source: [schema.source_url] } : {}),
    ...(baseUrl === null
      ? {}
      : {
          landingPage: {
            '@type': 'Document',
            '@id': at(baseUrl, datasetPage(tree, dataset)),
            title: schema.title,
          },
        }),
    describedBy: file(tree, schemaPath(domain, topic), 'application/json', 'Columns, units and filters'),
    distribution: distributions(tree, dataset),
  };
}

function distributions(tree: TreeDescription, dataset: DescribedDataset): Fields[] {
  const { main_topic: domain, topic } = dataset.schema;
  const rows = levelFiles(dataset.manifest).flatMap(({ detail, slices, whole }) => {
    const last = slices.at(-1);
    const csv = last?.files.csv[0];
    return [
      ...(whole === null
        ? []
        : [
            file(
              tree,
              datasetFile(dataset, whole),
              'application/vnd.apache.parquet',
              `${detail}: all years`,
              whole,
            ),
          ]),
      ...(last === undefined || csv === undefined
        ? []
        : [file(tree, datasetFile(dataset, csv), 'text/csv', `${detail}: ${last.year}`, csv)]),
    ];
  });
  const api: Fields = {
    '@type': 'Distribution',
    title: 'API: filtered rows as JSON, CSV or Parquet',
    identifier: [route.facts(domain, topic)],
    ...(tree.baseUrl === null ? {} : { accessURL: at(tree.baseUrl, route.facts(domain, topic).slice(1)) }),
    ...license(tree),
  };
  const contract = file(tree, contractPath(domain, topic, 'yaml'), 'application/yaml', 'Data contract');
  return [api, ...rows, contract];
}

function file(
  tree: TreeDescription,
  path: string,
  type: string,
  title: string,
  known?: { readonly bytes: number; readonly sha256: string; readonly modified: string },
): Fields {
  return {
    '@type': 'Distribution',
    title,
    identifier: [path],
    ...(tree.baseUrl === null ? {} : { downloadURL: at(tree.baseUrl, path) }),
    mediaType: `${MEDIA_TYPES}${type}`,
    ...(known === undefined
      ? {}
      : {
          byteSize: String(known.bytes),
          modified: known.modified.slice(0, 10),
          checksum: { '@type': 'Checksum', algorithm: SHA256, checksumValue: known.sha256 },
        }),
    ...license(tree),
  };
}

function at(baseUrl: string, path: string): string {
  return new URL(path, baseUrl).href;
}

function organization(name: string): Fields {
  return { '@type': 'Organization', name, prefLabel: name };
}

function contact({ publisher }: TreeDescription): Fields {
  const email = emailOf(publisher);
  return email === null
    ? {}
    : { contactPoint: [{ '@type': 'Kind', fn: publisherName(publisher), hasEmail: `mailto:${email}` }] };
}

function license({ publisher }: TreeDescription): Fields {
  const address = licenseAddress(publisher);
  return address === null ? {} : { license: address };
}

function frequency(words: string | null): Fields {
  const plain = words?.toLowerCase().replace(/[^a-z]/g, '');
  const known = FREQUENCIES.find(term => term.toLowerCase() === plain);
  return known === undefined ? {} : { accrualPeriodicity: `${FREQUENCY}${known}` };
}
