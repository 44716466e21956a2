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
