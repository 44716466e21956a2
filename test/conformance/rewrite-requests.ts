/** Random requests to hosts that only rewrite, and the answers that the planner gives. */

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { PublishedDocuments } from '../../build/format/host-files.ts';
import type { TreeManifest } from '../../build/format/manifest.ts';
import { contractPath, dimensionSchemaPath, ROOT, schemaPath, valuesPath } from '../../build/format/paths.ts';
import { RandomChoices } from '../../scripts/random.ts';
import { createFolderFiles } from '../../site/edge/adapters/folder.ts';
import { Catalog } from '../../site/edge/catalog.ts';
import { isEnd } from '../../site/query/condition.ts';
import { planRequest } from '../../site/query/plan.ts';
import { parseQuery } from '../../site/query/query-string.ts';
import { parseRequest } from '../../site/query/request.ts';
import { resolveRoute } from '../../site/query/route.ts';
import type { Table } from '../../site/query/table.ts';
import { randomRuns, randomSeed } from '../random-runs.ts';

/** A table, and the route of its rows. */
interface Subject {
  readonly url: string;
  readonly table: Table;
}

export interface Request {
  /** As in the request line. */
  readonly url: string;
  readonly accept: string;
}

const FORMATS = ['json', 'csv', 'parquet', 'xlsx', 'md'];
const ACCEPTED = ['*/*', 'text/html,application/xhtml+xml', 'application/json', 'text/html;q=0,*/*'];
const ODD = ' 0 1 -1 -0 +5 10000 10001 20000 9007199254740991 9007199254740992 1e4'.split(' ');
const WRONG = 'x| |5\n|\n5|٣|0x10|2024.0|NaN|Infinity|\'|"|\0|\u2028|%|%35|é𝒳'.split('|');
const UNKNOWN = 'yaer|Year|year |detail[]|__proto__|constructor|toString||.year|length'.split('|');

/** Conditions of a query, before they are encoded. */
type Pairs = readonly (readonly [name: string, value: string])[];

const each = (names: readonly string[], values: readonly string[]) =>
  names.flatMap(name => values.map((value): Pairs => [[name, value]]));

/** Kinds of conditions: stored files and what is near them, odd and wrong values, columns, unknown names. */
function conditionsOf({ kind, levels, parameters }: Table): readonly (readonly Pairs[])[] {
  const ofYears = kind === 'dataset' ? ['year', 'year_min', 'year_max', 'detail'] : [];
  const slices = [...levels.values()].flatMap(level =>
    level.slices.map(slice => [level.name, slice] as const),
  );
  const stored = slices.flatMap(([detail, { year, rows }]) => {
    const slice = kind === 'dataset' ? Object.entries({ detail, year: `${year}` }) : [];
    const near = [-1, 0, 1].map(more => `${rows + more}`);
    return [[], ...each(['limit', 'offset'], near)].flatMap(amount =>
      each(['format'], FORMATS).map(format => [...slice, ...format, ...amount]),
    );
  });
  const columns = [...parameters].flatMap(([name, one]) => {
    if (one.kind !== 'place' && (one.kind !== 'column' || isEnd(one.bound))) return [];
    const [choice] = (one.kind === 'column' && one.choices) || ['150'];
    return each([name], [`${choice}`, `${choice},${choice}`, ',', ...WRONG]);
  });
  const years = slices.map(([, { year }]) => year);
  const values = [...ODD, ...WRONG, ...years.map(String), `${Math.max(...years) + 1}`, 'nowhere', 'jsn'];
  const others = each([...ofYears, 'limit', 'offset', 'format'], values);
  const unknown = [...each(UNKNOWN, ['1']), ...each([''], WRONG)];
  return [stored, stored, others, columns, unknown].filter(({ length }) => length > 0);
}

