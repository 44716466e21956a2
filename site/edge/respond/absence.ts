/**
 * Answers about what isn't published: names near it, a withdrawal, or a redirect to a folder. People get a
 * page instead of JSON.
 */
import { TYPES } from '../../../build/format/media-type.ts';
import { API_ROOT, ROOT } from '../../../build/format/paths.ts';
import { nearest } from '../../../build/format/nearest.ts';
import { FIXED_ROUTES, type Route, routeKey, type SubjectRoute } from '../../query/route.ts';
import { type Answer, acceptsHtml, bodyAnswer, type Exchange } from '../answer.ts';
import { subjectKey, type Tree } from '../catalog.ts';
import { readListed } from '../files/proof.ts';
import { errorHeaders, pagePolicy } from './headers.ts';
import { refuseUnknown, refuseWithdrawn } from './refusal.ts';

/** Null if the dataset or dimension is published, or the route names neither. */
export function refuseUnpublished({ tree }: Exchange, route: Route): Answer | null {
  if (!('domain' in route)) return null;
  const key = routeKey(route);
  const gone = tree.withdrawn.get(key);
  // The documents of a withdrawn dataset stay; they say that it was withdrawn.
  const stays = route.kind === 'schema' || route.kind === 'contract' || route.kind === 'dimension-schema';
  if (gone) return stays ? null : refuseWithdrawn(gone);
  return tree.entries.has(key) ? null : refuseKey(tree, route, key);
}

function refuseKey({ manifest }: Tree, route: SubjectRoute, key: string): Answer {
  const datasets = manifest.datasets.map(one => one.key);
  const dimensions = manifest.dimensions.map(one => one.key);
  const isNamesake = (one: string) => nameOf(one) === nameOf(key);
  const toUrls = (keys: readonly string[]) => keys.map(one => `/${API_ROOT}/${one}`);
  if (!('name' in route)) {
    const near = nearKeys(key, datasets);
    const all = near.length > 0 ? near : toUrls(dimensions.filter(isNamesake));
    return refuseUnknown(`There is no dataset ${key}.`, all, `/${API_ROOT}/datasets lists all.`);
  }
  const near = nearKeys(key, dimensions);
  return refuseUnknown(
    `There is no dimension ${route.name} in ${route.domain}.`,
    toUrls(near.length > 0 ? near : datasets.filter(isNamesake)),
    'The schema document of a dataset names the dimensions that it joins.',
  );
}

/**
 * The keys with the nearest name; of equally near ones that in the same domain. Domains aren't compared: a long one in
 * common makes any two keys look alike.
 */
function nearKeys(key: string, keys: readonly string[]): readonly string[] {
  const isOwn = (one: string) => domainOf(one) === domainOf(key);
  const sorted = [...keys.filter(isOwn), ...keys.filter(one => !isOwn(one))];
  const name = nearest(nameOf(key), sorted.map(nameOf));
  const found = sorted.filter(one => nameOf(one) === name);
  return found.some(isOwn) ? found.filter(isOwn) : found;
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
  const near = nearest(path, FIXED_ROUTES);
  return refuseUnknown(
    'Nothing is published here.',
    near === null ? [] : [near],
    `/${API_ROOT}/datasets lists all datasets.`,
  );
}

/** The tree's page for what is missing if nothing is published at the address and the reader takes HTML. */
export async function forPeople(exchange: Exchange, answer: Answer): Promise<Answer> {
  if (answer.status !== 404) return answer;
  const { files, tree, incoming } = exchange;
  const vary = { Vary: 'Accept' };
  const path = ROOT.notFound;
  const sha256 = acceptsHtml(incoming) ? (await tree.checksums())?.get(path) : undefined;
  const stat = sha256 === undefined ? null : await files.stat(path, incoming.signal);
  if (sha256 === undefined || !stat) return { ...answer, headers: { ...answer.headers, ...vary } };
  const whole = { start: 0, end: stat.bytes };
  const page = await readListed(files, { path, bytes: stat.bytes, sha256 }, whole, incoming.signal);
  return bodyAnswer(
    404,
    errorHeaders({ 'Content-Type': TYPES['html']!, ...vary, ...pagePolicy(path) }),
    page,
  );
}
