/**
 * The custom properties that this service reads. Each is stated once: its schema, and what docs/contracts.md and
 * contract.schema.json say about it.
 */
import * as Type from 'typebox';
import { choice, FLAG, mapOf, NUMBER, type Of, optional, SCOPE, TEXT } from '../format/document-schemas.ts';
import type { Shape } from './validator.ts';

export interface CustomProperty<Schema extends Type.TSchema = Type.TSchema> {
  readonly schema: Schema;
  readonly about: string;
  /** What holds without the property, if anything. */
  readonly without?: string;
  /** A value as YAML. */
  readonly example: string;
}

type Properties = Readonly<Record<string, CustomProperty>>;
type ValuesOf<Stated extends Properties> = { readonly [Name in keyof Stated]: Of<Stated[Name]['schema']> };

function property<Schema extends Type.TSchema>(
  schema: Schema,
  note: Omit<CustomProperty, 'schema'>,
): CustomProperty<Schema> {
  return { schema, ...note };
}

function shapeOf(name: string, stated: Properties): Shape {
  const properties = Object.fromEntries(Object.entries(stated).map(([key, { schema }]) => [key, schema]));
  return { name, errors: 'all', schema: { type: 'object', properties } };
}

/** Values that this service publishes as they are, or that other tools may also write. */
const ANY = Type.Unknown();
const names = Type.Array(TEXT, { uniqueItems: true });
const someNames = (description: string) => Type.Array(TEXT, { uniqueItems: true, minItems: 1, description });
const stated = (description: string) => Type.String({ pattern: '\\S', description });
const words = Type.Array(stated('a text'), { uniqueItems: true });
const years = Type.Array(Type.Integer(), { uniqueItems: true });
const decimal = choice('.', ',');
const group = choice('.', ',', ' ', "'");

export type YearList = string | number | readonly number[];
const yearList = Type.Unsafe<YearList>({
  type: ['string', 'integer', 'array'],
  items: { type: 'integer' },
  description: 'a range such as "2004-2024", one year or a list of years',
});

/** Figures up to and including the year `after` can't be compared with later ones. */
const seriesBreak = Type.Object({
  after: Type.Integer(),
  reason: Type.String({ minLength: 1, description: 'a sentence' }),
  /** The levels concerned; all if absent. */
  levels: optional(someNames('a list of at least one level')),
});
export type SeriesBreak = Of<typeof seriesBreak>;
const seriesBreaks = Type.Array(seriesBreak);

/** Years and levels withdraw a part of a dataset that stays published. */
const withdrawal = Type.Object(
  {
    date: TEXT,
    reason: TEXT,
    replacement: optional(TEXT),
    years: optional(yearList),
    levels: optional(someNames('a list of at least one level')),
    forget: optional(FLAG),
  },
  { additionalProperties: false },
);
type Withdrawal = Of<typeof withdrawal>;
const withdrawn = Type.Unsafe<Withdrawal | readonly Withdrawal[]>({
  ...withdrawal,
  type: ['object', 'array'],
  items: withdrawal,
  description: 'a mapping with a date and a reason, or a list of such mappings',
});

const errata = Type.Array(
  Type.Object(
    {
      date: TEXT,
      wrong: TEXT,
      corrected: TEXT,
      releases: optional(names),
      years: optional(years),
      levels: optional(names),
      columns: optional(names),
      forget: optional(FLAG),
    },
    { additionalProperties: false },
  ),
);

const fileLayout = Type.Object(
  {
    sheet: optional(Type.String({ minLength: 1, description: 'the name of a sheet' })),
    /** Counts from 1; the last one if there are several. */
    header_line: optional(Type.Integer({ minimum: 1, description: 'the number of a line' })),
    header_lines: optional(Type.Integer({ minimum: 1, description: 'a number of lines' })),
    skip_rows: optional(
      Type.Array(Type.String({ minLength: 1, description: 'a text' }), {
        description: 'a list of texts with which rows begin',
      }),
    ),
    /** If absent, hidden cells are skipped with a warning. */
    hidden: optional(choice('skip', 'read')),
    year_columns: optional(
      Type.Unsafe<Record<string, string>>({
        type: 'object',
        minProperties: 1,
        additionalProperties: { type: 'string', pattern: '\\{year\\}', description: 'a name with {year}' },
        description: 'a mapping from columns to names with {year}',
      }),
    ),
  },
  { additionalProperties: false },
);
/** How to find the table in a file that holds more than a table. */
export type FileLayout = Of<typeof fileLayout>;

