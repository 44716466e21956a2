/**
 * Names and sizes of the published format, and the types of its documents and answers. Importing from here
 * keeps the schemas out of the site's bundles.
 */
export type * from './document-schemas.ts';
export type * from './figure-schemas.ts';

export const FORMAT = 'civic-tree/2.1';

/** `info.version` of openapi.json, `version` of index.json. */
export const API_VERSION = '0.1.0';

/** Rows on one JSON page, and the largest `limit` of a JSON request. */
export const PAGE_ROWS = 10_000;

/** A tree stores these. */
export const ROW_FORMATS = ['json', 'csv', 'parquet'] as const;
export type RowFormat = (typeof ROW_FORMATS)[number];

/** No tree stores the others: an edge makes them of the rows, for people. */
export const ANSWER_FORMATS = ['json', 'csv', 'parquet', 'xlsx', 'md'] as const;
export type AnswerFormat = (typeof ANSWER_FORMATS)[number];

export function isStored(format: AnswerFormat): format is RowFormat {
  return format !== 'xlsx' && format !== 'md';
}

/** Whether an answer is a page, of at most PAGE_ROWS. */
export function isPaged(format: string): boolean {
  return format === 'json' || format === 'md';
}

/** A figure's margin of error is the numeric column named after it with this at the end. */
export const MARGIN = '_moe';

/** In the order in which pages offer them. */
export const FORMAT_NAMES = { csv: 'CSV', json: 'JSON', parquet: 'Parquet' } as const satisfies Readonly<
  Record<RowFormat, string>
>;

/** Every slice is there as Parquet, and an edge that computes makes texts of it. */
export type TextFormat = Exclude<RowFormat, 'parquet'>;

/** Hosts without room for all leave them out in this order. */
export const TEXT_FORMATS = /* @__PURE__ */ ROW_FORMATS.filter(
  (format): format is TextFormat => format !== 'parquet',
);

export function ofTextFormats<Value>(make: (format: TextFormat) => Value): Record<TextFormat, Value> {
  return Object.fromEntries(TEXT_FORMATS.map(format => [format, make(format)])) as Record<TextFormat, Value>;
}

/** In manifests of slices that are stored only as Parquet. */
export const NO_TEXTS: Readonly<Record<TextFormat, readonly []>> = /* @__PURE__ */ ofTextFormats(() => []);

/** A member that is undefined is left out of the text. */
export type Json = null | boolean | number | string | readonly Json[] | Fields;

export type Fields = { readonly [name: string]: Json | undefined };
