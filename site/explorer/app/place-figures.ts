/** What one dataset says of one place over the years: one question to the engine. */
import type { Engine, TableData } from '../engine/engine.ts';
import { deriveFigures, type FigureRow, type Figures } from '../view/figure.ts';
import type { SearchDataset, SearchMetric, SearchPlaceRows } from '../view/search-document.ts';

export interface PlaceSubject {
  readonly dataset: SearchDataset;
  readonly rows: SearchPlaceRows;
}

/** Parameters of the API that choose the rows of a place, with the axes that have a total pinned to it. */
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

/** More rows than any one place has in a dataset. */
const MOST_ROWS = 10_000;

/** Null where the dataset has no rows of the place, or no one figure. */
export async function readFigures(
  engine: Engine,
  { dataset, rows }: PlaceSubject,
  key: readonly string[],
  signal: AbortSignal,
): Promise<Figures | null> {
  const { metric } = dataset;
  if (metric === null) return null;
  const { table } = await engine.first(dataset.key, placeParameters(rows, metric, key), MOST_ROWS, {
    signal,
  });
  const axes = metric.axes.map(({ column, total, values }) => ({
    column,
    total,
    values: values.map(([value]) => value),
  }));
  const needed = new Set([metric.year, metric.column, metric.margin, ...axes.map(axis => axis.column)]);
  return deriveFigures(metric, axes, rowsOf(table, needed));
}

function rowsOf(table: TableData, needed: ReadonlySet<string | null>): FigureRow[] {
  const columns = table.columns
    .map(({ name }, at) => ({ name, at }))
    .filter(column => needed.has(column.name));
  return Array.from({ length: table.rows }, (_, row) =>
    Object.fromEntries(columns.map(({ name, at }) => [name, table.cell(row, at)])),
  );
}
