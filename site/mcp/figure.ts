/** One figure, with what it takes to read and cite it, and the same figure of another place. */
import * as z from 'zod';
import type { SchemaDocument } from '../../build/format/documents.ts';
import type { Place } from '../explorer/view/places.ts';
import type { SearchDataset, SearchMetric } from '../explorer/view/search-document.ts';
import { foldText, stemsOf, wordsOf } from '../explorer/view/search-words.ts';
import { type Api, DATASET, PARAMETERS, type Parameters, type RowsPage, TEXT, ToolError } from './api.ts';
import { describePlace, rowsAbout } from './datasets.ts';

const WHOLE = 'whole';

export const FIGURE = z.strictObject({
  dataset: DATASET,
  measure: TEXT.optional().describe('Name or label; the key measure if not given'),
  place: TEXT.default(WHOLE).describe('Name or code of a place, or "whole" for the whole area'),
  year: z.union([z.int(), z.literal('newest')]).default('newest'),
  filters: PARAMETERS.describe('Of other columns; their totals, or what the contract names, if not given'),
  compare: TEXT.optional().describe('Another place, or "whole", for the same figure'),
});

/** Values or places in a message. */
const MOST_NAMED = 8;

export async function findFigure(api: Api, request: z.infer<typeof FIGURE>): Promise<object> {
  const { dataset, filters, year, compare } = request;
  const schema = await api.schema(dataset);
  const entry = (await api.search()).datasets.find(({ key }) => key === dataset);
  if (!entry) throw new ToolError(`The search does not know ${dataset}. Ask for rows.`);
  const metric = findMetric(entry, request.measure ?? schema.key_metric ?? entry.metrics[0]?.column ?? '');

  // An axis that isn't chosen has its total, or what the contract names.
  const pins = entry.axes.map(({ param, total, headline }) => [param, total ?? headline ?? ''] as const);
  const usual = Object.fromEntries(pins.filter(([, value]) => value !== ''));

  /** The newest period in which the place has a row; empty in a dataset without time. */
  const findNewest = async (place: Parameters): Promise<Parameters> => {
    if (entry.year === '') return {};
    const { data, next } = await api.rows(dataset, { ...usual, ...place, ...filters });
    if (next !== null) throw new ToolError('Too many rows to find the newest. Give a year or filters.');
    const time = schema.filters.find(({ kind, column }) => kind === 'time' && column === schema.time?.column);
    const [year, moment] = [entry.year, time?.column ?? entry.year];
    const periods = data.map(row => [Number(row[year]), String(row[moment])] as const);
    const [newest] = periods.sort(([a, m], [b, n]) => b - a || (m < n ? 1 : -1));
    return newest ? { year: newest[0], ...(time && { [time.param]: newest[1] }) } : {};
  };

  const askFigure = async ({ place, parameters }: Placed, period: Parameters) => {
    const asked = { ...parameters, ...period, ...filters };
    const page = await api.rows(dataset, { ...usual, ...asked });
    const [row, other] = page.data;
    if (!row || other) throw refuseChoice(schema, asked, row ? page : await api.rows(dataset, asked));
    const { url, license, attribution, notices } = page;
    const margin = metric.margin === null ? null : row[metric.margin];
    const about = Object.fromEntries(entry.axes.map(({ param, column }) => [param, row[column]]));
    const figure = { ...place, ...period, about, value: row[metric.column], margin, url };
    return { figure, source: { license, attribution, notices } };
  };

  const at = await findPlace(api, entry, request.place);
  const period = year === 'newest' ? await findNewest(at.parameters) : { year };
  const { figure, source } = await askFigure(at, period);
  const askReference = async (place: string) =>
    (await askFigure(await findPlace(api, entry, place), period)).figure;
  const { column: measure, label, unit } = metric;
  return {
    ...{ dataset, measure, label, unit, ...figure },
    // A reference without the figure doesn't take the figure away.
    ...(compare !== undefined && {
      compared_with: await askReference(compare).catch(({ message }) => ({ problem: message })),
    }),
    ...{ null_means: schema.columns.find(({ name }) => name === measure)?.null_meaning, ...source },
  };
}

