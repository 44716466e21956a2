/** Schema documents of datasets and dimensions (sections 2.1 to 2.4 and 2.6 of the specification). */
import type { ColumnType, FilterKind, Scalar, Stamp, TimeUnit, WithdrawnSlices } from './documents.ts';

/** `api/v1/datasets/{domain}/{topic}/index.json` (section 2.1 of the specification). */
export interface SchemaDocument extends Stamp {
  readonly main_topic: string;
  readonly sub_topic: string;
  readonly topic: string;
  /** `main_topic/sub_topic/topic`, as in the list of datasets. It is not a path. */
  readonly key: string;
  readonly version: string;
  /** Null in a dataset without time. */
  readonly year_min: number | null;
  readonly year_max: number | null;
  readonly year_gaps: readonly number[];
  readonly available_years: readonly number[];
  readonly update_frequency: string | null;
  readonly detail_levels: readonly string[];
  readonly default_detail: string;
  /** A sentence with the release's years and levels; present if the contract promises more. */
  readonly coverage_note?: string;
  /** Present if the dataset's time is not a plain year. */
  readonly time?: TimeDescriptor;
  readonly path_template: string;
  readonly grain: readonly string[];
  readonly title: string;
  readonly summary: string;
  readonly description: string;
  readonly explorer?: boolean;
  readonly source: string | null;
  readonly source_url: string | null;
  /** The office that produced the figures; present if the contract names it. */
  readonly creator?: string;
  readonly endpoint: string;
  readonly columns: readonly ColumnDescriptor[];
  readonly key_metric: string | null;
  readonly usage: string;
  readonly limitations: string;
  readonly null_semantics: NullSemantics;
  readonly schema_hash: string;
  readonly tags: readonly string[];
  readonly granularity_description: string;
  readonly example_queries: readonly ExampleQuery[];
  readonly foreign_keys: readonly ForeignKeyDescriptor[];
  readonly filters: readonly FilterDescriptor[];
  readonly filter_hints: readonly never[];
  readonly values_endpoint: string;
  /** Path of the statistics of a level, with `{detail}` for its name; absent in trees of older programs. */
  readonly statistics_template?: string;
  /** Name of the area that rows of the whole describe; present if the publisher names it. */
  readonly area?: string;
  /** Other words by which people look for the dataset; present if the contract gives any. */
  readonly synonyms?: readonly string[];
  /** Present if the contract states any. */
  readonly questions?: readonly DatasetQuestion[];
  /** Newest first; present if there are any. */
  readonly withdrawn_slices?: readonly WithdrawnSlices[];
}

/** What one row's time is. */
export interface TimeDescriptor {
  readonly unit: TimeUnit;
  /** The column with the period or the moment; null in a dataset without time. */
  readonly column: string | null;
}

/** The contract's statements about NULL and zero. A member is absent if the contract does not state it. */
export interface NullSemantics {
  readonly suppressed_to_null?: boolean;
  readonly zero_is_real?: boolean;
}

/** A question that a view of the dataset's page answers. */
export interface DatasetQuestion {
  readonly question: string;
  /** The query of the page's address, without `?`: `detail=counties&view=map`. */
  readonly view: string;
}

export interface ExampleQuery {
  readonly description: string;
  /** SQL over a table with the name of the topic. */
  readonly query: string;
}

/** Section 2.2 of the specification. */
export interface ColumnDescriptor {
  readonly name: string;
  readonly type: ColumnType;
  readonly role: string;
  readonly nullable: boolean;
  readonly label: string;
  readonly short_description: string;
  readonly description: string;
  readonly valid_values: readonly Scalar[] | null;
  readonly example: Scalar | null;
  readonly unit: string | null;
  readonly value_min: number | null;
  readonly value_max: number | null;
  readonly null_meaning: string | null;
  readonly key_metric_grain_contributor: boolean;
  readonly metric_component: string | null;
  /** `UTC` on a column of timestamps in Coordinated Universal Time; absent if they follow another clock. */
  readonly time_zone?: 'UTC';
  /** The value that marks the axis's total, usually `all`; absent if it has no total. */
  readonly total_value?: string;
  /** The value at which the key figure is shown if the axis has no total; present if the contract names it. */
  readonly headline_value?: string;
  /** Words for values, in the order of `valid_values`; present if the contract gives any. */
  readonly value_labels?: Readonly<Record<string, string>>;
  /** Its name in earlier releases; present if the contract states it. */
  readonly renamed_from?: string;
  /** Other words by which people look for the column; present if the contract gives any. */
  readonly synonyms?: readonly string[];
}

/** Section 2.3 of the specification. */
export interface FilterDescriptor {
  readonly param: string;
  readonly kind: FilterKind;
  readonly type: Exclude<ColumnType, 'boolean'>;
  readonly multi_value: boolean;
  readonly enum_enforced: boolean;
  readonly values: readonly string[] | null;
  /** Present only on ranges: whether the column's value is at least or at most the parameter's. */
  readonly bound?: 'min' | 'max';
  /** Present only on `detail`. */
  readonly default?: string;
  /** The column that the filter compares; absent on `detail` and `place`. */
  readonly column?: string;
  /** Present only on dimension attributes. */
  readonly dimension?: string;
  /** The columns of a place's key, the largest part first; present only on `place`. A level has some or all of them. */
  readonly columns?: readonly string[];
}

/** Section 2.4 of the specification. */
export interface ForeignKeyDescriptor {
  readonly column: string;
  readonly target_object: string;
  readonly target_columns: readonly string[];
  readonly attribute_columns_added: readonly string[];
  readonly scope: 'global' | 'domain';
}

/** `api/v1/{domain}/_dimensions/{name}/schema.json` */
export interface DimensionSchemaDocument extends Stamp {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly version: string;
  readonly scope: 'global' | 'domain';
  readonly schema_hash: string;
  readonly primary_key: readonly string[];
  readonly attribute_columns: readonly string[];
  readonly columns: readonly DimensionColumnDescriptor[];
  readonly rows: number;
  readonly endpoint: string;
  /** As the contract states it. */
  readonly link_keys?: unknown;
  readonly semantics?: unknown;
  /** Present if `shapes.json`, beside this document, has the dimension's own places. */
  readonly shapes?: ShapeKind;
}

/** `areas` if any place has an outline, otherwise `points`. */
export type ShapeKind = 'areas' | 'points';

/** A publisher's own note on how a column links to other data: a text, a mapping or a list. */
export type LinkNote = string | readonly unknown[] | Readonly<Record<string, unknown>>;

export interface DimensionColumnDescriptor {
  readonly name: string;
  readonly type: ColumnType;
  readonly role: 'key' | 'attribute';
  readonly nullable: boolean;
  readonly label: string;
  readonly description: string;
  /** Counts from 1; null for attributes. */
  readonly primary_key_position: number | null;
  readonly valid_values: readonly Scalar[] | null;
  /** Words for values; present if the contract gives any. */
  readonly value_labels?: Readonly<Record<string, string>>;
  /** As the contract states it; present if it is more than true or false. */
  readonly link_key?: LinkNote;
}
