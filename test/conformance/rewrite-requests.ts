/** Random requests of a tree, right and wrong, as URLs; and what the planner makes of each. */
import fc from 'fast-check';
import { contractPath, dimensionSchemaPath, ROOT, schemaPath, valuesPath } from '../../build/format/paths.ts';
import type { Catalog } from '../../site/edge/catalog.ts';
import { planRequest } from '../../site/query/planner.ts';
import { parseQuery } from '../../site/query/query-string.ts';
import { parseRequest } from '../../site/query/request-parser.ts';
import { resolveRoute } from '../../site/query/route.ts';
import type { Table } from '../../site/query/table.ts';

/** A table, and the route that gives its rows. */
export interface Subject {
  readonly url: string;
  readonly table: Table;
}

export interface Request {
  /** As the request line has it. */
  readonly url: string;
  readonly accept: string;
}

const FORMATS = ['json', 'csv', 'parquet'];
const ODD = [
  '',
  '0',
  '1',
  '-1',
  '-0',
  '+5',
  '10000',
  '10001',
  '20000',
  '9007199254740991',
  '9007199254740992',
  '1e4',
];
const WRONG = [
  'x',
  ' ',
  '5\n',
  '\n5',
  '٣',
  '0x10',
  '2024.0',
  'NaN',
  'Infinity',
  "'",
  '"',
  '\0',
  '\u2028',
  '%',
  '%35',
  'é𝒳',
];
const UNKNOWN = [
  'yaer',
  'Year',
  'year ',
  'detail[]',
  '__proto__',
  'constructor',
  'toString',
  '',
  '.year',
  'length',
];

/** Most are of one table's rows: right names with right, odd or wrong values, some names wrong or given twice. */
export function requests(subjects: readonly Subject[]): fc.Arbitrary<Request> {
  const accept = fc.constantFrom('*/*', 'text/html,application/xhtml+xml', 'application/json');
  const url = fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...subjects).chain(questions) },
    { weight: 1, arbitrary: fc.constantFrom(...subjects).chain(documents) },
    { weight: 2, arbitrary: fc.constantFrom(...HOSTILE) },
  );
  return fc.record({ url, accept });
}

function questions({ url, table }: Subject): fc.Arbitrary<string> {
  const levels = [...table.levels.values()];
  const years = levels.flatMap(level => level.years);
  const rows = levels.flatMap(level => level.slices.map(slice => slice.rows));
  const year = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...years).map(String) },
    { weight: 1, arbitrary: fc.constantFrom(Math.min(...years) - 1, Math.max(...years) + 1).map(String) },
    { weight: 1, arbitrary: fc.constantFrom(...ODD, ...WRONG) },
  );
  const near = fc
    .constantFrom(...rows)
    .chain(count => fc.constantFrom(count - 1, count, count + 1))
    .map(String);
  const amount = fc.oneof(
    { weight: 5, arbitrary: near },
    { weight: 5, arbitrary: fc.constantFrom(...ODD) },
    { weight: 1, arbitrary: fc.constantFrom(...WRONG) },
  );
  const pair = (name: string, value: fc.Arbitrary<string>, none: number) =>
    fc.oneof(
      { weight: none, arbitrary: fc.constant<[string, string][]>([]) },
      { weight: 2, arbitrary: value.map((text): [string, string][] => [[name, text]]) },
    );
  const columns = [...table.parameters].filter(([, { kind }]) => kind === 'column' || kind === 'place');
  const filter =
    columns.length === 0
      ? fc.constant<[string, string][]>([])
      : fc.constantFrom(...columns).chain(([name, parameter]) => {
          const choices = parameter.kind === 'column' ? (parameter.choices ?? ['150']) : [];
          return pair(name, fc.constantFrom(...choices, `${choices[0]},${choices[0]}`, ',', ...WRONG), 20);
        });
  const level = fc.constantFrom(...table.levels.keys(), ...table.levels.keys(), 'nowhere', '');
  const dated = table.kind === 'dataset' ? 1 : 40;
  return fc
    .tuple(
      pair('year', year, dated),
      pair('year_min', year, 12 * dated),
      pair('year_max', year, 12 * dated),
      pair('detail', level, 2 * dated),
      pair('format', fc.constantFrom(...FORMATS, ...FORMATS, ...FORMATS, 'jsn', 'CSV'), 1),
      pair('limit', amount, 4),
      pair('offset', amount, 4),
      filter,
      pair('', fc.constantFrom(...WRONG), 150),
      fc.oneof(
        { weight: 30, arbitrary: fc.constant<[string, string][]>([]) },
        {
          weight: 1,
          arbitrary: fc.constantFrom(...UNKNOWN).map((name): [string, string][] => [[name, '1']]),
        },
        {
          weight: 1,
          arbitrary: year.map((text): [string, string][] => [
            ['year', text],
            ['year', text],
          ]),
        },
      ),
    )
    .chain(groups => fc.shuffledSubarray(groups.flat(), { minLength: groups.flat().length }))
    .chain(pairs => fc.tuple(fc.constant(pairs), fc.integer({ min: 0, max: 9 })))
    .map(([pairs, way]) => {
      const query = pairs
        .map(([name, value]) => `${write(name, way)}=${write(value, way)}`)
        .join(way === 8 ? '&&' : '&');
      return (way === 7 ? writeAll(url) : url) + (query === '' && way < 5 ? '' : `?${query}`);
    });
}

