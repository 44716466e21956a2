/** Asks one dataset for the figures of one place over the years. */
import { type Engine, MOST_FIRST_ROWS } from '../engine/engine.ts';
import { deriveFigures, type Figures, takeFigureRows } from '../view/figure.ts';
import type { SearchDataset, SearchMetric, SearchPlaceRows } from '../view/search-document.ts';

export interface PlaceSubject {
  readonly dataset: SearchDataset;
  readonly rows: SearchPlaceRows;
}

/** Returns the API's parameters for the rows of a place, with axes pinned to their totals. */
export function placeParameters(
  { detail, params }: SearchPlaceRows,
  metric: SearchMetric | null,
  key: readonly string[],
): [string, string][] {
  const totals = (metric?.axes ?? []).flatMap(({ param, total }): [string, string][] =>
    total === null ? [] : [[param, total]],
  );
  return [
    ['detail', detail],
    ...params.map((param, i): [string, string] => [param, key[i] ?? '']),
    ...totals,
  ];
}

/** Why a place has no figures: no rows, or several rows in one year. */
export type WithoutFigures = 'no rows' | 'no one figure';

export async function readFigures(
  engine: Engine,
  { dataset, rows }: PlaceSubject,
  key: readonly string[],
  signal: AbortSignal,
): Promise<Figures | WithoutFigures> {
  const { metric } = dataset;
  if (metric === null) return 'no one figure';
  const axes = metric.axes.map(({ column, total, values }) => ({
    column,
    total,
    values: values.map(([value]) => value),
  }));
  const needed = [metric.year, metric.column, metric.margin, ...axes.map(axis => axis.column)];
  const ask = async (totals: SearchMetric | null) => {
    const parameters = placeParameters(rows, totals, key);
    const { table } = await engine.first(dataset.key, parameters, MOST_FIRST_ROWS, { signal });
    return takeFigureRows(table, needed);
  };
  let found = await ask(metric);
  // Years without totals may have other rows: the latest year settles the pins.
  const reached = found.some(row => Number(row[metric.year]) === dataset.years.at(-1));
  if (!reached && axes.some(({ total }) => total !== null)) found = await ask(null);
  if (found.length === 0) return 'no rows';
  return deriveFigures(metric, axes, found) ?? 'no one figure';
}
