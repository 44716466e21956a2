/**
 * The schemas of documents and answers, and their types; documents.ts exports only the types. FORMAT.md has
 * an example of each document. Section numbers refer to the specification.
 */
import * as Type from 'typebox';
import { FILTER_KINDS } from './filter-kinds.ts';

export type Of<Schema extends Type.TSchema> = Fixed<Type.Static<Schema>>;

type Fixed<Value> = Value extends readonly (infer Item)[]
  ? readonly Fixed<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: Fixed<Value[Name]> }
    : Value;

export type Scalar = string | number | boolean;

/** Adds a description, which openapi.json shows. Its marks aren't enumerable, so a spread would lose them. */
export function note<Schema extends Type.TSchema>(schema: Schema, description: string): Schema {
  const own = Object.getOwnPropertyDescriptors(schema);
  return Object.create({}, { ...own, description: { value: description, enumerable: true } }) as Schema;
}

/** A member that may be absent. */
export function optional<Schema extends Type.TSchema>(schema: Schema, description?: string) {
  return Type.Optional(description === undefined ? schema : note(schema, description));
}

export function orNull<Schema extends Type.TSchema>(schema: Schema) {
  return Type.Unsafe<Type.Static<Schema> | null>({ oneOf: [schema, { type: 'null' }] });
}

export function choice<const Value extends string>(...values: readonly Value[]) {
  return Type.Unsafe<Value>({ type: 'string', enum: values });
}

export function mapOf<Schema extends Type.TSchema>(schema: Schema) {
  return Type.Unsafe<Record<string, Type.Static<Schema>>>({ type: 'object', additionalProperties: schema });
}

export const TEXT = Type.String();
export const TEXT_OR_NULL = Type.Unsafe<string | null>({ type: ['string', 'null'] });
export const DATE = Type.String({ format: 'date' });
export const COUNT = Type.Integer({ minimum: 0 });
const YEAR = Type.Integer();
const YEAR_OR_NULL = Type.Unsafe<number | null>({ type: ['integer', 'null'] });
export const NUMBER = Type.Number();
export const NUMBER_OR_NULL = Type.Unsafe<number | null>({ type: ['number', 'null'] });
export const FLAG = Type.Boolean();
export const TRUE = Type.Unsafe<true>({ const: true });
export const SCALAR = Type.Unsafe<Scalar>({ type: ['string', 'number', 'boolean'] });
export const SCALAR_OR_NULL = Type.Unsafe<Scalar | null>({ type: ['string', 'number', 'boolean', 'null'] });
export const COLUMN_TYPE = choice('integer', 'string', 'number', 'boolean', 'date', 'timestamp');
export const SCOPE = choice('global', 'domain');
const FILTER_KIND = choice(...(Object.keys(FILTER_KINDS) as (keyof typeof FILTER_KINDS)[]));
/** The period that one row is about. `instant`: a moment; `none`: no time. */
const TIME_UNIT = choice('year', 'quarter', 'month', 'day', 'instant', 'none');
const VALUE_LABELS = note(mapOf(TEXT), 'Words for values.');
const SYNONYM_LANGUAGES = note(mapOf(TEXT), 'The BCP 47 tag of each synonym whose language is known.');

/** The key in the list of datasets and in schema documents. Elsewhere a dataset's key is its path. */
const KEY = note(
  TEXT,
  'main_topic/sub_topic/topic: the place of the dataset among the subjects. It is not a path: paths, manifests and row envelopes use main_topic/topic.',
);

export const Stamp = Type.Object({
  format: note(TEXT, 'Version of the published format.'),
  release: note(TEXT, 'Release of the content that the document describes.'),
  sample: optional(
    Type.Unsafe<true>({ type: 'boolean' }),
    'True if the rows are synthetic, otherwise absent.',
  ),
});
export type Stamp = Of<typeof Stamp>;

/** An extract is a tree with only some of a service's datasets. */
export const TreeExtract = Type.Object({
  only: note(TEXT, 'The datasets of the tree, as domain/topic, separated by commas.'),
  release: optional(TEXT, 'The release with all datasets; absent if the publisher has published none.'),
});

export const TreeStamp = Type.Object({ ...Stamp.properties, extract: optional(TreeExtract) });
export type TreeStamp = Of<typeof TreeStamp>;

