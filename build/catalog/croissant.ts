/** croissant.json: a dataset's files and columns in Croissant 1.1, for machine-learning tools. Pure. */
import type { ColumnType } from '../format/documents.ts';
import type { Fields, Json } from '../format/json.ts';
import { copiesByPlace } from '../format/manifest.ts';
import { croissantPath } from '../format/paths.ts';
import {
  addressOf,
  type DatasetFacts,
  type DatasetRecord,
  datasetFacts,
  oneLine,
  type TreeDescription,
  treeFacts,
} from './tree-description.ts';

/** Every term of Croissant that the document uses. */
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
  // Its readers take the first type that they know, and not all know times.
  timestamp: ['sc:DateTime', 'sc:Date'],
} as const satisfies Record<ColumnType, string | readonly string[]>;

/** Describes every Parquet file, and for each level a record set that reads the file with all its years. */
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
      // The registered name is application/vnd.apache.parquet; readers of Croissant know this one alone.
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