const foreignKey = Type.Object({
  column: TEXT,
  target_object: TEXT,
  target_columns: optional(someNames('a list of at least one column')),
  attribute_columns: optional(names),
  /** The name of `attribute_columns` in the published schema document. */
  attribute_columns_added: optional(names),
  scope: optional(SCOPE),
});

const missingValues = Type.Unsafe<readonly (string | number)[]>({
  type: 'array',
  uniqueItems: true,
  minItems: 1,
  items: { type: ['string', 'number'] },
  description: 'a list of texts and numbers',
});

const valueLabels = Type.Unsafe<Record<string, string>>({
  type: 'object',
  additionalProperties: stated('a text'),
  description: 'a mapping from values to words',
});

export const ROOT_PROPERTIES = {
  title: property(TEXT, {
    about: 'The title on pages and in catalogues.',
    without: "the contract's `name`; of several tables, each table's `businessName` or `name`",
    example: 'Fine dust',
  }),
  summary: property(TEXT, {
    about: 'One sentence for lists and search results.',
    example: 'How much fine dust the air holds, by station and month.',
  }),
  source: property(TEXT, {
    about: 'The table, report or file that the figures come from.',
    example: 'Air monitoring network, table 4',
  }),
  source_url: property(TEXT, {
    about: 'The address of that source.',
    example: 'https://air.example.org/tables/4',
  }),
  creator: property(ANY, {
    about: 'The office that produced the figures. Only a text is read.',
    without: 'catalogues name the publisher alone',
    example: 'Office for Clean Air',
  }),
  area: property(stated('a name'), {
    about: 'The name of the area that the rows of the whole describe.',
    without: "that of publisher.yaml, else the level's name",
    example: 'North Coast',
  }),
  synonyms: property(words, {
    about: 'Other words by which people look for the dataset.',
    example: '[particulate matter, soot]',
  }),
  questions: property(
    Type.Array(Type.Object({ question: stated('a sentence'), view: TEXT }, { additionalProperties: false })),
    {
      about:
        "Questions that the dataset's page lists, each with the `view` that answers it: what follows `?` in the page's address.",
      example: '[{ question: Which stations have the most dust?, view: "detail=stations&view=bars" }]',
    },
  ),
  update_frequency: property(TEXT, {
    about:
      'How often figures are added, in words. A term of the Dublin Core frequency vocabulary, such as `quarterly`, also gives the day by which new ones are due. By default, the `frequency` of `slaProperties`.',
    example: 'annual',
  }),
  year_range: property(yearList, {
    about:
      'The years that the dataset promises: a range, one year or a list. A build warns if the lake lacks one.',
    without: 'the years that the lake has',
    example: '"2004-2024"',
  }),
  year_gaps: property(years, {
    about: 'Years within `year_range` that will never have figures.',
    without: 'with `available_years`, the years that the list leaves out',
    example: '[2020]',
  }),
  available_years: property(years, {
    about: 'The promised years one by one, in place of `year_range` or to confirm it.',
    without: '`year_range` without `year_gaps`',
    example: '[2010, 2015, 2020]',
  }),
  schema_hash: property(ANY, {
    about:
      "A hash of the schema, `civic-tree:` and 64 digits. A build warns if the schema has another. Other tools' hashes are ignored.",
    example: 'civic-tree:0f343b0931126a20f133d67c2b018a3b1e6f1d0f2c1b3a4d5e6f708192a3b4c5',
  }),
  withdrawn: property(withdrawn, {
    about:
      'When and why the contract (with `status: retired`), or some `years` or `levels`, are no longer published. `replacement` names a dataset or an address. A list withdraws several parts. `forget: true` beside `years` or `levels` also deletes their earlier rows.',
    example: '{ date: 2026-11-23, reason: "The instruments were wrong.", years: "2004-2006" }',
  }),
  errata: property(errata, {
    about:
      'Mistakes in earlier releases: `date`, `wrong`, `corrected`, and if they apply `releases`, `years`, `levels`, `columns`. `forget: true` deletes the earlier files of these years and levels. Add errata; never remove them.',
    example:
      '[{ date: 2026-11-23, wrong: Totals counted twice., corrected: They count once., years: [2023] }]',
  }),
  row_loss_limit: property(Type.Number({ minimum: 0, maximum: 100, description: 'a percentage' }), {
    about:
      'How many percent of its rows a slice may lose from one release to the next. A build that loses more stops, unless a new erratum of the slice or a raised major version announces it.',
    without: '10',
    example: '25',
  }),
} satisfies Properties;
export type RootProperties = ValuesOf<typeof ROOT_PROPERTIES>;
export const ROOT_SHAPE = shapeOf('root', ROOT_PROPERTIES);

