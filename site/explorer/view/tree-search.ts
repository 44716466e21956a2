/** The search over datasets, their measures, groups and years, and the places of all levels. */
import { t } from '../messages/messages.ts';
import type { Place } from './places.ts';
import type { SearchDataset, SearchDocument, SearchMetric, SearchWithdrawn } from './search-document.ts';
import {
  bestMatch,
  type ReadLine,
  type ReadWord,
  spellVariants,
  stemsOf,
  stemWord,
  Vocabulary,
  wordsOf,
} from './search-words.ts';

export type Found =
  /** `view` is the view that the words ask for; null if they only ask for the dataset. */
  | { readonly kind: 'dataset'; readonly dataset: SearchDataset; readonly view: FoundView | null }
  | { readonly kind: 'withdrawn'; readonly withdrawn: SearchWithdrawn }
  | { readonly kind: 'place'; readonly place: Place };

export interface SearchAnswer extends Pick<ReadLine, 'corrections' | 'unknown'> {
  /** Best first. */
  readonly found: readonly Found[];
}

export interface TreeSearch {
  readonly vocabulary: Vocabulary;
  ask(text: string): SearchAnswer;
}

/** How much a word of each field says about a dataset's subject. */
const WEIGHTS = { name: 1, tag: 0.4, figure: 0.6, label: 0.3, value: 0.3, summary: 0.2 };

/** The least fit if the words are the name of something in the dataset, such as a group. */
const WHOLE_NAME = 0.5;

interface Subject {
  readonly found: { readonly dataset: SearchDataset } | { readonly withdrawn: SearchWithdrawn };
  /** The greatest weight of each stem. */
  readonly stems: ReadonlyMap<string, number>;
  /** Its title, measures, their synonyms and groups, each as words. */
  readonly names: readonly (readonly string[])[];
}

interface Scored {
  readonly found: Found;
  readonly score: number;
}

/** If the line has this share of a place's name, it is about the place. */
const NAMED = 0.4;

/** In words. */
const LONGEST_NAME = 7;

/** Without a subject, datasets with rows about a place come after the place; with one, before it. */
const RANK = { aboutPlace: 0.1, placeOfView: 0.3, elsewhere: 0.3, otherYear: 0.6, place: 1.5 };

export function openSearch(document: SearchDocument): TreeSearch {
  const vocabulary = new Vocabulary();
  const subjects = [
    ...document.datasets.map(dataset => datasetSubject(dataset, vocabulary)),
    ...(document.withdrawn ?? []).map(withdrawn => withdrawnSubject(withdrawn, vocabulary)),
  ];
  const index = new PlaceIndex(document, vocabulary);
  const areas = new Set(document.datasets.flatMap(({ area }) => (area ? wordsOf(area) : [])));
  const counts = new Map<string, number>();
  for (const { stems } of subjects)
    for (const stem of stems.keys()) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  const rarity = (word: ReadWord) => {
    const count = Math.max(0.5, ...[...word.keys()].map(stem => counts.get(stem) ?? 0));
    return Math.log(1 + subjects.length / count);
  };

  const askLine = (typed: readonly string[]) => {
    const years = typed.filter(isYear).map(Number);
    const line = vocabulary.read(
      typed.filter(word => !isYear(word)),
      areas,
    );
    const named = takePlace(line, index, typed, stem => counts.has(stem));
    const asked = {
      stems: named.words.flatMap(surest),
      year: years[0] ?? null,
      places: named.places.map(({ place }) => place),
    };
    const scorePlaces = (found: readonly FoundPlace[], rank: number) =>
      found.map(({ place, share }): Scored => ({ found: { kind: 'place', place }, score: share * rank }));
    const about = { words: named.words, typed: new Set(typed) };
    return {
      line,
      scored: [
        ...subjects.flatMap(subject => scoreSubject(subject, about, rarity, asked)),
        ...scorePlaces(index.find(line.words), RANK.place),
        ...scorePlaces(named.words.length > 0 ? named.places : [], RANK.placeOfView),
      ],
    };
  };

  const ask = (text: string): SearchAnswer => {
    const variants = spellVariants(document.synonyms ?? {}, wordsOf(text), word => vocabulary.has(word));
    const answers = variants.map(askLine);
    const best = new Map<unknown, Scored>();
    for (const one of answers.flatMap(({ scored }) => scored)) {
      const { found } = one;
      const identity =
        found.kind === 'withdrawn' ? found.withdrawn : found.kind === 'place' ? found.place : found.dataset;
      const known = best.get(identity);
      if (known === undefined || known.score < one.score) best.set(identity, one);
    }
    const lines = answers.map(({ line }) => line);
    return {
      found: [...best.values()].sort((a, b) => b.score - a.score).map(({ found }) => found),
      corrections: lines[0]?.corrections ?? [],
      unknown: lines[0]?.unknown ?? [],
    };
  };
  return { vocabulary, ask };
}

