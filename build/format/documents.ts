/**
 * The shapes of all published documents as types. FORMAT.md is their specification, with an example of each. This file
 * imports nothing, so that the build, which writes the tree, and the site, which reads it, can both depend on it.
 */

/** Version of the published format, in every document's `format`. */
export const FORMAT = 'civic-tree/2.0';

/** Version of the API description (`info.version` of openapi.json, `version` of index.json). */
export const API_VERSION = '0.1.0';

/** Rows on one JSON page, and the largest `limit` of a JSON request. */
export const PAGE_ROWS = 10_000;

export type Scalar = string | number | boolean;
export type ColumnType = 'integer' | 'string' | 'number' | 'boolean' | 'date' | 'timestamp';
export type RowFormat = 'json' | 'csv' | 'parquet';

export type FilterKind =
  | 'year_exact'
  | 'year_range'
  | 'detail'
  | 'foreign_key'
  | 'categorical'
  | 'dimension_attribute'
  | 'time'
  | 'range'
  | 'place';

/**
 * The period that one row of a dataset is about. The rows of `instant` say a moment, and those of `none` have no time.
 */
export type TimeUnit = 'year' | 'quarter' | 'month' | 'day' | 'instant' | 'none';

/** The fields of every document. */
export interface Stamp {
  readonly format: string;
  /** Release of the content that the document describes: the tree's, a dataset's or a dimension's. */
  readonly release: string;
  /** Present, and true, if the lake is a synthetic sample. */
  readonly sample?: true;
}

/** The datasets of an extract: a tree with only some of a service's datasets. */
export interface TreeExtract {
  /** Datasets as `domain/topic` with `*`, separated by commas. */
  readonly only: string;
  /** The whole release that it was taken from; absent if a build wrote only the extract. */
  readonly release?: string;
}

/** The fields of documents about the whole tree. */
export interface TreeStamp extends Stamp {
  readonly extract?: TreeExtract;
}

/** `index.json` */
export interface ServiceDocument extends TreeStamp {
  readonly service: string;
  readonly description: string;
  readonly version: string;
  readonly api_root: string;
  readonly license: string | null;
  readonly license_url: string | null;
  readonly attribution: string | null;
  readonly documentation: string | null;
  readonly contact: string | null;
  /** Language of titles and descriptions as a BCP 47 tag; present if the publisher states it. */
  readonly language?: string;
  /** From here on, relative links to other documents. */
  readonly datasets: string;
  readonly health: string;
  readonly manifest: string;
  readonly checksums: string;
  readonly urls: string;
  readonly openapi: string;
  readonly duckdb: string;
}

/** `healthz.json` */
export interface HealthDocument extends TreeStamp {
  readonly status: 'ok';
  /** Date of the release, YYYY-MM-DD. */
  readonly date: string;
  readonly datasets: number;
  readonly dimensions: number;
  /** Fact rows over all slices; copies repeat them and are not counted. */
  readonly rows: number;
  readonly rules: RuleCounts;
}

export interface RuleCounts {
  readonly run: number;
  readonly passed: number;
  readonly warned: number;
  /** Rules that could not run on this lake; quality.json gives each reason. */
  readonly skipped: number;
}

/** `api/v1/datasets/index.json` */
export interface DatasetsDocument extends TreeStamp {
  readonly count: number;
  readonly datasets: readonly DatasetSummary[];
  /** Present if there are any. They do not add to `count`. */
  readonly withdrawn?: readonly WithdrawnSummary[];
}

export interface DatasetSummary {
  readonly main_topic: string;
  readonly sub_topic: string;
  readonly topic: string;
  /** `main_topic/sub_topic/topic`. It is not a path: paths are `main_topic/topic`. */
  readonly key: string;
  readonly title: string;
  readonly summary: string;
  readonly version: string;
  /** Null in a dataset without time. */
  readonly year_min: number | null;
  readonly year_max: number | null;
  readonly year_gaps: readonly number[];
  readonly available_years: readonly number[];
  /** Present if the dataset's time is not a plain year. */
  readonly time_unit?: TimeUnit;
  readonly detail_levels: readonly string[];
  readonly default_detail: string;
  /** A sentence with the release's years and levels; present if the contract promises more. */
  readonly coverage_note?: string;
  readonly key_metric: string | null;
  readonly update_frequency: string | null;
  readonly schema_hash: string;
  readonly rows: number;
  readonly endpoint: string;
  readonly schema_endpoint: string;
}

