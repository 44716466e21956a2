/** What asks for one figure, whose values in all releases are looked up. */
import { type Condition, inZone } from './condition.ts';
import type { Value } from './order.ts';
import type { ScanPlan } from './plan.ts';
import { planScan, selectSlices } from './planner.ts';
import { orList, type Problem } from './problems.ts';
import { type Pair, withPair } from './query-string.ts';
import { ALL_YEARS, type RowsRequest, type YearRange } from './request.ts';
import { positionOf, type Table } from './table.ts';

const HISTORY = 'history';

/** What a request says of the key of one figure. */
interface AskedKey {
  /** The one year of the question, 0 in a table without years; null if it is not one. */
  readonly year: number | null;
  /** Positions of the key's columns to which it gives no single value, and of those to which it gives several. */
  readonly open: readonly number[];
  readonly listed: readonly number[];
  /** The conditions on columns that tell no rows apart. */
  readonly others: readonly Condition[];
}

function readAskedKey(table: Table, request: RowsRequest): AskedKey {
  const { columns, order, year } = table;
  const positionsOf = (isSingle: boolean) =>
    request.conditions
      .filter(({ bound, keys }) => (bound === 'key' && keys.length === 1) === isSingle)
      .flatMap(one => one.columns.map(name => positionOf(table, name)));
  const pinned = positionsOf(true);
  return {
    year: year < 0 ? 0 : request.years.exact,
    open: order.filter(position => columns[position] && position !== year && !pinned.includes(position)),
    listed: positionsOf(false),
    others: findOthers(table, request),
  };
}

/** The conditions on columns that tell no rows apart. */
export function findOthers(table: Table, { conditions }: RowsRequest): readonly Condition[] {
  return conditions.filter(
    ({ columns }) => !columns.every(name => table.order.includes(positionOf(table, name))),
  );
}

export interface FigureKey {
  /** The request with NULL for the columns of the key that it leaves out. */
  readonly request: RowsRequest;
  readonly year: number;
  /** Whether it leaves out any. */
  readonly isPartial: boolean;
}

/** Null if the request asks for more than one figure, whatever the rows are. */
export function parseKey(table: Table, { asOf: _, ...request }: RowsRequest): FigureKey | null {
  const { year, open, listed, others } = readAskedKey(table, request);
  if (year === null || open.some(position => listed.includes(position)) || others.length > 0) return null;
  // NULL matches NULL.
  const isNull = open.map((position): Condition => {
    const { name } = table.columns[position]!;
    return { bound: 'key', param: name, columns: [name], texts: [''], keys: [[null]] };
  });
  const conditions = [...request.conditions, ...isNull];
  return { request: { ...request, conditions, offset: 0, limit: null }, year, isPartial: open.length > 0 };
}

/** Where to look for a row by which a key can be completed: the first that is found is the likeliest to be meant. */
export function planExamples(table: Table, { asOf: _, ...request }: RowsRequest): readonly ScanPlan[] {
  const level = table.levels.get(request.detail);
  const last = level && (selectSlices(level, request.years).at(-1) ?? level.slices.at(-1));
  const years: YearRange = last ? { exact: last.year, min: null, max: null } : ALL_YEARS;
  const others = findOthers(table, request);
  const conditions = request.conditions.filter(one => !others.includes(one));
  const found = { ...request, conditions, offset: 0, limit: 1 };
  return [{ ...found, years }, found, { ...found, years, conditions: [] }].map(one => planScan(table, one));
}

/**
 * What is wrong with a key, and the same question with the key of `row`, which is a row of the level; null if the request
 * has a value for each column in which that row has one, and nothing else.
 */
export function completeKey(
  table: Table,
  request: RowsRequest,
  pairs: readonly Pair[],
  row: readonly Value[] | null,
): { readonly problem: Problem; readonly corrected: readonly Pair[] } | null {
  const { year, open, listed, others } = readAskedKey(table, request);
  const missing = open.filter(position => listed.includes(position) || (row?.[position] ?? null) !== null);
  if (year !== null && missing.length === 0 && others.length === 0) return null;
  const names = [
    ...(year !== null ? [] : ['year']),
    ...missing.map(position => table.columns[position]!.name),
  ];
  const msg =
    names.length > 0
      ? `Give the whole key of one figure: ${orList(names)} ${names.length > 1 ? 'are' : 'is'} missing`.replace(
          ' or ',
          ' and ',
        )
      : `Give only the key of the figure: ${orList(others.map(one => one.param))} is no part of it`;
  const several = request.conditions.filter(({ bound, keys }) => bound !== 'key' || keys.length !== 1);
  const left = new Set([...others, ...several].map(({ param }) => param));
  if (year === null) for (const name of ['year_min', 'year_max']) left.add(name);
  let corrected: readonly Pair[] = pairs.filter(({ name }) => !left.has(name));
  for (const position of [...(year === null ? [table.year] : []), ...missing]) {
    const { name = '', utc } = table.columns[position] ?? {};
    const value = row?.[position] ?? null;
    const param = position === table.year ? 'year' : name;
    // Nobody can ask for one row of a dimension.
    if (!table.parameters.has(param)) corrected = corrected.filter(pair => pair.name !== HISTORY);
    else if (value !== null) corrected = withPair(corrected, param, inZone(value, { utc }));
  }
  return {
    problem: { type: 'missing_key', param: HISTORY, msg, input: 'true', ctx: { missing: names } },
    corrected,
  };
}
