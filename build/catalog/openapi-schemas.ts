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

/** Of an object whose fields are those of a type, each of them, and required but for those that are named. */
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
/** Of the list and of schema documents; elsewhere a dataset goes by its path. */
const KEY =
  'main_topic/sub_topic/topic: where the dataset stands among the subjects. It is no path: paths, manifests and row envelopes say main_topic/topic.';
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
  enum: ['year_exact', 'year_range', 'detail', 'foreign_key', 'categorical', 'dimension_attribute'],
};

function listOf(items: Json) {
  return { type: 'array', items };
}

function orNull(schema: Json): Json {
  return { oneOf: [schema, { type: 'null' }] };
}

function told(schema: Readonly<Record<string, Json>>, description: string): Json {
  return { ...schema, description };
}

const STAMP = {
  format: told(TEXT, 'Version of the published format.'),
  release: told(TEXT, 'Release of what the document describes.'),
  sample: told(FLAG, 'True where the rows are synthetic; absent elsewhere.'),
};

const EXTRACT = {
  extract: shape<TreeExtract>(
    {
      only: told(TEXT, 'The datasets that the tree holds, as domain/topic; absent where it holds all.'),
      release: told(TEXT, 'Release that has all datasets; absent where there is none.'),
    },
    ['release'],
  ),
};

