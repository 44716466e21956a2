/** Searches datasets and places: all words, then any; word families, misspellings, and places and years in the line. */
import MiniSearch from 'minisearch';
import { editDistance } from '../../../build/format/edit-distance.ts';
import { PAGES } from '../../../build/format/paths.ts';
import { HostError } from '../../edge/files/watched-fetch.ts';
import type { Place } from '../view/place-address.ts';
import type { SearchDataset, SearchDocument, SearchWithdrawn } from '../view/search-document.ts';
import { type AskedView, type FoundView, findView, placeRows } from '../view/search-view.ts';
import { foldText, isSilent, stemWord, wordsOf } from '../view/word-stems.ts';
import { readDocument } from './tree-documents.ts';

interface FoundDataset {
  readonly dataset: SearchDataset;
  /** The view that the words ask for; null if they ask for the dataset. */
  readonly view: FoundView | null;
}

export interface SearchAnswer {
  /** Best first. */
  readonly datasets: readonly FoundDataset[];
  readonly withdrawn: readonly SearchWithdrawn[];
  readonly places: readonly Place[];
  /** Words that were read as others. */
  readonly corrections: readonly (readonly [from: string, to: string])[];
  /** Words that nothing here is about. */
  readonly unknown: readonly string[];
}

export interface TreeSearch {
  readonly document: SearchDocument;
  ask(text: string): SearchAnswer;
  findPlaces(text: string): readonly Place[];
}

let loading: Promise<TreeSearch> | null = null;

/** Loads search.json once. After a failure, the next call tries again. */
export function loadSearch(root: URL): Promise<TreeSearch> {
  loading ??= readSearch(root).catch(error => {
    loading = null;
    throw error;
  });
  return loading;
}

async function readSearch(root: URL): Promise<TreeSearch> {
  const document = await readDocument<SearchDocument>(root, PAGES.search);
  if (document === null) throw new HostError('The index of the search is missing', { status: 404 });
  return openSearch(document);
}

const BOOST = { title: 6, synonyms: 5, tags: 1.5, figures: 3, labels: 1.5, values: 1, summary: 1, key: 0.2 };

type Field = keyof typeof BOOST;

const FIELDS: Readonly<Record<Field, (dataset: SearchDataset) => readonly string[]>> = {
  title: ({ title }) => [title],
  synonyms: ({ synonyms = [], metrics }) => [...synonyms, ...metrics.flatMap(one => one.synonyms ?? [])],
  tags: ({ tags }) => tags,
  figures: ({ metrics }) => metrics.map(({ label }) => label),
  labels: ({ labels }) => labels,
  values: ({ metric }) =>
    (metric?.axes ?? []).flatMap(({ values, groups = [] }) => [
      ...values.map(([, label]) => label),
      ...groups.map(({ label }) => label),
    ]),
  summary: ({ summary }) => [summary],
  key: ({ key }) => [key],
};

const NAMES = Object.keys(FIELDS) as Field[];

/** A search for a place within a longer line tries no more words at once. */
const LONGEST_NAME = 7;

