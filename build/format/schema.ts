/** Schema documents of datasets and dimensions (sections 2.1 to 2.4 and 2.6 of the specification): schemas and types. */
import * as Type from 'typebox';
import { IDENTITY, WithdrawnSlices } from './document-schemas.ts';
import {
  COLUMN_TYPE,
  COUNT,
  choice,
  FILTER_KIND,
  FLAG,
  listOf,
  NUMBER_OR_NULL,
  note,
  type Of,
  optional,
  orNull,
  SCALAR,
  SCALAR_OR_NULL,
  SCOPE,
  STAMP,
  shape,
  TEXT,
  TEXT_OR_NULL,
  TIME_UNIT,
  VALUE_LABELS,
} from './schema-parts.ts';

/** What one row's time is. */
const TimeDescriptor = shape({
  unit: note(TIME_UNIT, 'The period that one row is about; instant: a moment; none: no time.'),
  column: note(TEXT_OR_NULL, 'Its column; null without time.'),
});
export type TimeDescriptor = Of<typeof TimeDescriptor>;

/** The contract's statements about NULL and zero. */
const NullSemantics = shape({
  suppressed_to_null: optional(note(FLAG, 'Whether withheld figures are NULL; absent if not stated.')),
  zero_is_real: optional(note(FLAG, 'Whether a zero is a real figure; absent if not stated.')),
});
export type NullSemantics = Of<typeof NullSemantics>;

/** A question that a view of the dataset's page answers, such as the view `detail=counties&view=map`. */
const DatasetQuestion = shape({
  question: TEXT,
  view: note(TEXT, "The query of the page's address that answers it, without ?."),
});
export type DatasetQuestion = Of<typeof DatasetQuestion>;

const ExampleQuery = shape({
  description: TEXT,
  query: note(TEXT, 'SQL over a table with the name of the topic.'),
});
export type ExampleQuery = Of<typeof ExampleQuery>;

/** Section 2.2 of the specification. */
export const ColumnDescriptor = shape({
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
  valid_values: orNull(listOf(SCALAR)),
  example: SCALAR_OR_NULL,
  unit: TEXT_OR_NULL,
  value_min: NUMBER_OR_NULL,
  value_max: NUMBER_OR_NULL,
  null_meaning: note(TEXT_OR_NULL, 'The meaning of NULL in the column.'),
  key_metric_grain_contributor: FLAG,
  metric_component: TEXT_OR_NULL,
  time_zone: optional(
    note(choice('UTC'), 'Present on timestamps in UTC; absent if they follow another clock.'),
  ),
  // Usually `all`.
  total_value: optional(note(TEXT, 'The value that marks the total of all others; absent if there is none.')),
  headline_value: optional(
    note(TEXT, 'The value at which the key figure is shown if the axis has no total.'),
  ),
  renamed_from: optional(note(TEXT, 'Its name in earlier releases; absent if the contract states none.')),
  // In the order of `valid_values`.
  value_labels: optional(VALUE_LABELS),
  synonyms: optional(note(listOf(TEXT), 'Other words by which people look for the column.')),
});
export type ColumnDescriptor = Of<typeof ColumnDescriptor>;

/** Section 2.3 of the specification. */
export const FilterDescriptor = shape({
  param: note(TEXT, 'Name of the query parameter.'),
  kind: FILTER_KIND,
  type: choice('integer', 'string', 'number', 'date', 'timestamp'),
  multi_value: note(FLAG, 'Whether a comma-separated list of values matches any of them.'),
  enum_enforced: note(FLAG, 'Whether a value that is not in the list is refused.'),
  values: orNull(listOf(TEXT)),
  bound: optional(
    note(choice('min', 'max'), 'On a range: whether values are at least or at most the parameter.'),
  ),
  default: optional(note(TEXT, 'Default value; only detail has one.')),
  // Absent on `detail` and `place`.
  column: optional(note(TEXT, 'Column that the filter compares.')),
  dimension: optional(note(TEXT, 'The dimension of an attribute; absent for other filters.')),
  // A level has some or all of them.
  columns: optional(
    note(listOf(TEXT), 'Columns of the key of a place, the largest part first; only place has them.'),
  ),
});
export type FilterDescriptor = Of<typeof FilterDescriptor>;

