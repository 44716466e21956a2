/** Metadata of one dataset for other tools: schema.org, Croissant and Signposting links. Pure. */

import type { ColumnType, Fields, Json } from '../format/documents.ts';
import { copiesByPlace } from '../format/manifest.ts';
import {
  contractPath,
  croissantPath,
  datasetManifestPath,
  jsonLdPath,
  linksetPath,
  ROOT,
  schemaPath,
} from '../format/paths.ts';
import { oneLine } from '../format/shown-text.ts';
import type { DatasetRecord } from '../tree/published-records.ts';
import {
  addressOf,
  type DatasetFacts,
  datasetFacts,
  type TreeDescription,
  treeFacts,
} from './tree-description.ts';

/** Search engines accept descriptions of 50 to 5,000 characters. */
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

const TERMS = ['citeAs', 'column', 'extract', 'field', 'fileObject', 'key', 'recordSet', 'source'];

const CONTEXT = {
  '@vocab': 'https://schema.org/',
  sc: 'https://schema.org/',
  cr: 'http://mlcommons.org/croissant/',
  dct: 'http://purl.org/dc/terms/',
  conformsTo: 'dct:conformsTo',
  dataType: { '@id': 'cr:dataType', '@type': '@vocab' },
  ...Object.fromEntries(TERMS.map(term => [term, `cr:${term}`])),
};

const DATA_TYPES = {
  integer: 'sc:Integer',
  number: 'sc:Float',
  string: 'sc:Text',
  boolean: 'sc:Boolean',
  date: 'sc:Date',
  // Tools use the first type that they know, and some don't know times.
  timestamp: ['sc:DateTime', 'sc:Date'],
} as const satisfies Record<ColumnType, string | readonly string[]>;

/**
 * croissant.json (Croissant 1.1), for machine learning: every Parquet file, and for each level a record set
 * over the file with all its years.
 */
export function croissantDocument(tree: TreeDescription, dataset: DatasetRecord): Fields {
  const { manifest } = dataset;
  const facts = datasetFacts(tree, dataset);
  const { domain, topic, title, modified, version } = facts;
  const { publisher, license } = treeFacts(tree);
  const to = (path: string) => addressOf(tree, croissantPath(domain, topic), path);
  const creator = facts.creator ?? publisher;
  const files = [
    ...manifest.slices.flatMap(slice => slice.files.parquet),
    ...copiesByPlace(manifest).map(entry => entry.file),
  ];
  return {
    '@context': { '@language': tree.publisher.language ?? 'en', ...CONTEXT },
    '@type': 'sc:Dataset',
    conformsTo: 'http://mlcommons.org/croissant/1.1',
    name: title,
    description: facts.text,
    url: to(facts.page),
    license: license ?? tree.publisher.license ?? undefined,
    creator: { '@type': 'sc:Organization', name: creator },
    publisher: { '@type': 'sc:Organization', name: publisher },
    version,
    datePublished: modified,
    dateModified: modified,
    keywords: facts.tags,
    citeAs: `${creator}. ${oneLine(title)}, version ${version}, release ${manifest.release}. ${modified.slice(0, 4)}.`,
    distribution: files.map(file => ({
      '@type': 'cr:FileObject',
      '@id': file.path,
      name: file.path,
      contentUrl: to(facts.pathOf(file)),
      contentSize: `${file.bytes} B`,
      // Croissant tools don't know the registered name, application/vnd.apache.parquet.
      encodingFormat: 'application/x-parquet',
      sha256: file.sha256,
    })),
    recordSet: recordSets(facts, manifest.order),
  };
}

function recordSets({ title, levels, columns }: DatasetFacts, order: readonly string[]): Json[] {
  return levels.flatMap(({ detail, rows, whole }) => {
    if (whole === null) return [];
    const id = (column: string) => `${detail}/${encodeURIComponent(column)}`;
    return {
      '@type': 'cr:RecordSet',
      '@id': detail,
      name: detail,
      description: `${title}: ${detail}, ${rows} rows.`,
      key: order.map(column => ({ '@id': id(column) })),
      field: columns.map(({ column: { name, type }, words }) => ({
        '@type': 'cr:Field',
        '@id': id(name),
        name,
        description: words,
        dataType: DATA_TYPES[type],
        source: { fileObject: { '@id': whole.path }, extract: { column: name } },
      })),
    };
  });
}

/**
 * linkset.json (RFC 9264, as Signposting reads it): what the page is about and links to, the address to cite
 * (of this release if a host keeps releases), and from each file of rows a link back.
 */
export function linksetDocument(tree: TreeDescription, dataset: DatasetRecord): Fields {
  const { domain, topic, page: path, source, downloads } = datasetFacts(tree, dataset);
  const { release, license: address } = treeFacts(tree);
  const to = (path: string) => addressOf(tree, linksetPath(domain, topic), path);
  const target = (path: string, title: string, type = 'application/json') => ({
    href: to(path),
    type,
    title,
  });
  const link = (href: string | undefined) => href && [{ href }];
  const page = to(path);
  const license = link(address);
  const files = downloads.map(one => target(one.path, one.title, one.type));
  return {
    linkset: [
      {
        anchor: page,
        'cite-as': link(release === undefined ? page : new URL(path, release).href),
        type: [{ href: 'https://schema.org/Dataset' }, { href: 'https://schema.org/AboutPage' }],
        license,
        via: link(source),
        describedby: [
          target(schemaPath(domain, topic), 'schema'),
          target(jsonLdPath(domain, topic), 'schema.org', 'application/ld+json'),
          target(croissantPath(domain, topic), 'Croissant', 'application/ld+json'),
          target(contractPath(domain, topic, 'yaml'), 'data contract', 'application/yaml'),
          target(datasetManifestPath(domain, topic), 'every file with its hash'),
          target(ROOT.citation, 'citation', 'application/yaml'),
        ],
        item: files,
      },
      ...files.map(({ href }) => ({
        anchor: href,
        collection: [{ href: page, type: 'text/html' }],
        license,
      })),
    ],
  };
}
