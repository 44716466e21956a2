/** Parts from which the JSON Schemas of openapi.json are made. */
import type { Json } from '../format/json.ts';

type Fields<Document> = Readonly<Record<keyof Document & string, Json>>;

/** The schema of an object with exactly the fields of a type. All are required, except `optional`. */
export function shape<Document>(
  fields: Fields<Document>,
  optional: readonly (keyof Document & string)[] = [],
): Json {
  const required = (Object.keys(fields) as (keyof Document & string)[]).filter(
    name => !optional.includes(name),
  );
  return { type: 'object', required, properties: fields };
}

export const TEXT = { type: 'string' };
export const TEXT_OR_NULL = { type: ['string', 'null'] };
export const COUNT = { type: 'integer', minimum: 0 };
export const YEAR = { type: 'integer' };
export const FLAG = { type: 'boolean' };
export const SCALAR = { type: ['string', 'number', 'boolean'] };
export const SCALAR_OR_NULL = { type: ['string', 'number', 'boolean', 'null'] };
export const COLUMN_TYPE = { type: 'string', enum: ['integer', 'string', 'number', 'boolean'] };
export const SCOPE = { type: 'string', enum: ['global', 'domain'] };
export const FILTER_KIND = {
  type: 'string',
  enum: ['year_exact', 'year_range', 'detail', 'foreign_key', 'categorical', 'dimension_attribute'],
};

export function listOf(items: Json) {
  return { type: 'array', items };
}

export function orNull(schema: Json): Json {
  return { oneOf: [schema, { type: 'null' }] };
}

export function note(schema: Readonly<Record<string, Json>>, description: string): Json {
  return { ...schema, description };
}
export const VALUE_LABELS = {
  type: 'object',
  description: 'Words for values.',
  additionalProperties: TEXT,
};
