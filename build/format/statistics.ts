/** Statistics of the rows of a level, for choosing among them: schemas and types. */
import {
  COUNT,
  listOf,
  NUMBER,
  note,
  type Of,
  optional,
  orNull,
  SCALAR,
  SCALAR_OR_NULL,
  STAMP,
  shape,
  TEXT,
  YEAR,
} from './schema-parts.ts';

const ValueCount = shape({ value: SCALAR, rows: note(listOf(COUNT), 'Rows by year.') });
export type ValueCount = Of<typeof ValueCount>;

const ColumnStatistics = shape({
  name: TEXT,
  nulls: note(listOf(COUNT), 'Rows without a value, by year.'),
  distinct: optional(note(COUNT, 'Different values; absent on figures.')),
  // Both are null if there is no value.
  min: optional(note(SCALAR_OR_NULL, 'The least value of numbers and times.')),
  max: optional(SCALAR_OR_NULL),
  /**
   * On integers with the unit `count` if every axis has a total; null if no row at all totals has a value. Other
   * figures have no mean, since without weights it would say nothing.
   */
  mean: optional(
    note(listOf(orNull(NUMBER)), 'By year, of counts alone, over the rows at the totals of all axes.'),
  ),
  /** On columns with ranges: 20 parts, or one if both ends are equal. */
  histogram: optional(note(listOf(COUNT), 'Rows in equal parts from min to max.')),
  /** On axes and columns whose values are a list, ascending; absent beyond 1,000 values. */
  values: optional(listOf(ValueCount)),
});
export type ColumnStatistics = Of<typeof ColumnStatistics>;

/** The combinations that have rows, each with its values ascending with NULL first. */
const Combinations = shape({
  columns: note(listOf(TEXT), 'The column of the year, then the axes.'),
  rows: note(listOf(listOf(SCALAR_OR_NULL)), 'Values, and last the number of their rows.'),
});

/** `api/v1/{domain}/{topic}/statistics/{detail}.json`. Every number counts rows of the level, totals of axes included. */
export const StatisticsDocument = shape({
  ...STAMP,
  dataset: TEXT,
  detail: note(TEXT, 'The level.'),
  rows: COUNT,
  years: note(listOf(YEAR), 'Ascending; empty without time. Lists by year follow it.'),
  year_rows: note(listOf(COUNT), 'Rows by year.'),
  /** In the order of the manifest. */
  columns: listOf(ColumnStatistics),
  /** Present if there are at least two axes and at most 5,000 combinations. */
  combinations: optional(Combinations),
});
export type StatisticsDocument = Of<typeof StatisticsDocument>;
