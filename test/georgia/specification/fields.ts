/** The field lists of the specification's 2.1 to 2.4 and 2.6: every name, and what a value of it must be. */

interface Field {
  readonly holds: (value: unknown) => boolean;
  /** Present on some only. */
  readonly optional: boolean;
}

export type Fields = Readonly<Record<string, Field>>;

function field(holds: Field['holds']): Field {
  return { holds, optional: false };
}

function optional({ holds }: Field): Field {
  return { holds, optional: true };
}

function orNull({ holds }: Field): Field {
  return field(value => value === null || holds(value));
}

function listOf({ holds }: Field): Field {
  return field(value => Array.isArray(value) && value.every(holds));
}

function oneOf(...values: readonly string[]): Field {
  return field(value => typeof value === 'string' && values.includes(value));
}

const string = field(value => typeof value === 'string');
const text = field(value => typeof value === 'string' && value.trim() !== '');
const integer = field(Number.isInteger);
const number = field(Number.isFinite);
const boolean = field(value => typeof value === 'boolean');
const scalar = field(value => string.holds(value) || number.holds(value) || boolean.holds(value));
const hash = field(value => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value));
const object = field(value => typeof value === 'object' && value !== null && !Array.isArray(value));
const labels = field(value => object.holds(value) && Object.values(value as object).every(text.holds));
const booleans = field(
  value =>
    object.holds(value) &&
    Object.keys(value as object)
      .sort()
      .join() === 'suppressed_to_null,zero_is_real' &&
    Object.values(value as object).every(boolean.holds),
);
const queries = listOf(
  field(
    value =>
      object.holds(value) &&
      Object.keys(value as object)
        .sort()
        .join() === 'description,query' &&
      Object.values(value as object).every(text.holds),
  ),
);
const array = field(Array.isArray);
const strings = listOf(string);
const integers = listOf(integer);
const scalars = listOf(scalar);

/** Fields of every published document. */
const STAMP: Fields = {
  format: text,
  release: text,
  sample: optional(boolean),
};

/** 2.1 */
export const DATASET_FIELDS: Fields = {
  ...STAMP,
  main_topic: oneOf('education', 'census', 'immigration'),
  sub_topic: text,
  topic: text,
  key: text,
  version: text,
  year_min: integer,
  year_max: integer,
  year_gaps: integers,
  available_years: integers,
  update_frequency: text,
  detail_levels: strings,
  default_detail: text,
  coverage_note: optional(text),
  path_template: text,
  grain: strings,
  title: text,
  summary: text,
  description: text,
  explorer: optional(boolean),
  source: text,
  source_url: text,
  creator: optional(text),
  endpoint: text,
  columns: array,
  key_metric: text,
  usage: text,
  limitations: text,
  null_semantics: booleans,
  schema_hash: hash,
  tags: strings,
  granularity_description: text,
  example_queries: queries,
  foreign_keys: array,
  filters: array,
  filter_hints: array,
  values_endpoint: text,
  area: optional(text),
  synonyms: optional(strings),
  questions: optional(array),
  statistics_template: optional(text),
};

/** 2.2, and `total_value`, which says what 2.5.4 does of an axis. */
export const COLUMN_FIELDS: Fields = {
  name: text,
  type: oneOf('integer', 'string', 'number', 'boolean'),
  role: oneOf(
    'year',
    'categorical',
    'metric',
    'fk_county',
    'fk_demographic',
    'fk_district',
    'fk_school',
    'fk_tract',
    'fk_block_group',
  ),
  nullable: boolean,
  label: text,
  short_description: string,
  description: text,
  valid_values: orNull(scalars),
  example: orNull(scalar),
  unit: orNull(string),
  value_min: orNull(number),
  value_max: orNull(number),
  null_meaning: orNull(string),
  key_metric_grain_contributor: boolean,
  metric_component: orNull(string),
  total_value: optional(text),
  headline_value: optional(text),
  value_labels: optional(labels),
  synonyms: optional(strings),
};

/** 2.3 */
export const FILTER_FIELDS: Fields = {
  param: text,
  kind: oneOf(
    'year_exact',
    'year_range',
    'detail',
    'foreign_key',
    'dimension_attribute',
    'categorical',
    'place',
    'range',
  ),
  type: oneOf('integer', 'string', 'number'),
  multi_value: boolean,
  enum_enforced: boolean,
  values: orNull(strings),
  default: optional(text),
  column: optional(text),
  dimension: optional(text),
  columns: optional(strings),
  bound: optional(oneOf('min', 'max')),
};

/** 2.4 */
export const FOREIGN_KEY_FIELDS: Fields = {
  column: text,
  target_object: text,
  target_columns: strings,
  attribute_columns_added: strings,
  scope: oneOf('global', 'domain'),
};

/** 2.6 */
export const DIMENSION_FIELDS: Fields = {
  ...STAMP,
  name: text,
  title: text,
  description: text,
  version: text,
  scope: oneOf('global', 'domain'),
  schema_hash: hash,
  primary_key: strings,
  attribute_columns: strings,
  columns: array,
  rows: integer,
  endpoint: text,
  link_keys: optional(strings),
  semantics: optional(object),
};

export const DIMENSION_COLUMN_FIELDS: Fields = {
  name: text,
  type: oneOf('integer', 'string', 'number', 'boolean'),
  role: oneOf('key', 'attribute'),
  nullable: boolean,
  label: text,
  description: text,
  primary_key_position: orNull(integer),
  valid_values: orNull(scalars),
  value_labels: optional(labels),
};

/** Fields that are missing, hold what they must not, or are in no list. */
export function fieldProblems(value: object, fields: Fields): string[] {
  const entries = new Map(Object.entries(value));
  const name = String(entries.get('name') ?? entries.get('param') ?? entries.get('column') ?? '');
  const wrong = Object.entries(fields).flatMap(([key, { holds, optional: absent }]) => {
    if (!entries.has(key)) return absent ? [] : [`${name} lacks ${key}`];
    return holds(entries.get(key)) ? [] : [`${name} has ${key} ${JSON.stringify(entries.get(key))}`];
  });
  const extra = [...entries.keys()].filter(key => !(key in fields));
  return [...wrong, ...extra.map(key => `${name} has ${key}, which no list names`)];
}
