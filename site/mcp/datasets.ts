/** What there is in a tree, what a dataset means, and its rows. */
import * as z from 'zod';
import type { Place } from '../explorer/view/places.ts';
import type { Found } from '../explorer/view/tree-search.ts';
import { joinItems } from '../query/query-string.ts';
import { type Api, DATASET, PARAMETERS, TEXT, ToolError } from './api.ts';

/** Of each kind. */
const MOST_FOUND = 6;

/** More fill the context of a model. */
const USUAL_ROWS = 200;

/** Parameters of a page that the API doesn't have. */
const OF_PAGES = new Set(['view', 'open', 'metric']);

export const SEARCH = z.strictObject({ words: TEXT.describe('Subject and place: rainfall Riverside') });

export async function searchTree(api: Api, { words }: z.infer<typeof SEARCH>): Promise<object> {
  const search = await api.search();
  const { found, corrections, unknown } = search.ask(words);
  const of = <Kind extends Found['kind']>(kind: Kind) =>
    found.filter((one): one is Extract<Found, { kind: Kind }> => one.kind === kind).slice(0, MOST_FOUND);
  const datasets = of('dataset').map(({ dataset: { key, title, summary, years, levels, metrics }, view }) => {
    const pairs = [...new URLSearchParams(view?.query)].filter(([name]) => !OF_PAGES.has(name));
    const measures = metrics.map(({ column, label, unit }) => ({ column, label, unit }));
    return { dataset: key, title, summary, years, levels, measures, parameters: Object.fromEntries(pairs) };
  });
  const all = search.datasets.map(({ key }) => key);
  const keys = datasets.length > 0 ? datasets.map(({ dataset }) => dataset) : all;
  const places = of('place').map(({ place }) => ({
    ...describePlace(place),
    rows: rowsAbout(place, keys).slice(0, MOST_FOUND),
  }));
  return {
    ...{ datasets, places, withdrawn: of('withdrawn').map(({ withdrawn }) => withdrawn) },
    ...{ corrections, ignored_words: unknown },
    ...(found.length === 0 && { hint: 'Nothing has these words.', all_datasets: all }),
  };
}

export function describePlace({ name, within, key, dimension }: Place) {
  return { place: name, ...(within !== '' && { within }), kind: dimension.kind, code: key.join(':') };
}

/** The rows that datasets have about a place alone, at their levels. */
export function rowsAbout({ dimension, key }: Pick<Place, 'dimension' | 'key'>, datasets: readonly string[]) {
  const rows = dimension.datasets.filter(one => one.alone && datasets.includes(one.key));
  return rows.map(({ key: dataset, detail, params }) => {
    const codes = params.map((param, i) => [param, joinItems([key[i] ?? ''])] as const);
    return { dataset, parameters: { detail, ...Object.fromEntries(codes) } };
  });
}

export const DESCRIBE = z.strictObject({ dataset: DATASET });

/** The schema document without what only programs need, and with an example. */
export async function describeDataset(api: Api, { dataset }: z.infer<typeof DESCRIBE>): Promise<object> {
  // Rows come first: they say whether a dataset was withdrawn.
  const { url, license, attribution, notices, data } = await api.rows(dataset, { limit: 1 });
  const { format, key, path_template, schema_hash, example_queries, questions, filters, ...schema } =
    await api.schema(dataset);
  const parameters = filters.filter(({ kind }) => kind !== 'range');
  const ranges = filters.filter(({ kind }) => kind === 'range').map(({ param }) => param);
  const example = { url, row: data[0] };
  return { ...schema, dataset, parameters, ranges, license, attribution, notices, example };
}

export const ROWS = z.strictObject({
  dataset: DATASET,
  parameters: PARAMETERS.describe(
    `As in the API: detail (the level), year, year_min, year_max, filters, limit (${USUAL_ROWS} if not given), offset, as_of`,
  ),
});

/** The API's page of JSON, and which column is the margin of which. */
export async function findRows(api: Api, { dataset, parameters }: z.infer<typeof ROWS>): Promise<object> {
  if ('format' in parameters)
    throw new ToolError('Leave out "format": the answer is JSON. Fetch its URL with format=csv.');
  const page = await api.rows(dataset, { limit: USUAL_ROWS, ...parameters });
  const { datasets } = await api.search();
  return { measures: datasets.find(({ key }) => key === dataset)?.metrics, ...page };
}