/** A text as a query has it: some ways to write the same. */
function write(text: string, way: number): string {
  if (way === 6) return writeAll(text);
  const encoded = encodeURIComponent(text);
  return way === 9 ? encoded.replaceAll('%20', '+').toLowerCase() : encoded;
}

/** Every character but slashes by its code. */
function writeAll(text: string): string {
  return [...new TextEncoder().encode(text)]
    .map(byte => (byte === 0x2f ? '/' : `%${byte.toString(16).padStart(2, '0')}`))
    .join('');
}

function documents({ url, table }: Subject): fc.Arbitrary<string> {
  const schema = url.replace('/api/v1/', '/api/v1/datasets/');
  const slice = [...table.levels.values()].flatMap(level => level.slices)[0];
  return fc.constantFrom(
    schema,
    `${schema}?yaer=1`,
    `${schema}/contract`,
    `${schema}/contract?format=json`,
    `${schema}/contract?format=yaml&format=json&x=%ff`,
    `${schema}/contract?format=xml`,
    `${schema}/contract?x=1&format=json`,
    `${url}/values`,
    `${url}/values?year=x`,
    `${url}/schema`,
    `${url}/manifest.json`,
    `${url}/`,
    `${url}/nothing`,
    `${url}x`,
    `/${slice?.parquet.path}`,
    `/${slice?.parquet.path}?a=b`,
  );
}

const HOSTILE = [
  '/',
  '/?format=csv',
  '/healthz',
  '/healthz/',
  '/healthz?x=1',
  '/api',
  '/api/v1',
  '/api/v1/',
  '/api/v1/datasets',
  '/api/v1/datasets/',
  '/api/v1/datasets/x',
  '/api/v1/index/x',
  '/api/v1/x/_dimensions',
  '/api/v1/x/_dimensions/y',
  '/..',
  '/../',
  '/../../etc/passwd',
  '/api/../healthz',
  '/%2e%2e/healthz',
  '/%2E%2E%2Fhealthz',
  '/%252e%252e/x',
  '/./healthz',
  '//healthz',
  '/api//v1/datasets',
  '/api%2Fv1%2Fdatasets',
  '/%00',
  '/healthz%00',
  '/healthz%0a',
  '/healthz%20',
  '/%ff',
  '/%c0%ae%c0%ae/x',
  '/%',
  '/%2',
  '/%zz',
  '/healthz\\..\\x',
  '/~x',
  '/@',
  '/api/v1/__proto__/constructor',
  '/api/v1/constructor/name',
  '/api/v1/toString/valueOf',
  '/api/v1/datasets/__proto__/x',
  '/api/v1/datasets/a/b/c/d',
  `/${'x'.repeat(2047)}`,
  `/${'x'.repeat(2048)}`,
  `/${'y'.repeat(2048)}`,
  `/${'z'.repeat(3000)}`,
  `/${'x/'.repeat(1000)}`,
  '/urls.txt',
  '/SHA256SUMS',
  '/index.html',
  `/api/v1/a/${'b'.repeat(63)}`,
  `/api/v1/a/${'b'.repeat(64)}`,
  '/API/V1/datasets',
  '/api/v1/Datasets',
  '/api/v1/a/b/values/',
];

/** What must come of a request, by the planner. `work`: rows that are no one stored file. */
export type Expected =
  | { readonly kind: 'file' | 'redirect'; readonly path: string }
  | { readonly kind: 404 | 414 | 'work' }
  | { readonly kind: 422; readonly problems: readonly string[] };

export async function expectRequest(catalog: Catalog, { url, accept }: Request): Promise<Expected> {
  const at = `${url}?`.indexOf('?');
  const [path, query] = [url.slice(0, at), url.slice(at)];
  if (path.length > 2048 || query.length > 8192) return { kind: 414 };
  const route = resolveRoute(path);
  const file = (name: string): Expected => ({ kind: 'file', path: name });
  if (route.kind === 'unknown') return { kind: 404 };
  if (route.kind === 'service') return file(accept.includes('text/html') ? 'index.html' : ROOT.service);
  if ('path' in route) return file(route.path);
  const key =
    'topic' in route ? `${route.domain}/${route.topic}` : `${route.domain}/_dimensions/${route.name}`;
  const subject = await catalog.subject(await catalog.current(), key);
  if (!subject) return { kind: 404 };
  switch (route.kind) {
    case 'schema':
      return file(schemaPath(route.domain, route.topic));
    case 'values':
      return file(valuesPath(route.domain, route.topic));
    case 'dimension-schema':
      return file(dimensionSchemaPath(route.domain, route.name));
    case 'contract': {
      const form = (parseQuery(query) ?? []).find(({ name }) => name === 'format')?.value ?? 'yaml';
      if (form !== 'yaml' && form !== 'json') return { kind: 422, problems: ['enum format'] };
      return file(contractPath(route.domain, route.topic, form));
    }
    case 'facts':
    case 'dimension':
      return expectRows(subject.table, query);
    default:
      return route satisfies never;
  }
}

function expectRows(table: Table, query: string): Expected {
  const pairs = parseQuery(query);
  if (!pairs) return { kind: 422, problems: ['string_unicode '] };
  const parsed = parseRequest(table, pairs);
  if ('problems' in parsed)
    return { kind: 422, problems: parsed.problems.map(({ type, param }) => `${type} ${param}`) };
  const plan = planRequest(table, parsed.request);
  if (plan.kind !== 'stored') return { kind: 'work' };
  return { kind: plan.more ? 'redirect' : 'file', path: plan.file.path };
}
