/**
 * The ways in which counts add up (a total and its parts), and the SQL that finds cells that can be derived from them.
 */
import type { Contracts, Dataset } from '../contract/dataset.ts';
import { ascending } from '../contract/years-and-levels.ts';
import { OWN_SCHEMA, SLICE_COLUMN } from '../lake/fact-table.ts';
import type { LakeSlice } from '../lake/inventory.ts';
import { identifier, literal, literals } from '../lake/sql.ts';

/**
 * Percentage of completely published families that must add up; then the others are assumed to add up too.
 */
export const ADDING_PERCENT = 95;

export interface DisclosureFinding {
  readonly metric: string;
  /** In words: an axis, an axis within an attribute's value, or two levels. */
  readonly along: string;
  readonly years: readonly number[];
  /** In those years: families published completely with a total other than 0, and how many of them add up. */
  readonly whole: number;
  readonly adding: number;
}

export interface DisclosedCells extends DisclosureFinding {
  readonly cells: number;
  readonly slices: readonly { readonly year: number; readonly detail: string; readonly cells: number }[];
}

/** Of one metric and one part of a family in one slice. */
export interface FamilyCounts {
  readonly metric: number;
  readonly part: string | null;
  readonly slice: number;
  readonly whole: number;
  readonly adding: number;
  readonly cells: number;
}

/**
 * Separates slices of years in which the family adds up from others. Each year is judged by its own families,
 * because sources change what they count; a year without a completely published family by all years. Slices
 * with neither evidence nor derivable cells are dropped.
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

export function evidenceOf(rows: readonly FamilyCounts[], slices: readonly LakeSlice[]) {
  return {
    years: ascending(rows.flatMap(row => slices[row.slice]?.year ?? [])),
    whole: sumOf(rows, 'whole'),
    adding: sumOf(rows, 'adding'),
  };
}

/** The slices in which cells can be derived. */
export function disclosedSlices(
  rows: readonly FamilyCounts[],
  slices: readonly LakeSlice[],
): DisclosedCells['slices'] {
  return rows.flatMap(({ slice, cells }) => {
    const { year, detail } = slices[slice] ?? {};
    return cells > 0 && year !== undefined && detail !== undefined ? [{ year, detail, cells }] : [];
  });
}

/** Rows that share `keys`, year and level form a family: a total and its parts. */
export type DisclosureFamily =
  /** The axis's total and its other values. */
  | {
      readonly kind: 'axis';
      readonly column: string;
      readonly total: string;
      readonly keys: readonly string[];
    }
  /**
   * The axis's total and the values that share an attribute. Only values within one attribute exclude one
   * another.
   */
  | {
      readonly kind: 'attribute';
      readonly column: string;
      readonly total: string;
      readonly dimension: string;
      /** The dimension's column that `column` refers to. */
      readonly target: string;
      readonly attribute: string;
      readonly keys: readonly string[];
    }
  /** A place and the places of a finer level within it. */
  | {
      readonly kind: 'level';
      readonly parent: string;
      readonly child: string;
      readonly keys: readonly string[];
    };

/**
 * Metrics that may have withheld counts: integers whose unit is a count, or without a unit if the contract
 * says that NULL means withheld. None if it says the opposite.
 */
export function disclosureMetrics(dataset: Dataset): string[] {
  const { suppressed_to_null: withholds } = dataset.nullSemantics;
  if (withholds === false) return [];
  return dataset.columns
    .filter(
      ({ role, unit, type, nullable }) =>
        role === 'metric' &&
        type === 'integer' &&
        nullable &&
        (unit === 'count' || (unit === null && withholds === true)),
    )
    .map(column => column.name);
}

/** Axes in grain order, then levels. Only the rows show which families add up. */
export function deriveFamilies(dataset: Dataset, contracts: Contracts): DisclosureFamily[] {
  return [...axisFamilies(dataset, contracts), ...levelFamilies(dataset)];
}

/** The slice fixes the year. */
function keysWithout(dataset: Dataset, names: readonly string[]): string[] {
  const year = dataset.columns.find(column => column.role === 'year')?.name;
  return dataset.grain.filter(name => name !== year && !names.includes(name));
}

