/** The period that bars and maps show: a year, a day, a month, a moment. */
import type { Bound } from '../../query/condition.ts';
import type { ExploredDataset } from './dataset.ts';
import { ALL_YEARS, oneYear, type Question } from './question.ts';

/** Whether the dataset's periods are shorter than a year. */
export function hasMoments(dataset: ExploredDataset): boolean {
  const { timeline } = dataset;
  return timeline !== null && timeline.unit !== 'year';
}

interface MomentEnds {
  /** Places on the timeline. */
  readonly first: number;
  readonly last: number;
}

/** The first and the last period of a level, or of one of its years, by the bounds of row groups; null without bounds. */
export function momentEnds(
  dataset: ExploredDataset,
  detail: string,
  year: number | null = null,
): MomentEnds | null {
  const ends = boundsOf(dataset, detail).filter(one => year === null || one.year === year);
  if (ends.length === 0) return null;
  return {
    first: Math.min(...ends.map(({ first }) => first)),
    last: Math.max(...ends.map(({ last }) => last)),
  };
}

interface Bounds extends MomentEnds {
  readonly year: number;
  /** A value of the column; shows how the lake writes periods. */
  readonly sample: string;
}

function boundsOf({ manifest, timeline }: ExploredDataset, detail: string): Bounds[] {
  const key = manifest.key_columns.indexOf(timeline?.column ?? '');
  if (timeline === null || key < 0) return [];
  return manifest.slices
    .filter(slice => slice.detail === detail)
    .flatMap(({ year, files }) =>
      (files.parquet[0]?.row_groups ?? []).flatMap(({ min, max }): Bounds[] => {
        const [least, greatest] = [min[key] ?? null, max[key] ?? null];
        const [first, last] = [timeline.at(least), timeline.at(greatest)];
        return first === null || last === null ? [] : [{ year, first, last, sample: String(greatest) }];
      }),
    );
}

/** The period that the question asks for, as a place on the timeline; null if it asks for several. */
export function momentOf({ dataset, filters, years }: Question): number | null {
  const { timeline } = dataset;
  if (timeline === null) return null;
  if (timeline.unit === 'year') return oneYear(years);
  const { key: exact = '', min = '', max = '' } = timeParams(dataset);
  const [only, ...others] = filters.get(exact) ?? [];
  if (only !== undefined) return others.length === 0 ? timeline.at(only) : null;
  const [from] = filters.get(min) ?? [];
  const [to] = filters.get(max) ?? [];
  if (from === undefined || to === undefined) return null;
  const [at, end] = [timeline.at(from), timeline.at(to)];
  return at !== null && end !== null && timeline.text(at, '') === timeline.text(end, '') ? at : null;
}

/** Asks for one period, and for its year if only one year's files can have it: no other file is read then. */
export function withMoment<Asked extends Question>(asked: Asked, at: number): Asked {
  const { dataset, detail } = asked;
  if (dataset.timeline === null) return asked;
  const bounds = boundsOf(dataset, detail);
  const within = bounds.filter(({ first, last }) => first <= at && at <= last);
  const years = new Set(within.map(({ year }) => year));
  const [year] = years;
  const filters = new Map(withoutMoment(asked).filters);
  for (const [param, value] of conditionsOf(dataset, at, bounds[0]?.sample ?? ''))
    filters.set(param, [value]);
  return {
    ...asked,
    years: years.size === 1 && year !== undefined ? { min: year, max: year } : ALL_YEARS,
    filters,
  };
}

function conditionsOf(dataset: ExploredDataset, at: number, sample: string): [string, string][] {
  const { timeline, schema } = dataset;
  if (timeline === null) return [];
  const { key: exact = '', min = '', max = '' } = timeParams(dataset);
  const text = timeline.text(at, sample);
  // The timeline knows seconds; rows may have fractions of them.
  if (timeline.unit === 'instant')
    return [
      [min, text],
      [max, text.replace(/Z?$/, '.999999$&')],
    ];
  const type = schema.columns.find(({ name }) => name === timeline.column)?.type;
  if (type !== 'date' || timeline.unit === 'day') return [[exact, text]];
  // A date may be any day of its month.
  return [
    [min, text],
    [max, dayBefore(timeline.text(at + 1, ''))],
  ];
}

/** Asks for all periods. */
export function withoutMoment<Asked extends Question>(asked: Asked): Asked {
  if (!hasMoments(asked.dataset) || momentOf(asked) === null) return asked;
  const filters = new Map(asked.filters);
  for (const param of Object.values(timeParams(asked.dataset))) filters.delete(param);
  return { ...asked, filters };
}

/** The parameters of the time column that the dataset has. */
function timeParams({ table, timeline }: ExploredDataset): Partial<Record<Bound, string>> {
  return Object.fromEntries(
    [...table.parameters].flatMap(([name, one]) =>
      one.kind === 'column' && one.column === timeline?.column ? [[one.bound, name]] : [],
    ),
  );
}

function dayBefore(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);
}
