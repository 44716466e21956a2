/** ro-crate-metadata.json: the tree as a Research Object Crate 1.2 with the same root. Pure. */
import type { Fields } from '../format/json.ts';
import { datasetFolder, dimensionFolder, ROOT, schemaPath } from '../format/paths.ts';
import {
  type DatasetRecord,
  type DimensionRecord,
  datasetFacts,
  oneLine,
  type TreeDescription,
  treeFacts,
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
  const facts = treeFacts(tree);
  const license = licenseEntity(publisher.license, facts.license);
  const parts = [
    ...datasets.map(dataset => datasetEntity(tree, dataset, license)),
    ...facts.dimensions.map(dimensionEntity),
    ...DOCUMENTS.map(([path, name, encodingFormat]) => file(path, name, encodingFormat)),
  ];
  const root: Fields = {
    '@id': './',
    '@type': 'Dataset',
    name: oneLine(publisher.service),
    description: facts.text,
    datePublished: date,
    version: release,
    identifier: release,
    license: reference(license),
    creator: { '@id': PUBLISHER },
    publisher: { '@id': PUBLISHER },
    creditText: publisher.attribution ?? undefined,
    inLanguage: publisher.language ?? undefined,
    url: baseUrl ?? undefined,
    keywords: facts.keywords?.join(', '),
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
    name: oneLine(facts.publisher),
    email: facts.email,
  };
  const creators = (facts.creators ?? []).map(
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
  const { domain, topic, title, version, creator, periods, ...facts } = datasetFacts(tree, dataset);
  const schema = { '@id': schemaPath(domain, topic) };
  return {
    '@id': `${datasetFolder(domain, topic)}/`,
    '@type': 'Dataset',
    name: oneLine(title),
    description: facts.text,
    version,
    dateModified: facts.modified,
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

function file(path: string, name: string, encodingFormat: string): Fields {
  return { '@id': path, '@type': 'File', name, encodingFormat };
}

/** A crate must name its licence. If the publisher states none, the crate says so. */
function licenseEntity(license: string | null, address: string | undefined): Fields {
  const name = license === null ? undefined : oneLine(license);
  return {
    '@id': address ?? '#licence',
    '@type': 'CreativeWork',
    name: name ?? 'The publisher states no licence.',
    identifier: name,
  };
}

function reference(entity: Fields): Fields {
  return { '@id': entity['@id'] ?? '' };
}