export function openSearch(document: SearchDocument): TreeSearch {
  const index = new MiniSearch<SearchDataset>({
    idField: 'key',
    fields: NAMES,
    extractField: (dataset, field) =>
      field in FIELDS ? FIELDS[field as Field](dataset).join(' ') : String(dataset[field as 'key']),
    tokenize: wordsOf,
    processTerm: stemWord,
    // Many synonyms make a dataset no less fitting.
    searchOptions: { boost: BOOST, prefix: term => term.length > 2, bm25: { k: 1.2, b: 0.3, d: 0.5 } },
  });
  index.addAll([...document.datasets]);
  const withdrawn = new MiniSearch<SearchWithdrawn>({
    idField: 'key',
    fields: ['title', 'key', 'reason'],
    tokenize: wordsOf,
    processTerm: stemWord,
    searchOptions: { boost: { title: 5 }, prefix: true, combineWith: 'AND' },
  });
  withdrawn.addAll([...(document.withdrawn ?? [])]);
  const known = new Map(document.datasets.map(dataset => [dataset.key, dataset]));
  const gone = new Map((document.withdrawn ?? []).map(one => [one.key, one]));
  const vocabulary = countStems(document);
  const areas = new Set(document.datasets.flatMap(({ area }) => (area ? wordsOf(area) : [])));
  let places: ReturnType<typeof indexPlaces> | null = null;
  const openPlaces = () => {
    places ??= indexPlaces(document);
    return places;
  };
  const findPlaces = (text: string) => openPlaces().search(text);

  const ask = (text: string): SearchAnswer => {
    const { words, place, others } = takePlace(wordsOf(text), openPlaces(), vocabulary);
    const years = words.filter(isYear).map(Number);
    const corrections: [string, string][] = [];
    const unknown: string[] = [];
    const stems: string[] = [];
    for (const word of words) {
      if (isSilent(word) || years.includes(Number(word))) continue;
      const stem = stemWord(word);
      if (isKnown(vocabulary, stem)) stems.push(stem);
      else if (!areas.has(word)) {
        const near = nearestStem(vocabulary, stem);
        if (near === null) unknown.push(word);
        else {
          corrections.push([word, near.word]);
          stems.push(near.stem);
        }
      }
    }
    const asked: AskedView = { stems, year: years[0] ?? null, place };
    const scored = scoreDatasets(index, stems, document, asked, words);
    return {
      datasets: scored.flatMap(key => {
        const dataset = known.get(key);
        return dataset ? [{ dataset, view: findView(dataset, asked) }] : [];
      }),
      withdrawn: withdrawn
        .search(stems.join(' '), { processTerm: term => term })
        .flatMap(({ id }) => gone.get(id) ?? []),
      places: place ? [place, ...others] : findPlaces(text),
      corrections,
      unknown,
    };
  };
  return { document, ask, findPlaces };
}

/** Keys of datasets with all words, then of those with any. Without words, the datasets about the place. */
function scoreDatasets(
  index: MiniSearch<SearchDataset>,
  stems: readonly string[],
  { datasets }: SearchDocument,
  asked: AskedView,
  words: readonly string[],
): string[] {
  const all = new Map(datasets.map(dataset => [dataset.key, dataset]));
  if (stems.length === 0)
    return datasets.filter(one => asked.place !== null && placeRows(one, asked)).map(({ key }) => key);
  const fits = (key: string) => {
    const dataset = all.get(key);
    if (dataset === undefined) return 0;
    const hasPlace = asked.place === null || placeRows(dataset, asked) !== null;
    const hasYear = asked.year === null || dataset.years.includes(asked.year);
    // The very words of a name count more than words of their family, and a name's first word most.
    const name = FIELDS.title(dataset).flatMap(wordsOf);
    const own = new Set([...name, ...FIELDS.synonyms(dataset).flatMap(wordsOf)]);
    const said = words.filter(word => own.has(word)).length / Math.max(1, words.length);
    const begins = stems[0] === stemWord(name[0] ?? '') ? 1.3 : 1;
    const covered = name.filter(word => stems.includes(stemWord(word))).length / Math.max(1, name.length);
    return (hasPlace ? 1 : 0.3) * (hasYear ? 1 : 0.6) * (1 + said) * (1 + covered) * begins;
  };
  const search = (combineWith: 'AND' | 'OR') =>
    index
      // Stems are stems already.
      .search(stems.join(' '), { combineWith, processTerm: term => term })
      .map(({ id, score }) => ({ key: String(id), score: score * fits(String(id)) }))
      .sort((a, b) => b.score - a.score)
      .map(({ key }) => key);
  return [...new Set([...search('AND'), ...search('OR')])];
}

/** Stems with a word that has them and how often they occur. */
type Vocabulary = ReadonlyMap<string, { readonly word: string; readonly count: number }>;

function countStems({ datasets, withdrawn = [] }: SearchDocument): Vocabulary {
  const found = new Map<string, { word: string; count: number }>();
  const texts = datasets.flatMap(dataset => NAMES.flatMap(name => FIELDS[name](dataset)));
  const gone = withdrawn.flatMap(({ key, title, reason }) => [title, key, reason]);
  for (const word of [...texts, ...gone].flatMap(wordsOf)) {
    const stem = stemWord(word);
    const one = found.get(stem) ?? { word, count: 0 };
    one.count += 1;
    found.set(stem, one);
  }
  return found;
}