function drawQuestion(random: RandomChoices, { url, table }: Subject): string {
  const kinds = conditionsOf(table);
  const parts = Array.from({ length: 1 + random.below(2) }, () => random.of(random.of(kinds)));
  const way = random.below(10);
  const pairs = parts.flat().map(([name, value]) => `${write(name, way)}=${write(value, way)}`);
  return `${way === 7 ? writeAll(url) : url}?${pairs.join(way === 8 ? '&&' : '&')}`;
}

/** A text in a query, encoded in one of several ways. */
function write(text: string, way: number): string {
  if (way === 6) return writeAll(text);
  const encoded = encodeURIComponent(text);
  return way === 9 ? encoded.replaceAll('%20', '+').toLowerCase() : encoded;
}

/** Encodes every character except slashes. */
function writeAll(text: string): string {
  return [...new TextEncoder().encode(text)]
    .map(byte => (byte === 0x2f ? '/' : `%${byte.toString(16).padStart(2, '0')}`))
    .join('');
}

function documentsOf({ url, table }: Subject): string[] {
  const schema = url.replace('/api/v1/', '/api/v1/datasets/');
  const slice = [...table.levels.values()].flatMap(level => level.slices)[0];
  const ofSchema =
    ' ?yaer=1 /contract /contract?format=json /contract?format=yaml&format=json&x=%ff /contract?format=xml';
  const ofRows = '?= /values /values?year=x /schema /manifest.json / /nothing x';
  return [
    ...ofSchema.split(' ').map(end => schema + end),
    ...ofRows.split(' ').map(end => url + end),
    ...['', '?a=b'].map(end => `/${slice?.parquet.path}${end}`),
  ];
}

/** Requests that no reader sends by accident. */
export const HOSTILE = [
  ...`/ /?format=csv /healthz /healthz/ /healthz?x=1 /api /api/v1 /api/v1/ /api/v1/datasets /api/v1/datasets/
    /api/v1/datasets/x /api/v1/index/x /api/v1/x/_dimensions /api/v1/x/_dimensions/y /.. /../ /../../etc/passwd
    /api/../healthz /%2e%2e/healthz /%2E%2E%2Fhealthz /%252e%252e/x /./healthz //healthz /api//v1/datasets
    /api%2Fv1%2Fdatasets /%00 /healthz%00 /healthz%0a /healthz%20 /%ff /%c0%ae%c0%ae/x /% /%2 /%zz
    /healthz\\..\\x /~x /@ /api/v1/__proto__/constructor /api/v1/constructor/name /api/v1/toString/valueOf
    /api/v1/datasets/__proto__/x /api/v1/datasets/a/b/c/d /urls.txt /SHA256SUMS /index.html
    /API/V1/datasets /api/v1/Datasets /api/v1/a/b/values/`.split(/\s+/),
  ...[2047, 2048, 3000].map(length => `/${'x'.repeat(length)}`),
  `/${'x/'.repeat(1000)}`,
  ...[63, 64].map(length => `/api/v1/a/${'b'.repeat(length)}`),
];

/** The planner's answer. `work`: the rows aren't one stored file. */
export type Expected =
  | { readonly kind: 'file' | 'redirect'; readonly path: string }
  | { readonly kind: 404 | 414 | 'work' }
  | { readonly kind: 422; readonly problems: readonly string[] };

export interface Asked {
  readonly request: Request;
  readonly expected: Expected;
}

/** Hostile and random requests. */
export async function drawRequests(tree: string): Promise<readonly Asked[]> {
  const catalog = new Catalog(createFolderFiles(tree));
  const current = await catalog.current();
  const tables = [...current.entries.keys()].map(async key => {
    const { table } = (await current.subject(key))!;
    return { url: `/api/v1/${key}`, table };
  });
  const subjects = await Promise.all(tables);
  const seed = randomSeed();
  console.log(`seed ${seed}`);
  const random = new RandomChoices(seed);
  const documents = subjects.flatMap(documentsOf);
  const drawn = Array.from({ length: randomRuns(200) }, () => drawQuestion(random, random.of(subjects)));
  const all = [
    ...HOSTILE.map(url => ({ url, accept: '*/*' })),
    ...[...documents, ...drawn].map(url => ({ url, accept: random.of(ACCEPTED) })),
  ];
  return Promise.all(
    all.map(async request => ({ request, expected: await expectRequest(catalog, request) })),
  );
}