function datasetSubject(dataset: SearchDataset, vocabulary: Vocabulary): Subject {
  const { title, synonyms = [], tags, metrics, labels, axes, summary, key } = dataset;
  const figures = metrics.flatMap(one => [one.label, ...(one.synonyms ?? [])]);
  const values = axes.flatMap(axis => [
    ...axis.values.map(([, label]) => label),
    ...(axis.groups ?? []).map(({ label }) => label),
  ]);
  const stems = weighStems(vocabulary, [
    [WEIGHTS.summary, [summary, key]],
    [WEIGHTS.value, values],
    [WEIGHTS.label, labels],
    [WEIGHTS.tag, tags],
    [WEIGHTS.figure, figures],
    [WEIGHTS.name, [title, ...synonyms]],
  ]);
  return { found: { dataset }, stems, names: [title, ...synonyms, ...figures, ...values].map(wordsOf) };
}

function withdrawnSubject(withdrawn: SearchWithdrawn, vocabulary: Vocabulary): Subject {
  const { title, key, reason } = withdrawn;
  const stems = weighStems(vocabulary, [
    [WEIGHTS.summary, [key, reason]],
    [WEIGHTS.name, [title]],
  ]);
  return { found: { withdrawn }, stems, names: [wordsOf(title)] };
}

/** `fields`: weights and texts, by ascending weight. */
function weighStems(vocabulary: Vocabulary, fields: readonly (readonly [number, readonly string[]])[]) {
  const stems = new Map<string, number>();
  for (const [weight, texts] of fields)
    for (const words of texts.map(wordsOf)) {
      vocabulary.add(words);
      for (const word of words) stems.set(stemWord(word), weight);
    }
  return stems;
}

/** How well the words fit: up to 2 if they are a name. Without words, only the place counts. */
function scoreSubject(
  { found, stems, names }: Subject,
  { words, typed }: { readonly words: readonly ReadWord[]; readonly typed: ReadonlySet<string> },
  rarity: (word: ReadWord) => number,
  asked: AskedView,
): Scored[] {
  let [matched, covered, all] = [0, 0, 0];
  for (const word of words) {
    const weight = bestMatch(word, stem => stems.get(stem) ?? 0);
    all += rarity(word);
    matched += rarity(word) * weight;
    if (weight > 0) covered += rarity(word);
  }
  // A subject with all words comes before one with some of them in a better field.
  const fit = all === 0 ? 0 : (matched / all) * (covered / all) ** 2;
  const like = Math.max(0, ...names.map(name => likeness(name, words, typed)));
  const score = Math.max(fit, like >= 0.9 ? WHOLE_NAME : 0) * (1 + like);
  if ('withdrawn' in found)
    return score > 0 ? [{ found: { kind: 'withdrawn', withdrawn: found.withdrawn }, score }] : [];
  const { dataset } = found;
  const isThere = asked.places.length > 0 && placeRows(dataset, asked) !== null;
  const isOfYear = asked.year === null || dataset.years.includes(asked.year);
  const there = (asked.places.length === 0 || isThere ? 1 : RANK.elsewhere) * (isOfYear ? 1 : RANK.otherYear);
  const total = words.length === 0 && isThere ? RANK.aboutPlace : score * there;
  return total > 0
    ? [{ found: { kind: 'dataset', dataset, view: findView(dataset, asked) }, score: total }]
    : [];
}

