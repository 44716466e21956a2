/** datapackage.json: every dataset's files by level, with column types (Data Package 2.0). Pure. */

import type {
  ColumnDescriptor,
  DimensionColumnDescriptor,
  Fields,
  ForeignKeyDescriptor,
} from '../format/documents.ts';
import type { PublishedFile } from '../format/manifest.ts';
import { mediaType } from '../format/media-type.ts';
import { dimensionFolder, ROOT } from '../format/paths.ts';
import { oneLine } from '../format/shown-text.ts';
import type { DimensionRecord } from '../tree/published-records.ts';
import {
  absolute,
  type DescribedColumn,
  type DescribedDataset,
  type DescribedTree,
  describedColumns,
  type LevelFiles,
  serviceSlug,
} from './tree-description.ts';

const PROFILE = 'https://datapackage.org/profiles/2.0';

/**
 * One resource per dataset and level for its yearly files (CSV if every year has it), and one per dimension.
 */
export function dataPackage(tree: DescribedTree): Fields {
  const { publisher, ownDimensions: dimensions } = tree;
  return {
    $schema: `${PROFILE}/datapackage.json`,
    name: serviceSlug(publisher),
    id: absolute(tree, ROOT.dataPackage),
    homepage: tree.baseUrl ?? undefined,
    title: publisher.service,
    description: tree.text,
    version: tree.release,
    created: `${tree.date}T00:00:00Z`,
    sample: tree.sample || undefined,
    licenses: licenses(publisher.license, tree.licenseAddress),
    contributors: [{ title: tree.publisherName, roles: ['publisher'], email: tree.email }],
    keywords: tree.keywords,
    resources: [
      ...tree.datasets.flatMap(dataset => levelResources(dataset, dimensions)),
      ...dimensions.map(one => dimensionResource(dimensions, one)),
    ],
  };
}

function levelResources(dataset: DescribedDataset, dimensions: readonly DimensionRecord[]): Fields[] {
  const { schema, manifest } = dataset;
  const source = { title: schema.source ?? undefined, path: dataset.source };
  return dataset.levels.map(level => {
    // A resource has one format.
    const format = level.slices.every(slice => slice.files.csv.length > 0) ? 'csv' : 'parquet';
    const files = level.slices.flatMap(slice => slice.files[format]);
    const nulls = (name: string) => nullsOf(manifest.key_columns.indexOf(name), level);
    const full = (name: string) => nulls(name) === 0;
    const keys = manifest.order.filter(name => nulls(name) < level.rows);
    const references = schema.foreign_keys.flatMap(key => {
      const named = dimensions.filter(one => one.schema.name === key.target_object);
      const target = named.find(one => one.domain === dataset.domain) ?? named[0];
      const fields = localColumns(key);
      // Validators report a reference with NULL in a column.
      if (target === undefined || !fields.every(full)) return [];
      const resource = dimensionName(dimensions, target);
      return [{ fields, reference: { resource, fields: key.target_columns } }];
    });
    return {
      name: `${dataset.domain}.${dataset.topic}.${level.detail}`,
      type: 'table',
      title: `${dataset.title}: ${level.detail}`,
      description: dataset.text,
      ...table(format, files, dataset.pathOf),
      sources: (source.title ?? source.path) === undefined ? undefined : [source],
      schema: {
        $schema: `${PROFILE}/tableschema.json`,
        fields: dataset.columns.map(field),
        primaryKey: keys.length > 0 && keys.every(full) ? keys : undefined,
        foreignKeys: references.length === 0 ? undefined : references,
        missingValues: format === 'csv' ? [''] : undefined,
      },
    };
  });
}

/** Local columns have the names of their targets, except the key's own column. */
function localColumns({ column, target_columns }: ForeignKeyDescriptor): string[] {
  const own = target_columns.includes(column) ? column : target_columns.at(-1);
  return target_columns.map(name => (name === own ? column : name));
}

function dimensionResource(all: readonly DimensionRecord[], one: DimensionRecord): Fields {
  const { schema, manifest } = one;
  const folder = dimensionFolder(one.domain, schema.name);
  return {
    name: dimensionName(all, one),
    type: 'table',
    title: schema.title,
    description: schema.description === '' ? undefined : oneLine(schema.description),
    ...table('csv', manifest.files.csv, file => `${folder}/${file.path}`),
    schema: {
      $schema: `${PROFILE}/tableschema.json`,
      fields: describedColumns(manifest, schema).map(field),
      primaryKey: schema.primary_key,
      missingValues: [''],
    },
  };
}

/** Includes the domain only if two domains have a dimension of this name. */
function dimensionName(
  all: readonly DimensionRecord[],
  { schema: { name }, domain }: DimensionRecord,
): string {
  return all.filter(one => one.schema.name === name).length === 1
    ? `_dimensions.${name}`
    : `${domain}._dimensions.${name}`;
}

/**
 * Data Package allows one size and one hash per resource. Validators compare them with what they read, which
 * is all files without repeated headers. With several files, the resource lists a hash for each in `hashes`.
 */
function table(
  format: 'csv' | 'parquet',
  files: readonly PublishedFile[],
  pathOf: (file: PublishedFile) => string,
): Fields {
  const hashes = files.map(file => `sha256:${file.sha256}`);
  const [only] = files.length === 1 ? files : [];
  return {
    path: only ? pathOf(only) : files.map(pathOf),
    format,
    mediatype: mediaType(`.${format}`),
    encoding: format === 'csv' ? 'utf-8' : undefined,
    ...(only ? { bytes: only.bytes, hash: hashes[0] } : { hashes }),
  };
}

type Described = ColumnDescriptor | DimensionColumnDescriptor;

function field({ column, known, words }: DescribedColumn<Described>): Fields {
  const { name } = column;
  const type = column.type === 'timestamp' ? 'datetime' : column.type;
  const bounds = known && 'unit' in known && (type === 'integer' || type === 'number') ? known : undefined;
  const constraints: Fields = {
    required: known?.nullable === false || undefined,
    enum: type === 'boolean' ? undefined : (known?.valid_values ?? undefined),
    minimum: bounds?.value_min ?? undefined,
    maximum: bounds?.value_max ?? undefined,
  };
  const isBound = Object.values(constraints).some(value => value !== undefined);
  return {
    name,
    type,
    title: known?.label || undefined,
    description: words,
    constraints: isBound ? constraints : undefined,
  };
}

/** -1 if the column's NULLs aren't counted. */
function nullsOf(index: number, { slices }: LevelFiles): number {
  if (index < 0) return -1;
  const groups = slices.flatMap(slice => slice.files.parquet).flatMap(file => file.row_groups);
  return groups.reduce((sum, group) => sum + (group.nulls[index] ?? 0), 0);
}

function licenses(license: string | null, path: string | undefined): Fields[] | undefined {
  const name = license !== null && /^[-a-zA-Z0-9._]+$/.test(license) ? license : undefined;
  return name === undefined && path === undefined ? undefined : [{ name, path, title: license ?? undefined }];
}
