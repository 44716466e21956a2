/** What the planner makes of a request, and whether a host that only rewrites does the same. */
import fc from 'fast-check';
import { contractPath, dimensionSchemaPath, ROOT, schemaPath, valuesPath } from '../../build/format/paths.ts';
import { createFolderFiles } from '../../site/edge/adapters/folder.ts';
import { Catalog } from '../../site/edge/catalog.ts';
import { planRequest } from '../../site/query/planner.ts';
import { parseQuery } from '../../site/query/query-string.ts';
import { parseRequest } from '../../site/query/request-parser.ts';
import { resolveRoute } from '../../site/query/route.ts';
import type { Table } from '../../site/query/table.ts';
import { randomRuns } from '../random-runs.ts';
import { HOSTILE, type Request, requests } from './rewrite-requests.ts';

/** What must come of a request, by the planner. `work`: rows that are no one stored file. */
export type Expected =
  | { readonly kind: 'file' | 'redirect'; readonly path: string }
  | { readonly kind: 404 | 414 | 'work' }
  | { readonly kind: 422; readonly problems: readonly string[] };

export interface Asked {
  readonly request: Request;
  readonly expected: Expected;
}

/** Hostile and random requests of a tree. */
export async function drawRequests(tree: string): Promise<readonly Asked[]> {
  const catalog = new Catalog(createFolderFiles(tree));
  const current = await catalog.current();
  const tables = [...current.entries.keys()].map(async key => {
    const { table } = (await current.subject(key))!;
    return { url: `/api/v1/${key}`, table };
  });
  const seed = Date.now() % 2 ** 31;
  console.log(`seed ${seed}`);
  const drawn = fc.sample(requests(await Promise.all(tables)), { seed, numRuns: randomRuns(100) });
  const all = [...HOSTILE.map(url => ({ url, accept: '*/*' })), ...drawn];
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
  if (route.kind === 'service') return file(accept.includes('text/html') ? 'index.html' : ROOT.service);
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
  /** The file sent, or the address sent to. */
  readonly path: string | null;
  readonly problems: readonly string[];
}

/** Problems of a 422 that only who knows the values and columns can see: a rewriting host may hand them on. */
const UNSURE =
  /^(((enum|int_parsing|int_parsing_size|float_parsing) .*|(place_parts|string_unicode) place),?)+$/;

/** How an answer is not what the planner has; null where it is. `there` has the tree's files. */
export function differ(found: Found, expected: Expected, there: ReadonlySet<string>): string | null {
  const { status, path, problems } = found;
  const verdict = (isRight: boolean) => (isRight ? null : JSON.stringify({ found, expected }));
  switch (expected.kind) {
    case 'file':
      // A function knows all folders and not all files: for what it takes for a file, the bucket has no object.
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

/** What a 422 names: each problem's type and parameter. */
export function readProblems(body: string): string[] {
  const { detail } = JSON.parse(body) as { detail: unknown };
  if (!Array.isArray(detail)) return [];
  return detail.map(({ type, loc }: { type: string; loc: string[] }) => `${type} ${loc[1]}`);
}
