/** Judges whether the rows show that a family adds up, and which cells it then discloses. Pure. */
import type { LakeSlice } from '../lake/inventory.ts';

/** Percentage of completely published families that must add up before the others are assumed to. */
export const ADDING_PERCENT = 95;

/** The evidence on one metric along one family. */
export interface DisclosureFinding {
  readonly metric: string;
  /** In words: an axis, an axis within an attribute's value, or two levels. */
  readonly along: string;
  readonly years: readonly number[];
  /**
   * In those years, how many families are published completely with a total other than 0, and how many of them add up.
   */
  readonly whole: number;
  readonly adding: number;
}

export interface DisclosedCells extends DisclosureFinding {
  readonly cells: number;
  readonly slices: readonly { readonly year: number; readonly detail: string; readonly cells: number }[];
}

/** The counts of one metric and one part of a family in one slice. */
export interface FamilyCounts {
  readonly metric: number;
  readonly part: string | null;
  readonly slice: number;
  readonly whole: number;
  readonly adding: number;
  readonly cells: number;
}

/**
 * Divides the slices into those of years in which the family adds up, and the others. Each year is judged by its own
 * families, because sources change what they count. A year without a completely published family is judged by all
 * years. Slices with neither evidence nor a derivable cell are left out.
 */
export function judgeYears(counted: readonly FamilyCounts[], slices: readonly LakeSlice[]) {
  const rows = counted.filter(({ whole, cells }) => whole > 0 || cells > 0);
  const addsUp = (some: readonly FamilyCounts[]): boolean | null => {
    const whole = sumOf(some, 'whole');
    return whole === 0 ? null : 100 * sumOf(some, 'adding') >= ADDING_PERCENT * whole;
  };
  const overall = addsUp(rows) ?? false;
  const yearOf = (row: FamilyCounts) => slices[row.slice]?.year;
  const holds = new Map(
    [...new Set(rows.map(yearOf))].map(year => [
      year,
      addsUp(rows.filter(row => yearOf(row) === year)) ?? overall,
    ]),
  );
  return {
    adding: rows.filter(row => holds.get(yearOf(row)) === true),
    others: rows.filter(row => holds.get(yearOf(row)) === false),
  };
}

function sumOf(rows: readonly FamilyCounts[], name: 'whole' | 'adding'): number {
  return rows.reduce((sum, row) => sum + row[name], 0);
}

/** Sums the evidence of several slices. */
export function evidenceOf(rows: readonly FamilyCounts[], slices: readonly LakeSlice[]) {
  const years = new Set(rows.flatMap(row => slices[row.slice]?.year ?? []));
  return {
    years: [...years].sort((a, b) => a - b),
    whole: sumOf(rows, 'whole'),
    adding: sumOf(rows, 'adding'),
  };
}

/** The slices in which cells can be derived, and how many in each. */
export function disclosedSlices(
  rows: readonly FamilyCounts[],
  slices: readonly LakeSlice[],
): DisclosedCells['slices'] {
  return rows.flatMap(({ slice, cells }) => {
    const { year, detail } = slices[slice] ?? {};
    return cells > 0 && year !== undefined && detail !== undefined ? [{ year, detail, cells }] : [];
  });
}