function axisFamilies(dataset: Dataset, contracts: Contracts): DisclosureFamily[] {
  return dataset.grain.flatMap((column): DisclosureFamily[] => {
    const total = dataset.columns.find(candidate => candidate.name === column)?.totalValue ?? null;
    if (total === null) return [];
    const keys = keysWithout(dataset, [column]);
    const exclusive = exclusiveAttribute(dataset, column, contracts);
    if (exclusive === null) return [{ kind: 'axis', column, total, keys }];
    return [{ kind: 'attribute', column, total, ...exclusive, keys }];
  });
}

/**
 * The attribute that a dimension's `semantics.exclusive_within` names, if the axis alone is the dimension's
 * key.
 */
function exclusiveAttribute(dataset: Dataset, column: string, contracts: Contracts) {
  const key = dataset.foreignKeys.find(one => one.columns.length === 1 && one.column === column);
  const dimension = key === undefined ? undefined : contracts.dimensions.get(key.dimension);
  const target = key?.targetColumns[0];
  const semantics = dimension?.semantics;
  if (dimension === undefined || target === undefined) return null;
  if (typeof semantics !== 'object' || semantics === null || !('exclusive_within' in semantics)) return null;
  const attribute = semantics.exclusive_within;
  if (typeof attribute !== 'string' || !dimension.columns.some(one => one.name === attribute)) return null;
  return { dimension: dimension.key, target, attribute };
}

/**
 * Pairs of levels, such as states and districts, in which the child's rows have the parent's place keys and
 * more.
 */
function levelFamilies(dataset: Dataset): DisclosureFamily[] {
  const levels = [...dataset.levelKeys];
  return levels.flatMap(([parent, { present: outer }]) =>
    levels
      .filter(
        ([, { present }]) => present.length > outer.length && outer.every(name => present.includes(name)),
      )
      .map(([child, { present, absent }]): DisclosureFamily => {
        const added = present.filter(name => !outer.includes(name));
        return { kind: 'level', parent, child, keys: keysWithout(dataset, [...added, ...absent]) };
      }),
  );
}

/** `part` is the attribute's value. */
export function describeFamily(family: DisclosureFamily, part: string | null): string {
  switch (family.kind) {
    case 'axis':
      return family.column;
    case 'attribute':
      return `${family.column} within ${family.attribute} ${part ?? ''}`.trim();
    case 'level':
      return `${family.parent} to ${family.child}`;
    default:
      return family satisfies never;
  }
}

/** Columns: slice, part, members, and for each metric published, summed, total, cell. */
export const FAMILIES = `${OWN_SCHEMA}."_families"`;

/** Derivable cells. Columns: metric (index), cell (row number in the table of facts). */
export const DISCLOSED = `${OWN_SCHEMA}."_disclosed"`;

interface FamilySource {
  readonly table: string;
  readonly rowNumber: string;
  readonly slices: readonly LakeSlice[];
  readonly metrics: readonly string[];
  readonly dimensionTable: (key: string) => string;
}

/** SQL: which rows `t` belong to a family, their slice and part, and whether a row is the total. */
interface Membership {
  readonly from: string;
  readonly slice: string;
  readonly part: string;
  readonly total: string;
}

/**
 * Selects families that have a total and parts. Along an axis, a missing row is unknown, so the query keeps
 * only families with as many parts as the largest of their slice, at least two. Along levels, every child has
 * a row, so one part is enough.
 */