/** How similar the words are to a name, 0 to 1: two thirds for common words, the rest if all words match as typed. */
function likeness(name: readonly string[], words: readonly ReadWord[], typed: ReadonlySet<string>): number {
  const stems = name.map(stemWord);
  const said = stems.filter(stem => words.some(word => word.has(stem))).length;
  if (said === 0) return 0;
  const hasAll = words.every(word => stems.some(stem => word.has(stem)));
  const asTyped = name.filter(word => typed.has(word)).length / name.length;
  return (
    ((4 / 3) * said) / (name.length + words.length) +
    (hasAll ? 0.25 : 0) +
    0.08 * asTyped +
    (said === stems.length ? 0.1 : 0)
  );
}

/** The certain stem of a word, else all its possible stems. */
function surest(word: ReadWord): string[] {
  const stems = [...word.keys()];
  const sure = stems.filter(stem => word.get(stem) === 1);
  return sure.length > 0 ? sure : stems;
}

/**
 * Takes the longest run of words that names a place. A single word that is also a subject counts only after "in" or the
 * like: a street may be called White.
 */
function takePlace(
  { words, typed }: ReadLine,
  index: PlaceIndex,
  line: readonly string[],
  isSubject: (stem: string) => boolean,
): { readonly words: readonly ReadWord[]; readonly places: readonly FoundPlace[] } {
  for (let length = Math.min(LONGEST_NAME, words.length); length > 0; length--)
    for (let at = 0; at + length <= words.length; at++) {
      const run = words.slice(at, at + length);
      const before = line[line.indexOf(typed[at]!) - 1] ?? '';
      const isStated = ['in', 'at', 'near', 'for'].includes(before);
      if (length === 1 && !isStated && surest(run[0]!).some(isSubject)) continue;
      const found = index.find(run);
      const best = found[0]?.share ?? 0;
      if (best < NAMED) continue;
      return {
        words: [...words.slice(0, at), ...words.slice(at + length)],
        places: found.filter(({ place, share }) => share > best - 0.1 || place.name === found[0]?.place.name),
      };
    }
  return { words, places: [] };
}

function isYear(word: string): boolean {
  return /^(19|20)\d\d$/.test(word);
}

interface FoundPlace {
  readonly place: Place;
  /** The words' share of the place's name, 0 to 1. Rare words count more. */
  readonly share: number;
}

interface PlaceEntry {
  readonly place: Place;
  /** In the order of the name. */
  readonly name: ReadonlySet<string>;
  /** Words of its kind, its code and the place around it. */
  readonly others: ReadonlySet<string>;
  readonly code: ReadonlySet<string>;
  /** How rare each stem is among the names of its kind; 0 for words of the kind itself. */
  readonly weights: ReadonlyMap<string, number>;
}

/** The share for a place within the named one: it comes after all places of that name. */
const WITHIN = 0.2;

/** Added if the words have the first word of the name: North Atlanta High isn't Atlanta. */
const BEGINNING = 0.2;

/** The weight of a word that at most half of the names have. */
const RARE = Math.log(3);

class PlaceIndex {
  private readonly entries: PlaceEntry[] = [];
  private readonly byStem = new Map<string, number[]>();

