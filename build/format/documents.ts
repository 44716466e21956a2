/**
 * The names and sizes of the published format, the types of its documents, and those of answers. The site takes the
 * types alone from the schemas, so that no bundle of it holds them.
 */
export type * from './document-schemas.ts';
export type {
  ColumnType,
  FilterKind,
  Scalar,
  Stamp,
  TimeUnit,
  TreeExtract,
  TreeStamp,
} from './schema-parts.ts';

/** Version of the published format, in every document's `format`. */
export const FORMAT = 'civic-tree/2.0';

/** Version of the API description (`info.version` of openapi.json, `version` of index.json). */
export const API_VERSION = '0.1.0';

/** Rows on one JSON page, and the largest `limit` of a JSON request. */
export const PAGE_ROWS = 10_000;

export type RowFormat = 'json' | 'csv' | 'parquet';

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
