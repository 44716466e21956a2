/**
 * The shapes of every published document. FORMAT.md is their specification and has an example of each; this file
 * is the same in types. It imports nothing, so that the build that writes the tree and the site that reads it
 * can both depend on it.
 */

/** Version of the published format, in every document's `format`. */
export const FORMAT = 'civic-tree/1.0';

/** Version of the API description (`info.version` of openapi.json, `version` of index.json). */
export const API_VERSION = '0.1.0';

/** Rows on one JSON page, and the largest `limit` of a JSON request. */
export const PAGE_ROWS = 10_000;

export type Scalar = string | number | boolean;
export type ColumnType = 'integer' | 'string' | 'number' | 'boolean';
export type RowFormat = 'json' | 'csv' | 'parquet';

/** In every document. */
export interface Stamp {
  readonly format: string;
  /** Release of what the document describes: the tree's, a dataset's or a dimension's. */
  readonly release: string;
  /** Present, and true, where the lake is a synthetic sample. */
  readonly sample?: true;
}

/** `index.json` */
export interface ServiceDocument extends Stamp {
  readonly service: string;
  readonly description: string;
  readonly version: string;
  readonly api_root: string;
  readonly license: string | null;
  readonly license_url: string | null;
  readonly attribution: string | null;
  readonly documentation: string | null;
  readonly contact: string | null;
  /** Relative links to the other root documents. */
  readonly datasets: string;
  readonly health: string;
  readonly manifest: string;
  readonly checksums: string;
  readonly urls: string;
  readonly openapi: string;
  readonly duckdb: string;
}

/** `healthz.json` */
export interface HealthDocument extends Stamp {
  readonly status: 'ok';
  /** Date of the release, YYYY-MM-DD. */
  readonly date: string;
  readonly datasets: number;
  readonly dimensions: number;
  /** Fact rows over all slices; history files repeat them and are not counted. */
  readonly rows: number;
  readonly rules: RuleCounts;
}

export interface RuleCounts {
  readonly run: number;
  readonly passed: number;
  readonly warned: number;
  /** Rules that could not be run on this lake, each with its reason in quality.json. */
  readonly skipped: number;
}

/** `api/v1/datasets/index.json` */
export interface DatasetsDocument extends Stamp {
  readonly count: number;
  readonly datasets: readonly DatasetSummary[];
}

export interface DatasetSummary {
  readonly main_topic: string;
  readonly sub_topic: string;
  readonly topic: string;
  readonly key: string;
  readonly title: string;
  readonly summary: string;
  readonly version: string;
  readonly year_min: number;
  readonly year_max: number;
  readonly year_gaps: readonly number[];
  readonly available_years: readonly number[];
  readonly detail_levels: readonly string[];
  readonly default_detail: string;
  readonly key_metric: string | null;
  readonly update_frequency: string | null;
  readonly schema_hash: string;
  readonly rows: number;
  readonly endpoint: string;
  readonly schema_endpoint: string;
}

/** `api/v1/datasets/{domain}/{topic}/index.json`: the specification's 2.1. */
export interface SchemaDocument extends Stamp {
  readonly main_topic: string;
  readonly sub_topic: string;
  readonly topic: string;
  readonly key: string;
  readonly version: string;
  readonly year_min: number;
  readonly year_max: number;
  readonly year_gaps: readonly number[];
  readonly available_years: readonly number[];
  readonly update_frequency: string | null;
  readonly detail_levels: readonly string[];
  readonly default_detail: string;
  readonly path_template: string;
  readonly grain: readonly string[];
  readonly title: string;
  readonly summary: string;
  readonly description: string;
  readonly explorer?: boolean;
  readonly source: string | null;
  readonly source_url: string | null;
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
}

export interface NullSemantics {
  readonly suppressed_to_null: boolean;
  readonly zero_is_real: boolean;
}

export interface ExampleQuery {
  readonly description: string;
  /** SQL over a table named as the topic. */
  readonly query: string;
}

/** The specification's 2.2. */
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
  /** The axis's total value (normally `all`), where it has one. */
  readonly total_value?: string;
}

