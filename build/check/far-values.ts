/**
 * Finds figures that are probably markers of missing ones: values such as -666666666, 9999 or -1, far outside all
 * others.
 */
import type { Column, Dataset } from '../contract/dataset.ts';
import { type Diagnostic, diagnosticAt } from '../contract/diagnostic.ts';
import { readAggregatesBy } from '../lake/column-batches.ts';
import type { Session } from '../lake/database.ts';
import { factTable, SLICE_COLUMN } from '../lake/fact-table.ts';
import type { LakeSlice } from '../lake/inventory.ts';
import { identifier } from '../lake/sql.ts';
import { impliedRange } from './derived-checks.ts';

/** Values at one end of a column, outermost first, with their numbers of rows. */
type End = readonly (readonly [value: number, rows: number])[];

/** A column's outermost finite values; all of them if there are few. */
interface Spread {
  readonly different: number;
  readonly least: End;
  readonly most: End;
}

export interface FarValues {
  /** Outermost first, low ones before high ones. */
  readonly values: readonly { readonly value: number; readonly rows: number }[];
  /** Range of all other values. */
  readonly low: number;
  readonly high: number;
}

/** A column with more at one end has such values. */
const MOST_MARKERS = 8;

/** Fewer other values show no range. */
const LEAST_OTHERS = 3;
const LEAST_FIGURES = 5;

/** Limits of number types, which programs write for missing values. */
const LIMITS: ReadonlySet<number> = new Set([
  ...[32767, 65535, 2147483647, 4294967295, 2 ** 63, 1e20, 1e30, 1e36],
  ...[3.4028234663852886e38, 1.7976931348623157e308],
]);

/**
 * How much a number looks like a marker: -666666666 and 9999.9 strongly, -9 and 99 less; 0, 1 and 100 are
 * figures.
 */
function markerShape(value: number): 'strong' | 'weak' | 'none' | 'figure' {
  if (value === 0 || value === 1 || value === 100) return 'figure';
  const size = Math.abs(value);
  if (LIMITS.has(size) || LIMITS.has(size - 1)) return 'strong';
  const digits = String(size).replace('.', '');
  if (!/^([1-9])\1*$/.test(digits) || (size < 90 && !Number.isInteger(size))) return 'none';
  if (value < 0) return digits.length >= 3 ? 'strong' : 'weak';
  if (!/^[789]/.test(digits)) return 'none';
  return digits.length >= 3 ? 'strong' : digits.length === 2 ? 'weak' : 'none';
}

/** The values that aren't markers. */
interface Others {
  readonly low: number;
  readonly high: number;
  readonly different: number;
}

/** A number that looks like a marker needs less distance from the others; one that occurs once needs more. */
function isMarker(value: number, rows: number, { low, high, different }: Others): boolean {
  const distance = (value < low ? low - value : value - high) / (high - low);
  const isOnlyNegative = value < 0 && low >= 0;
  const isRepeated = rows > 1;
  const shape = markerShape(value);
  switch (shape) {
    case 'strong':
      if (value < low) return isOnlyNegative || distance >= 1;
      return distance >= (isRepeated ? 0.25 : 2);
    case 'weak':
      // A few different values are grades, which may begin at -1.
      if (different < LEAST_FIGURES) return false;
      return distance >= (isRepeated ? 1 : 3) || (isOnlyNegative && isRepeated && high > -value);
    case 'none':
      return isRepeated && distance >= 5;
    case 'figure':
      return false;
    default:
      return shape satisfies never;
  }
}

/** Null if no value is far outside all others. */
export function findFar({ different, least, most }: Spread): FarValues | null {
  let found: FarValues | null = null;
  for (let below = 0; below <= Math.min(MOST_MARKERS, least.length - 1); below++) {
    for (let above = 0; above <= Math.min(MOST_MARKERS, most.length - 1); above++) {
      const others: Others = {
        low: least[below]?.[0] ?? 0,
        high: most[above]?.[0] ?? 0,
        different: different - below - above,
      };
      if (below + above === 0 || others.different < LEAST_OTHERS) continue;
      const values = [...least.slice(0, below), ...most.slice(0, above)].map(([value, rows]) => ({
        value,
        rows,
      }));
      if (values.length <= (found?.values.length ?? 0)) continue;
      // Several values that don't look like markers are a second group of figures, such as those of states.
      if (values.filter(({ value }) => markerShape(value) === 'none').length > 1) continue;
      if (values.every(({ value, rows }) => isMarker(value, rows, others)))
        found = { values, low: others.low, high: others.high };
    }
  }
  return found;
}

/** `sql` gives the values. */
interface NumberColumn {
  readonly name: string;
  readonly sql: string;
}

/**
 * `group` is SQL of a row's group, such as its level: figures of states are far outside those of schools.
 * Results are in the order of columns.
 */
