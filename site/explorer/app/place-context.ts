/** Reads what a place's figures compare with: the larger places, in grey, and its rank among its peers. */
import { type Engine, MOST_FIRST_ROWS } from '../engine/engine.ts';
import { deriveFigures, type Figures, matchesPins, takeFigureRows } from '../view/figure.ts';
import { titleName } from '../view/format.ts';
import type { YearValue } from '../view/line-path.ts';
import type { Place } from '../view/place-address.ts';
import { deriveRank, type Rank, type RankedFigure } from '../view/rank.ts';
import type { SearchDocument, SearchMetric } from '../view/search-document.ts';
import type { PlaceSubject } from './place-figures.ts';

export interface PlaceContext {
  readonly larger: readonly LargerPlace[];
  /** Null if no peer has a figure in the latest year. */
  readonly rank: Rank | null;
}

interface LargerPlace {
  readonly name: string;
  readonly points: readonly YearValue[];
}

export async function readContext(
  engine: Engine,
  document: SearchDocument,
  place: Place,
  subject: PlaceSubject,
  figures: Figures,
  signal: AbortSignal,
): Promise<PlaceContext> {
  const { metric } = subject.dataset;
  if (metric === null) return { larger: [], rank: null };
  const asked = findLarger(document, place, subject);
  const lines = asked.map(async ({ name, parameters }): Promise<LargerPlace[]> => {
    const rows = await readRows(engine, subject, metric, [...parameters, ...pinned(metric, figures)], signal);
    const found = deriveFigures(
      metric,
      [],
      rows.filter(row => matchesPins(row, figures.pins)),
    );
    return found ? [{ name, points: found.points }] : [];
  });
  const larger = (await Promise.all(lines)).flat();
  return { larger, rank: await readRank(engine, subject, metric, figures, signal) };
}

interface Asked {
  readonly name: string;
  readonly parameters: readonly (readonly [string, string])[];
}

/** The smallest place that contains this one, and the whole. */
function findLarger(document: SearchDocument, place: Place, { dataset, rows }: PlaceSubject): Asked[] {
  const levels = document.dimensions.flatMap(dimension =>
    dimension.datasets.filter(({ key }) => key === dataset.key).map(found => ({ dimension, found })),
  );
  const [parent] = levels
    .filter(
      ({ found }) =>
        found.alone &&
        found.params.length < rows.params.length &&
        found.params.every(param => rows.params.includes(param)),
    )
    .sort((a, b) => b.found.params.length - a.found.params.length);
  const larger: Asked[] = [];
  if (parent) {
    const codes = parent.found.params.map(param => place.key[rows.params.indexOf(param)] ?? '');
    const entry = parent.dimension.places.find(([, , ...key]) => key.every((code, i) => code === codes[i]));
    larger.push({
      name: entry?.[0] ?? codes.join(' '),
      parameters: [
        ['detail', parent.found.detail],
        ...parent.found.params.map((param, i) => [param, codes[i]!] as const),
      ],
    });
  }
  const { whole, area } = dataset;
  if (whole !== undefined) larger.push({ name: area ?? titleName(whole), parameters: [['detail', whole]] });
  return larger;
}

function pinned({ axes }: SearchMetric, { pins }: Figures): [string, string][] {
  return axes.flatMap(({ param, column }): [string, string][] => {
    const value = pins.get(column) ?? null;
    return value === null ? [] : [[param, value]];
  });
}

async function readRows(
  engine: Engine,
  { dataset }: PlaceSubject,
  metric: SearchMetric,
  parameters: readonly (readonly [string, string])[],
  signal: AbortSignal,
) {
  const { table } = await engine.first(
    dataset.key,
    parameters.map(([name, value]): [string, string] => [name, value]),
    MOST_FIRST_ROWS,
    { signal },
  );
  return takeFigureRows(table, [
    metric.year,
    metric.column,
    metric.margin,
    ...metric.axes.map(axis => axis.column),
  ]);
}

/** Null if the place has no figure in its latest year, or if a peer has several. */
async function readRank(
  engine: Engine,
  subject: PlaceSubject,
  metric: SearchMetric,
  figures: Figures,
  signal: AbortSignal,
): Promise<Rank | null> {
  const latest = figures.points.at(-1);
  if (!latest || latest.value === null || !subject.rows.alone) return null;
  const asked = [['detail', subject.rows.detail], ['year', String(latest.year)], ...pinned(metric, figures)];
  const rows = await readRows(engine, subject, metric, asked as [string, string][], signal);
  if (rows.length >= MOST_FIRST_ROWS) return null;
  const peers = rows
    .filter(row => matchesPins(row, figures.pins))
    .flatMap((row): RankedFigure[] => {
      const value = row[metric.column];
      const margin = metric.margin === null ? null : row[metric.margin];
      return typeof value === 'number' ? [{ value, margin: typeof margin === 'number' ? margin : null }] : [];
    });
  return deriveRank({ value: latest.value, margin: latest.margin }, peers);
}