/** Names what else can be chosen among rows. */
function refuseChoice({ filters }: SchemaDocument, asked: Parameters, page: RowsPage): ToolError {
  const choices = filters.flatMap(({ param, kind, column = '' }) => {
    const values = [...new Set(page.data.flatMap(row => row[column] ?? []))];
    const isOpen = values.length > (param in asked ? 1 : 0) && kind !== 'dimension_attribute';
    return param === column && isOpen ? [`${param}: ${values.slice(0, MOST_NAMED).join(', ')}`] : [];
  });
  const problem = choices.length === 0 ? 'There is no such row.' : 'Choose one row with filters and year:';
  return new ToolError([problem, ...choices, ...page.notices, page.url].join('\n'));
}

function findMetric({ key, metrics }: SearchDataset, asked: string): SearchMetric {
  const isAsked = (name: string) => foldText(name) === foldText(asked);
  const found = metrics.find(({ column, label }) => isAsked(column) || isAsked(label));
  if (found) return found;
  const known = metrics.map(({ column, label }) => `${column} (${label})`).join(', ');
  throw new ToolError(`${key} has no measure ${JSON.stringify(asked)}. It has ${known}.`);
}

/** `place` is for the reader; the parameters are the level and the key. */
type Placed = { readonly place: object; readonly parameters: Parameters };

/** Throws ToolError if the text means no place of the dataset, or several. A similar name is only proposed. */
async function findPlace(api: Api, dataset: SearchDataset, text: string): Promise<Placed> {
  const { key, whole, area = WHOLE } = dataset;
  const isSame = (name: string) => stemsOf(name).join(' ') === stemsOf(text).join(' ');
  if (whole !== undefined && [WHOLE, area, whole].some(isSame))
    return { place: { place: area }, parameters: { detail: whole } };
  const { dimensions, ask } = await api.search();
  const here = dimensions.flatMap(dimension =>
    dimension.places.flatMap(([name = '', within = '', ...code]) => {
      const place: Place = { dimension, name, within, key: code };
      const [rows] = rowsAbout(place, [key]);
      return rows ? [{ place, parameters: rows.parameters, fit: fitOf(place, text) }] : [];
    }),
  );
  const best = Math.max(1, ...here.map(({ fit }) => fit));
  const fitting = here.filter(({ fit }) => fit === best);
  const [found, other] = fitting;
  if (found && !other) return { place: describePlace(found.place), parameters: found.parameters };
  const near = ask(text).found.flatMap(one => (one.kind === 'place' ? [one.place] : []));
  const proposed = found
    ? fitting.map(({ place }) => place)
    : near.filter(one => rowsAbout(one, [key]).length > 0);
  const codes = proposed.slice(0, MOST_NAMED).map(one => JSON.stringify(describePlace(one)));
  const meant = `${JSON.stringify(text)} means ${found ? 'several places' : 'no place'} of ${key}`;
  throw new ToolError(`${meant}. Give a code: ${codes.join(', ') || 'search finds it'}.`);
}

/** 3: its code; 2: its name, alone or with the place around it; 1: its name and words of its kind; 0: none of these. */
function fitOf({ name, within, key, dimension }: Place, text: string): number {
  if (key.join(':') === text.trim()) return 3;
  const [said, own] = [wordsOf(text), wordsOf(name)];
  if (own.length === 0) return 0;
  if ([name, `${name} ${within}`].some(one => wordsOf(one).join(' ') === said.join(' '))) return 2;
  const kind = stemsOf(`${dimension.title} ${dimension.kind}`);
  const rest = stemsOf(said.filter(word => !own.includes(word)).join(' '));
  return own.every(word => said.includes(word)) && rest.every(one => kind.includes(one)) ? 1 : 0;
}
