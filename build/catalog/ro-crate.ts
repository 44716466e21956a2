/** ro-crate-metadata.json: the tree as a Research Object Crate 1.2 with the same root. Pure. */
import type { Fields } from '../format/json.ts';
import { datasetFolder, dimensionFolder, ROOT, schemaPath } from '../format/paths.ts';
import {
  type DatasetRecord,
  type DimensionRecord,
  datasetText,
  emailOf,
  homeDimensions,
  licenseAddress,
  modifiedOn,
  oneLine,
  publisherName,
  serviceText,
  sortedWords,
  statedCreator,
  statedCreators,
  type TreeDescription,
  temporalCoverage,
} from './tree-description.ts';

const PUBLISHER = '#publisher';

/** The documents at the root that the crate names: path, content and media type. */
const DOCUMENTS = [
  [ROOT.manifest, 'Every dataset and dimension, with hashes', 'application/json'],
  [ROOT.checksums, 'SHA-256 of every file', 'text/plain'],
  [ROOT.service, 'The service', 'application/json'],
  [ROOT.datasets, 'Every dataset in summary', 'application/json'],
  [ROOT.openapi, 'The API, in OpenAPI 3.1', 'application/json'],
  [ROOT.duckdb, 'Views of all rows, for DuckDB', 'application/sql'],
  [ROOT.dataPackage, 'CSV files with the type of every column, in Data Package 2.0', 'application/json'],
  [ROOT.catalog, 'All datasets, in DCAT-US 3', 'application/json'],
  [ROOT.citation, 'How to cite the release, in Citation File Format 1.2.0', 'application/yaml'],
  [ROOT.dataCite, 'Metadata to register a DOI, in DataCite 4', 'application/json'],
  [ROOT.notes, 'What each release changed', 'text/markdown'],
] as const;

export function roCrateDocument(tree: TreeDescription): Fields {
  const { publisher, datasets, date, release, baseUrl } = tree;
  const license = licenseEntity(tree);
  const parts = [
    ...datasets.map(dataset => datasetEntity(tree, dataset, license)),
    ...homeDimensions(tree).map(dimensionEntity),
    ...DOCUMENTS.map(([path, name, encodingFormat]) => file(path, name, encodingFormat)),
  ];
  const root: Fields = {
    '@id': './',
    '@type': 'Dataset',
    name: oneLine(publisher.service),
    description: serviceText(tree),
    datePublished: date,
    version: release,
    identifier: release,
    license: reference(license),
    creator: { '@id': PUBLISHER },
    publisher: { '@id': PUBLISHER },
    creditText: publisher.attribution ?? undefined,
    inLanguage: publisher.language ?? undefined,
    url: baseUrl ?? undefined,
    keywords: sortedWords(datasets.flatMap(({ schema }) => schema.tags))?.join(', '),
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
    name: oneLine(publisherName(publisher)),
    email: emailOf(publisher),
  };
  const creators = (statedCreators(tree) ?? []).map(
    (name): Fields => ({ '@id': creatorId(name), '@type': 'Organization', name }),
  );
  const schemas = datasets.map(({ schema }) =>
    file(
      schemaPath(schema.main_topic, schema.topic),
      `${oneLine(schema.title)}: columns, years, levels and filters`,
      'application/json',
    ),
  );
  return {
    '@context': 'https://w3id.org/ro/crate/1.2/context',
    '@graph': [about, root, organization, ...creators, license, ...parts, ...schemas],
  };
}

/** An identifier within the crate. */
function creatorId(name: string): string {
  return `#creator-${encodeURIComponent(name)}`;
}

function datasetEntity(tree: TreeDescription, dataset: DatasetRecord, license: Fields): Fields {
  const { main_topic, topic, title } = dataset.schema;
  const { version } = dataset.manifest;
  const schema = { '@id': schemaPath(main_topic, topic) };
  const creator = statedCreator(dataset);
  return {
    '@id': `${datasetFolder(main_topic, topic)}/`,
    '@type': 'Dataset',
    name: oneLine(title),
    description: datasetText(tree, dataset),
    version,
    dateModified: modifiedOn(dataset),
    creator: creator && { '@id': creatorId(creator) },
    temporalCoverage: temporalCoverage(dataset),
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

function file(path: string, name: string, encodingFormat: string): Fields {
  return { '@id': path, '@type': 'File', name, encodingFormat };
}

/** A crate must name its licence. If the publisher states none, the crate says so. */
function licenseEntity({ publisher }: TreeDescription): Fields {
  const name = publisher.license === null ? undefined : oneLine(publisher.license);
  return {
    '@id': licenseAddress(publisher) ?? '#licence',
    '@type': 'CreativeWork',
    name: name ?? 'The publisher states no licence.',
    identifier: name,
  };
}

function reference(entity: Fields): Fields {
  return { '@id': entity['@id'] ?? '' };
}
