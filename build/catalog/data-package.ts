/** datapackage.json: every dataset's files by level, with types, for tools that read Data Package 2.0. Pure. */
import type { Column } from '../contract/dataset.ts';
import type { Json } from '../format/json.ts';
import type { RowColumn, RowGroup } from '../format/manifest.ts';
import { dimensionFolder, ROOT } from '../format/paths.ts';
import type { ColumnDescriptor, ForeignKeyDescriptor } from '../format/schema.ts';
import {
  type DescribedDataset,
  type DescribedDimension,
  datasetFile,
  datasetText,
  emailOf,
  isAddress,
  type LevelFiles,
  levelFiles,
  licenseAddress,
  oneLine,
  publisherName,
  serviceSlug,
  serviceText,
  type TreeDescription,
} from './tree-description.ts';

const PROFILE = 'https://datapackage.org/profiles/2.0';

type Fields = { readonly [name: string]: Json };

/** One resource per dataset and level over its yearly files (CSV if every year has it), and one per dimension. */
export function dataPackage(tree: TreeDescription): Fields {
  const { publisher, datasets, dimensions } = tree;
  const email = emailOf(publisher);
  const tags = [...new Set(datasets.flatMap(({ schema }) => schema.tags))].sort();
  return {
    $schema: `${PROFILE}/datapackage.json`,
    name: serviceSlug(publisher),
    ...(tree.baseUrl === null
      ? {}
      : { id: new URL(ROOT.dataPackage, tree.baseUrl).href, homepage: tree.baseUrl }),
    title: publisher.service,
    description: serviceText(tree),
    version: tree.release,
    created: `${tree.date}T00:00:00Z`,
    ...(tree.sample ? { sample: true } : {}),
    ...licenses(tree),
    contributors: [
      { title: publisherName(publisher), roles: ['publisher'], ...(email === null ? {} : { email }) },
    ],
    ...(tags.length === 0 ? {} : { keywords: tags }),
    resources: [
      ...datasets.flatMap(dataset =>
        levelFiles(dataset.manifest).map(level => levelResource(tree, dataset, level)),
      ),
      ...dimensions.map(one => dimensionResource(dimensions, one)),
    ],
  };
}

function levelResource(tree: TreeDescription, dataset: DescribedDataset, level: LevelFiles): Fields {
  const { schema, manifest } = dataset;
  // A resource has one format: if a year lacks CSV, the resource lists Parquet.
  const format = level.slices.every(slice => slice.files.csv.length > 0) ? 'csv' : 'parquet';
  const files = level.slices.flatMap(slice => slice.files[format]);
  const described = new Map(schema.columns.map(column => [column.name, column]));
  const nulls = (name: string) => nullsOf(manifest.key_columns.indexOf(name), level);
  const full = (name: string) => nulls(name) === 0;
  const keys = manifest.order.filter(name => nulls(name) < level.rows);
  const references = schema.foreign_keys.flatMap(key => {
    const target = tree.dimensions.find(one => one.schema.name === key.target_object);
    const fields = localColumns(key);
    // Validators report a reference that has NULL in one of its columns.
    if (target === undefined || !fields.every(full)) return [];
    const resource = dimensionName(tree.dimensions, target);
    return [{ fields, reference: { resource, fields: key.target_columns } }];
  });
  return {
    name: `${schema.main_topic}.${schema.topic}.${level.detail}`,
    type: 'table',
    title: `${schema.title}: ${level.detail}`,
    description: datasetText(tree, dataset),
    ...table(
      format,
      files.map(file => ({ ...file, path: datasetFile(dataset, file) })),
    ),
    ...(schema.source === null && !isAddress(schema.source_url)
      ? {}
      : {
          sources: [
            {
              ...(schema.source === null ? {} : { title: schema.source }),
              ...(isAddress(schema.source_url) ? { path: schema.source_url } : {}),
            },
          ],
        }),
    schema: {
      $schema: `${PROFILE}/tableschema.json`,
      fields: manifest.columns.map(column => field(column, described.get(column.name))),
      ...(keys.length > 0 && keys.every(full) ? { primaryKey: keys } : {}),
      ...(references.length === 0 ? {} : { foreignKeys: references }),
      ...(format === 'csv' ? { missingValues: [''] } : {}),
    },
  };
}