async function expectRequest(catalog: Catalog, { url, accept }: Request): Promise<Expected> {
  const at = `${url}?`.indexOf('?');
  const [path, query] = [url.slice(0, at), url.slice(at)];
  if (path.length > 2048 || query.length > 8192) return { kind: 414 };
  const route = resolveRoute(path);
  const file = (name: string): Expected => ({ kind: 'file', path: name });
  if (route.kind === 'unknown') return { kind: 404 };
  if (route.kind === 'service') return file(/html(?!;q=0)/.test(accept) ? 'index.html' : ROOT.service);
  if ('path' in route) return file(route.path);
  const key =
    'topic' in route ? `${route.domain}/${route.topic}` : `${route.domain}/_dimensions/${route.name}`;
  const subject = await (await catalog.current()).subject(key);
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
  if (plan.kind !== 'stored' || plan.file === null) return { kind: 'work' };
  return { kind: plan.more ? 'redirect' : 'file', path: plan.file.path };
}

export interface Found {
  readonly status: number;
  /** The file sent, or the redirect's target. */
  readonly path: string | null;
  readonly problems: readonly string[];
}

/** Problems of a 422 that need the values and columns: a rewriting host may answer 501. */
const UNSURE =
  /^(((enum|empty_list_item|int_parsing|int_parsing_size|float_parsing) .*|(place_parts|string_unicode) place),?)+$/;

/** How an answer differs from the planner's; null if it doesn't. `there` has the tree's files. */
export function differ(found: Found, expected: Expected, there: ReadonlySet<string>): string | null {
  const { status, path, problems } = found;
  const verdict = (isRight: boolean) => (isRight ? null : JSON.stringify({ found, expected }));
  switch (expected.kind) {
    case 'file':
      // A function knows all folders but not all files, so it may ask the bucket for a file that doesn't
      // exist.
      if (status === 301) return verdict(there.has(`${path?.slice(1).split('?')[0]}index.html`));
      if (status === 404)
        return verdict(!there.has(expected.path) && !there.has(`${expected.path}/index.html`));
      return verdict(status === 200 && path === expected.path);
    case 'redirect':
      return verdict(status === 307 && path === `/${expected.path}`);
    case 'work':
      return verdict(status === 501);
    case 422:
      if (status === 501) return verdict(UNSURE.test(expected.problems.join()));
      return verdict(
        status === 422 && problems.length > 0 && problems.every(one => expected.problems.includes(one)),
      );
    case 404:
    case 414:
      return verdict(status === expected.kind);
    default:
      return expected satisfies never;
  }
}

/** Type and parameter of each problem of a 422. */
export function readProblems(body: string): string[] {
  const { detail } = JSON.parse(body) as { detail: unknown };
  if (!Array.isArray(detail)) return [];
  return detail.map(({ type, loc }: { type: string; loc: string[] }) => `${type} ${loc[1]}`);
}

export async function readRewriteInput(tree: string): Promise<PublishedDocuments> {
  const read = async (file: string) => JSON.parse(await readFile(path.join(tree, file), 'utf8'));
  const manifest: TreeManifest = await read('manifest.json');
  const datasets = manifest.datasets.map(async ({ key, path: file }) => ({
    manifest: await read(file),
    schema: await read(`api/v1/datasets/${key}/index.json`),
  }));
  const dimensions = manifest.dimensions.map(async ({ key, path: file }) => ({
    domain: key.split('/')[0]!,
    manifest: await read(file),
  }));
  return { manifest, datasets: await Promise.all(datasets), dimensions: await Promise.all(dimensions) };
}

export const readCloudFrontScript = () =>
  readFile(path.join(import.meta.dirname, '../../lib/workers/cloudfront.js'), 'utf8');