/** Section 2.4 of the specification. */
export const ForeignKeyDescriptor = shape({
  column: TEXT,
  target_object: note(TEXT, 'Name of the dimension.'),
  target_columns: note(listOf(TEXT), 'Its primary key.'),
  attribute_columns_added: note(listOf(TEXT), 'Columns of the dimension that rows also have.'),
  scope: SCOPE,
});
export type ForeignKeyDescriptor = Of<typeof ForeignKeyDescriptor>;

/** `api/v1/datasets/{domain}/{topic}/index.json` (section 2.1 of the specification). */
export const SchemaDocument = shape({
  ...STAMP,
  ...IDENTITY,
  // Present if the dataset's time is not a plain year.
  time: optional(TimeDescriptor),
  path_template: note(TEXT, "Path of the rows in the publisher's lake."),
  grain: note(listOf(TEXT), 'Columns whose values together identify a row.'),
  description: TEXT,
  explorer: optional(
    note(FLAG, 'Whether pages of figures should show the dataset; absent if the contract does not say.'),
  ),
  source: TEXT_OR_NULL,
  source_url: TEXT_OR_NULL,
  creator: optional(
    note(TEXT, 'The office that produced the figures; absent if the contract does not name it.'),
  ),
  columns: listOf(ColumnDescriptor),
  usage: TEXT,
  limitations: TEXT,
  null_semantics: NullSemantics,
  tags: listOf(TEXT),
  granularity_description: TEXT,
  example_queries: listOf(ExampleQuery),
  foreign_keys: listOf(ForeignKeyDescriptor),
  filters: listOf(FilterDescriptor),
  filter_hints: Type.Unsafe<never[]>({ type: 'array', maxItems: 0 }),
  values_endpoint: note(TEXT, 'Path of the values of every filterable column.'),
  // Absent in trees of older programs.
  statistics_template: optional(note(TEXT, 'Path of the statistics of the level {detail}.')),
  area: optional(note(TEXT, "Name of the area that the whole's rows describe.")),
  synonyms: optional(note(listOf(TEXT), 'Other words by which people look for the dataset.')),
  questions: optional(listOf(DatasetQuestion)),
  // Newest first.
  withdrawn_slices: optional(listOf(WithdrawnSlices)),
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

export const DimensionColumnDescriptor = shape({
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
  valid_values: orNull(listOf(SCALAR)),
  value_labels: optional(VALUE_LABELS),
  // Present if it is more than true or false.
  link_key: optional(note(LinkNote, "The publisher's own notes.")),
});
export type DimensionColumnDescriptor = Of<typeof DimensionColumnDescriptor>;

/** `api/v1/{domain}/_dimensions/{name}/schema.json` */
export const DimensionSchemaDocument = shape({
  ...STAMP,
  name: TEXT,
  title: TEXT,
  description: TEXT,
  version: note(TEXT, 'Version of the data contract.'),
  scope: SCOPE,
  schema_hash: TEXT,
  primary_key: listOf(TEXT),
  attribute_columns: listOf(TEXT),
  columns: listOf(DimensionColumnDescriptor),
  rows: COUNT,
  endpoint: note(TEXT, 'Path of the rows.'),
  link_keys: optional(
    note(Type.Unknown(), 'Columns that other publications use, as the contract states them.'),
  ),
  semantics: optional(note(Type.Unknown(), "The publisher's own notes, as the contract states them.")),
  shapes: optional(note(ShapeKind, 'What `shapes.json`, beside this document, has.')),
});
export type DimensionSchemaDocument = Of<typeof DimensionSchemaDocument>;
