/** croissant.json: a dataset's files and columns in Croissant 1.1, for machine-learning tools. Pure. */
import type { ColumnType } from '../format/documents.ts';
import type { Fields, Json } from '../format/json.ts';
import { copiesByPlace } from '../format/manifest.ts';
import { croissantPath } from '../format/paths.ts';
import {
  addressOf,
  type DatasetRecord,
  datasetFile,
  datasetPage,
  datasetText,
  describedColumns,
  type LevelFiles,
  levelFiles,
  licenseAddress,
  modifiedOn,
  oneLine,
  publisherName,
  tagsOf,
  statedCreator,
  type TreeDescription,
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
  const { schema, manifest } = dataset;
  const modified = modifiedOn(dataset);
  const to = (path: string) => addressOf(tree, croissantPath(schema.main_topic, schema.topic), path);
  const publisher = publisherName(tree.publisher);
  const creator = statedCreator(dataset) ?? publisher;
  const files = [
    ...manifest.slices.flatMap(slice => slice.files.parquet),
    ...copiesByPlace(manifest).map(entry => entry.file),
  ];
  return {
    '@context': { '@language': tree.publisher.language ?? 'en', ...CONTEXT },
    '@type': 'sc:Dataset',
    conformsTo: 'http://mlcommons.org/croissant/1.1',
    name: schema.title,
    description: datasetText(tree, dataset),
    url: to(datasetPage(tree, dataset)),
    license: licenseAddress(tree.publisher) ?? tree.publisher.license ?? undefined,
    creator: { '@type': 'sc:Organization', name: creator },
    publisher: { '@type': 'sc:Organization', name: publisher },
    version: manifest.version,
    datePublished: modified,
    dateModified: modified,
    keywords: tagsOf(dataset),
    citeAs: `${creator}. ${oneLine(schema.title)}, version ${manifest.version}, release ${manifest.release}. ${modified.slice(0, 4)}.`,
    distribution: files.map(file => ({
      '@type': 'cr:FileObject',
      '@id': file.path,
      name: file.path,
      contentUrl: to(datasetFile(dataset, file)),
      contentSize: `${file.bytes} B`,
      // The registered name is application/vnd.apache.parquet; readers of Croissant know this one alone.
      encodingFormat: 'application/x-parquet',
      sha256: file.sha256,
    })),
    recordSet: levelFiles(manifest).flatMap(level => recordSet(dataset, level)),
  };
}

function recordSet({ schema, manifest }: DatasetRecord, { detail, rows, whole }: LevelFiles): Json[] {
  if (whole === null) return [];
  const id = (column: string) => `${detail}/${encodeURIComponent(column)}`;
  return [
    {
      '@type': 'cr:RecordSet',
      '@id': detail,
      name: detail,
      description: `${schema.title}: ${detail}, ${rows} rows.`,
      key: manifest.order.map(column => ({ '@id': id(column) })),
      field: describedColumns(manifest, schema).map(({ column: { name, type }, words }) => ({
        '@type': 'cr:Field',
        '@id': id(name),
        name,
        description: words,
        dataType: DATA_TYPES[type],
        source: { fileObject: { '@id': whole.path }, extract: { column: name } },
      })),
    },
  ];
}
