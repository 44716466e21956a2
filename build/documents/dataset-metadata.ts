/** One dataset for other tools: schema.org, Croissant, Signposting links, and a text in Markdown. Pure. */

import type { ColumnType, Fields, Json } from '../format/documents.ts';
import { copiesByPlace, type PublishedFile } from '../format/manifest.ts';
import {
  contractPath,
  croissantPath,
  datasetFolder,
  datasetManifestPath,
  jsonLdPath,
  linksetPath,
  markdownPath,
  ROOT,
  schemaPath,
  valuesPath,
} from '../format/paths.ts';
import { countOf, oneLine } from '../format/shown-text.ts';
import {
  addressOf,
  type DescribedDataset,
  type DescribedTree,
  inMarkdown,
  textOf,
} from './tree-description.ts';

/** Search engines accept descriptions of 50 to 5,000 characters. */
const MOST_TEXT = 5000;
const LEAST_TEXT = 50;

/** What schema.org and Croissant, which extends it, say alike. `sc`: the prefix of the names of types. */
function schemaOrgDataset(
  tree: DescribedTree,
  dataset: DescribedDataset,
  to: (path: string) => string,
  sc: '' | 'sc:' = '',
): Fields {
  const organization = (name: string): Json => ({ '@type': `${sc}Organization`, name });
  return {
    '@type': `${sc}Dataset`,
    name: dataset.title,
    description: dataset.text,
    url: to(dataset.page),
    version: dataset.version,
    license: tree.terms,
    creator: organization(dataset.creator ?? tree.publisherName),
    publisher: organization(tree.publisherName),
    dateModified: dataset.modified,
    keywords: dataset.tags,
  };
}

function fileFields({ bytes, sha256 }: PublishedFile, address: string): Fields {
  return { contentUrl: address, contentSize: `${bytes} B`, sha256 };
}

