/** JSON Schemas of the published documents, for openapi.json; FORMAT.md is their specification. Pure. */
import type {
  ColumnValue,
  ColumnValues,
  DatasetSummary,
  DatasetsDocument,
  HealthDocument,
  RuleCounts,
  ServiceDocument,
  TreeExtract,
  ValuesDocument,
  WithdrawnSlices,
  WithdrawnSummary,
} from '../format/documents.ts';
import type { Json } from '../format/json.ts';
import type {
  ColumnDescriptor,
  DimensionColumnDescriptor,
  DimensionSchemaDocument,
  ExampleQuery,
  FilterDescriptor,
  ForeignKeyDescriptor,
  NullSemantics,
  SchemaDocument,
} from '../format/schema.ts';
import { reference } from './openapi-references.ts';

type Fields<Document> = Readonly<Record<keyof Document & string, Json>>;

/** The schema of an object with exactly the fields of a type. All are required, except `optional`. */
function shape<Document>(
  fields: Fields<Document>,
  optional: readonly (keyof Document & string)[] = [],
): Json {
  const required = (Object.keys(fields) as (keyof Document & string)[]).filter(
    name => !optional.includes(name),
  );
  return { type: 'object', required, properties: fields };
}

const TEXT = { type: 'string' };
/** The key in the list of datasets and in schema documents. Elsewhere a dataset's key is its path. */
const KEY =
  'main_topic/sub_topic/topic: the place of the dataset among the subjects. It is not a path: paths, manifests and row envelopes use main_topic/topic.';
const TEXT_OR_NULL = { type: ['string', 'null'] };
const COUNT = { type: 'integer', minimum: 0 };
const YEAR = { type: 'integer' };
const FLAG = { type: 'boolean' };
const SCALAR = { type: ['string', 'number', 'boolean'] };
const SCALAR_OR_NULL = { type: ['string', 'number', 'boolean', 'null'] };
const COLUMN_TYPE = { type: 'string', enum: ['integer', 'string', 'number', 'boolean'] };
const SCOPE = { type: 'string', enum: ['global', 'domain'] };
const FILTER_KIND = {
  type: 'string',
  enum: ['year_exact', 'year_range', 'detail', 'foreign_key', 'categorical', 'dimension_attribute', 'place'],
};

function listOf(items: Json) {
  return { type: 'array', items };
}

function orNull(schema: Json): Json {
  return { oneOf: [schema, { type: 'null' }] };
}

function note(schema: Readonly<Record<string, Json>>, description: string): Json {
  return { ...schema, description };
}

const STAMP = {
  format: note(TEXT, 'Version of the published format.'),
  release: note(TEXT, 'Release of the content that the document describes.'),
  sample: note(FLAG, 'True if the rows are synthetic, otherwise absent.'),
};

const EXTRACT = {
  extract: shape<TreeExtract>(
    {
      only: note(TEXT, 'The datasets of the tree, as domain/topic, separated by commas.'),
      release: note(TEXT, 'The release with all datasets; absent if the publisher has published none.'),
    },
    ['release'],
  ),
};

