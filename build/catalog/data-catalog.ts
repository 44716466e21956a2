/** data.json: the tree as a DCAT-US 3 catalogue, for data portals to harvest. Pure. */
import type { Fields } from '../format/json.ts';
import { contractPath, ROOT, route, schemaPath } from '../format/paths.ts';
import { fourDigits, yearRuns } from '../format/year-runs.ts';
import {
  absolute,
  type DatasetRecord,
  type Download,
  datasetFacts,
  type TreeDescription,
  treeFacts,
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
  const { service } = tree.publisher;
  const { text, publisher, email, license } = treeFacts(tree);
  const shared = {
    publisher: organization(publisher),
    contactPoint: email && [{ '@type': 'Kind', fn: publisher, hasEmail: `mailto:${email}` }],
  };
  return {
    '@id': absolute(tree, ROOT.catalog),
    '@type': 'Catalog',
    conformsTo: { '@type': 'Standard', title: 'DCAT-US 3.0' },
    title: service,
    description: text,
    ...shared,
    modified: tree.date,
    license,
    homepage: page(tree, '', service),
    dataset: tree.datasets.map(dataset => datasetRecord(tree, dataset, license, shared)),
  };
}

function datasetRecord(
  tree: TreeDescription,
  dataset: DatasetRecord,
  license: string | undefined,
  { publisher, contactPoint }: Fields,
): Fields {
  const { domain, topic, title, creator, tags, source, downloads, ...facts } = datasetFacts(tree, dataset);
  const { available_years: years, update_frequency } = dataset.schema;
  const rows = route.facts(domain, topic);
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
    license,
  });
  return {
    '@id': absolute(tree, schemaPath(domain, topic)),
    '@type': 'Dataset',
    identifier: [facts.key],
    title,
    description: facts.text,
    keywordMap: tags && { [tree.publisher.language ?? 'en']: tags },
    version: facts.version,
    modified: facts.modified,
    publisher,
    creator: creator && organization(creator),
    contactPoint,
    temporal: yearRuns(years).map(({ first, last }) => ({
      '@type': 'PeriodOfTime',
      startDate: fourDigits(first),
      endDate: fourDigits(last),
    })),
    accrualPeriodicity: frequency(update_frequency),
    source: source && [source],
    landingPage: page(tree, facts.page, title),
    describedBy: file(schemaPath(domain, topic), 'application/json', 'Columns, units and filters'),
    distribution: [
      {
        '@type': 'Distribution',
        title: 'API: filtered rows as JSON, CSV or Parquet',
        identifier: [rows],
        accessURL: absolute(tree, rows.slice(1)),
        license,
      },
      ...downloads.map(one => file(one.path, one.type, one.title, one.file)),
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

function frequency(words: string | null): string | undefined {
  const plain = words?.toLowerCase().replace(/[^a-z]/g, '');
  const known = FREQUENCIES.find(term => term.toLowerCase() === plain);
  return known && `${FREQUENCY}${known}`;
}