  constructor({ dimensions }: SearchDocument, vocabulary: Vocabulary) {
    for (const dimension of dimensions) {
      const kind = new Set(wordsOf(`${dimension.name} ${dimension.title} ${dimension.kind}`));
      vocabulary.add([...kind]);
      const counts = new Map<string, number>();
      const weights = new Map<string, number>();
      for (const [name = '', within = '', ...key] of dimension.places) {
        const words = wordsOf(name);
        const code = key.flatMap(wordsOf);
        vocabulary.add(words);
        vocabulary.add(code);
        const own = new Set(words.map(stemWord));
        for (const stem of own) counts.set(stem, (counts.get(stem) ?? 0) + 1);
        const others = new Set([...code, ...kind, ...wordsOf(within)].map(stemWord));
        const at = this.entries.length;
        for (const stem of new Set([...own, ...others])) {
          const known = this.byStem.get(stem);
          if (known) known.push(at);
          else this.byStem.set(stem, [at]);
        }
        const place: Place = { dimension, name, within, key };
        this.entries.push({ place, name: own, others, code: new Set(code), weights });
      }
      const nouns = new Set([...kind].map(stemWord));
      for (const [stem, count] of counts)
        weights.set(stem, nouns.has(stem) ? 0 : Math.log(1 + dimension.places.length / count));
    }
  }

  /** Places that match all words, the best first. */
  find(words: readonly ReadWord[]): FoundPlace[] {
    const [first, ...rest] = words.map(word => this.placesWith(word)).sort((a, b) => a.size - b.size);
    if (first === undefined) return [];
    const found: FoundPlace[] = [];
    for (const at of first) {
      if (!rest.every(one => one.has(at))) continue;
      const entry = this.entries[at]!;
      const share = shareOf(entry, words);
      if (share > 0) found.push({ place: entry.place, share });
    }
    return found.sort((a, b) => b.share - a.share);
  }

  private placesWith(word: ReadWord): ReadonlySet<number> {
    const all = new Set<number>();
    for (const stem of word.keys()) for (const at of this.byStem.get(stem) ?? []) all.add(at);
    return all;
  }
}

function shareOf({ name, others, code, weights }: PlaceEntry, words: readonly ReadWord[]): number {
  const parts = [...code].filter(part => words.some(word => word.has(part)));
  if (parts.length === code.size) return 1;
  let [matched, all, isNamed] = [0, 0, false];
  for (const stem of name) {
    const weight = weights.get(stem) ?? 0;
    const sure = Math.max(0, ...words.map(word => word.get(stem) ?? 0));
    all += weight;
    matched += weight * sure;
    isNamed ||= sure > 0 && weight >= RARE;
  }
  // A word that most names have, such as "school", doesn't name a place.
  if (isNamed) {
    const [first = ''] = name;
    const share = matched / all;
    return words.some(word => word.has(first)) ? share + BEGINNING * (1 - share) : share;
  }
  if (parts.length > 0) return 2 * WITHIN;
  return words.length > 1 && words.some(word => [...word.keys()].some(stem => others.has(stem))) ? WITHIN : 0;
}

/** What a search asks for besides its subject. */
interface AskedView {
  /** Stems of the subject's words, corrected. */
  readonly stems: readonly string[];
  readonly year: number | null;
  /** Places of the same name, the likeliest first: a county and its school district. */
  readonly places: readonly Place[];
}

interface FoundView {
  /** The query of the dataset's page, without `?`. */
  readonly query: string;
  /** `Graduation rate · Riverside · 2024` */
  readonly words: string;
  /** The kind of the view's place; null if it has none. */
  readonly about: string | null;
}

/** The first of the places that the dataset has rows about, with its parameters; null if there is none. */
function placeRows(dataset: SearchDataset, { places }: AskedView) {
  for (const place of places) {
    const rows = place.dimension.datasets.find(({ key, alone }) => alone && key === dataset.key);
    if (rows) return { place, rows };
  }
  return null;
}

/** Null if the words only ask for the dataset. */
function findView(dataset: SearchDataset, asked: AskedView): FoundView | null {
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

/** The measure with the most words of the search; at a tie the first one. */
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

/** The values, groups and axes that the words name. Words of the dataset's own name don't count. */
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
