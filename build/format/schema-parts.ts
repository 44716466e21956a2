/** The parts of which the schemas of documents are made. Each schema gives its type too: see `Of`. */
import * as Type from 'typebox';

/** The value that a schema describes. */
export type Of<Schema extends Type.TSchema> = Fixed<Type.Static<Schema>>;

type Fixed<Value> = Value extends readonly (infer Item)[]
  ? readonly Fixed<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: Fixed<Value[Name]> }
    : Value;

export type Scalar = string | number | boolean;

/** The schema with a description for readers of openapi.json. Its marks aren't enumerable, so a spread would lose them. */
export function note<Schema extends Type.TSchema>(schema: Schema, description: string): Schema {
  const own = Object.getOwnPropertyDescriptors(schema);
  return Object.create({}, { ...own, description: { value: description, enumerable: true } }) as Schema;
}

export function orNull<Schema extends Type.TSchema>(schema: Schema) {
  return Type.Unsafe<Type.Static<Schema> | null>({ oneOf: [schema, { type: 'null' }] });
}

export function choice<const Value extends string>(...values: readonly Value[]) {
  return Type.Unsafe<Value>({ type: 'string', enum: values });
}

/** Any names, each with such a value. */
export function mapOf<Schema extends Type.TSchema>(schema: Schema) {
  return Type.Unsafe<Record<string, Type.Static<Schema>>>({ type: 'object', additionalProperties: schema });
}

export const listOf = Type.Array;
export const optional = Type.Optional;
export const shape = Type.Object;
export const constant = Type.Literal;

export const TEXT = Type.String();
export const TEXT_OR_NULL = Type.Unsafe<string | null>({ type: ['string', 'null'] });
export const DATE = Type.String({ format: 'date' });
export const COUNT = Type.Integer({ minimum: 0 });
export const YEAR = Type.Integer();
export const YEAR_OR_NULL = Type.Unsafe<number | null>({ type: ['integer', 'null'] });
export const NUMBER = Type.Number();
export const NUMBER_OR_NULL = Type.Unsafe<number | null>({ type: ['number', 'null'] });
export const FLAG = Type.Boolean();
export const TRUE = Type.Unsafe<true>({ const: true });
export const SCALAR = Type.Unsafe<Scalar>({ type: ['string', 'number', 'boolean'] });
export const SCALAR_OR_NULL = Type.Unsafe<Scalar | null>({ type: ['string', 'number', 'boolean', 'null'] });
export const COLUMN_TYPE = choice('integer', 'string', 'number', 'boolean', 'date', 'timestamp');
export const SCOPE = choice('global', 'domain');
export const FILTER_KIND = choice(
  'year_exact',
  'year_range',
  'detail',
  'foreign_key',
  'categorical',
  'dimension_attribute',
  'time',
  'range',
  'place',
);
/** The period that one row is about. The rows of `instant` say a moment, and those of `none` have no time. */
export const TIME_UNIT = choice('year', 'quarter', 'month', 'day', 'instant', 'none');
export const VALUE_LABELS = note(mapOf(TEXT), 'Words for values.');

/** The key in the list of datasets and in schema documents. Elsewhere a dataset's key is its path. */
export const KEY = note(
  TEXT,
  'main_topic/sub_topic/topic: the place of the dataset among the subjects. It is not a path: paths, manifests and row envelopes use main_topic/topic.',
);

/** The fields of every document. */
export const STAMP = {
  format: note(TEXT, 'Version of the published format.'),
  release: note(TEXT, 'Release of the content that the document describes.'),
  sample: optional(
    note(Type.Unsafe<true>({ type: 'boolean' }), 'True if the rows are synthetic, otherwise absent.'),
  ),
};

/** The datasets of an extract: a tree with only some of a service's datasets. */
export const TreeExtract = shape({
  only: note(TEXT, 'The datasets of the tree, as domain/topic, separated by commas.'),
  release: optional(note(TEXT, 'The release with all datasets; absent if the publisher has published none.')),
});

/** The fields of documents about the whole tree. */
export const TREE_STAMP = { ...STAMP, extract: optional(TreeExtract) };

export type ColumnType = Of<typeof COLUMN_TYPE>;
export type FilterKind = Of<typeof FILTER_KIND>;
export type TimeUnit = Of<typeof TIME_UNIT>;
export type TreeExtract = Of<typeof TreeExtract>;
const Stamp = shape(STAMP);
export type Stamp = Of<typeof Stamp>;
const TreeStamp = shape(TREE_STAMP);
export type TreeStamp = Of<typeof TreeStamp>;