function isKnown(vocabulary: Vocabulary, stem: string): boolean {
  if (vocabulary.has(stem)) return true;
  if (stem.length < 3) return false;
  for (const one of vocabulary.keys()) if (one.startsWith(stem)) return true;
  return false;
}

/** The nearest stem with one edit, or two in a long word; null for codes and for words unlike all others. */
function nearestStem(vocabulary: Vocabulary, stem: string) {
  if (stem.length < 4 || stem.length > 30 || /\d/.test(stem)) return null;
  const most = stem.length < 6 ? 1 : 2;
  let best: { stem: string; word: string; rank: number } | null = null;
  for (const [other, { word, count }] of vocabulary) {
    if (Math.abs(other.length - stem.length) > most || other.length < 3 || /\d/.test(other)) continue;
    const edits = editDistance(stem, other);
    if (edits > most) continue;
    const rank = edits * 10 + (other[0] === stem[0] ? 0 : 5) - Math.min(4, Math.log2(count));
    if (best === null || rank < best.rank) best = { stem: other, word, rank };
  }
  return best;
}

function isYear(word: string): boolean {
  return /^(19|20)\d\d$/.test(word);
}

/** Takes the longest run of words that names a place; a word that is a subject too counts as a place after "in". */
function takePlace(
  words: readonly string[],
  { named, search }: ReturnType<typeof indexPlaces>,
  vocabulary: Vocabulary,
): { words: readonly string[]; place: Place | null; others: readonly Place[] } {
  // A part of a name that has a number, such as "county 059", counts if only one place has it.
  const partOf = (run: readonly string[]) => {
    const isPart = run.length > 1 && run.some(word => /\d/.test(word) && !isYear(word));
    const found = isPart ? search(run.join(' ')) : [];
    return found.length === 1 ? found : [];
  };
  for (let length = Math.min(LONGEST_NAME, words.length); length > 0; length--)
    for (let at = 0; at + length <= words.length; at++) {
      const run = words.slice(at, at + length);
      const [place, ...others] = named.get(run.join(' ')) ?? partOf(run);
      if (place === undefined) continue;
      const nouns = new Set([place.dimension.name, place.dimension.title].flatMap(wordsOf).map(stemWord));
      const isNoun = (word: string | undefined) => word !== undefined && nouns.has(stemWord(word));
      const after = at + length;
      const stated = isNoun(words[after]) || ['in', 'at', 'near', 'for'].includes(words[at - 1] ?? '');
      const isSubject = length === 1 && vocabulary.has(stemWord(words[at]!));
      if (isSubject && !stated) continue;
      const end = isNoun(words[after]) ? after + 1 : after;
      return { words: [...words.slice(0, at), ...words.slice(end)], place, others };
    }
  return { words, place: null, others: [] };
}

function indexPlaces({ dimensions }: SearchDocument) {
  const list = dimensions.flatMap(dimension =>
    dimension.places.map(([name = '', within = '', ...key]): Place => ({ dimension, name, within, key })),
  );
  const index = new MiniSearch<{ id: number; name: string; within: string; key: string }>({
    fields: ['name', 'within', 'key'],
    tokenize: wordsOf,
    processTerm: foldText,
    searchOptions: { prefix: true, combineWith: 'AND', boost: { name: 4, key: 2 } },
  });
  index.addAll(list.map(({ name, within, key }, id) => ({ id, name, within, key: key.join(' ') })));
  const named = new Map<string, Place[]>();
  for (const place of list)
    for (const name of [place.name, `${place.name} ${place.within}`, place.key.join(' ')]) {
      const words = wordsOf(name).join(' ');
      const same = named.get(words) ?? [];
      if (words !== '' && !same.includes(place)) named.set(words, [...same, place]);
    }
  /** If no word matches exactly, one letter of a longer word may differ. Codes must match exactly. */
  const search = (text: string): Place[] => {
    const exact = index.search(text);
    const fuzzy = (term: string) => (term.length > 4 && !/\d/.test(term) ? 1 : false);
    const found = exact.length > 0 ? exact : index.search(text, { fuzzy });
    return found.flatMap(({ id }) => list[id as number] ?? []);
  };
  return { named, search };
}
