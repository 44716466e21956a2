/** A request: what a reader asks of a table, typed and checked. Equal questions give equal requests. */
import type { RowFormat } from '../../build/format/documents.ts';
import { type Condition, describeConditions } from './condition.ts';

export interface RowsRequest {
  readonly format: RowFormat;
  /** The level of detail; a dimension has only one. */
  readonly detail: string;
  readonly years: YearRange;
  /** In the alphabetical order of their parameters. A row must satisfy all of them. */
  readonly conditions: readonly Condition[];
  readonly offset: number;
  /** The most rows; null means all. Never null in JSON. */
  readonly limit: number | null;
  /** The date or the release whose rows are asked for; absent for those of today. */
  readonly asOf?: string;
  /** Present, and true, if each value that one figure had is asked for. */
  readonly history?: true;
}

/** The years that a question asks for. All three bounds must hold; null sets no bound. */
export interface YearRange {
  readonly exact: number | null;
  readonly min: number | null;
  readonly max: number | null;
}

export const ALL_YEARS: YearRange = { exact: null, min: null, max: null };

export function holdsYear({ exact, min, max }: YearRange, year: number): boolean {
  return (exact === null || year === exact) && (min === null || year >= min) && (max === null || year <= max);
}

/** The request as one text, however its query was written. ETags are made of it. */
export function canonicalText(table: string, request: RowsRequest): string {
  const { format, detail, years, conditions, offset, limit, asOf } = request;
  const { exact, min, max } = years;
  const filters = describeConditions(conditions);
  const all = [table, format, detail, exact, min, max, filters, offset, limit];
  return JSON.stringify(asOf === undefined ? all : [...all, asOf]);
}