/** Properties of tables that only dimensions have. */
export const OF_DIMENSIONS: ReadonlySet<string> = new Set<keyof ObjectProperties>([
  'entity_kind',
  'scope',
  'physical_basename',
  'link_keys',
  'semantics',
  'boundary_key',
  'rows_of',
]);

export const TABLE_PROPERTIES = {
  sub_topic: property(TEXT, {
    about: "A second word for the dataset's place in catalogues, not in addresses.",
    without: 'the topic',
    example: 'air',
  }),
  detail_levels: property(someNames('a list of at least one level'), {
    about: 'The levels of detail. Each has files of its own in the lake.',
    without: "the levels that the lake's files name, else one level `all`",
    example: '[stations, regions]',
  }),
  default_detail: property(TEXT, {
    about: 'The level of a request that names none.',
    without: 'the first of `detail_levels`',
    example: 'stations',
  }),
  grain: property(someNames('a list of at least one column'), {
    about:
      'The columns that make a row unique, in the order of the rows. A build refuses two rows that share them; NULL counts as a value.',
    without:
      'the columns marked `primaryKey`; else all that are neither measured nor described, and rows that share them only warn',
    example: '[year, station, month]',
  }),
  key_metric: property(TEXT, {
    about: 'The metric that pages show first. A column may be flagged `key_metric` instead.',
    without: 'the first metric that has figures',
    example: 'pm25',
  }),
  null_semantics: property(
    Type.Object({ suppressed_to_null: optional(FLAG), zero_is_real: optional(FLAG) }),
    {
      about: '`suppressed_to_null`: withheld figures are NULL. `zero_is_real`: a zero was counted.',
      example: '{ suppressed_to_null: true, zero_is_real: true }',
    },
  ),
  path_template: property(TEXT, {
    about: 'Where the lake has the rows: `{year}` and `{detail}` stand for both, `*` for a part of a name.',
    without: 'the places that data/README.md lists',
    example: 'air/dust/year={year}/{detail}-*.parquet',
  }),
  file_layout: property(fileLayout, {
    about:
      'Where the table is in a file that holds more than a table: `sheet`; `header_line`, the number of the line or row with the names; `header_lines`, if names take several lines, of which `header_line` is the last; `skip_rows`, texts with which rows to leave out begin, or which they have as a value (an empty list publishes every row); `hidden`: `skip` or `read` what a workbook hides; `year_columns`, columns that the file repeats for each year: `{ population: "pop_{year}" }` reads `pop_2019` and `pop_2020` as two rows, with a column of role `year`.',
    without:
      "the header is the line with the columns' names; footers and what a workbook hides are left out, with a note; a total row is asked about",
    example: '{ sheet: Places, header_line: 4, skip_rows: [Total], hidden: skip }',
  }),
  foreign_keys: property(Type.Array(foreignKey), {
    about:
      'The dimensions that `fk_…` columns join: `column`, `target_object`, and if needed `target_columns`, `attribute_columns` (what the join adds) and `scope`.',
    without: "the column's `relationships`, with all attributes",
    example: '[{ column: station, target_object: stations, attribute_columns: [station_name] }]',
  }),
  example_queries: property(Type.Array(Type.Object({ description: TEXT, query: TEXT })), {
    about: 'SQL for readers to start from, over a table named like the topic.',
    without: 'the build writes some',
    example: '[{ description: The latest year., query: "SELECT * FROM dust WHERE year = 2024" }]',
  }),
  explorer: property(FLAG, {
    about: "Whether other publishers' pages of figures should show the dataset. Published as it is.",
    example: 'true',
  }),
  level_keys: property(mapOf(names), {
    about:
      'The place columns that the rows of a level fill. All other nullable place columns are NULL there.',
    without: "those of the join whose dimension, or whose role's noun, has the level's name",
    example: '{ stations: [region, station], regions: [region] }',
  }),
  level_years: property(mapOf(yearList), {
    about: "The years of levels that lack some of the dataset's.",
    without: 'every level has every year',
    example: '{ stations: "2015-2024" }',
  }),
  series_breaks: property(seriesBreaks, {
    about:
      "Years `after` which figures don't compare with earlier ones, with a `reason` and if need be `levels`. Charts break their lines there.",
    example: '[{ after: 2019, reason: "New instruments from 2020 on." }]',
  }),
  pooled_years: property(Type.Integer({ minimum: 2, description: 'a number of years, 2 or more' }), {
    about: "How many years of answers each year's figures pool, 2 or more. Charts say so.",
    example: '5',
  }),
  decimal: property(decimal, {
    about: '`.` or `,` before the fraction of numbers that files write as text.',
    without: 'what the values leave no doubt of; a build refuses others',
    example: '","',
  }),
  group: property(group, {
    about: 'What separates the thousands of such numbers: `.`, `,`, a space or an apostrophe.',
    without: 'as for `decimal`',
    example: '"."',
  }),
  entity_kind: property(TEXT, {
    about: 'Makes the table a dimension, which datasets join.',
    without: 'the table is a dataset',
    example: 'dimension',
  }),
  scope: property(SCOPE, {
    about: 'Whether a dimension belongs to its domain (`domain`) or to all (`global`).',
    without: '`domain` if the contract states a domain, else `global`',
    example: 'global',
  }),
  physical_basename: property(TEXT, {
    about: "The name of the dimension's file in the lake, without folders.",
    without: "the table's name",
    example: 'all_stations',
  }),
  link_keys: property(ANY, {
    about:
      'Columns by which the dimension links to other data: names, or mappings of `column`, `target`, `via` and `note`. Published as they are.',
    without: 'the columns flagged `link_key`',
    example: '[{ column: eoi_code, target: eea/stations, note: "Seven characters." }]',
  }),
  semantics: property(ANY, {
    about:
      'Notes on the values. `exclusive_within` names the attribute within which values exclude one another, so that they may add up.',
    example: '{ exclusive_within: kind_of_site }',
  }),
  boundary_key: property(TEXT, {
    about: "The property of the features in the dimension's boundaries that holds its key.",
    without: '`id`, or the property whose values are the keys of most places',
    example: 'region_code',
  }),
  rows_of: property(TEXT, {
    about:
      'The dataset that has every column of the dimension. Each build draws the dimension from its rows, one for each key, with the values that most rows have.',
    without: 'the lake has a file of the dimension',
    example: 'air/fine_dust',
  }),
} satisfies Properties;
export type ObjectProperties = ValuesOf<typeof TABLE_PROPERTIES>;
export const OBJECT_SHAPE = shapeOf('object', TABLE_PROPERTIES);