export function jsonLdDocument(tree: DescribedTree, dataset: DescribedDataset): Fields {
  const { service, attribution } = tree.publisher;
  const { domain, topic, schema, text, periods, years } = dataset;
  const to = (path: string) => addressOf(tree, jsonLdPath(domain, topic), path);
  const more = `Levels ${schema.detail_levels.join(', ')}; ${years}. Published by ${service}.`;
  return {
    '@context': 'https://schema.org/',
    ...schemaOrgDataset(tree, dataset, to),
    description: (text.length < LEAST_TEXT ? `${text}: ${more}` : text).slice(0, MOST_TEXT),
    identifier: dataset.key,
    isAccessibleForFree: true,
    creditText: attribution ?? undefined,
    temporalCoverage: periods.length === 1 ? periods[0] : periods,
    isBasedOn: dataset.source,
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
    distribution: dataset.downloads.map(({ title, type, path, file }) => ({
      '@type': 'DataDownload',
      name: title,
      encodingFormat: type,
      ...fileFields(file, to(path)),
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
export function croissantDocument(tree: DescribedTree, dataset: DescribedDataset): Fields {
  const { domain, topic, title, manifest, modified, version } = dataset;
  const to = (path: string) => addressOf(tree, croissantPath(domain, topic), path);
  const creator = dataset.creator ?? tree.publisherName;
  const files = [
    ...manifest.slices.flatMap(slice => slice.files.parquet),
    ...copiesByPlace(manifest).map(entry => entry.file),
  ];
  return {
    '@context': { '@language': tree.publisher.language ?? 'en', ...CONTEXT },
    conformsTo: 'http://mlcommons.org/croissant/1.1',
    ...schemaOrgDataset(tree, dataset, to, 'sc:'),
    datePublished: modified,
    citeAs: `${creator}. ${oneLine(title)}, version ${version}, release ${manifest.release}. ${modified.slice(0, 4)}.`,
    distribution: files.map(file => ({
      '@type': 'cr:FileObject',
      '@id': file.path,
      name: file.path,
      // Croissant tools don't know the registered name, application/vnd.apache.parquet.
      encodingFormat: 'application/x-parquet',
      ...fileFields(file, to(dataset.pathOf(file))),
    })),
    recordSet: recordSets(dataset),
  };
}

function recordSets({ title, levels, columns, manifest }: DescribedDataset): Json[] {
  return levels.flatMap(({ detail, rows, whole }) => {
    if (whole === null) return [];
    const id = (column: string) => `${detail}/${encodeURIComponent(column)}`;
    return {
      '@type': 'cr:RecordSet',
      '@id': detail,
      name: detail,
      description: `${title}: ${detail}, ${rows} rows.`,
      key: manifest.order.map(column => ({ '@id': id(column) })),
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
export function linksetDocument(tree: DescribedTree, dataset: DescribedDataset): Fields {
  const { domain, topic, page: path, source, downloads } = dataset;
  const release = tree.releaseAddress;
  const to = (path: string) => addressOf(tree, linksetPath(domain, topic), path);
  const target = (path: string, title: string, type = 'application/json') => ({
    href: to(path),
    type,
    title,
  });
  const link = (href: string | undefined) => href && [{ href }];
  const page = to(path);
  const license = link(tree.licenseAddress);
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

/** Everything that a reader needs to ask for rows. */
export function markdownDocument(tree: DescribedTree, dataset: DescribedDataset): string {
  const { domain, topic, schema, levels, manifest } = dataset;
  const link = (name: string, path: string) =>
    `[${inMarkdown(name)}](${encodeURI(addressOf(tree, markdownPath(domain, topic), path))})`;
  const code = (name: string) => (/[`|\\\n]/.test(name) ? inMarkdown(name) : `\`${name}\``);
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Key', dataset.key],
    ['Rows', `${countOf(manifest.rows, 'row')}, ${dataset.years}`],
    ['Grain', schema.grain.join(', ')],
    ['Publisher', tree.publisherName],
    ['Source', dataset.creator],
    ['Licence', tree.terms],
    ['Version', `${dataset.version}, release ${manifest.release}, changed on ${dataset.modified}`],
    ['Limitations', schema.limitations],
  ];
  return textOf([
    `# ${inMarkdown(dataset.title)}`,
    '',
    inMarkdown(dataset.text),
    '',
    ...facts.flatMap(([name, text]) => (text ? [`- ${name}: ${inMarkdown(text)}`] : [])),
    `- More: ${link('schema', schemaPath(domain, topic))}, ${link('values', valuesPath(domain, topic))}`,
    '',
    '## Columns',
    '',
    line(['Column', 'Label', 'Type', 'Unit', 'NULL means', 'Description']),
    line(Array(6).fill('---')),
    ...dataset.columns.map(({ column, known, words = '' }) => {
      const { label = '', unit, null_meaning: meaning } = known ?? {};
      const texts = [label, column.type, unit ?? '', meaning ?? '', words];
      return line([code(column.name), ...texts.map(inMarkdown)]);
    }),
    '',
    '## Parameters',
    '',
    ...schema.filters.map(({ param, type, values, columns = [] }) => {
      const known = values?.join(', ') ?? columns.join(':');
      return `- ${code(param)} (${type})${known && `: ${inMarkdown(known)}`}`;
    }),
    '',
    '## Rows',
    '',
    'The newest of each level, as a file and as a server answers (`format` is json, csv, parquet, xlsx or md):',
    '',
    ...levels.flatMap(({ detail, slices }) => {
      const { year = 0, files } = slices.at(-1) ?? {};
      const file = files?.csv[0] ?? files?.parquet[0];
      const query = `?${year === 0 ? '' : `year=${year}&`}detail=${detail}&format=md`;
      const rows = datasetFolder(domain, topic) + query;
      return file ? [`- ${detail}: ${link(file.path, dataset.pathOf(file))}, ${link(query, rows)}`] : [];
    }),
  ]);
}
