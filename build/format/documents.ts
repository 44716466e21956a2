/**
 * Names and sizes of the published format, and the types of its documents and answers. Importing from here
 * keeps the schemas out of the site's bundles.
 */
export type * from './document-schemas.ts';

export const FORMAT = 'civic-tree/2.0';

/** `info.version` of openapi.json, `version` of index.json. */
export const API_VERSION = '0.1.0';

/** Rows on one JSON page, and the largest `limit` of a JSON request. */
export const PAGE_ROWS = 10_000;

export const ROW_FORMATS = ['json', 'csv', 'parquet'] as const;
export type RowFormat = (typeof ROW_FORMATS)[number];

/** A member that is undefined is left out of the text. */
export type Json = null | boolean | number | string | readonly Json[] | Fields;

export type Fields = { readonly [name: string]: Json | undefined };