export type ColumnType = Of<typeof COLUMN_TYPE>;
export type TimeUnit = Of<typeof TIME_UNIT>;
export type TreeExtract = Of<typeof TreeExtract>;

/** `index.json` */
export const ServiceDocument = Type.Object({
  ...TreeStamp.properties,
  service: note(TEXT, 'Name of the service.'),
  description: TEXT,
  version: note(TEXT, 'Version of the API.'),
  api_root: note(TEXT, 'Path with which every data route begins.'),
  license: TEXT_OR_NULL,
  license_url: TEXT_OR_NULL,
  attribution: TEXT_OR_NULL,
  documentation: TEXT_OR_NULL,
  contact: TEXT_OR_NULL,
  language: optional(TEXT, 'Language of titles and descriptions, as a BCP 47 tag.'),
  synonyms: optional(
    mapOf(Type.Array(TEXT)),
    "Readers' words, each with the words of the data that it stands for.",
  ),
  datasets: note(TEXT, 'Link to the list of datasets. This link and the following ones are relative.'),
  health: TEXT,
  manifest: TEXT,
  checksums: TEXT,
  urls: TEXT,
  openapi: TEXT,
  duckdb: TEXT,
});
export type ServiceDocument = Of<typeof ServiceDocument>;

export const RuleCounts = Type.Object({
  run: COUNT,
  passed: COUNT,
  warned: COUNT,
  skipped: note(COUNT, "Number of rules that could not run; the dataset's quality.json says why."),
});
export type RuleCounts = Of<typeof RuleCounts>;

/** `healthz.json` */
export const HealthDocument = Type.Object({
  ...TreeStamp.properties,
  status: Type.Literal('ok'),
  date: note(DATE, 'Date of the release.'),
  datasets: COUNT,
  dimensions: COUNT,
  rows: note(COUNT, 'Number of fact rows in all slices.'),
  rules: RuleCounts,
});
export type HealthDocument = Of<typeof HealthDocument>;

/** Shared by the list of datasets and a dataset's schema document. */
const IDENTITY = {
  main_topic: note(TEXT, 'Domain of the dataset.'),
  sub_topic: TEXT,
  topic: note(TEXT, 'Name of the dataset within its domain.'),
  key: KEY,
  title: TEXT,
  summary: TEXT,
  version: note(TEXT, 'Version of the data contract.'),
  year_min: YEAR_OR_NULL,
  year_max: YEAR_OR_NULL,
  year_gaps: note(Type.Array(YEAR), 'Years between the first and the last that have no data.'),
  available_years: Type.Array(YEAR),
  detail_levels: Type.Array(TEXT),
  default_detail: TEXT,
  coverage_note: optional(TEXT, 'Years and levels of the release; absent if it has all that are promised.'),
  key_metric: note(TEXT_OR_NULL, 'The most important metric; null if the contract names none.'),
  update_frequency: TEXT_OR_NULL,
  next_update: optional(
    DATE,
    'The day by which the next figures are due; absent if the frequency tells none.',
  ),
  schema_hash: TEXT,
  endpoint: note(TEXT, 'Path of the rows.'),
};

export const DatasetSummary = Type.Object({
  ...IDENTITY,
  time_unit: optional(TIME_UNIT, 'What one row is about; absent if it is a year.'),
  rows: COUNT,
  schema_endpoint: note(TEXT, 'Path of the schema document.'),
});
export type DatasetSummary = Of<typeof DatasetSummary>;

export const Withdrawal = Type.Object({
  withdrawn: DATE,
  reason: TEXT,
  replacement: note(TEXT_OR_NULL, 'main_topic/topic of a dataset, an address, or null.'),
});
export type Withdrawal = Of<typeof Withdrawal>;

export const WithdrawnSummary = Type.Object({
  key: note(TEXT, 'main_topic/topic, as paths and manifests name a dataset.'),
  title: TEXT,
  schema_endpoint: TEXT,
  ...Withdrawal.properties,
});
export type WithdrawnSummary = Of<typeof WithdrawnSummary>;

/** `api/v1/datasets/index.json` */
export const DatasetsDocument = Type.Object({
  ...TreeStamp.properties,
  count: note(COUNT, 'Number of datasets, without withdrawn ones.'),
  datasets: Type.Array(DatasetSummary),
  withdrawn: optional(Type.Array(WithdrawnSummary)),
});
export type DatasetsDocument = Of<typeof DatasetsDocument>;

