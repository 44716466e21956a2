/** The parts of which the JSON Schemas of documents are made. Pure. */
import type { TimeUnit, TreeExtract } from '../format/documents.ts';
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
/** The key in the list of datasets and in schema documents. Elsewhere a dataset's key is its path. */
export const KEY =
  'main_topic/sub_topic/topic: the place of the dataset among the subjects. It is not a path: paths, manifests and row envelopes use main_topic/topic.';
export const TEXT_OR_NULL = { type: ['string', 'null'] };
export const COUNT = { type: 'integer', minimum: 0 };
export const YEAR = { type: 'integer' };
export const YEAR_OR_NULL = { type: ['integer', 'null'] };
const UNITS = ['year', 'quarter', 'month', 'day', 'instant', 'none'] satisfies TimeUnit[];
export const TIME_UNIT = { type: 'string', enum: UNITS };
export const FLAG = { type: 'boolean' };
export const SCALAR = { type: ['string', 'number', 'boolean'] };
export const SCALAR_OR_NULL = { type: ['string', 'number', 'boolean', 'null'] };
export const COLUMN_TYPE = {
  type: 'string',
  enum: ['integer', 'string', 'number', 'boolean', 'date', 'timestamp'],
};
export const SCOPE = { type: 'string', enum: ['global', 'domain'] };
export const FILTER_KIND = {
  type: 'string',
  enum: [
    'year_exact',
    'year_range',
    'detail',
    'foreign_key',
    'categorical',
    'dimension_attribute',
    'time',
    'range',
    'place',
  ],
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

export const STAMP = {
  format: note(TEXT, 'Version of the published format.'),
  release: note(TEXT, 'Release of the content that the document describes.'),
  sample: note(FLAG, 'True if the rows are synthetic, otherwise absent.'),
};

export const EXTRACT = {
  extract: shape<TreeExtract>(
    {
      only: note(TEXT, 'The datasets of the tree, as domain/topic, separated by commas.'),
      release: note(TEXT, 'The release with all datasets; absent if the publisher has published none.'),
    },
    ['release'],
  ),
};

export const VALUE_LABELS = note({ type: 'object', additionalProperties: TEXT }, 'Words for values.');

export const OTHER_KEYS = note(
  { type: 'object', additionalProperties: SCALAR },
  'The other columns of a composite key.',
);

export const KEY_POSITION = note(
  { type: ['integer', 'null'], minimum: 1 },
  'Position from 1; null for attributes.',
);