/** Head of a page of fact rows, in this order. After `notices` follows `data`, with one row object per line. */
export interface FactEnvelope {
  readonly dataset: string;
  readonly version: string;
  readonly schema_hash: string;
  readonly release: string;
  readonly license: string | null;
  readonly attribution: string | null;
  readonly sample?: true;
  /** The date or the release of which a request asks for the rows; absent where it asks for those of today. */
  readonly as_of?: string;
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
  readonly as_of?: string;
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
  /** The dimension's or the contract's name for the value; null if it has none. */
  readonly label: string | null;
  /** Rows over all years and levels. */
  readonly rows: number;
  readonly years: readonly number[];
  /** The other columns of a composite key, such as {"district_code": "601"}. */
  readonly keys?: Readonly<Record<string, Scalar>>;
}

/** `api/v1/{domain}/{topic}/quality.json` */
export interface QualityDocument extends Stamp {
  readonly dataset: string;
  readonly rules: readonly RuleResult[];
}

export interface RuleResult {
  readonly name: string;
  /** `contract`: the contract states the rule; `derived`: it follows from the contract's columns. */
  readonly source: 'contract' | 'derived';
  readonly column: string | null;
  readonly description: string;
  readonly dimension: string;
  readonly severity: 'error' | 'warning';
  /** The contract's SQL; null for derived rules. */
  readonly query: string | null;
  /** Never `failed`, because a failed error stops the build. */
  readonly result: 'passed' | 'warned' | 'skipped';
  /** How many rows break the rule, or the number that its SQL returned; null if it was skipped. */
  readonly found: number | null;
  readonly reason?: string;
}

/** When and why something was withdrawn, and what to use instead. */
export interface Withdrawal {
  /** YYYY-MM-DD */
  readonly withdrawn: string;
  readonly reason: string;
  /** `domain/topic` of a dataset, or an address; null if nothing replaces it. */
  readonly replacement: string | null;
}

/** Years or levels that a dataset no longer has. */
export interface WithdrawnSlices {
  /** YYYY-MM-DD */
  readonly date: string;
  readonly reason: string;
  /** `domain/topic` of a dataset, or an address; null if nothing replaces it. */
  readonly replacement: string | null;
  /** Empty means all years of the levels. */
  readonly years: readonly number[];
  /** Empty means all levels of the years. */
  readonly levels: readonly string[];
  /** Present, and true, if the rows are taken out of the memory of earlier releases too. */
  readonly forget?: true;
}

/** Replaces the schema document of a withdrawn dataset or dimension. */
export interface WithdrawalDocument extends Stamp, Withdrawal {
  readonly status: 'withdrawn';
  /** `domain/topic`, or `domain/_dimensions/name`. */
  readonly key: string;
  readonly title: string;
  readonly version: string;
}

/** A withdrawn dataset in the list of datasets. */
export interface WithdrawnSummary extends Withdrawal {
  readonly key: string;
  readonly title: string;
  readonly schema_endpoint: string;
}

/** `api/v1/{domain}/{topic}/errata.json`, if the contract has errata. */
export interface ErrataDocument extends Stamp {
  readonly dataset: string;
  /** Newest first. */
  readonly errata: readonly Erratum[];
}

/** A mistake in published data. An empty list means that the erratum names none in particular. */
export interface Erratum {
  /** YYYY-MM-DD */
  readonly date: string;
  readonly wrong: string;
  readonly corrected: string;
  /** Releases of the tree that contain the mistake. */
  readonly releases: readonly string[];
  readonly years: readonly number[];
  readonly levels: readonly string[];
  readonly columns: readonly string[];
  /** Present, and true, if the earlier rows of these years and levels are taken out of the memory. */
  readonly forget?: true;
}

/** Body of a 404, 410, 405, 501 or 502. */
export interface ErrorDocument {
  readonly detail: string;
}

/** Body of a 422, as FastAPI writes it. */
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