export const ColumnValue = Type.Object({
  value: SCALAR,
  label: note(TEXT_OR_NULL, "The dimension's or the contract's name for the value; null if it has none."),
  rows: note(COUNT, 'Number of rows in all years and levels.'),
  years: Type.Array(YEAR),
  // Such as {"district_code": "601"}.
  keys: optional(mapOf(SCALAR), 'The other columns of a composite key.'),
});
export type ColumnValue = Of<typeof ColumnValue>;

const ColumnValues = Type.Object({
  param: note(TEXT, 'Name of the query parameter.'),
  column: TEXT,
  label: TEXT,
  kind: FILTER_KIND,
  values: Type.Array(ColumnValue),
});
export type ColumnValues = Of<typeof ColumnValues>;

/** `api/v1/{domain}/{topic}/values.json` */
export const ValuesDocument = Type.Object({
  ...Stamp.properties,
  dataset: TEXT,
  columns: Type.Array(ColumnValues),
});
export type ValuesDocument = Of<typeof ValuesDocument>;

export const RuleResult = Type.Object({
  name: TEXT,
  source: note(
    choice('contract', 'derived'),
    "contract: the contract states the rule; derived: it follows from the contract's columns.",
  ),
  column: TEXT_OR_NULL,
  description: TEXT,
  dimension: TEXT,
  severity: choice('error', 'warning'),
  query: note(TEXT_OR_NULL, "The contract's SQL; null for derived rules."),
  result: note(
    choice('passed', 'warned', 'skipped'),
    'Never failed, because a failed error stops the build.',
  ),
  found: note(
    NUMBER_OR_NULL,
    'How many rows break the rule, or the number that its SQL returned; null if it was skipped.',
  ),
  reason: optional(TEXT),
});
export type RuleResult = Of<typeof RuleResult>;

/** `api/v1/{domain}/{topic}/quality.json` */
export const QualityDocument = Type.Object({
  ...Stamp.properties,
  dataset: TEXT,
  rules: Type.Array(RuleResult),
});
export type QualityDocument = Of<typeof QualityDocument>;

export const WithdrawnSlices = Type.Object({
  date: DATE,
  reason: TEXT,
  replacement: note(TEXT_OR_NULL, 'A dataset or an address to use instead; null if none.'),
  years: note(Type.Array(YEAR), 'Withdrawn years; an empty list means all years of the levels.'),
  levels: note(Type.Array(TEXT), 'Withdrawn levels; an empty list means all levels of the years.'),
  forget: optional(TRUE, 'Present if the rows are taken out of the memory too.'),
});
export type WithdrawnSlices = Of<typeof WithdrawnSlices>;

/** Replaces the schema document of a withdrawn dataset or dimension. */
export const WithdrawalDocument = Type.Object({
  ...Stamp.properties,
  ...Withdrawal.properties,
  status: Type.Literal('withdrawn'),
  key: note(TEXT, 'domain/topic, or domain/_dimensions/name.'),
  title: TEXT,
  version: TEXT,
});
export type WithdrawalDocument = Of<typeof WithdrawalDocument>;

/** An empty list means that the erratum names none in particular. */
const Erratum = Type.Object({
  date: DATE,
  wrong: TEXT,
  corrected: TEXT,
  releases: note(Type.Array(TEXT), 'Releases of the tree that contain the mistake.'),
  years: Type.Array(YEAR),
  levels: Type.Array(TEXT),
  columns: Type.Array(TEXT),
  forget: optional(TRUE, 'Present if the earlier rows are taken out of the memory.'),
});
export type Erratum = Of<typeof Erratum>;

export const ErrataDocument = Type.Object({
  ...Stamp.properties,
  dataset: TEXT,
  errata: note(Type.Array(Erratum), 'Newest first.'),
});
export type ErrataDocument = Of<typeof ErrataDocument>;

const HEAD = {
  version: TEXT,
  schema_hash: TEXT,
  release: TEXT,
  license: TEXT_OR_NULL,
  attribution: TEXT_OR_NULL,
  sample: Stamp.properties.sample,
  as_of: optional(TEXT, 'The moment that the request names; absent for rows of today.'),
};

const PAGE = {
  offset: COUNT,
  limit: COUNT,
  count: note(COUNT, 'Number of rows on this page.'),
  next: note(TEXT_OR_NULL, 'URL of the next page; null on the last page.'),
  notices: Type.Array(TEXT),
};

