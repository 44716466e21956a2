/** Turns the words of a search into the view of a dataset that they ask for. */
import type { SearchDataset, SearchDimension } from './search-document.ts';
import { isSilent, stemWord, wordsOf } from './word-stems.ts';

/** What a search says besides its subject. */
export interface AskedView {
  /** Stems of the subject's words, corrected. */
  readonly stems: readonly string[];
  readonly year: number | null;
  readonly place: {
    readonly dimension: SearchDimension;
    readonly name: string;
    /** The enclosing place, which tells namesakes apart; empty if there is none. */
    readonly within: string;
    readonly key: readonly string[];
  } | null;
}

export interface FoundView {
  /** The query of the dataset's page, without `?`. */
  readonly query: string;
  /** What the view shows: `Graduation rate · Riverside · 2024`. */
  readonly words: string;
}

function stemsOf(text: string): string[] {
  return wordsOf(text)
    .filter(word => !isSilent(word))
    .map(stemWord);
}

/** The level and parameters that select the place in the dataset; null if it has no rows about the place alone. */
export function placeRows(dataset: SearchDataset, { place }: AskedView) {
  return place?.dimension.datasets.find(({ key, alone }) => alone && key === dataset.key) ?? null;
}

/** Returns null if the words ask for no more than the dataset. */
export function findView(dataset: SearchDataset, asked: AskedView): FoundView | null {
  const { stems, place } = asked;
  const pairs: [string, string][] = [];
  const words: string[] = [];
  const figure = chooseFigure(dataset, stems);
  const rows = placeRows(dataset, asked);
  const year = asked.year !== null && dataset.years.includes(asked.year) ? asked.year : null;
  const axes = chooseAxes(dataset, stems);
  if (rows === null && year === null && axes.length === 0 && figure?.column === dataset.metric?.column)
    return null;
  if (year !== null) pairs.push(['year', String(year)]);
  if (rows !== null) {
    pairs.push(['detail', rows.detail]);
    for (const [i, param] of rows.params.entries()) pairs.push([param, place?.key[i] ?? '']);
    words.push([place?.name, place?.within].filter(Boolean).join(', '));
  } else if (dataset.whole !== undefined && axes.length > 0) pairs.push(['detail', dataset.whole]);
  const open: string[] = [];
  for (const { param, values, label } of axes) {
    if (values === null) open.push(param);
    else pairs.push([param, values.join(',')]);
    words.push(label);
  }
  if (open.length > 0) pairs.push(['open', open.join(',')], ['view', 'bars']);
  else if (year === null && (rows !== null || axes.length > 0)) pairs.push(['view', 'chart']);
  if (figure && figure.column !== dataset.metric?.column) pairs.push(['metric', figure.column]);
  if (year !== null) words.push(String(year));
  return {
    query: new URLSearchParams(pairs).toString(),
    words: [figure?.label ?? dataset.title, ...words].join(' · '),
  };
}

/** The figure with the most words of the search; at a tie the key figure, then the contract's first. */
function chooseFigure({ metrics, metric }: SearchDataset, stems: readonly string[]) {
  const known = (label: string, synonyms: readonly string[] = []) =>
    new Set([label, ...synonyms].flatMap(stemsOf));
  const score = ({ label, synonyms, column }: SearchDataset['metrics'][number]) => {
    const own = known(label, synonyms);
    return stems.filter(stem => own.has(stem)).length + (column === metric?.column ? 0.5 : 0);
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
  return (dataset.metric?.axes ?? []).flatMap(({ param, label, total, values, groups }): AskedAxis[] => {
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
    if (group) return [{ param, values: group.values, label: `by ${group.label.toLowerCase()}` }];
    if (stemsOf(label).some(stem => rest.includes(stem)))
      return [{ param, values: null, label: `by ${label.toLowerCase()}` }];
    return [];
  });
}
