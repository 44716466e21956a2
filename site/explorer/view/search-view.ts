/** Turns the words of a search into the view of a dataset that they ask for. */
import { t } from '../messages/messages.ts';
import type { Place } from './place-address.ts';
import type { SearchDataset, SearchMetric } from './search-document.ts';
import { stemsOf } from './search-words.ts';

/** What a search says besides its subject. */
export interface AskedView {
  /** Stems of the subject's words, corrected. */
  readonly stems: readonly string[];
  readonly year: number | null;
  /** Places of one name, the likeliest first: a county and the school district of its name. */
  readonly places: readonly Place[];
}

export interface FoundView {
  /** The query of the dataset's page, without `?`. */
  readonly query: string;
  /** What the view shows: `Graduation rate · Riverside · 2024`. */
  readonly words: string;
  /** What the place of the view is; null if the view has none. */
  readonly about: string | null;
}

/** The first of the places that the dataset has rows of, alone, with the parameters that select it; null if there is none. */
export function placeRows(dataset: SearchDataset, { places }: AskedView) {
  for (const place of places) {
    const rows = place.dimension.datasets.find(({ key, alone }) => alone && key === dataset.key);
    if (rows) return { place, rows };
  }
  return null;
}

/** Returns null if the words ask for no more than the dataset. */
export function findView(dataset: SearchDataset, asked: AskedView): FoundView | null {
  const { stems } = asked;
  const pairs: [string, string][] = [];
  const words: string[] = [];
  const figure = chooseFigure(dataset, stems);
  const at = placeRows(dataset, asked);
  const year = asked.year !== null && dataset.years.includes(asked.year) ? asked.year : null;
  const axes = chooseAxes(dataset, stems);
  if (at === null && year === null && axes.length === 0 && figure === dataset.metrics[0]) return null;
  if (year !== null) pairs.push(['year', String(year)]);
  if (at !== null) {
    pairs.push(['detail', at.rows.detail]);
    for (const [i, param] of at.rows.params.entries()) pairs.push([param, at.place.key[i] ?? '']);
    words.push([at.place.name, at.place.within].filter(Boolean).join(', '));
  } else if (dataset.whole !== undefined && axes.length > 0) pairs.push(['detail', dataset.whole]);
  const open: string[] = [];
  for (const { param, values, label } of axes) {
    if (values === null) open.push(param);
    else pairs.push([param, values.join(',')]);
    words.push(label);
  }
  if (open.length > 0) pairs.push(['open', open.join(',')], ['view', 'bars']);
  else if (year === null && (at !== null || axes.length > 0)) pairs.push(['view', 'chart']);
  if (figure && figure !== dataset.metrics[0]) pairs.push(['metric', figure.column]);
  if (year !== null) words.push(String(year));
  return {
    query: new URLSearchParams(pairs).toString(),
    words: [figure?.label ?? dataset.title, ...words].join(' · '),
    about: at?.place.dimension.kind ?? null,
  };
}

/** The figure with the most words of the search; at a tie the first, which is the key figure. */
function chooseFigure({ metrics }: SearchDataset, stems: readonly string[]) {
  const known = (label: string, synonyms: readonly string[] = []) =>
    new Set([label, ...synonyms].flatMap(stemsOf));
  const score = ({ label, synonyms }: SearchMetric) => {
    const own = known(label, synonyms);
    return stems.filter(stem => own.has(stem)).length;
  };
  return [...metrics].sort((a, b) => score(b) - score(a))[0];
}

/** The chosen values of an axis; null opens it. */
interface AskedAxis {
  readonly param: string;
  readonly values: readonly string[] | null;
  readonly label: string;
}

/** The values, groups and axes that the words name, apart from those that name the dataset itself. */
function chooseAxes(dataset: SearchDataset, stems: readonly string[]): AskedAxis[] {
  const subject = new Set(
    [dataset.title, ...(dataset.synonyms ?? []), ...dataset.metrics.map(({ label }) => label)].flatMap(
      stemsOf,
    ),
  );
  const rest = stems.filter(stem => !subject.has(stem));
  return dataset.axes.flatMap(({ param, label, total, values, groups }): AskedAxis[] => {
    const parts = values
      .filter(([value]) => value !== total)
      .map(([value, name]) => [value, name, stemsOf(name)] as const);
    const whole = parts.filter(
      ([, , own]) =>
        own.length > 0 && own.every(stem => stems.includes(stem)) && own.some(stem => rest.includes(stem)),
    );
    const part = parts.filter(([, , own]) => own.some(stem => rest.includes(stem)));
    const found = whole.length > 0 ? whole : part.length === 1 ? part : [];
    if (found.length > 0)
      return [
        { param, values: found.map(([value]) => value), label: found.map(([, name]) => name).join(', ') },
      ];
    const group = groups?.find(one => stemsOf(one.label).some(stem => rest.includes(stem)));
    if (group) return [{ param, values: group.values, label: t.title.by(group.label.toLowerCase()) }];
    if (stemsOf(label).some(stem => rest.includes(stem)))
      return [{ param, values: null, label: t.title.by(label.toLowerCase()) }];
    return [];
  });
}