export async function findFarValues<Column extends NumberColumn>(
  session: Session,
  table: string,
  group: string,
  columns: readonly Column[],
): Promise<{ readonly column: Column; readonly group: number; readonly found: FarValues }[]> {
  if (columns.length === 0) return [];
  const numbers = columns.map(({ sql }) => `CASE WHEN isfinite(${sql}::DOUBLE) THEN ${sql}::DOUBLE END`);
  const ends = await readAggregatesBy<string>(
    session,
    table,
    group,
    numbers.flatMap(value => [`min(${value}, 2)::VARCHAR`, `max(${value}, 2)::VARCHAR`]),
  );
  const result: { column: Column; group: number; found: FarValues }[] = [];
  for (const [i, column] of columns.entries()) {
    const groups = [...ends].flatMap(([number, found]) =>
      found.slice(2 * i, 2 * i + 2).some(isSuspect) ? [Number(number)] : [],
    );
    if (groups.length === 0) continue;
    const spreads = await session.rows<{
      group: number;
      different: number;
      least: number[];
      leastRows: number[];
      most: number[];
      mostRows: number[];
    }>(
      `SELECT "group", count(*)::DOUBLE AS different, min(v, ${MOST_MARKERS + 1}) AS least, arg_min(n, v, ${MOST_MARKERS + 1}) AS "leastRows", max(v, ${MOST_MARKERS + 1}) AS most, arg_max(n, v, ${MOST_MARKERS + 1}) AS "mostRows" FROM (SELECT ${group} AS "group", ${numbers[i]} AS v, count(*)::DOUBLE AS n FROM ${table} GROUP BY ALL) WHERE v IS NOT NULL AND "group" IN (${groups.join(', ')}) GROUP BY 1 ORDER BY 1`,
    );
    for (const { group: number, different, ...ends } of spreads) {
      const pairs = (values: readonly number[], counts: readonly number[]): End =>
        values.map((value, k) => [value, counts[k] ?? 0]);
      const found = findFar({
        different,
        least: pairs(ends.least, ends.leastRows),
        most: pairs(ends.most, ends.mostRows),
      });
      if (found !== null) result.push({ column, group: number, found });
    }
  }
  return result;
}

/**
 * `outermost`: a list as DuckDB prints it. The values may be markers if the first looks like one, or both are
 * equal.
 */
function isSuspect(outermost: string | null): boolean {
  const [first = 0, second] = outermost?.slice(1, -1).split(', ').map(Number) ?? [];
  const shape = markerShape(first);
  return shape === 'strong' || shape === 'weak' || (shape === 'none' && first === second);
}

/** `of` names the group, such as ` of counties`. */
export function farValueText({ values, low, high }: FarValues, of = ''): string {
  const each = values.map(
    ({ value, rows }) => `${value} in ${rows.toLocaleString('en')} row${rows === 1 ? '' : 's'}`,
  );
  return `${each.join(', ')}${of}, and ${low} to ${high} in all others`;
}

/** Properties of a column that make these values figures. */
export function boundsOf(values: readonly number[]): string[] {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return [
    ...(low < 0 ? [`{ property: value_min, value: ${low} }`] : []),
    ...(high > 0 ? [`{ property: value_max, value: ${high} }`] : []),
  ];
}

/** The property of a contract, as YAML. */
export function missingValues(values: readonly (string | number)[]): string {
  return `{ property: missing_values, value: [${values.map(one => JSON.stringify(one)).join(', ')}] }`;
}

/** Properties that settle the question. `missing`: values that the column already has as missing. */
export function farValueRemedy(
  missing: readonly (string | number)[],
  values: readonly number[],
  nullable = true,
): string {
  const [says, is] = values.length === 1 ? ['it says', 'it is a figure'] : ['they say', 'they are figures'];
  return `If ${says} that there is no figure, give the column ${missingValues([...missing, ...values])}${nullable ? '' : ' in place of required: true'}; if ${is}, ${boundsOf(values).join(' and ')}.`;
}

/** One warning for each column, level by level. */
export async function farValueWarnings(
  session: Session,
  dataset: Dataset,
  slices: readonly LakeSlice[],
): Promise<Diagnostic[]> {
  const levels = [...new Set(slices.map(({ detail }) => detail))];
  const group = `([${slices.map(({ detail }) => levels.indexOf(detail)).join(', ')}])[${SLICE_COLUMN} + 1]`;
  const measures = dataset.columns
    .filter(
      ({ role, type, validValues }) =>
        role === 'metric' && (type === 'integer' || type === 'number') && validValues === null,
    )
    .map(column => ({ ...column, sql: identifier(column.name) }));
  const far = await findFarValues(session, factTable(dataset).table, group, measures);
  return measures.flatMap(column => {
    const doubtful = far
      .filter(one => one.column === column)
      .map(one => ({ ...one, values: one.found.values.filter(({ value }) => !isSettled(column, value)) }))
      .filter(({ values }) => values.length > 0);
    if (doubtful.length === 0) return [];
    const where = doubtful.map(({ group: level, values, found }) =>
      farValueText({ ...found, values }, levels.length === 1 ? '' : ` of ${levels[level] ?? ''}`),
    );
    const values = new Set(doubtful.flatMap(one => one.values.map(({ value }) => value)));
    const message = `${dataset.key}: ${column.name} is ${where.join('; ')}. ${farValueRemedy(column.missingValues, [...values], column.nullable)}`;
    return [diagnosticAt(column.place, 'warning', 'lake-far-values', message)];
  });
}

/**
 * Whether the contract's bounds include the value, or exclude one that doesn't look like a marker: then it is
 * a wrong figure.
 */
function isSettled(column: Column, value: number): boolean {
  if (value > 0) return column.valueMax !== null && column.valueMax >= value;
  if (markerShape(value) === 'none' && impliedRange(column) !== null) return true;
  return column.valueMin !== null && column.valueMin <= value;
}
