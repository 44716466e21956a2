/** Finds a measure, a year and pins that have figures, by reading rows. */
import { ofLatestYear, settlePins } from './figure.ts';
import {
  axisOf,
  latestYear,
  levelOf,
  oneYear,
  type Question,
  type ViewState,
  withValues,
  YEAR_PARAMS,
  type Years,
} from './question.ts';
import { cellsOf, type Rows, rowNumbers } from './rows.ts';

/**
 * The state with the first measure that has a figure in the latest year, and pins that have one; null without any.
 * Without measures, rows are enough. `free`: parameters whose single values may change. If the year is one of them, the
 * state may get an earlier one.
 */
export async function settleState(
  state: ViewState,
  free: readonly string[],
  measures: readonly string[],
  read: (question: Question, columns: readonly string[]) => Promise<Rows>,
): Promise<ViewState | null> {
  const { fields, yearColumn } = state.dataset;
  const axes = fields.filter(({ param }) => free.includes(param) && state.filters.get(param)?.length === 1);
  const filters = new Map(state.filters);
  for (const { param } of axes) filters.delete(param);
  const isOne = oneYear(state.years) !== null;
  const columns = [yearColumn, ...axes.map(({ column }) => column), ...measures];
  for (const years of yearsToRead(state, free)) {
    const rows = await read({ ...state, filters, years }, columns);
    const latest = ofLatestYear(rows, yearColumn, rowNumbers(rows));
    const metric = measures.find(name => latest.some(row => cellsOf(rows, name)(row) !== null));
    if (latest.length === 0 || (metric === undefined && measures.length > 0)) continue;
    const pins = settlePins(axes.map(axisOf), metric ?? yearColumn, rows, latest);
    let next: ViewState = { ...state, metric: metric ?? state.metric, years: isOne ? years : state.years };
    for (const { column, param } of axes) {
      const value = pins.get(column) ?? null;
      // No filter matches NULL.
      next = withValues(next, param, value === null ? [] : [value]);
    }
    return next;
  }
  return null;
}

/** One year at a time, the latest first; then all years of a question about several. */
function yearsToRead(state: ViewState, free: readonly string[]): Years[] {
  const of = (year: number) => ({ min: year, max: year });
  const only = oneYear(state.years);
  const latest = latestYear(state, state.years);
  if (only === null) return [...(latest === null ? [] : [of(latest)]), state.years];
  const earlier = free.includes(YEAR_PARAMS.exact) ? levelOf(state).years.filter(year => year < only) : [];
  return [state.years, ...earlier.reverse().map(of)];
}
