/** Searches datasets and places by the beginnings of words, and allows small misspellings. */
import MiniSearch from 'minisearch';
import { PAGES } from '../../../build/format/paths.ts';
import type {
  SearchDataset,
  SearchDimension,
  SearchDocument,
  SearchWithdrawn,
} from '../view/search-document.ts';

export interface FoundPlace {
  readonly dimension: SearchDimension;
  readonly name: string;
  readonly within: string;
  readonly key: readonly string[];
}

export interface TreeSearch {
  readonly document: SearchDocument;
  /** Best first. */
  findDatasets(text: string): readonly SearchDataset[];
  findWithdrawn(text: string): readonly SearchWithdrawn[];
  findPlaces(text: string): readonly FoundPlace[];
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
  const response = await fetch(new URL(PAGES.search, root));
  if (!response.ok) throw new Error(`The index of the search could not be loaded (${response.status}).`);
  return openSearch((await response.json()) as SearchDocument);
}

/** Ignores accents and case. */
function processTerm(term: string): string {
  return term.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

const OPTIONS = { prefix: true, combineWith: 'AND' } as const;

/** If no word matches exactly, one letter of a longer word may differ. Codes must match exactly. */
function searchKindly<Entry>(index: MiniSearch<Entry>, text: string) {
  const exact = index.search(text);
  if (exact.length > 0) return exact;
  return index.search(text, { fuzzy: term => (term.length > 4 && !/\d/.test(term) ? 1 : false) });
}

export function openSearch(document: SearchDocument): TreeSearch {
  const datasets = new MiniSearch<SearchDataset>({
    idField: 'key',
    fields: ['title', 'tags', 'labels', 'summary', 'key'],
    extractField: (dataset, field) => [dataset[field as 'title']].flat().join(' '),
    processTerm,
    searchOptions: { ...OPTIONS, boost: { title: 5, tags: 2, labels: 1.5 } },
  });
  datasets.addAll([...document.datasets]);
  const known = new Map(document.datasets.map(dataset => [dataset.key, dataset]));
  const withdrawn = new MiniSearch<SearchWithdrawn>({
    idField: 'key',
    fields: ['title', 'key', 'reason'],
    processTerm,
    searchOptions: { ...OPTIONS, boost: { title: 5 } },
  });
  withdrawn.addAll([...(document.withdrawn ?? [])]);
  const gone = new Map((document.withdrawn ?? []).map(one => [one.key, one]));
  let places: { index: MiniSearch; list: readonly FoundPlace[] } | null = null;
  return {
    document,
    findDatasets: text => searchKindly(datasets, text).flatMap(({ id }) => known.get(id) ?? []),
    findWithdrawn: text => searchKindly(withdrawn, text).flatMap(({ id }) => gone.get(id) ?? []),
    findPlaces: text => {
      places ??= indexPlaces(document);
      const { index, list } = places;
      return searchKindly(index, text).flatMap(({ id }) => list[id as number] ?? []);
    },
  };
}

function indexPlaces({ dimensions }: SearchDocument) {
  const list = dimensions.flatMap(dimension =>
    dimension.places.map(
      ([name = '', within = '', ...key]): FoundPlace => ({ dimension, name, within, key }),
    ),
  );
  const index = new MiniSearch<{ id: number; name: string; within: string; key: string }>({
    fields: ['name', 'within', 'key'],
    processTerm,
    searchOptions: { ...OPTIONS, boost: { name: 4, key: 2 } },
  });
  index.addAll(list.map(({ name, within, key }, id) => ({ id, name, within, key: key.join(' ') })));
  return { index, list };
}