export type FilterKind =
  | 'year_exact'
  | 'year_range'
  | 'detail'
  | 'foreign_key'
  | 'categorical'
  | 'dimension_attribute';

/** The specification's 2.3. */
export interface FilterDescriptor {
  readonly param: string;
  readonly kind: FilterKind;
  readonly type: 'integer' | 'string';
  readonly multi_value: boolean;
  readonly enum_enforced: boolean;
  readonly values: readonly string[] | null;
  /** On `detail` alone. */
  readonly default?: string;
  /** The column whose values are compared; on foreign keys, categorical columns and dimension attributes. */
  readonly column?: string;
  /** On dimension attributes alone. */
  readonly dimension?: string;
}

/** The specification's 2.4. */
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
  readonly link_keys?: readonly string[];
  readonly semantics?: unknown;
}

export interface DimensionColumnDescriptor {
  readonly name: string;
  readonly type: ColumnType;
  readonly role: 'key' | 'attribute';
  readonly nullable: boolean;
  readonly label: string;
  readonly description: string;
  /** From 1; null on attributes. */
  readonly primary_key_position: number | null;
  readonly valid_values: readonly Scalar[] | null;
}

/** Head of a page of fact rows, in this order; `data`, one row object per line, follows `notices`. */
export interface FactEnvelope {
  readonly dataset: string;
  readonly version: string;
  readonly schema_hash: string;
  readonly release: string;
  readonly license: string | null;
  readonly attribution: string | null;
  readonly sample?: true;
  readonly detail: string;
  readonly years: readonly number[];
  readonly filters: Readonly<Record<string, readonly string[]>>;
  readonly total: number | null;
  readonly offset: number;
  readonly limit: number;
  readonly count: number;
  readonly next: string | null;
  readonly notices: readonly string[];
}

/** Head of a page of dimension rows. */
export interface DimensionEnvelope {
  readonly dimension: string;
  readonly version: string;
  readonly schema_hash: string;
  readonly release: string;
  readonly license: string | null;
  readonly attribution: string | null;
  readonly sample?: true;
  readonly total: number;
  readonly offset: number;
  readonly limit: number;
  readonly count: number;
  readonly next: string | null;
  readonly notices: readonly string[];
}

/** `api/v1/{domain}/{topic}/values.json` */
export interface ValuesDocument extends Stamp {
  readonly dataset: string;
  readonly columns: readonly ColumnValues[];
}

export interface ColumnValues {
  readonly param: string;
  readonly column: string;
  readonly label: string;
  readonly kind: FilterKind;
  readonly values: readonly ColumnValue[];
}

export interface ColumnValue {
  readonly value: Scalar;
  /** The dimension's name for it; null where it has none. */
  readonly label: string | null;
  /** Rows over all years and levels. */
  readonly rows: number;
  readonly years: readonly number[];
  /** The other columns of a composite key, where the value alone is ambiguous: {"district_code": "601"}. */
  readonly keys?: Readonly<Record<string, Scalar>>;
}

/** `api/v1/{domain}/{topic}/quality.json` */
export interface QualityDocument extends Stamp {
  readonly dataset: string;
  readonly rules: readonly RuleResult[];
}

export interface RuleResult {
  readonly name: string;
  /** `contract`: written in it; `derived`: follows from its columns. */
  readonly source: 'contract' | 'derived';
  readonly column: string | null;
  readonly description: string;
  readonly dimension: string;
  readonly severity: 'error' | 'warning';
  /** The contract's SQL; null on derived rules. */
  readonly query: string | null;
  /** An error that fails stops the build, so a published rule never says `failed`. */
  readonly result: 'passed' | 'warned' | 'skipped';
  /** What the rule measured: rows that break it, or the number its SQL returned; null where skipped. */
  readonly found: number | null;
  readonly reason?: string;
}

/** A file as a manifest names it: `path` is relative to the manifest. */
export interface PublishedFile {
  readonly path: string;
  readonly bytes: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  /** When these bytes were first released, YYYY-MM-DDThh:mm:ssZ; the file's modification time. */
  readonly modified: string;
}

export interface RowsFile extends PublishedFile {
  readonly rows: number;
}