export const DOCUMENT_SCHEMAS = {
  Service: shape<ServiceDocument>(
    {
      ...STAMP,
      ...EXTRACT,
      service: told(TEXT, 'Name of the service.'),
      description: TEXT,
      version: told(TEXT, 'Version of the API.'),
      api_root: told(TEXT, 'Path that every route of data begins with.'),
      license: TEXT_OR_NULL,
      license_url: TEXT_OR_NULL,
      attribution: TEXT_OR_NULL,
      documentation: TEXT_OR_NULL,
      contact: TEXT_OR_NULL,
      language: told(TEXT, 'Of titles and descriptions, as BCP 47 has it.'),
      datasets: told(TEXT, 'Link to the list of datasets; this and the following are relative.'),
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
      date: { type: 'string', format: 'date', description: 'Of the release.' },
      datasets: COUNT,
      dimensions: COUNT,
      rows: told(COUNT, 'Fact rows of all slices.'),
      rules: reference('schemas', 'RuleCounts'),
    },
    ['sample', 'extract'],
  ),
  RuleCounts: shape<RuleCounts>({
    run: COUNT,
    passed: COUNT,
    warned: COUNT,
    skipped: told(COUNT, "Rules that could not be run; the dataset's quality.json says why."),
  }),
  Datasets: shape<DatasetsDocument>(
    {
      ...STAMP,
      ...EXTRACT,
      count: told(COUNT, 'Of the datasets, without those that are withdrawn.'),
      datasets: listOf(reference('schemas', 'DatasetSummary')),
      withdrawn: listOf(reference('schemas', 'WithdrawnSummary')),
    },
    ['sample', 'extract', 'withdrawn'],
  ),
  DatasetSummary: shape<DatasetSummary>(
    {
      main_topic: told(TEXT, 'Domain of the dataset.'),
      sub_topic: TEXT,
      topic: told(TEXT, 'Name of the dataset within its domain.'),
      key: told(TEXT, KEY),
      title: TEXT,
      summary: TEXT,
      version: told(TEXT, 'Version of the data contract.'),
      year_min: YEAR,
      year_max: YEAR,
      year_gaps: told(listOf(YEAR), 'Years between the first and the last that have no data.'),
      available_years: listOf(YEAR),
      detail_levels: listOf(TEXT),
      default_detail: TEXT,
      coverage_note: told(TEXT, 'What the release holds; absent where it is all that the contract promises.'),
      key_metric: told(TEXT_OR_NULL, 'Column that the dataset is mainly about.'),
      update_frequency: TEXT_OR_NULL,
      schema_hash: TEXT,
      rows: COUNT,
      endpoint: told(TEXT, 'Path of the rows.'),
      schema_endpoint: told(TEXT, 'Path of the schema document.'),
    },
    ['coverage_note'],
  ),
  WithdrawnSummary: shape<WithdrawnSummary>({
    key: told(TEXT, 'main_topic/topic, as paths and manifests name a dataset.'),
    title: TEXT,
    schema_endpoint: TEXT,
    withdrawn: { type: 'string', format: 'date' },
    reason: TEXT,
    replacement: told(TEXT_OR_NULL, 'main_topic/topic of a dataset, or an address; null where nothing is.'),
  }),
  DatasetSchema: shape<SchemaDocument>(
    {
      ...STAMP,
      main_topic: told(TEXT, 'Domain of the dataset.'),
      sub_topic: TEXT,
      topic: told(TEXT, 'Name of the dataset within its domain.'),
      key: told(TEXT, KEY),
      version: told(TEXT, 'Version of the data contract.'),
      year_min: YEAR,
      year_max: YEAR,
      year_gaps: told(listOf(YEAR), 'Years between the first and the last that have no data.'),
      available_years: listOf(YEAR),
      update_frequency: TEXT_OR_NULL,
      detail_levels: listOf(TEXT),
      default_detail: TEXT,
      coverage_note: told(TEXT, 'What the release holds; absent where it is all that the contract promises.'),
      path_template: told(TEXT, "Where the publisher's lake has the rows."),
      grain: told(listOf(TEXT), 'Columns that no two rows share all values of.'),
      title: TEXT,
      summary: TEXT,
      description: TEXT,
      explorer: told(FLAG, 'Whether pages for people show the dataset; absent where nothing is stated.'),
      source: TEXT_OR_NULL,
      source_url: TEXT_OR_NULL,
      creator: told(TEXT, 'Who made the figures; absent where the contract does not say.'),
      endpoint: told(TEXT, 'Path of the rows.'),
      columns: listOf(reference('schemas', 'Column')),
      key_metric: told(TEXT_OR_NULL, 'Column that the dataset is mainly about.'),
      usage: TEXT,
      limitations: TEXT,
      null_semantics: shape<NullSemantics>(
        {
          suppressed_to_null: told(FLAG, 'Whether figures that the source withheld are NULL.'),
          zero_is_real: told(FLAG, 'Whether a zero is a counted zero.'),
        },
        ['suppressed_to_null', 'zero_is_real'],
      ),
      schema_hash: TEXT,
      tags: listOf(TEXT),
      granularity_description: TEXT,
      example_queries: listOf(
        shape<ExampleQuery>({
          description: TEXT,
          query: told(TEXT, 'SQL over a table named as the topic.'),
        }),
      ),
      foreign_keys: listOf(reference('schemas', 'ForeignKey')),
      filters: listOf(reference('schemas', 'Filter')),
      filter_hints: { type: 'array', maxItems: 0 },
      values_endpoint: told(TEXT, 'Path of the values that can be filtered by.'),
      withdrawn_slices: listOf(
        shape<WithdrawnSlices>({
          date: { type: 'string', format: 'date' },
          reason: TEXT,
          replacement: told(TEXT_OR_NULL, 'What to use instead: a dataset, or an address.'),
          years: told(listOf(YEAR), 'None: all years of the levels.'),
          levels: told(listOf(TEXT), 'None: all levels of the years.'),
        }),
      ),
    },
    ['sample', 'explorer', 'coverage_note', 'creator', 'withdrawn_slices'],
  ),
  Column: shape<ColumnDescriptor>(
    {
      name: TEXT,
      type: COLUMN_TYPE,
      role: told(TEXT, 'year, metric, categorical, or fk_ and what it identifies.'),
      nullable: FLAG,
      label: TEXT,
      short_description: TEXT,
      description: TEXT,
      valid_values: orNull(listOf(SCALAR)),
      example: SCALAR_OR_NULL,
      unit: TEXT_OR_NULL,
      value_min: { type: ['number', 'null'] },
      value_max: { type: ['number', 'null'] },
      null_meaning: told(TEXT_OR_NULL, 'What a NULL of the column says.'),
      key_metric_grain_contributor: FLAG,
      metric_component: TEXT_OR_NULL,
      total_value: told(TEXT, 'The value that stands for all others, where there is one.'),
    },
    ['total_value'],
  ),
  Filter: shape<FilterDescriptor>(
    {
      param: told(TEXT, 'Name of the query parameter.'),
      kind: FILTER_KIND,
      type: { type: 'string', enum: ['integer', 'string'] },
      multi_value: told(FLAG, 'Whether several values, separated by commas, mean any of them.'),
      enum_enforced: told(FLAG, 'Whether a value that is not listed is refused.'),
      values: orNull(listOf(TEXT)),
      default: told(TEXT, 'Of detail alone.'),
      column: told(TEXT, 'Column whose values are compared.'),
      dimension: told(TEXT, 'Of attributes of a dimension alone.'),
    },
    ['default', 'column', 'dimension'],
  ),
  ForeignKey: shape<ForeignKeyDescriptor>({
    column: TEXT,
    target_object: told(TEXT, 'Name of the dimension.'),
    target_columns: told(listOf(TEXT), 'Its primary key.'),
    attribute_columns_added: told(listOf(TEXT), 'Columns of it that rows have too.'),
    scope: SCOPE,
  }),
  Values: shape<ValuesDocument>(
    {
      ...STAMP,
      dataset: TEXT,
      columns: listOf(
        shape<ColumnValues>({
          param: told(TEXT, 'Name of the query parameter.'),
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
      label: told(TEXT_OR_NULL, "The dimension's name for it; null where it has none."),
      rows: told(COUNT, 'Of all years and levels.'),
      years: listOf(YEAR),
      keys: {
        type: 'object',
        description: 'The other columns of its key, where the value alone is ambiguous.',
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
      version: told(TEXT, 'Version of the data contract.'),
      scope: SCOPE,
      schema_hash: TEXT,
      primary_key: listOf(TEXT),
      attribute_columns: listOf(TEXT),
      columns: listOf(reference('schemas', 'DimensionColumn')),
      rows: COUNT,
      endpoint: told(TEXT, 'Path of the rows.'),
      link_keys: {
        description: 'Columns that other publications know the places by, as the contract states them.',
      },
      semantics: { description: "The publisher's own notes, as the contract has them." },
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
      primary_key_position: { type: ['integer', 'null'], minimum: 1, description: 'Null on attributes.' },
      valid_values: orNull(listOf(SCALAR)),
      link_key: { type: 'object', description: "The publisher's own notes, as the contract has them." },
    },
    ['link_key'],
  ),
} as const satisfies Readonly<Record<string, Json>>;