/** The local columns of a join. They have the names of their targets, except the column that the join belongs to. */
function localColumns({ column, target_columns }: ForeignKeyDescriptor): string[] {
  const own = target_columns.includes(column) ? column : target_columns.at(-1);
  return target_columns.map(name => (name === own ? column : name));
}

function dimensionResource(all: readonly DescribedDimension[], one: DescribedDimension): Fields {
  const { schema, manifest } = one;
  const described = new Map(schema.columns.map(column => [column.name, column]));
  const files = manifest.files.csv;
  const folder = dimensionFolder(one.domains[0] ?? '', schema.name);
  return {
    name: dimensionName(all, one),
    type: 'table',
    title: schema.title,
    ...(schema.description === '' ? {} : { description: oneLine(schema.description) }),
    ...table(
      'csv',
      files.map(file => ({ ...file, path: `${folder}/${file.path}` })),
    ),
    schema: {
      $schema: `${PROFILE}/tableschema.json`,
      fields: manifest.columns.map(column => {
        const known = described.get(column.name);
        return field(column, known && { ...known, value_min: null, value_max: null });
      }),
      primaryKey: schema.primary_key,
      missingValues: [''],
    },
  };
}

/** A dimension's resource name. It includes the domain only if two domains have a dimension of the same name. */
function dimensionName(
  all: readonly DescribedDimension[],
  { schema: { name }, domains: [domain] }: DescribedDimension,
): string {
  const alone = all.filter(one => one.schema.name === name).length === 1;
  return alone ? `_dimensions.${name}` : `${domain}._dimensions.${name}`;
}

const TABLES = {
  csv: { format: 'csv', mediatype: 'text/csv', encoding: 'utf-8' },
  parquet: { format: 'parquet', mediatype: 'application/vnd.apache.parquet' },
} as const satisfies Record<string, Fields>;

interface TableFile {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * Data Package allows one size and one hash per resource, and validators compare them with what they read: of several
 * files all but the repeated headers. Such a resource lists a hash for each file in `hashes`.
 */
function table(format: keyof typeof TABLES, files: readonly TableFile[]): Fields {
  const [first] = files;
  return {
    path: files.length === 1 && first !== undefined ? first.path : files.map(file => file.path),
    ...TABLES[format],
    ...(files.length === 1 && first !== undefined
      ? { bytes: first.bytes, hash: `sha256:${first.sha256}` }
      : { hashes: files.map(file => `sha256:${file.sha256}`) }),
  };
}

type Described = Pick<Column, 'label' | 'description' | 'nullable'> &
  Pick<ColumnDescriptor, 'valid_values' | 'value_min' | 'value_max'>;

function field(column: RowColumn, known: Described | undefined): Fields {
  const { name } = column;
  const type = column.type === 'timestamp' ? 'datetime' : column.type;
  if (known === undefined) {
    return { name, type, ...(column.from === null ? {} : { description: `From ${column.from}.` }) };
  }
  const { label, description, nullable, valid_values, value_min, value_max } = known;
  const numeric = type === 'integer' || type === 'number';
  const constraints: Fields = {
    ...(nullable ? {} : { required: true }),
    ...(valid_values === null || type === 'boolean' ? {} : { enum: valid_values }),
    ...(numeric && value_min !== null ? { minimum: value_min } : {}),
    ...(numeric && value_max !== null ? { maximum: value_max } : {}),
  };
  return {
    name,
    type,
    ...(label === '' ? {} : { title: label }),
    ...(description === '' ? {} : { description: oneLine(description) }),
    ...(Object.keys(constraints).length === 0 ? {} : { constraints }),
  };
}

/** How many NULLs a key column has in a level's rows; -1 if they are not counted. */
function nullsOf(index: number, { slices }: LevelFiles): number {
  if (index < 0) return -1;
  const groups = slices.flatMap(slice => slice.files.parquet).flatMap(file => file.row_groups);
  return groups.reduce((sum, group: RowGroup) => sum + (group.nulls[index] ?? 0), 0);
}

function licenses({ publisher }: TreeDescription): Fields {
  const { license } = publisher;
  const path = licenseAddress(publisher);
  const name = license !== null && /^[-a-zA-Z0-9._]+$/.test(license) ? license : null;
  if (name === null && path === null) return {};
  return {
    licenses: [
      {
        ...(name === null ? {} : { name }),
        ...(path === null ? {} : { path }),
        ...(license === null ? {} : { title: license }),
      },
    ],
  };
}
