/** Metadata of the tree for portals and archives: DCAT-US 3, DataCite and RO-Crate. Pure. */

import { frequencyTerm } from '../contract/update-frequency.ts';
import { type Fields, ROW_FORMATS } from '../format/documents.ts';
import { copiesByPlace, type PublishedFile } from '../format/manifest.ts';
import { mediaType } from '../format/media-type.ts';
import { contractPath, datasetFolder, dimensionFolder, ROOT, route, schemaPath } from '../format/paths.ts';
import { oneLine } from '../format/shown-text.ts';
import { fourDigits, yearPeriods, yearRuns } from '../format/time-text.ts';
import type { DimensionRecord } from '../tree/published-records.ts';
import {
  absolute,
  type DescribedDataset,
  type DescribedTree,
  describeNext,
  sortedWords,
} from './tree-description.ts';

const MEDIA_TYPES = 'https://www.iana.org/assignments/media-types/';
const SHA256 = 'http://spdx.org/rdf/terms#checksumAlgorithm_sha256';
const FREQUENCY = 'http://purl.org/cld/freq/';

/**
 * data.json (DCAT-US 3): for each dataset, distributions for the API, for each level's Parquet file with all
 * years, and for its latest year as CSV. DCAT allows only absolute addresses: without the tree's address, a
 * distribution is identified by its path.
 */
export function dataCatalog(tree: DescribedTree): Fields {
  const { service } = tree.publisher;
  const { publisherName: publisher, email, licenseAddress: license } = tree;
  const shared = {
    publisher: organization(publisher),
    contactPoint: email && [{ '@type': 'Kind', fn: publisher, hasEmail: `mailto:${email}` }],
  };
  return {
    '@id': absolute(tree, ROOT.catalog),
    '@type': 'Catalog',
    conformsTo: { '@type': 'Standard', title: 'DCAT-US 3.0' },
    title: service,
    description: tree.text,
    ...shared,
    modified: tree.date,
    license,
    homepage: page(tree, '', service),
    dataset: tree.datasets.map(dataset => datasetRecord(tree, dataset, shared)),
  };
}