export const DOCUMENT_SCHEMAS = {
  Service: shape<ServiceDocument>(
    {
      ...STAMP,
      ...EXTRACT,
      service: note(TEXT, 'Name of the service.'),
      description: TEXT,
      version: note(TEXT, 'Version of the API.'),
      api_root: note(TEXT, 'Path with which every data route begins.'),
      license: TEXT_OR_NULL,
      license_url: TEXT_OR_NULL,
      attribution: TEXT_OR_NULL,
      documentation: TEXT_OR_NULL,
      contact: TEXT_OR_NULL,
      language: note(TEXT, 'Language of titles and descriptions, as a BCP 47 tag.'),
      datasets: note(TEXT, 'Link to the list of datasets. This link and the following ones are relative.'),
      health: TEXT,
      manifest: TEXT,
      checksums: TEXT,
      urls: TEXT,
      openapi: TEXT,
      duckdb: TEXT,
    },
    ['sample', 'extract', 'language'],
  ),
  Health: shape<HealthDocument>(
    {
      ...STAMP,
      ...EXTRACT,
      status: { type: 'string', const: 'ok' },
      date: { type: 'string', format: 'date', description: 'Date of the release.' },
      datasets: COUNT,
      dimensions: COUNT,
      rows: note(COUNT, 'Number of fact rows in all slices.'),
      rules: reference('schemas', 'RuleCounts'),
    },
    ['sample', 'extract'],
  ),
  RuleCounts: shape<RuleCounts>({
    run: COUNT,
    passed: COUNT,
    warned: COUNT,
    skipped: note(COUNT, "Number of rules that could not run; the dataset's quality.json says why."),
  }),
  Datasets: shape<DatasetsDocument>(
    {
      ...STAMP,
      ...EXTRACT,
      count: note(COUNT, 'Number of datasets, without withdrawn ones.'),
      datasets: listOf(reference('schemas', 'DatasetSummary')),
      withdrawn: listOf(reference('schemas', 'WithdrawnSummary')),
    },
    ['sample', 'extract', 'withdrawn'],
  ),
  DatasetSummary: shape<DatasetSummary>(
    {
      main_topic: note(TEXT, 'Domain of the dataset.'),
      sub_topic: TEXT,
      topic: note(TEXT, 'Name of the dataset within its domain.'),
      key: note(TEXT, KEY),
      title: TEXT,
      summary: TEXT,
      version: note(TEXT, 'Version of the data contract.'),
      year_min: YEAR,
      year_max: YEAR,
      year_gaps: note(listOf(YEAR), 'Years between the first and the last that have no data.'),
      available_years: listOf(YEAR),
      detail_levels: listOf(TEXT),
      default_detail: TEXT,
      coverage_note: note(TEXT, 'Years and levels of the release; absent if it has all that are promised.'),
      key_metric: note(TEXT_OR_NULL, 'The most important metric; null if the contract names none.'),
      update_frequency: TEXT_OR_NULL,
      schema_hash: TEXT,
      rows: COUNT,
      endpoint: note(TEXT, 'Path of the rows.'),
      schema_endpoint: note(TEXT, 'Path of the schema document.'),
    },
    ['coverage_note'],
  ),
  WithdrawnSummary: shape<WithdrawnSummary>({
    key: note(TEXT, 'main_topic/topic, as paths and manifests name a dataset.'),
    title: TEXT,
    schema_endpoint: TEXT,
    withdrawn: { type: 'string', format: 'date' },
    reason: TEXT,
    replacement: note(TEXT_OR_NULL, 'main_topic/topic of a dataset, an address, or null.'),
  }),
  DatasetSchema: shape<SchemaDocument>(
    {
      ...STAMP,
      main_topic: note(TEXT, 'Domain of the dataset.'),
      sub_topic: TEXT,
      topic: note(TEXT, 'Name of the dataset within its domain.'),
      key: note(TEXT, KEY),
      version: note(TEXT, 'Version of the data contract.'),
      year_min: YEAR,
      year_max: YEAR,
      year_gaps: note(listOf(YEAR), 'Years between the first and the last that have no data.'),
      available_years: listOf(YEAR),
      update_frequency: TEXT_OR_NULL,
      detail_levels: listOf(TEXT),
      default_detail: TEXT,
      coverage_note: note(TEXT, 'Years and levels of the release; absent if it has all that are promised.'),
      path_template: note(TEXT, "Path of the rows in the publisher's lake."),
      grain: note(listOf(TEXT), 'Columns whose values together identify a row.'),
      title: TEXT,
      summary: TEXT,
      description: TEXT,
      explorer: note(FLAG, 'Whether pages for people show the dataset; absent if the contract does not say.'),
      source: TEXT_OR_NULL,
      source_url: TEXT_OR_NULL,
      creator: note(TEXT, 'The office that produced the figures; absent if the contract does not name it.'),
      endpoint: note(TEXT, 'Path of the rows.'),
      columns: listOf(reference('schemas', 'Column')),
      key_metric: note(TEXT_OR_NULL, 'The most important metric; null if the contract names none.'),
      usage: TEXT,
      limitations: TEXT,
      null_semantics: shape<NullSemantics>(
        {
          suppressed_to_null: note(FLAG, 'Whether withheld figures are NULL; absent if not stated.'),
          zero_is_real: note(FLAG, 'Whether a zero is a real figure; absent if not stated.'),
        },
        ['suppressed_to_null', 'zero_is_real'],
      ),
      schema_hash: TEXT,
      tags: listOf(TEXT),
      granularity_description: TEXT,
      example_queries: listOf(
        shape<ExampleQuery>({
          description: TEXT,
          query: note(TEXT, 'SQL over a table with the name of the topic.'),
        }),
      ),
      foreign_keys: listOf(reference('schemas', 'ForeignKey')),
      filters: listOf(reference('schemas', 'Filter')),
      filter_hints: { type: 'array', maxItems: 0 },
      values_endpoint: note(TEXT, 'Path of the values of every filterable column.'),
      withdrawn_slices: listOf(
        shape<WithdrawnSlices>({
          date: { type: 'string', format: 'date' },
          reason: TEXT,
          replacement: note(TEXT_OR_NULL, 'A dataset or an address to use instead; null if none.'),
          years: note(listOf(YEAR), 'Withdrawn years; an empty list means all years of the levels.'),
          levels: note(listOf(TEXT), 'Withdrawn levels; an empty list means all levels of the years.'),
        }),
      ),
    },
    ['sample', 'explorer', 'coverage_note', 'creator', 'withdrawn_slices'],
  ),
  Column: shape<ColumnDescriptor>(
    {
      name: TEXT,
      type: COLUMN_TYPE,
      role: note(TEXT, 'year, metric, categorical, or fk_ followed by what the column identifies.'),
      nullable: FLAG,
      label: TEXT,
      short_description: TEXT,
      description: TEXT,
      valid_values: orNull(listOf(SCALAR)),
      example: SCALAR_OR_NULL,
      unit: TEXT_OR_NULL,
      value_min: { type: ['number', 'null'] },
      value_max: { type: ['number', 'null'] },
      null_meaning: note(TEXT_OR_NULL, 'The meaning of NULL in the column.'),
      key_metric_grain_contributor: FLAG,
      metric_component: TEXT_OR_NULL,
      total_value: note(TEXT, 'The value that marks the total of all others; absent if there is none.'),
    },
    ['total_value'],
  ),
  Filter: shape<FilterDescriptor>(
    {
      param: note(TEXT, 'Name of the query parameter.'),
      kind: FILTER_KIND,
      type: { type: 'string', enum: ['integer', 'string'] },
      multi_value: note(FLAG, 'Whether a comma-separated list of values matches any of them.'),
      enum_enforced: note(FLAG, 'Whether a value that is not in the list is refused.'),
      values: orNull(listOf(TEXT)),
      default: note(TEXT, 'Default value; only detail has one.'),
      column: note(TEXT, 'Column that the filter compares.'),
      dimension: note(TEXT, 'The dimension of an attribute; absent for other filters.'),
      columns: note(
        listOf(TEXT),
        'Columns of the key of a place, the largest part first; only place has them.',
      ),
    },
    ['default', 'column', 'dimension', 'columns'],
  ),
  ForeignKey: shape<ForeignKeyDescriptor>({
    column: TEXT,
    target_object: note(TEXT, 'Name of the dimension.'),
    target_columns: note(listOf(TEXT), 'Its primary key.'),
    attribute_columns_added: note(listOf(TEXT), 'Columns of the dimension that rows also have.'),
    scope: SCOPE,
  }),
  Values: shape<ValuesDocument>(
    {
      ...STAMP,
      dataset: TEXT,
      columns: listOf(
        shape<ColumnValues>({
          param: note(TEXT, 'Name of the query parameter.'),
          column: TEXT,
          label: TEXT,
          kind: FILTER_KIND,
          values: listOf(reference('schemas', 'ColumnValue')),
        }),
      ),
    },
    ['sample'],
  ),
  ColumnValue: shape<ColumnValue>(
    {
      value: SCALAR,
      label: note(TEXT_OR_NULL, "The dimension's name for the value; null if it has none."),
      rows: note(COUNT, 'Number of rows in all years and levels.'),
      years: listOf(YEAR),
      keys: {
        type: 'object',
        description: 'The other columns of a composite key.',
        additionalProperties: SCALAR,
      },
    },
    ['keys'],
  ),
  DimensionSchema: shape<DimensionSchemaDocument>(
    {
      ...STAMP,
      name: TEXT,
      title: TEXT,
      description: TEXT,
      version: note(TEXT, 'Version of the data contract.'),
      scope: SCOPE,
      schema_hash: TEXT,
      primary_key: listOf(TEXT),
      attribute_columns: listOf(TEXT),
      columns: listOf(reference('schemas', 'DimensionColumn')),
      rows: COUNT,
      endpoint: note(TEXT, 'Path of the rows.'),
      link_keys: {
        description: 'Columns by which other publications identify the places, as the contract states them.',
      },
      semantics: { description: "The publisher's own notes, as the contract states them." },
    },
    ['sample', 'link_keys', 'semantics'],
  ),
  DimensionColumn: shape<DimensionColumnDescriptor>(
    {
      name: TEXT,
      type: COLUMN_TYPE,
      role: { type: 'string', enum: ['key', 'attribute'] },
      nullable: FLAG,
      label: TEXT,
      description: TEXT,
      primary_key_position: {
        type: ['integer', 'null'],
        minimum: 1,
        description: 'Position from 1; null for attributes.',
      },
      valid_values: orNull(listOf(SCALAR)),
      link_key: { type: 'object', description: "The publisher's own notes, as the contract states them." },
    },
    ['link_key'],
  ),
} as const satisfies Readonly<Record<string, Json>>;
