/** The API as the tools ask it: through the edge, so that each answer is what a reader of its address gets. */
import * as z from 'zod';
import type { FactEnvelope, Scalar, SchemaDocument, ServiceDocument } from '../../build/format/documents.ts';
import { API_ROOT, PAGES } from '../../build/format/paths.ts';
import { type Incoming, partsOf, readWhole } from '../edge/answer.ts';
import type { Edge } from '../edge/handler.ts';
import type { SearchDocument } from '../explorer/view/search-document.ts';
import { openSearch, type TreeSearch } from '../explorer/view/tree-search.ts';
import { formatQuery, joinItems } from '../query/query-string.ts';

/** Its message says what is wrong and what to do. */
export class ToolError extends Error {}

export const TEXT = z.string().min(1).max(500);
export const DATASET = TEXT.describe('domain/topic, as search gives it');
const VALUE = z.union([z.string().max(2000), z.number(), z.boolean()]);
export const PARAMETERS = z.record(TEXT, z.union([VALUE, z.array(VALUE)])).default({});
export type Parameters = z.infer<typeof PARAMETERS>;

export interface RowsPage extends FactEnvelope {
  readonly url: string;
  readonly data: readonly Readonly<Record<string, Scalar | null>>[];
}

type OpenedSearch = SearchDocument & TreeSearch;

/** Opening a search takes a tenth of a second for thousands of places, so each edge keeps that of its release. */
const searches = new WeakMap<Edge, OpenedSearch>();

/** How often a tool starts again because another release became current. */
const MOST_TRIES = 3;

export type Api = ReturnType<typeof openApi>;

export function openApi(edge: Edge, { origin, root, signal }: Pick<Incoming, 'origin' | 'root' | 'signal'>) {
  /** Throws an error of the API as it is: it has the corrected address. */
  const get = async <Document>(path: string, parameters: Parameters = {}) => {
    const query = formatQuery(
      Object.entries(parameters).map(([name, value]) => ({
        name,
        value: Array.isArray(value) ? joinItems(value.map(String)) : String(value),
      })),
    );
    const answer = await edge({ method: 'GET', root, path, query, origin, header: () => null, signal });
    const text = new TextDecoder().decode(await readWhole(partsOf(answer)));
    if (answer.status !== 200) throw new ToolError(`${answer.status} ${text}`);
    return { url: origin + root + path + query, ...(JSON.parse(text) as Document) };
  };
  return {
    schema: (dataset: string) => get<SchemaDocument>(`/${API_ROOT}/datasets/${segments(dataset)}`),
    rows: (dataset: string, parameters: Parameters): Promise<RowsPage> =>
      get(`/${API_ROOT}/${segments(dataset)}`, parameters),
    async search(): Promise<OpenedSearch> {
      const { release } = await get<ServiceDocument>('/');
      const known = searches.get(edge);
      if (known?.release === release) return known;
      const document = await get<SearchDocument>(`/${PAGES.search}`);
      const opened = { ...document, ...openSearch(document, groups => `by ${groups}`) };
      searches.set(edge, opened);
      return opened;
    },
    /** The tool's result, made from one release. */
    async run(tool: () => Promise<object>): Promise<object> {
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        const { release, sample } = await get<ServiceDocument>('/');
        const result = await tool();
        if ((await get<ServiceDocument>('/')).release === release)
          return { ...result, release, ...(sample && { sample }) };
      }
      throw new ToolError('Another release was published meanwhile. Ask again.');
    },
  };
}

/** The name of a dataset can't lead to another route or add a query. */
function segments(dataset: string): string {
  return dataset.split('/').map(encodeURIComponent).join('/');
}