/**
 * Head of a page of fact rows, with the fields in published order. The rows follow it, one object per line.
 */
export const FactEnvelope = Type.Object({
  dataset: TEXT,
  ...HEAD,
  detail: TEXT,
  years: Type.Array(YEAR),
  filters: mapOf(Type.Array(TEXT)),
  total: note(orNull(COUNT), 'Number of rows of the whole answer; null if counting them would need a scan.'),
  ...PAGE,
});
export type FactEnvelope = Of<typeof FactEnvelope>;

export const DimensionEnvelope = Type.Object({
  dimension: TEXT,
  ...HEAD,
  total: note(COUNT, 'Number of rows of the whole answer.'),
  ...PAGE,
});
export type DimensionEnvelope = Of<typeof DimensionEnvelope>;

const ROWS = { data: Type.Array(Type.Unsafe<object>({ type: 'object' })) };
export const FactPage = Type.Object({ ...FactEnvelope.properties, ...ROWS });
export const DimensionPage = Type.Object({ ...DimensionEnvelope.properties, ...ROWS });

/** Body of a 404, 410, 405, 501 or 502. */
export const ErrorDocument = Type.Object({ detail: TEXT });
export type ErrorDocument = Of<typeof ErrorDocument>;

export const ValidationProblem = Type.Object({
  type: note(TEXT, 'Kind of the problem, such as enum.'),
  loc: note(Type.Array(TEXT), 'Location of the problem: query, then the parameter.'),
  msg: TEXT,
  input: note(Type.Unknown(), 'The given value.'),
  ctx: note(mapOf(Type.Unknown()), 'The expected values, the nearest valid name, and the corrected URL.'),
});
export type ValidationProblem = Of<typeof ValidationProblem>;

/** Body of a 422, as FastAPI writes it. */
export const ValidationErrorDocument = Type.Object({ detail: Type.Array(ValidationProblem) });
export type ValidationErrorDocument = Of<typeof ValidationErrorDocument>;

const TimeDescriptor = Type.Object({
  unit: note(TIME_UNIT, 'The period that one row is about; instant: a moment; none: no time.'),
  column: note(TEXT_OR_NULL, 'Its column; null without time.'),
});
export type TimeDescriptor = Of<typeof TimeDescriptor>;

export const NullSemantics = Type.Object({
  suppressed_to_null: optional(FLAG, 'Whether withheld figures are NULL; absent if not stated.'),
  zero_is_real: optional(FLAG, 'Whether a zero is a real figure; absent if not stated.'),
});
export type NullSemantics = Of<typeof NullSemantics>;

/** A question that a view of the dataset's page answers, such as `detail=counties&view=map`. */
const DatasetQuestion = Type.Object({
  question: TEXT,
  view: note(TEXT, "The query of the page's address that answers it, without ?."),
});
export type DatasetQuestion = Of<typeof DatasetQuestion>;

/** What the publisher tells language models about the dataset. A member is absent if the contract doesn't state it. */
const DatasetContext = Type.Object({
  instructions: optional(TEXT, 'How to use the dataset.'),
  constraints: optional(Type.Array(TEXT), 'What not to do with it.'),
  verified_statements: optional(
    Type.Array(Type.Object({ question: TEXT, answer: optional(TEXT) })),
    'Questions that people ask, some with an answer that the publisher has verified.',
  ),
});
export type DatasetContext = Of<typeof DatasetContext>;

const ExampleQuery = Type.Object({
  description: TEXT,
  query: note(TEXT, 'SQL over a table with the name of the topic.'),
});
export type ExampleQuery = Of<typeof ExampleQuery>;

