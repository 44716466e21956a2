/**
 * Answers about what isn't published: names near it, a withdrawal, or a redirect to a folder. People get a
 * page instead of JSON.
 */
import type { DatasetsDocument, ErrorDocument, ServiceDocument } from '../../../build/format/documents.ts';
import { API_ROOT, PAGES, ROOT, route as routes } from '../../../build/format/paths.ts';
import {
  type NamedDataset,
  NOT_FOUND_STYLE,
  plainWords,
  renderNotFound,
} from '../../../build/format/plain-pages.ts';
import { nearDatasets, nearest, wordsOf } from '../../query/nearest.ts';
import { FIXED_ROUTES, type Route, routeKey, type SubjectRoute } from '../../query/route.ts';
import { type Answer, bodyAnswer, type Exchange } from '../answer.ts';
import { subjectKey, type Tree } from '../catalog.ts';
import { inBase64, sha256 } from '../files/sha256.ts';
import { errorHeaders, pagePolicy, TYPES } from './headers.ts';
import { refuseUnknown, refuseWithdrawn } from './refusal.ts';

/** Null if the dataset or dimension is published, or the route names neither. */
export function refuseUnpublished({ tree }: Exchange, route: Route): Answer | null {
  if (!('domain' in route)) return null;
  const key = routeKey(route);
  const gone = tree.withdrawn.get(key);
  if (gone) return outlivesWithdrawal(route) ? null : refuseWithdrawn(gone);
  return tree.entries.has(key) ? null : refuseKey(tree, route, key);
}

/** The documents of a withdrawn dataset stay; they say that it was withdrawn. */
function outlivesWithdrawal({ kind }: Route): boolean {
  return kind === 'schema' || kind === 'contract' || kind === 'dimension-schema';
}

function refuseKey({ manifest }: Tree, route: SubjectRoute, key: string): Answer {
  const [datasets, dimensions] = [keysOf(manifest.datasets), keysOf(manifest.dimensions)];
  const toDimensions = (keys: readonly string[]) => keys.map(one => `/${API_ROOT}/${one}`);
  if (!('name' in route)) {
    const near = nearKeys(key, datasets);
    const all = near.length > 0 ? near : toDimensions(namesakes(key, dimensions));
    return refuseUnknown(`There is no dataset ${key}.`, all, `/${API_ROOT}/datasets lists all.`);
  }
  const near = nearKeys(key, dimensions);
  return refuseUnknown(
    `There is no dimension ${route.name} in ${route.domain}.`,
    toDimensions(near.length > 0 ? near : namesakes(key, datasets)),
    'The schema document of a dataset names the dimensions that it joins.',
  );
}

/**
 * Keys with the same name in other domains, else with the nearest name, preferably in the same domain.
 * Domains aren't compared: a long one in common makes any two keys look alike.
 */
function nearKeys(key: string, keys: readonly string[]): readonly string[] {
  const same = namesakes(key, keys);
  if (same.length > 0) return same;
  const own = keys.filter(one => domainOf(one) === domainOf(key));
  for (const among of [own, keys]) {
    const name = nearest(nameOf(key), among.map(nameOf));
    if (name !== null) return among.filter(one => nameOf(one) === name);
  }
  return [];
}

function namesakes(key: string, keys: readonly string[]): readonly string[] {
  return keys.filter(one => nameOf(one) === nameOf(key));
}

function domainOf(key: string): string {
  return key.slice(0, key.indexOf('/'));
}

function nameOf(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1);
}

/** A folder without its slash is redirected, as other web servers do. */
export async function refuseAbsent({ files, tree, incoming }: Exchange, route: Route): Promise<Answer> {
  const { root, path, query, signal } = incoming;
  // Pages read their query.
  if (route.kind === 'file' && (await files.stat(`${route.path}/index.html`, signal)))
    return bodyAnswer(301, errorHeaders({ Location: `${root}/${route.path}/${query}` }));
  const gone = tree.withdrawn.get(subjectKey(path.slice(1)) ?? '');
  if (gone) return refuseWithdrawn(gone);
  const near = nearest(path, publishedRoutes(tree));
  return refuseUnknown(
    'Nothing is published here.',
    near === null ? [] : [near],
    `/${API_ROOT}/datasets lists all datasets.`,
  );
}

function publishedRoutes({ manifest }: Tree): readonly string[] {
  const datasets = keysOf(manifest.datasets).map(key => key.split('/') as [string, string]);
  return [
    ...FIXED_ROUTES,
    ...datasets.map(([domain, topic]) => routes.facts(domain, topic)),
    ...datasets.map(([domain, topic]) => routes.schema(domain, topic)),
    ...keysOf(manifest.dimensions).map(key => `/${API_ROOT}/${key}`),
  ];
}

function keysOf(entries: readonly { readonly key: string }[]): readonly string[] {
  return entries.map(entry => entry.key);
}

/** A page if the reader takes HTML and nothing is published at the address; else the answer itself. */
export async function forPeople(exchange: Exchange, answer: Answer): Promise<Answer> {
  const { tree, incoming } = exchange;
  const isAbsent = answer.status === 404 || answer.status === 410;
  const html = incoming.header('accept')?.toLowerCase().includes('text/html') === true;
  if (!isAbsent) return answer;
  if (!html || !(answer.body instanceof Uint8Array))
    return { ...answer, headers: { ...answer.headers, Vary: 'Accept' } };
  const { detail } = JSON.parse(new TextDecoder().decode(answer.body)) as ErrorDocument;
  const { service, language, datasets } = await readList(tree);
  const asked = wordsOf(incoming.path);
  const { words, tag } = plainWords(language);
  const checksums = await tree.checksums();
  const page = renderNotFound({
    service,
    language,
    sample: tree.manifest.sample === true,
    root: `${incoming.root}/`,
    // Refusals are English, like all of the API; only a withdrawal's says more than the page.
    said: answer.status === 404 && tag !== 'en' ? words.filesNeverMove : detail,
    near: nearDatasets(asked, datasets),
    words: asked.join(' '),
    datasets,
    hasPages: checksums === null || checksums.get(PAGES.search) !== undefined,
    policy: await stylePolicy(),
    script: null,
  });
  const headers = { 'Content-Type': TYPES['html']!, Vary: 'Accept', ...pagePolicy('.html') };
  return bodyAnswer(answer.status, { ...answer.headers, ...errorHeaders(headers) }, page);
}

interface DatasetList {
  readonly service: string;
  /** BCP 47 tag. */
  readonly language: string | undefined;
  /** Sorted by key. */
  readonly datasets: readonly NamedDataset[];
}

async function readList(tree: Tree): Promise<DatasetList> {
  const [list, about] = await Promise.all([
    tree.document<DatasetsDocument>(ROOT.datasets),
    tree.document<Pick<ServiceDocument, 'service' | 'language'>>(ROOT.service),
  ]);
  const titles = new Map((list?.datasets ?? []).map(one => [`${one.main_topic}/${one.topic}`, one.title]));
  const datasets = tree.manifest.datasets.map(({ key }) => ({ key, title: titles.get(key) ?? key }));
  return { service: about?.service ?? 'This service', language: about?.language, datasets };
}

/** The page loads nothing and has one style. */
async function stylePolicy(): Promise<string> {
  const hash = inBase64(await sha256(new TextEncoder().encode(NOT_FOUND_STYLE)));
  return `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'self'`;
}
