/** One search over datasets, their figures, groups and years, and the places of all levels. */
import type { Place } from './place-address.ts';
import { type FoundPlace, PlaceIndex } from './place-search.ts';
import type { SearchDataset, SearchDocument, SearchWithdrawn } from './search-document.ts';
import { type AskedView, type FoundView, findView, placeRows } from './search-view.ts';
import { bestMatch, type ReadLine, type ReadWord, Vocabulary } from './search-words.ts';
import { spellVariants } from './synonyms.ts';
import { stemWord, wordsOf } from './word-stems.ts';

export type Found =
  /** `view` is what the words ask of the dataset; null if they ask for the dataset itself. */
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

/** How much a word of each field says of what a dataset is about. */
const WEIGHTS = { name: 1, tag: 0.4, figure: 0.6, label: 0.3, value: 0.3, summary: 0.2 };

/** What a dataset has a name for, such as a group, fits at least so well if the words are that name. */
const WHOLE_NAME = 0.5;

interface Subject {
  readonly found: { readonly dataset: SearchDataset } | { readonly withdrawn: SearchWithdrawn };
  /** The greatest weight of each stem. */
  readonly stems: ReadonlyMap<string, number>;
  /** What it is called: its title, its figures, their synonyms, and its groups, each as words. */
  readonly names: readonly (readonly string[])[];
}

interface Scored {
  readonly found: Found;
  readonly score: number;
}

/** A place of which the line names this share is what the line is about. */
const NAMED = 0.4;

/** No name of a place is longer, in words. */
const LONGEST_NAME = 7;

/** Without a subject in the line, and with one: datasets about a place come after it, and the place after them. */
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

/** `fields`: texts with the weight of their words, ascending. */
function weighStems(vocabulary: Vocabulary, fields: readonly (readonly [number, readonly string[]])[]) {
  const stems = new Map<string, number>();
  for (const [weight, texts] of fields)
    for (const words of texts.map(wordsOf)) {
      vocabulary.add(words);
      for (const word of words) stems.set(stemWord(word), weight);
    }
  return stems;
}

/** Scores how well the words fit: up to 2 if they are what a dataset is called. Without words, by the place alone. */
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
  // What has all words comes before what has some of them in a better place.
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

/** How much the words are a name, 0 to 1: two thirds for the words in common, the rest if one has all words of the other, as they were typed. */
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

/** The stem that a word surely has; else all that it may have. */
function surest(word: ReadWord): string[] {
  const stems = [...word.keys()];
  const sure = stems.filter(stem => word.get(stem) === 1);
  return sure.length > 0 ? sure : stems;
}

/**
 * Takes the longest run of words that names a place. A word that is a subject too names one only after "in" or the like:
 * a street may be called White.
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