/**
 * A Parquet file and where its parts lie. Row group i starts at byte `starts[i]` and has `rows[i]` rows; column
 * chunk j of it has `sizes[i][j]` bytes and follows chunk j-1 without a gap, in the order of `columns`.
 */
export interface ParquetFile extends RowsFile {
  readonly row_groups: readonly RowGroup[];
}

export interface RowGroup {
  readonly rows: number;
  /** Offset in the file of the first column chunk. */
  readonly start: number;
  /** Compressed bytes of each column chunk, in the order of the manifest's `columns`. */
  readonly sizes: readonly number[];
  /** Least value of each of the manifest's `key_columns` that is not NULL; null where all are NULL. */
  readonly min: readonly (Scalar | null)[];
  readonly max: readonly (Scalar | null)[];
  /** How many values of each key column are NULL. */
  readonly nulls: readonly number[];
}

/** A column of the published rows, in their order. */
export interface RowColumn {
  readonly name: string;
  readonly type: ColumnType;
  /** Physical type in Parquet. */
  readonly parquet: 'INT32' | 'INT64' | 'DOUBLE' | 'BYTE_ARRAY' | 'BOOLEAN';
  /** The dimension whose join adds it; null for the contract's own columns. */
  readonly from: string | null;
}

/** `api/v1/{domain}/{topic}/manifest.json` */
export interface DatasetManifest extends Stamp {
  readonly dataset: string;
  readonly version: string;
  readonly schema_hash: string;
  readonly license: string | null;
  readonly attribution: string | null;
  readonly rows: number;
  readonly columns: readonly RowColumn[];
  /** Columns that order the rows, NULLs first: the grain. */
  readonly order: readonly string[];
  /** The grain's foreign keys other than the demographic: what a place is. */
  readonly place: readonly string[];
  /** Columns that each row group has bounds of. */
  readonly key_columns: readonly string[];
  readonly slices: readonly SliceEntry[];
  readonly history: readonly HistoryEntry[];
  readonly documents: readonly PublishedFile[];
}

export interface SliceEntry {
  readonly year: number;
  readonly detail: string;
  readonly rows: number;
  /** First 12 digits of the Parquet file's sha256. */
  readonly release: string;
  readonly files: SliceFiles;
}

/** An empty list: the format is not stored for this slice (an edge gives it from Parquet). */
export interface SliceFiles {
  /** Pages in order, PAGE_ROWS rows each but the last. */
  readonly json: readonly RowsFile[];
  readonly csv: readonly RowsFile[];
  readonly parquet: readonly ParquetFile[];
}

/** All years of one level, ordered by place, then by the grain. */
export interface HistoryEntry {
  readonly detail: string;
  readonly years: readonly number[];
  readonly rows: number;
  readonly file: ParquetFile;
}

/** `api/v1/{domain}/_dimensions/{name}/manifest.json` */
export interface DimensionManifest extends Stamp {
  readonly dimension: string;
  readonly version: string;
  readonly schema_hash: string;
  readonly license: string | null;
  readonly attribution: string | null;
  readonly rows: number;
  readonly columns: readonly RowColumn[];
  readonly order: readonly string[];
  readonly key_columns: readonly string[];
  readonly files: SliceFiles;
  readonly documents: readonly PublishedFile[];
}

/** `manifest.json`, at the root */
export interface TreeManifest extends Stamp {
  readonly date: string;
  readonly datasets: readonly ManifestEntry[];
  readonly dimensions: readonly ManifestEntry[];
  readonly documents: readonly PublishedFile[];
}

export interface ManifestEntry extends PublishedFile {
  /** `domain/topic`, or `domain/_dimensions/name`. */
  readonly key: string;
  readonly release: string;
  readonly rows: number;
}

/** Body of a 404, 405, 501 or 502. */
export interface ErrorDocument {
  readonly detail: string;
}

/** Body of a 422: FastAPI's. */
export interface ValidationErrorDocument {
  readonly detail: readonly ValidationProblem[];
}

export interface ValidationProblem {
  readonly type: string;
  readonly loc: readonly string[];
  readonly msg: string;
  readonly input: unknown;
  readonly ctx: Readonly<Record<string, unknown>>;
}
