/**
 * The custom properties that this service reads, as types and as JSON Schemas over `{property: value}`. Others are
 * allowed.
 */

import type { DatasetQuestion, ExampleQuery, NullSemantics, TimeUnit } from '../format/documents.ts';
import type { FileLayout, TextForm } from './dataset.ts';
import type { Shape } from './validator.ts';

export interface RootProperties {
  readonly title: string;
  readonly summary: string;
  readonly source: string;
  readonly source_url: string;
  /** The office that produced the figures. Only a text is read; other tools may write other values here. */
  readonly creator: unknown;
  readonly update_frequency: string;
  readonly year_range: YearList;
  readonly year_gaps: readonly number[];
  readonly available_years: readonly number[];
  /** This service's hash, or another tool's. */
  readonly schema_hash: unknown;
  readonly withdrawn: RawWithdrawal | readonly RawWithdrawal[];
  readonly errata: readonly RawErratum[];
  /** Percentage of a published slice's rows that a release may lose. */
  readonly row_loss_limit: number;
  /** Other words by which people look for the dataset. */
  readonly synonyms: readonly string[];
  /** Questions that a view answers. */
  readonly questions: readonly DatasetQuestion[];
  /** Name of the area that the whole's rows describe. */
  readonly area: string;
}

interface RawWithdrawal {
  readonly date: string;
  readonly reason: string;
  readonly replacement?: string;
  /** Years and levels to withdraw from a dataset that stays published. */
  readonly years?: YearList;
  readonly levels?: readonly string[];
  /** Whether earlier releases' rows are taken back too. */
  readonly forget?: boolean;
}

interface RawErratum {
  readonly date: string;
  readonly wrong: string;
  readonly corrected: string;
  readonly releases?: readonly string[];
  readonly years?: readonly number[];
  readonly levels?: readonly string[];
  readonly columns?: readonly string[];
  readonly forget?: boolean;
}

/** `2004-2024`, `2027`, or a list of years. */
export type YearList = string | number | readonly number[];

export interface ObjectProperties {
  readonly sub_topic: string;
  readonly detail_levels: readonly string[];
  readonly default_detail: string;
  readonly grain: readonly string[];
  readonly key_metric: string;
  readonly null_semantics: NullSemantics;
  readonly path_template: string;
  readonly file_layout: FileLayout;
  readonly foreign_keys: readonly RawForeignKey[];
  readonly example_queries: readonly ExampleQuery[];
  readonly explorer: boolean;
  readonly level_keys: Readonly<Record<string, readonly string[]>>;
  readonly level_years: Readonly<Record<string, YearList>>;
  readonly series_breaks: readonly RawSeriesBreak[];
  /** How many years of survey answers each year's figures pool. */
  readonly pooled_years: number;
  readonly decimal: NonNullable<TextForm['decimal']>;
  readonly group: NonNullable<TextForm['group']>;
  /** From here on, properties of a dimension. */
  readonly entity_kind: string;
  readonly scope: 'global' | 'domain';
  readonly physical_basename: string;
  /** Names of columns, or a value of the publisher's own. */
  readonly link_keys: unknown;
  readonly semantics: unknown;
  /** The property of the boundaries' features that holds the dimension's key. */
  readonly boundary_key: string;
  /** Key of the dataset whose rows hold the dimension's. */
  readonly rows_of: string;
}

interface RawForeignKey {
  readonly column: string;
  readonly target_object: string;
  readonly target_columns?: readonly string[];
  readonly attribute_columns?: readonly string[];
  /** What the published schema document calls `attribute_columns`. */
  readonly attribute_columns_added?: readonly string[];
  readonly scope?: 'global' | 'domain';
}

/** Figures up to and including the year `after` cannot be compared with later ones. */
export interface RawSeriesBreak {
  readonly after: number;
  readonly reason: string;
  /** The levels concerned; all if absent. */
  readonly levels?: readonly string[];
}

export interface ColumnProperties {
  readonly column_role: string;
  readonly label: string;
  readonly short_description: string;
  readonly unit: string;
  readonly value_min: number;
  readonly value_max: number;
  readonly null_meaning: string;
  /** Values of the lake that mean that there is no figure. */
  readonly missing_values: readonly (string | number)[];
  readonly key_metric: boolean;
  readonly metric_component: string;
  readonly key_metric_grain_contributor: boolean;
  readonly has_total: boolean;
  readonly total_value: string;
  /** What one row of a column of role `time` is about. */
  readonly time_unit: TimeUnit;
  /** The value of an axis without a total at which the key figure is shown. */
  readonly headline_value: string;
  /** Words for values. */
  readonly value_labels: Readonly<Record<string, string>>;
  /** Other words by which people look for the column. */
  readonly synonyms: readonly string[];
  readonly series_breaks: readonly RawSeriesBreak[];
  /** The column's name in earlier releases. */
  readonly renamed_from: string;
  /** `true`, or a mapping of the publisher's own. */
  readonly link_key: unknown;
  readonly decimal: NonNullable<TextForm['decimal']>;
  readonly group: NonNullable<TextForm['group']>;
  /** Which coordinate of its place a dimension's number is. */
  readonly coordinate: 'latitude' | 'longitude';
}

