/** The search over datasets, their measures, groups and years, and the places of all levels. */
import type { WithdrawnSummary } from '../../../build/format/documents.ts';
import { joinItems } from '../../query/query-string.ts';
import type { Place } from './places.ts';
import { type SearchDataset, type SearchDocument, type SearchMetric, viewOver } from './search-document.ts';
import {
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
  | { readonly kind: 'withdrawn'; readonly withdrawn: WithdrawnSummary }
  | { readonly kind: 'place'; readonly place: Place };

export interface SearchAnswer extends Pick<ReadLine, 'corrections' | 'unknown'> {
  /** Best first. */
  readonly found: readonly Found[];
}

export interface TreeSearch {
  ask(text: string): SearchAnswer;
}

/** How much a word of each field says about a dataset's subject. */
const WEIGHTS = { name: 1, tag: 0.4, figure: 0.6, label: 0.3, value: 0.3, summary: 0.2 };

/** The least fit if the words are the name of something in the dataset, such as a group. */
const WHOLE_NAME = 0.5;

type Subject = { readonly dataset: SearchDataset } | { readonly withdrawn: WithdrawnSummary };

interface SubjectEntry {
  readonly subject: Subject;
  /** The greatest weight of each stem. */
  readonly stems: ReadonlyMap<string, number>;
  /** Its title, measures, their synonyms and groups, each as words. */
  readonly names: readonly (readonly string[])[];
}

interface Scored {
  readonly found: Found;
  readonly score: number;
}

/** If a name is so much like the words, they are about the place. */
const NAMED = 0.6;

/** In words. */
const LONGEST_NAME = 7;

/** Without a subject, datasets with rows about a place come after the place; with one, before it. */
const RANK = { aboutPlace: 0.1, placeOfView: 0.3, elsewhere: 0.3 };

/** `by`: the words for figures of several groups, such as `by sex`. */
export function openSearch(document: SearchDocument, by: (groups: string) => string): TreeSearch {
  const vocabulary = new Vocabulary();
  const subjects = [
    ...document.datasets.map(dataset => datasetEntry(dataset, vocabulary)),
    ...(document.withdrawn ?? []).map(withdrawn => {
      const { title, key, reason } = withdrawn;
      const others = [WEIGHTS.summary, [key, reason]] as const;
      return entryOf({ withdrawn }, [title], vocabulary, [others, [WEIGHTS.name, [title]]]);
    }),
  ];
  const index = new PlaceIndex(document, vocabulary);
  const areas = new Set(document.datasets.flatMap(({ area }) => (area ? wordsOf(area) : [])));
  const isSubject = (stem: string) => subjects.some(({ stems }) => stems.has(stem));

  const askLine = (typed: readonly string[]) => {
    const [year = null] = typed.filter(isYear).map(Number);
    const line = vocabulary.read(
      typed.filter(word => !isYear(word) && (vocabulary.has(word) || !areas.has(word))),
    );
    const { words, places } = takePlace(line, index, isSubject);
    const asked = { stems: words.flatMap(surest), year, places: places.map(({ place }) => place), by };
    const toScored = (found: readonly FoundPlace[], rank: number) =>
      found.map(({ place, share }): Scored => ({ found: { kind: 'place', place }, score: share * rank }));
    return {
      line,
      scored: [
        ...subjects.map(entry => scoreSubject(entry, words, new Set(line.typed), asked)),
        ...toScored(index.find(line.words, line.typed), 1),
        ...toScored(words.length > 0 ? places : [], RANK.placeOfView),
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
      if (one.score > (best.get(identity)?.score ?? 0)) best.set(identity, one);
    }
    const { corrections = [], unknown = [] } = answers[0]?.line ?? {};
    const found = [...best.values()].sort((a, b) => b.score - a.score).map(one => one.found);
    return { found, corrections, unknown };
  };
  return { ask };
}

function datasetEntry(dataset: SearchDataset, vocabulary: Vocabulary): SubjectEntry {
  const { title, synonyms = [], tags, metrics, labels, axes, summary, key } = dataset;
  const figures = metrics.flatMap(one => [one.label, ...(one.synonyms ?? [])]);
  const values = axes.flatMap(axis => [
    ...axis.values.map(([, label]) => label),
    ...(axis.groups ?? []).map(({ label }) => label),
  ]);
  const names = [title, ...synonyms, ...figures, ...values];
  return entryOf({ dataset }, names, vocabulary, [
    [WEIGHTS.summary, [summary, key]],
    [WEIGHTS.value, values],
    [WEIGHTS.label, labels],
    [WEIGHTS.tag, tags],
    [WEIGHTS.figure, figures],
    [WEIGHTS.name, [title, ...synonyms]],
  ]);
}

/** `fields`: weights and texts, by ascending weight. */
function entryOf(
  subject: Subject,
  names: readonly string[],
  vocabulary: Vocabulary,
  fields: readonly (readonly [number, readonly string[]])[],
): SubjectEntry {
  const stems = new Map<string, number>();
  for (const [weight, texts] of fields)
    for (const words of texts.map(wordsOf)) {
      vocabulary.add(words);
      for (const word of words) stems.set(stemWord(word), weight);
    }
  return { subject, stems, names: names.map(wordsOf) };
}

/** How well the words fit: up to 2 if they are a name. Without words, only the place counts. */
function scoreSubject(
  { subject, stems, names }: SubjectEntry,
  words: readonly ReadWord[],
  typed: ReadonlySet<string>,
  asked: AskedView,
): Scored {
  const weights = words.map(word =>
    Math.max(0, ...[...word].map(([stem, sure]) => sure * (stems.get(stem) ?? 0))),
  );
  // A subject with all words comes before one with some of them in a better field.
  const covered = weights.filter(weight => weight > 0).length / Math.max(1, words.length);
  const fit = covered * weights.reduce((sum, weight) => sum + weight / words.length, 0);
  const like = Math.max(0, ...names.map(name => likeness(name, words, typed)));
  const score = Math.max(fit, like >= 0.9 ? WHOLE_NAME : 0) * (1 + like);
  if ('withdrawn' in subject) return { found: { kind: 'withdrawn', ...subject }, score };
  const { dataset } = subject;
  const isThere = placeRows(dataset, asked) !== null;
  const place = asked.places.length === 0 || isThere ? 1 : RANK.elsewhere;
  return {
    found: { kind: 'dataset', dataset, view: findView(dataset, asked) },
    score: words.length === 0 && isThere ? RANK.aboutPlace : score * place,
  };
}

/** How similar the words are to a name, 0 to 1: two thirds for common words, the rest if all words match as typed. */
function likeness(name: readonly string[], words: readonly ReadWord[], typed: ReadonlySet<string>): number {
  const stems = name.map(stemWord);
  const said = stems.filter(stem => words.some(word => word.has(stem))).length;
  if (said === 0) return 0;
  const hasAll = words.every(word => stems.some(stem => word.has(stem)));
  const asTyped = name.filter(word => typed.has(word)).length / name.length;
  return ((4 / 3) * said) / (name.length + words.length) + (hasAll ? 0.25 : 0) + 0.08 * asTyped;
}

/** The certain stem of a word, else all its possible stems. */
function surest(word: ReadWord): string[] {
  const stems = [...word.keys()];
  const sure = stems.filter(stem => word.get(stem) === 1);
  return sure.length > 0 ? sure : stems;
}

/** Takes the longest run of words that names a place. A single word that is also a subject doesn't: a street may be called White. */
function takePlace(
  { words, typed }: ReadLine,
  index: PlaceIndex,
  isSubject: (stem: string) => boolean,
): { readonly words: readonly ReadWord[]; readonly places: readonly FoundPlace[] } {
  for (let length = Math.min(LONGEST_NAME, words.length); length > 0; length--)
    for (let at = 0; at + length <= words.length; at++) {
      const run = words.slice(at, at + length);
      if (length === 1 && surest(run[0]!).some(isSubject)) continue;
      const found = index.find(run, typed);
      const best = found[0]?.share ?? 0;
      if (best < NAMED) continue;
      const places = found.filter(one => one.share > best - 0.1 || one.place.name === found[0]?.place.name);
      return { words: [...words.slice(0, at), ...words.slice(at + length)], places };
    }
  return { words, places: [] };
}

function isYear(word: string): boolean {
  return /^(19|20)\d\d$/.test(word);
}

interface FoundPlace {
  readonly place: Place;
  /** How similar the words are to its name, 0 to 1. */
  readonly share: number;
}

interface PlaceEntry {
  readonly place: Place;
  /** Without words of the kind: "school" names no school. */
  readonly name: readonly string[];
  readonly code: readonly string[];
  /** Stems of the kind's words. */
  readonly nouns: ReadonlySet<string>;
}

/** The share for a place within the named one: it comes after all places of that name. */
const WITHIN = 0.2;

class PlaceIndex {
  private readonly entries: PlaceEntry[] = [];
  /** Positions by each stem of the name, the code, the kind and the place around it. */
  private readonly byStem = new Map<string, Set<number>>();

  constructor({ dimensions }: SearchDocument, vocabulary: Vocabulary) {
    for (const dimension of dimensions) {
      const kind = wordsOf(`${dimension.name} ${dimension.title} ${dimension.kind}`);
      const nouns = new Set(kind.map(stemWord));
      vocabulary.add(kind);
      for (const [name = '', within = '', ...key] of dimension.places) {
        const [words, code] = [wordsOf(name), key.flatMap(wordsOf)];
        vocabulary.add([...words, ...code]);
        for (const word of [...words, ...code, ...kind, ...wordsOf(within)]) {
          const stem = stemWord(word);
          const known = this.byStem.get(stem) ?? new Set<number>();
          this.byStem.set(stem, known.add(this.entries.length));
        }
        const own = words.filter(word => !nouns.has(stemWord(word)));
        this.entries.push({ place: { dimension, name, within, key }, name: own, code, nouns });
      }
    }
  }

  /** Places that match all words, the best first. */
  find(words: readonly ReadWord[], line: readonly string[]): FoundPlace[] {
    const typed = new Set(line);
    const matches = words.map(
      word => new Set([...word.keys()].flatMap(stem => [...(this.byStem.get(stem) ?? [])])),
    );
    const [first = new Set<number>(), ...rest] = matches.sort((a, b) => a.size - b.size);
    return [...first]
      .filter(at => rest.every(one => one.has(at)))
      .map(at => ({ place: this.entries[at]!.place, share: shareOf(this.entries[at]!, words, typed) }))
      .filter(({ share }) => share > 0)
      .sort((a, b) => b.share - a.share);
  }
}

function shareOf(
  { name, code, nouns }: PlaceEntry,
  words: readonly ReadWord[],
  typed: ReadonlySet<string>,
): number {
  const isSaid = (stem: string) => words.some(word => word.has(stem));
  if (code.every(isSaid)) return 1;
  if (name.map(stemWord).some(isSaid)) {
    const own = words.filter(word => !surest(word).some(stem => nouns.has(stem)));
    return likeness(name, own, typed);
  }
  return code.some(isSaid) || words.length > 1 ? WITHIN : 0;
}

/** What a search asks for besides its subject. */
interface AskedView {
  /** Stems of the subject's words, corrected. */
  readonly stems: readonly string[];
  readonly year: number | null;
  /** Places of the same name, the likeliest first: a county and its school district. */
  readonly places: readonly Place[];
  readonly by: (groups: string) => string;
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
  const { stems, by } = asked;
  const pairs: [string, string][] = [];
  const words: string[] = [];
  const axes = chooseAxes(dataset, stems, by);
  // Students with disabilities don't ask for the number of students.
  const taken = new Set(axes.flatMap(({ label }) => stemsOf(label)));
  const figure = chooseFigure(
    dataset,
    stems.filter(stem => !taken.has(stem)),
  );
  const at = placeRows(dataset, asked);
  const year = asked.year !== null && dataset.years.includes(asked.year) ? asked.year : null;
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
    else pairs.push([param, joinItems(values)]);
    words.push(label);
  }
  if (open.length > 0) pairs.push(['open', open.join(',')], ['view', 'bars']);
  else if (year === null && (at !== null || axes.length > 0)) pairs.push(['view', viewOver(dataset.years)]);
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
function chooseAxes(dataset: SearchDataset, stems: readonly string[], by: AskedView['by']): AskedAxis[] {
  const subject = new Set(
    [dataset.title, ...(dataset.synonyms ?? []), ...dataset.metrics.map(({ label }) => label)].flatMap(
      stemsOf,
    ),
  );
  const rest = stems.filter(stem => !subject.has(stem));
  return dataset.axes.flatMap(({ param, label, total, values, groups }): AskedAxis[] => {
    const named = values
      .filter(([value]) => value !== total)
      .map(([value, name]) => ({ value, name, own: stemsOf(name) }))
      .filter(({ own }) => own.some(stem => rest.includes(stem)));
    const whole = named.filter(({ own }) => own.every(stem => stems.includes(stem)));
    const found = whole.length > 0 || named.length > 1 ? whole : named;
    if (found.length > 0)
      return [{ param, values: found.map(one => one.value), label: found.map(one => one.name).join(', ') }];
    const group = groups?.find(one => stemsOf(one.label).some(stem => rest.includes(stem)));
    if (group) return [{ param, values: group.values, label: by(group.label.toLowerCase()) }];
    if (stemsOf(label).some(stem => rest.includes(stem)))
      return [{ param, values: null, label: by(label.toLowerCase()) }];
    return [];
  });
}