/** Section 2.2 of the specification. */
export const ColumnDescriptor = Type.Object({
  name: TEXT,
  type: COLUMN_TYPE,
  role: note(
    TEXT,
    'year, time, metric, categorical, attribute, or fk_ followed by what the column identifies.',
  ),
  nullable: FLAG,
  label: TEXT,
  short_description: TEXT,
  description: TEXT,
  valid_values: orNull(Type.Array(SCALAR)),
  example: SCALAR_OR_NULL,
  unit: TEXT_OR_NULL,
  value_min: NUMBER_OR_NULL,
  value_max: NUMBER_OR_NULL,
  null_meaning: note(TEXT_OR_NULL, 'The meaning of NULL in the column.'),
  key_metric_grain_contributor: FLAG,
  metric_component: TEXT_OR_NULL,
  time_zone: optional(choice('UTC'), 'Present on timestamps in UTC; absent if they follow another clock.'),
  // Usually `all`.
  total_value: optional(TEXT, 'The value that marks the total of all others; absent if there is none.'),
  headline_value: optional(TEXT, 'The value at which the key figure is shown if the axis has no total.'),
  renamed_from: optional(TEXT, 'Its name in earlier releases; absent if the contract states none.'),
  // In the order of `valid_values`.
  value_labels: optional(VALUE_LABELS),
  synonyms: optional(Type.Array(TEXT), 'Other words by which people look for the column.'),
  synonym_languages: optional(SYNONYM_LANGUAGES),
});
export type ColumnDescriptor = Of<typeof ColumnDescriptor>;

/** Section 2.3 of the specification. */
export const FilterDescriptor = Type.Object({
  param: note(TEXT, 'Name of the query parameter.'),
  kind: FILTER_KIND,
  type: choice('integer', 'string', 'number', 'date', 'timestamp'),
  multi_value: note(FLAG, 'Whether a comma-separated list of values matches any of them.'),
  enum_enforced: note(FLAG, 'Whether a value that is not in the list is refused.'),
  values: orNull(Type.Array(TEXT)),
  bound: optional(choice('min', 'max'), 'On a range: whether values are at least or at most the parameter.'),
  default: optional(TEXT, 'Default value; only detail has one.'),
  // Absent on `detail` and `place`.
  column: optional(TEXT, 'Column that the filter compares.'),
  dimension: optional(TEXT, 'The dimension of an attribute; absent for other filters.'),
  // A level may have only some of them.
  columns: optional(
    Type.Array(TEXT),
    'Columns of the key of a place, the largest part first; only place has them.',
  ),
});
export type FilterDescriptor = Of<typeof FilterDescriptor>;

/** Section 2.4 of the specification. */
export const ForeignKeyDescriptor = Type.Object({
  column: TEXT,
  target_object: note(TEXT, 'Name of the dimension.'),
  target_columns: note(Type.Array(TEXT), 'Its primary key.'),
  attribute_columns_added: note(Type.Array(TEXT), 'Columns of the dimension that rows also have.'),
  scope: SCOPE,
});
export type ForeignKeyDescriptor = Of<typeof ForeignKeyDescriptor>;

/** `api/v1/datasets/{domain}/{topic}/index.json` (section 2.1 of the specification). */
export const SchemaDocument = Type.Object({
  ...Stamp.properties,
  ...IDENTITY,
  // Present if the dataset's time is not a plain year.
  time: optional(TimeDescriptor),
  path_template: note(TEXT, "Path of the rows in the publisher's lake."),
  grain: note(Type.Array(TEXT), 'Columns whose values together identify a row.'),
  description: TEXT,
  explorer: optional(
    FLAG,
    'Whether pages of figures should show the dataset; absent if the contract does not say.',
  ),
  source: TEXT_OR_NULL,
  source_url: TEXT_OR_NULL,
  creator: optional(TEXT, 'The office that produced the figures; absent if the contract does not name it.'),
  columns: Type.Array(ColumnDescriptor),
  usage: TEXT,
  limitations: TEXT,
  null_semantics: NullSemantics,
  tags: Type.Array(TEXT),
  granularity_description: TEXT,
  example_queries: Type.Array(ExampleQuery),
  foreign_keys: Type.Array(ForeignKeyDescriptor),
  filters: Type.Array(FilterDescriptor),
  filter_hints: Type.Unsafe<never[]>({ type: 'array', maxItems: 0 }),
  values_endpoint: note(TEXT, 'Path of the values of every filterable column.'),
  // Absent in trees of older programs.
  statistics_template: optional(TEXT, 'Path of the statistics of the level {detail}.'),
  area: optional(TEXT, "Name of the area that the whole's rows describe."),
  synonyms: optional(Type.Array(TEXT), 'Other words by which people look for the dataset.'),
  synonym_languages: optional(SYNONYM_LANGUAGES),
  context: optional(DatasetContext),
  questions: optional(Type.Array(DatasetQuestion)),
  // Newest first.
  withdrawn_slices: optional(Type.Array(WithdrawnSlices)),
});
export type SchemaDocument = Of<typeof SchemaDocument>;