export const COLUMN_PROPERTIES = {
  column_role: property(TEXT, {
    about: 'What the column is for: see Roles.',
    without: 'guessed from name and type; in a dimension `key` if `primaryKey` is true, else `attribute`',
    example: 'metric',
  }),
  label: property(TEXT, {
    about: "The column's name for people.",
    without: '`businessName`, else the name',
    example: 'Fine dust (PM2.5)',
  }),
  short_description: property(TEXT, {
    about: 'A few words for headings of tables and charts.',
    example: 'Mean of the month',
  }),
  unit: property(TEXT, {
    about: 'The unit of a metric: see Units.',
    without: 'a bare number without bounds',
    example: 'proportion',
  }),
  value_min: property(NUMBER, {
    about: 'The least value. A build refuses rows below it.',
    without: 'what the unit implies',
    example: '0',
  }),
  value_max: property(NUMBER, {
    about: 'The greatest value. A build refuses rows above it.',
    without: 'what the unit implies',
    example: '1',
  }),
  null_meaning: property(TEXT, {
    about: 'What an empty value means.',
    example: 'Fewer than 20 days were measured',
  }),
  missing_values: property(missingValues, {
    about:
      'Texts and numbers that are read as NULL. A text is compared without outer spaces, a number by its value. Not for a column with `required: true`.',
    without:
      "an empty field; in columns that aren't text also `NA`, `N/A`, `NaN`, `NULL`, `None`, `-` and `.`",
    example: '[-666666666, "*", TFS]',
  }),
  key_metric: property(FLAG, {
    about: 'Flags the metric that pages show first.',
    example: 'true',
  }),
  metric_component: property(choice('numerator', 'denominator'), {
    about: 'Whether the metric is the `numerator` or the `denominator` of the key metric.',
    example: 'denominator',
  }),
  key_metric_grain_contributor: property(FLAG, {
    about: 'Whether the column decides what one value of the key metric is about. Published as it is.',
    example: 'true',
  }),
  has_total: property(FLAG, {
    about: 'Whether the axis has a total row.',
    without: 'none is known: pages name the value that a figure is of',
    example: 'true',
  }),
  total_value: property(TEXT, {
    about: 'The value that marks the total row.',
    without: '`all` with `has_total: true`',
    example: 'All sites',
  }),
  headline_value: property(TEXT, {
    about: 'The value of an axis without a total at which the key figure is shown.',
    without: 'the value with the most figures',
    example: 'four_year',
  }),
  value_labels: property(valueLabels, {
    about: 'Words for values, in menus, tables, charts and workbooks.',
    without: 'the values as the source writes them',
    example: '{ cbp: Customs and Border Protection (CBP) }',
  }),
  synonyms: property(words, {
    about: 'Other words by which people look for the column.',
    example: '[particulate matter, soot]',
  }),
  decimal: property(decimal, {
    about: "Like the table's. A column that states `decimal` or `group` takes neither from the table.",
    without: "the table's",
    example: '","',
  }),
  group: property(group, {
    about: "Like the table's.",
    without: "the table's",
    example: '" "',
  }),
  renamed_from: property(TEXT, {
    about: "The column's name in the release before, so that comparisons and `history` follow it.",
    example: 'pm_25',
  }),
  time_unit: property(choice('year', 'quarter', 'month', 'day', 'instant'), {
    about: 'What a value of a column of role `time` is: a `year`, `quarter`, `month`, `day` or `instant`.',
    without: 'a date is a day, a timestamp an instant; a text needs it',
    example: 'quarter',
  }),
  series_breaks: property(seriesBreaks, {
    about: "Like the table's, for one metric.",
    example: '[{ after: 2021, reason: A new filter., levels: [stations] }]',
  }),
  link_key: property(ANY, {
    about:
      "Whether a dimension's column links to other data: `true`, a text, or mappings as in `link_keys`. Published as it is.",
    example: '{ target: eea/stations, via: eoi_code }',
  }),
  coordinate: property(choice('latitude', 'longitude'), {
    about:
      "Whether a dimension's column of degrees is `latitude` or `longitude`. With both, the map shows the places as points.",
    without: 'that of a column of numbers called `lat`, `latitude`, `lon`, `lng`, `long` or `longitude`',
    example: 'latitude',
  }),
} satisfies Properties;
export type ColumnProperties = ValuesOf<typeof COLUMN_PROPERTIES>;
export const COLUMN_SHAPE = shapeOf('column', COLUMN_PROPERTIES);
