/** Statistics of the rows of a level, for choosing among them. */
import type { Scalar, Stamp } from './documents.ts';

/** `api/v1/{domain}/{topic}/statistics/{detail}.json`. Every number counts rows of the level, totals of axes included. */
export interface StatisticsDocument extends Stamp {
  readonly dataset: string;
  readonly detail: string;
  readonly rows: number;
  /** Ascending; empty in a dataset without time, whose lists by year have one item. */
  readonly years: readonly number[];
  /** By year. */
  readonly year_rows: readonly number[];
  /** In the order of the manifest. */
  readonly columns: readonly ColumnStatistics[];
  /** Present if there are at least two axes and at most 5,000 combinations. */
  readonly combinations?: Combinations;
}

export interface ColumnStatistics {
  readonly name: string;
  /** Rows without a value, by year. */
  readonly nulls: readonly number[];
  /** The number of different values; absent on figures. */
  readonly distinct?: number;
  /** The least and the greatest value of numbers and times; null if there is no value. */
  readonly min?: Scalar | null;
  readonly max?: Scalar | null;
  /**
   * By year, on integers with the unit `count` if every axis has a total: the mean over the rows at all totals that have
   * a value; null if none has. Other figures have no mean, since without weights it would say nothing.
   */
  readonly mean?: readonly (number | null)[];
  /** On columns with ranges: rows in 20 equal parts from `min` to `max`, or in one if both are equal. */
  readonly histogram?: readonly number[];
  /** On axes and columns whose values are a list, ascending; absent beyond 1,000 values. */
  readonly values?: readonly ValueCount[];
}

export interface ValueCount {
  readonly value: Scalar;
  /** By year. */
  readonly rows: readonly number[];
}

/** The combinations that have rows. */
export interface Combinations {
  /** The column of the year, if there is one, then the axes. */
  readonly columns: readonly string[];
  /** Each with its values, ascending with NULL first, and its number of rows. */
  readonly rows: readonly (readonly (Scalar | null)[])[];
}