export function compileFamilies(family: DisclosureFamily, source: FamilySource): string {
  const { from, slice, part, total } = membership(family, source);
  const columns = source.metrics.flatMap((metric, i) => {
    const value = `t.${identifier(metric)}`;
    return [
      `count(${value}) FILTER (NOT ${total}) AS published${i}`,
      `coalesce(sum(${value}) FILTER (NOT ${total}), 0) AS summed${i}`,
      `max(${value}) FILTER (${total}) AS total${i}`,
      `max(t.${source.rowNumber}) FILTER (NOT ${total} AND ${value} IS NULL) AS cell${i}`,
    ];
  });
  // HAVING repeats the expression, because a column may have the alias's name.
  const members = `count(*) FILTER (NOT ${total})`;
  const grouped = [
    `SELECT ${slice} AS slice, ${part} AS part, ${members} AS members, ${columns.join(', ')}`,
    `FROM ${from}`,
    `GROUP BY ${[slice, part, ...family.keys.map(name => `t.${identifier(name)}`)].join(', ')}`,
    `HAVING bool_or(${total}) AND ${members} > ${family.kind === 'level' ? 0 : 1}`,
  ].join('\n');
  if (family.kind === 'level') return grouped;
  return `SELECT * FROM (${grouped}) QUALIFY members = max(members) OVER (PARTITION BY slice, part)`;
}

function membership(family: DisclosureFamily, { table, slices, dimensionTable }: FamilySource): Membership {
  const own = `t.${SLICE_COLUMN}`;
  switch (family.kind) {
    case 'axis': {
      const value = `t.${identifier(family.column)}`;
      return {
        from: `${table} t WHERE ${value} IS NOT NULL`,
        slice: own,
        part: 'NULL::VARCHAR',
        total: `(${value}::VARCHAR = ${literal(family.total)})`,
      };
    }
    case 'attribute': {
      const key = `${identifier(family.target)}::VARCHAR`;
      const attribute = `${identifier(family.attribute)}::VARCHAR`;
      const parts = `SELECT ${key} AS value, ${attribute} AS part, false AS total FROM ${dimensionTable(family.dimension)} WHERE ${key} <> ${literal(family.total)} AND ${attribute} IS NOT NULL`;
      // The axis's total is the total of every part.
      const totals = `SELECT DISTINCT ${literal(family.total)}, part, true FROM (${parts})`;
      return {
        from: `${table} t JOIN (${parts} UNION ALL ${totals}) r ON t.${identifier(family.column)}::VARCHAR = r.value`,
        slice: own,
        part: 'r.part',
        total: 'r.total',
      };
    }
    case 'level': {
      const roles = slices.flatMap((slice, index) => {
        const parent = slices.findIndex(one => one.year === slice.year && one.detail === family.parent);
        if (slice.detail !== family.child || parent < 0) return [];
        return [`(${index}, ${index}, false)`, `(${parent}, ${index}, true)`];
      });
      return {
        from: `${table} t JOIN (VALUES ${roles.join(', ') || '(-1, -1, false)'}) r(slice, child, total) ON ${own} = r.slice`,
        slice: 'r.child',
        part: 'NULL::VARCHAR',
        total: 'r.total',
      };
    }
    default:
      return family satisfies never;
  }
}

/** One part is withheld, all others are published, and the rest of the total isn't negative. */
function isDerivable(metric: number): string {
  return `published${metric} = members - 1 AND total${metric} >= summed${metric}`;
}

/**
 * Counts per metric, part and slice: completely published families, those that add up, and derivable cells. A
 * total of 0 proves nothing.
 */
export function compileCounts(metrics: readonly string[]): string {
  return metrics
    .map((_, i) => {
      const whole = `published${i} = members AND total${i} <> 0`;
      const counts = [
        `count(*) FILTER (${whole}) AS whole`,
        `count(*) FILTER (${whole} AND summed${i} = total${i}) AS adding`,
        `count(*) FILTER (${isDerivable(i)}) AS cells`,
      ];
      return `SELECT ${i} AS metric, part, slice, ${counts.join(', ')} FROM ${FAMILIES} GROUP BY part, slice`;
    })
    .join('\nUNION ALL\n')
    .concat('\nORDER BY metric, part, slice');
}

/** Stores the derivable cells of one metric and part in some slices. */
export function compileCells(metric: number, part: string | null, slices: readonly number[]): string {
  return `INSERT INTO ${DISCLOSED} SELECT ${metric}, cell${metric} FROM ${FAMILIES} WHERE part IS NOT DISTINCT FROM ${literal(part)} AND slice IN (${literals(slices)}) AND ${isDerivable(metric)}`;
}