function datasetRecord(
  tree: DescribedTree,
  dataset: DescribedDataset,
  { publisher, contactPoint }: Fields,
): Fields {
  const { domain, topic, title, creator, tags, source, downloads } = dataset;
  const { licenseAddress: license } = tree;
  const { available_years: years, update_frequency, next_update: next } = dataset.schema;
  const frequency = frequencyTerm(update_frequency);
  const rows = route.facts(domain, topic);
  const file = (path: string, type: string, title: string, known?: PublishedFile): Fields => ({
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
    identifier: [dataset.key],
    title,
    description: dataset.text,
    keywordMap: tags && { [tree.publisher.language ?? 'en']: tags },
    version: dataset.version,
    modified: dataset.modified,
    publisher,
    creator: creator && organization(creator),
    contactPoint,
    temporal: yearRuns(years).map(({ first, last }) => ({
      '@type': 'PeriodOfTime',
      startDate: fourDigits(first),
      endDate: fourDigits(last),
    })),
    accrualPeriodicity: frequency && `${FREQUENCY}${frequency}`,
    // DCAT has no field for the date.
    scopeNote: next && describeNext(next),
    source: source && [source],
    landingPage: page(tree, dataset.page, title),
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
function page(tree: DescribedTree, path: string, title: string): Fields | undefined {
  const address = absolute(tree, path);
  return address === undefined ? undefined : { '@type': 'Document', '@id': address, title };
}

function organization(name: string): Fields {
  return { '@type': 'Organization', name, prefLabel: name };
}

/**
 * datacite.json (DataCite 4.6), for registering a DOI. It has no DOI, because the registry assigns one; until
 * then the release's name identifies it (`alternateIdentifiers`). `url` is the DOI's target, if the tree's
 * address is known.
 */
export function dataCiteDocument(tree: DescribedTree): Fields {
  const { publisher, datasets, date, release } = tree;
  const name = oneLine(tree.publisherName);
  const years = [...new Set(datasets.flatMap(({ schema }) => schema.available_years))].sort((a, b) => a - b);
  const words = datasets.flatMap(({ schema }) => [schema.main_topic, ...schema.tags, schema.title]);
  const subjects = sortedWords(words.map(oneLine).filter(Boolean)) ?? [];
  const manifest = absolute(tree, ROOT.manifest);
  return {
    schemaVersion: 'http://datacite.org/schema/kernel-4',
    identifiers: [],
    alternateIdentifiers: [{ alternateIdentifierType: 'release', alternateIdentifier: release }],
    url: tree.baseUrl ?? undefined,
    types: { resourceTypeGeneral: 'Dataset', resourceType: 'Statistical data' },
    creators: [{ name, nameType: 'Organizational' }],
    contributors: tree.creators?.map(office => ({
      name: office,
      nameType: 'Organizational',
      contributorType: 'Producer',
    })),
    titles: [{ title: oneLine(publisher.service) }],
    publisher: { name },
    publicationYear: date.slice(0, 4),
    subjects: subjects.map(subject => ({ subject })),
    dates: [
      { date, dateType: 'Issued' },
      ...yearPeriods(years).map(period => ({ date: period, dateType: 'Coverage' })),
    ],
    language: publisher.language ?? undefined,
    version: release,
    rightsList: rights(tree),
    descriptions: [
      { description: tree.text, descriptionType: 'Abstract' },
      {
        description: datasets.map(one => `${one.key}: ${one.title}`).join('; '),
        descriptionType: 'TableOfContents',
      },
    ],
    sizes: sizes(tree),
    formats: ROW_FORMATS.map(format => mediaType(`.${format}`)),
    relatedIdentifiers: [manifest].flatMap(address =>
      address
        ? { relatedIdentifier: address, relatedIdentifierType: 'URL', relationType: 'HasMetadata' }
        : [],
    ),
  };
}

function rights(tree: DescribedTree): Fields[] | undefined {
  const { license, attribution } = tree.publisher;
  const { licenseAddress: address, spdx: known } = tree;
  if (license === null && address === undefined) return undefined;
  const credit = attribution && `attribution: ${oneLine(attribution)}`;
  return [
    {
      rights: [license, credit].filter(Boolean).join('; '),
      rightsUri: address,
      ...(known && {
        rightsIdentifier: known,
        rightsIdentifierScheme: 'SPDX',
        schemeUri: 'https://spdx.org/licenses/',
      }),
    },
  ];
}

/** The whole tree's size isn't known yet, so this counts only files of rows. */
function sizes(tree: DescribedTree): string[] {
  const { datasets } = tree;
  const rows = datasets.reduce((sum, { manifest }) => sum + manifest.rows, 0);
  const files = [
    ...datasets.flatMap(({ manifest }) => [
      ...manifest.slices.flatMap(slice => Object.values(slice.files).flat()),
      ...copiesByPlace(manifest).map(entry => entry.file),
    ]),
    ...tree.ownDimensions.flatMap(({ manifest }) => Object.values(manifest.files).flat()),
  ];
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return [`${datasets.length} datasets`, `${rows} rows`, `${files.length} files of rows`, `${bytes} bytes`];
}

const PUBLISHER = '#publisher';

/** `documents`: paths and contents of those of the root. */
export function roCrateDocument(
  tree: DescribedTree,
  documents: readonly (readonly [path: string, content: string])[],
): Fields {
  const { publisher, datasets, date, release, baseUrl } = tree;
  const terms = publisher.license === null ? undefined : oneLine(publisher.license);
  const license: Fields = {
    '@id': tree.licenseAddress ?? '#licence',
    '@type': 'CreativeWork',
    // RO-Crate requires a licence.
    name: terms ?? 'The publisher states no licence.',
    identifier: terms,
  };
  const parts = [
    ...datasets.map(dataset => datasetEntity(dataset, license)),
    ...tree.ownDimensions.map(dimensionEntity),
    ...documents.map(([path, name]) => file(path, name)),
  ];
  const root: Fields = {
    '@id': './',
    '@type': 'Dataset',
    name: oneLine(publisher.service),
    description: tree.text,
    datePublished: date,
    version: release,
    identifier: release,
    license: reference(license),
    creator: { '@id': PUBLISHER },
    publisher: { '@id': PUBLISHER },
    creditText: publisher.attribution ?? undefined,
    inLanguage: publisher.language ?? undefined,
    url: baseUrl ?? undefined,
    keywords: tree.keywords?.join(', '),
    hasPart: parts.map(reference),
  };
  const about: Fields = {
    '@id': ROOT.roCrate,
    '@type': 'CreativeWork',
    about: reference(root),
    conformsTo: { '@id': 'https://w3id.org/ro/crate/1.2' },
  };
  const organization: Fields = {
    '@id': PUBLISHER,
    '@type': 'Organization',
    name: oneLine(tree.publisherName),
    email: tree.email,
  };
  const creators = (tree.creators ?? []).map(
    (name): Fields => ({ '@id': creatorId(name), '@type': 'Organization', name }),
  );
  const schemas = datasets.map(({ domain, topic, title }) =>
    file(schemaPath(domain, topic), `${oneLine(title)}: columns, years, levels and filters`),
  );
  return {
    '@context': 'https://w3id.org/ro/crate/1.2/context',
    '@graph': [about, root, organization, ...creators, license, ...parts, ...schemas],
  };
}

function creatorId(name: string): string {
  return `#creator-${encodeURIComponent(name)}`;
}

function datasetEntity(dataset: DescribedDataset, license: Fields): Fields {
  const { domain, topic, title, version, creator, periods } = dataset;
  const schema = { '@id': schemaPath(domain, topic) };
  return {
    '@id': `${datasetFolder(domain, topic)}/`,
    '@type': 'Dataset',
    name: oneLine(title),
    description: dataset.text,
    version,
    dateModified: dataset.modified,
    creator: creator && { '@id': creatorId(creator) },
    temporalCoverage: periods.length === 1 ? periods[0] : periods,
    license: reference(license),
    subjectOf: schema,
    hasPart: [schema],
  };
}

function dimensionEntity({ schema, domain, manifest }: DimensionRecord): Fields {
  return {
    '@id': `${dimensionFolder(domain, schema.name)}/`,
    '@type': 'Dataset',
    name: oneLine(schema.title) || schema.name,
    description: oneLine(schema.description) || undefined,
    version: manifest.version,
  };
}

function file(path: string, name: string): Fields {
  return { '@id': path, '@type': 'File', name, encodingFormat: mediaType(path) };
}

function reference(entity: Fields): Fields {
  return { '@id': entity['@id'] ?? '' };
}
