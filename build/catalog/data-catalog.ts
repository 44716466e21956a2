/** data.json: the tree as a DCAT-US 3 catalogue, for data portals to harvest. Pure. */
import type { Fields } from '../format/json.ts';
import { contractPath, ROOT, route, schemaPath } from '../format/paths.ts';
import { fourDigits, yearRuns } from '../format/year-runs.ts';
import {
  absolute,
  type DatasetRecord,
  type Download,
  datasetKey,
  datasetPage,
  datasetText,
  downloads,
  emailOf,
  licenseAddress,
  modifiedOn,
  publisherName,
  serviceText,
  sourceAddress,
  statedCreator,
  type TreeDescription,
  tagsOf,
} from './tree-description.ts';

const MEDIA_TYPES = 'https://www.iana.org/assignments/media-types/';
const SHA256 = 'http://spdx.org/rdf/terms#checksumAlgorithm_sha256';
const FREQUENCY = 'http://purl.org/cld/freq/';
/** All terms of the Dublin Core frequency vocabulary. */
const FREQUENCIES =
  'triennial biennial annual semiannual threeTimesAYear quarterly bimonthly monthly semimonthly biweekly threeTimesAMonth weekly semiweekly threeTimesAWeek daily continuous irregular'.split(
    ' ',
  );

/**
 * Describes each dataset with distributions for the API, for each level's Parquet file with all years, and for its
 * latest year as CSV. DCAT allows only absolute addresses: without the tree's address, a distribution is named by its
 * path.
 */
export function dataCatalog(tree: TreeDescription): Fields {
  const { publisher } = tree;
  return {
    '@id': absolute(tree, ROOT.catalog),
    '@type': 'Catalog',
    conformsTo: { '@type': 'Standard', title: 'DCAT-US 3.0' },
    title: publisher.service,
    description: serviceText(tree),
    publisher: organization(publisherName(publisher)),
    contactPoint: contact(tree),
    modified: tree.date,
    license: licenseAddress(publisher),
    homepage: page(tree, '', publisher.service),
    dataset: tree.datasets.map(dataset => datasetRecord(tree, dataset)),
  };
}

function datasetRecord(tree: TreeDescription, dataset: DatasetRecord): Fields {
  const { schema, manifest } = dataset;
  const modified = modifiedOn(dataset);
  const { main_topic: domain, topic } = schema;
  const creator = statedCreator(dataset);
  const tags = tagsOf(dataset);
  const source = sourceAddress(dataset);
  const facts = route.facts(domain, topic);
  const file = (path: string, type: string, title: string, known?: Download['file']): Fields => ({
    '@type': 'Distribution',
    title,
    identifier: [path],
    downloadURL: absolute(tree, path),
    mediaType: `${MEDIA_TYPES}${type}`,
    ...(known && {
      byteSize: String(known.bytes),
      modified: known.modified.slice(0, 10),
      checksum: { '@type': 'Checksum', algorithm: SHA256, checksumValue: known.sha256 },
    }),
    license: licenseAddress(tree.publisher),
  });
  return {
    '@id': absolute(tree, schemaPath(domain, topic)),
    '@type': 'Dataset',
    identifier: [datasetKey(dataset)],
    title: schema.title,
    description: datasetText(tree, dataset),
    keywordMap: tags && { [tree.publisher.language ?? 'en']: tags },
    version: manifest.version,
    modified,
    publisher: organization(publisherName(tree.publisher)),
    creator: creator && organization(creator),
    contactPoint: contact(tree),
    temporal: yearRuns(schema.available_years).map(({ first, last }) => ({
      '@type': 'PeriodOfTime',
      startDate: fourDigits(first),
      endDate: fourDigits(last),
    })),
    accrualPeriodicity: frequency(schema.update_frequency),
    source: source && [source],
    landingPage: page(tree, datasetPage(tree, dataset), schema.title),
    describedBy: file(schemaPath(domain, topic), 'application/json', 'Columns, units and filters'),
    distribution: [
      {
        '@type': 'Distribution',
        title: 'API: filtered rows as JSON, CSV or Parquet',
        identifier: [facts],
        accessURL: absolute(tree, facts.slice(1)),
        license: licenseAddress(tree.publisher),
      },
      ...downloads(dataset).map(one => file(one.path, one.type, one.title, one.file)),
      file(contractPath(domain, topic, 'yaml'), 'application/yaml', 'Data contract'),
    ],
  };
}

/** Undefined if the tree's address is unknown. */
function page(tree: TreeDescription, path: string, title: string): Fields | undefined {
  const address = absolute(tree, path);
  return address === undefined ? undefined : { '@type': 'Document', '@id': address, title };
}

function organization(name: string): Fields {
  return { '@type': 'Organization', name, prefLabel: name };
}

function contact({ publisher }: TreeDescription): Fields[] | undefined {
  const email = emailOf(publisher);
  return email === undefined
    ? undefined
    : [{ '@type': 'Kind', fn: publisherName(publisher), hasEmail: `mailto:${email}` }];
}

function frequency(words: string | null): string | undefined {
  const plain = words?.toLowerCase().replace(/[^a-z]/g, '');
  const known = FREQUENCIES.find(term => term.toLowerCase() === plain);
  return known && `${FREQUENCY}${known}`;
}