/** `areas` if any place has an outline, otherwise `points`. */
const ShapeKind = Type.Unsafe<'areas' | 'points'>({ enum: ['areas', 'points'] });
export type ShapeKind = Of<typeof ShapeKind>;

/** A publisher's own note on how a column links to other data: a text, a mapping or a list. */
const LinkNote = Type.Unsafe<string | readonly unknown[] | Readonly<Record<string, unknown>>>({
  type: ['string', 'array', 'object'],
});
export type LinkNote = Type.Static<typeof LinkNote>;

export const DimensionColumnDescriptor = Type.Object({
  name: TEXT,
  type: COLUMN_TYPE,
  role: choice('key', 'attribute'),
  nullable: FLAG,
  label: TEXT,
  description: TEXT,
  primary_key_position: note(
    Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 1 }),
    'Position from 1; null for attributes.',
  ),
  valid_values: orNull(Type.Array(SCALAR)),
  value_labels: optional(VALUE_LABELS),
  // Present if it is more than true or false.
  link_key: optional(LinkNote, "The publisher's own notes."),
});
export type DimensionColumnDescriptor = Of<typeof DimensionColumnDescriptor>;

/** `api/v1/{domain}/_dimensions/{name}/schema.json` */
export const DimensionSchemaDocument = Type.Object({
  ...Stamp.properties,
  name: TEXT,
  title: TEXT,
  description: TEXT,
  version: note(TEXT, 'Version of the data contract.'),
  scope: SCOPE,
  schema_hash: TEXT,
  primary_key: Type.Array(TEXT),
  attribute_columns: Type.Array(TEXT),
  columns: Type.Array(DimensionColumnDescriptor),
  rows: COUNT,
  endpoint: note(TEXT, 'Path of the rows.'),
  link_keys: optional(Type.Unknown(), 'Columns that other publications use, as the contract states them.'),
  semantics: optional(Type.Unknown(), "The publisher's own notes, as the contract states them."),
  shapes: optional(ShapeKind, 'What `shapes.json`, beside this document, has.'),
});
export type DimensionSchemaDocument = Of<typeof DimensionSchemaDocument>;

const ValueCount = Type.Object({ value: SCALAR, rows: note(Type.Array(COUNT), 'Rows by year.') });
export type ValueCount = Of<typeof ValueCount>;

const ColumnStatistics = Type.Object({
  name: TEXT,
  nulls: note(Type.Array(COUNT), 'Rows without a value, by year.'),
  distinct: optional(COUNT, 'Different values; absent on figures.'),
  // Both are null if there is no value.
  min: optional(SCALAR_OR_NULL, 'The least value of numbers and times.'),
  max: optional(SCALAR_OR_NULL),
  /**
   * On integers with the unit `count` if every axis has a total; null if no row at all totals has a value.
   * Other figures have no mean, because it would need weights.
   */
  mean: optional(
    Type.Array(orNull(NUMBER)),
    'By year, of counts alone, over the rows at the totals of all axes.',
  ),
  /** On columns with ranges: 20 parts, or one if both ends are equal. */
  histogram: optional(Type.Array(COUNT), 'Rows in equal parts from min to max.'),
  /** On axes and columns whose values are a list, ascending; absent beyond 1,000 values. */
  values: optional(Type.Array(ValueCount)),
});
export type ColumnStatistics = Of<typeof ColumnStatistics>;

/** Sorted by value, NULL first. */
const Combinations = Type.Object({
  columns: note(Type.Array(TEXT), 'The column of the year, then the axes.'),
  rows: note(Type.Array(Type.Array(SCALAR_OR_NULL)), 'Values, and last the number of their rows.'),
});

/** `api/v1/{domain}/{topic}/statistics/{detail}.json`. Every number counts rows of the level, totals of axes included. */
export const StatisticsDocument = Type.Object({
  ...Stamp.properties,
  dataset: TEXT,
  detail: note(TEXT, 'The level.'),
  rows: COUNT,
  years: note(Type.Array(YEAR), 'Ascending; empty without time. Lists by year follow it.'),
  year_rows: note(Type.Array(COUNT), 'Rows by year.'),
  /** In the order of the manifest. */
  columns: Type.Array(ColumnStatistics),
  /** Present if there are at least two axes and at most 5,000 combinations. */
  combinations: optional(Combinations),
});
export type StatisticsDocument = Of<typeof StatisticsDocument>;