const text = { type: 'string' };
const flag = { type: 'boolean' };
const names = { type: 'array', uniqueItems: true, items: text };
const years = { type: 'array', uniqueItems: true, items: { type: 'integer' } };
const yearList = {
  type: ['string', 'integer', 'array'],
  items: { type: 'integer' },
  description: 'a range such as "2004-2024", one year or a list of years',
};
const seriesBreaks = {
  type: 'array',
  items: {
    type: 'object',
    required: ['after', 'reason'],
    properties: {
      after: { type: 'integer' },
      reason: { type: 'string', minLength: 1, description: 'a sentence' },
      levels: { ...names, minItems: 1, description: 'a list of at least one level' },
    },
  },
};
const withdrawal = {
  required: ['date', 'reason'],
  additionalProperties: false,
  properties: {
    date: text,
    reason: text,
    replacement: text,
    years: yearList,
    levels: { ...names, minItems: 1, description: 'a list of at least one level' },
    forget: flag,
  },
};
const words = {
  type: 'array',
  uniqueItems: true,
  items: { type: 'string', pattern: '\\S', description: 'a text' },
};
const decimal = { type: 'string', enum: ['.', ','] };
const group = { type: 'string', enum: ['.', ',', ' ', "'"] };
const scope = { type: 'string', enum: ['global', 'domain'] };
const object = (name: string, properties: object): Shape => ({
  name,
  errors: 'all',
  schema: { type: 'object', properties },
});

export const ROOT_SHAPE = object('root', {
  title: text,
  summary: text,
  source: text,
  source_url: text,
  update_frequency: text,
  year_range: yearList,
  year_gaps: years,
  available_years: years,
  withdrawn: {
    type: ['object', 'array'],
    ...withdrawal,
    items: { type: 'object', ...withdrawal },
    description: 'a mapping with a date and a reason, or a list of such mappings',
  },
  errata: {
    type: 'array',
    items: {
      type: 'object',
      required: ['date', 'wrong', 'corrected'],
      additionalProperties: false,
      properties: {
        date: text,
        wrong: text,
        corrected: text,
        releases: names,
        years,
        levels: names,
        columns: names,
        forget: flag,
      },
    },
  },
  row_loss_limit: { type: 'number', minimum: 0, maximum: 100, description: 'a percentage' },
  synonyms: words,
  questions: {
    type: 'array',
    items: {
      type: 'object',
      required: ['question', 'view'],
      additionalProperties: false,
      properties: { question: { type: 'string', pattern: '\\S', description: 'a sentence' }, view: text },
    },
  },
  area: { type: 'string', pattern: '\\S', description: 'a name' },
});

export const OBJECT_SHAPE = object('object', {
  sub_topic: text,
  detail_levels: { ...names, minItems: 1, description: 'a list of at least one level' },
  default_detail: text,
  grain: { ...names, minItems: 1, description: 'a list of at least one column' },
  key_metric: text,
  null_semantics: { type: 'object', properties: { suppressed_to_null: flag, zero_is_real: flag } },
  path_template: text,
  file_layout: {
    type: 'object',
    additionalProperties: false,
    properties: {
      sheet: { type: 'string', minLength: 1, description: 'the name of a sheet' },
      header_line: { type: 'integer', minimum: 1, description: 'the number of a line' },
      header_lines: { type: 'integer', minimum: 1, description: 'a number of lines' },
      skip_rows: {
        type: 'array',
        items: { type: 'string', minLength: 1, description: 'a text' },
        description: 'a list of texts with which rows begin',
      },
      hidden: { type: 'string', enum: ['skip', 'read'] },
      year_columns: {
        type: 'object',
        minProperties: 1,
        additionalProperties: { type: 'string', pattern: '\\{year\\}', description: 'a name with {year}' },
        description: 'a mapping from columns to names with {year}',
      },
    },
  },
  foreign_keys: {
    type: 'array',
    items: {
      type: 'object',
      required: ['column', 'target_object'],
      properties: {
        column: text,
        target_object: text,
        target_columns: { ...names, minItems: 1, description: 'a list of at least one column' },
        attribute_columns: names,
        attribute_columns_added: names,
        scope,
      },
    },
  },
  example_queries: {
    type: 'array',
    items: {
      type: 'object',
      required: ['description', 'query'],
      properties: { description: text, query: text },
    },
  },
  explorer: flag,
  level_keys: { type: 'object', additionalProperties: names },
  level_years: { type: 'object', additionalProperties: yearList },
  series_breaks: seriesBreaks,
  pooled_years: { type: 'integer', minimum: 2, description: 'a number of years, 2 or more' },
  decimal,
  group,
  entity_kind: text,
  scope,
  physical_basename: text,
  boundary_key: text,
  rows_of: text,
});

export const COLUMN_SHAPE = object('column', {
  column_role: text,
  label: text,
  short_description: text,
  unit: text,
  value_min: { type: 'number' },
  value_max: { type: 'number' },
  null_meaning: text,
  missing_values: {
    type: 'array',
    uniqueItems: true,
    minItems: 1,
    items: { type: ['string', 'number'] },
    description: 'a list of texts and numbers',
  },
  key_metric: flag,
  metric_component: { type: 'string', enum: ['numerator', 'denominator'] },
  key_metric_grain_contributor: flag,
  has_total: flag,
  total_value: text,
  time_unit: { type: 'string', enum: ['year', 'quarter', 'month', 'day', 'instant'] },
  headline_value: text,
  value_labels: {
    type: 'object',
    additionalProperties: { type: 'string', pattern: '\\S', description: 'a text' },
    description: 'a mapping from values to words',
  },
  synonyms: words,
  renamed_from: text,
  series_breaks: seriesBreaks,
  coordinate: { type: 'string', enum: ['latitude', 'longitude'] },
  decimal,
  group,
});
