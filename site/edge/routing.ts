/** Each route's answer. */
import {
  API_ROOT,
  contractPath,
  dimensionSchemaPath,
  ROOT,
  route as routes,
  schemaPath,
  valuesPath,
} from '../../build/format/paths.ts';
import { nearest } from '../query/nearest.ts';
import { planRequest } from '../query/planner.ts';
import { formatQuery, parseQuery, parseReadable, withPair } from '../query/query-string.ts';
import { parseRequest } from '../query/request-parser.ts';
import { FIXED_ROUTES, type Route } from '../query/route.ts';
import { readChoice } from '../query/value.ts';
import { type Answer, bodyAnswer, type Incoming, linkPath } from './answer.ts';
import { subjectKey, type Tree } from './catalog.ts';
import { errorHeaders, type Headers } from './headers.ts';
import { answerLeftOut } from './left-out.ts';
import { refuseParameters, refuseUnknown, refuseWithdrawn } from './refusal.ts';
import { answerPlan } from './rows.ts';
import type { Site } from './site.ts';
import { answerListed, answerUnlisted } from './stored.ts';

/** Answers from one release of the tree. Throws TreeMismatch where a file is not what its manifest says. */
export async function answerRoute(site: Site, incoming: Incoming, route: Route, tree: Tree): Promise<Answer> {
  switch (route.kind) {
    case 'service': {
      const html = incoming.header('accept')?.toLowerCase().includes('text/html') === true;
      const vary = { Vary: 'Accept' };
      const page = html ? await findFile(site, incoming, tree, 'index.html', vary) : null;
      return page ?? answerFile(site, incoming, tree, ROOT.service, vary);
    }
    case 'document':
    case 'folder':
      return answerFile(site, incoming, tree, route.path);
    case 'file':
      return (
        (await findFile(site, incoming, tree, route.path)) ??
        (await answerLeftOut(site, incoming, tree, route.path)) ??
        redirectToFolder(site, incoming, tree, route.path)
      );
    case 'schema':
    case 'values':
    case 'contract':
    case 'facts':
      return answerDataset(site, incoming, tree, route);
    case 'dimension':
    case 'dimension-schema':
      return answerDimension(site, incoming, tree, route);
    case 'unknown':
      return refusePath(incoming, tree);
    default:
      return route satisfies never;
  }
}

type DatasetRoute = Extract<Route, { topic: string }>;
type DimensionRoute = Extract<Route, { name: string }>;

async function answerDataset(
  site: Site,
  incoming: Incoming,
  tree: Tree,
  route: DatasetRoute,
): Promise<Answer> {
  const { domain, topic } = route;
  const key = `${domain}/${topic}`;
  if (tree.withdrawn.has(key) && route.kind !== 'schema' && route.kind !== 'contract')
    return refusePath(incoming, tree);
  if (!tree.entries.has(key) && !tree.withdrawn.has(key)) {
    const near = nearest(
      key,
      tree.manifest.datasets.map(entry => entry.key),
    );
    return refuseUnknown(`There is no dataset ${key}.`, near, `/${API_ROOT}/datasets lists all.`);
  }
  switch (route.kind) {
    case 'schema':
      return answerFile(site, incoming, tree, schemaPath(domain, topic));
    case 'values':
      return answerFile(site, incoming, tree, valuesPath(domain, topic));
    case 'contract':
      return answerContract(site, incoming, tree, route);
    case 'facts':
      return answerRows(site, incoming, tree, key);
    default:
      return route satisfies never;
  }
}

async function answerDimension(
  site: Site,
  incoming: Incoming,
  tree: Tree,
  route: DimensionRoute,
): Promise<Answer> {
  const { domain, name } = route;
  const key = `${domain}/_dimensions/${name}`;
  if (tree.withdrawn.has(key) && route.kind === 'dimension') return refusePath(incoming, tree);
  if (!tree.entries.has(key) && !tree.withdrawn.has(key)) {
    const near = nearest(
      key,
      tree.manifest.dimensions.map(entry => entry.key),
    );
    return refuseUnknown(
      `There is no dimension ${name} in ${domain}.`,
      near && `/${API_ROOT}/${near}`,
      'Schema documents name those that a dataset joins.',
    );
  }
  if (route.kind === 'dimension') return answerRows(site, incoming, tree, key);
  return answerFile(site, incoming, tree, dimensionSchemaPath(domain, name));
}

/** `format` chooses the form; all other parameters are ignored, as on every document. */
function answerContract(
  site: Site,
  incoming: Incoming,
  tree: Tree,
  { domain, topic }: DatasetRoute,
): Promise<Answer> | Answer {
  const pairs = parseReadable(incoming.query);
  const format = pairs.find(pair => pair.name === 'format')?.value ?? 'yaml';
  const reading = readChoice('format', format, ['yaml', 'json']);
  if ('problem' in reading) {
    const corrected = withPair([], 'format', reading.repaired ?? 'yaml');
    return refuseParameters([reading.problem], linkPath(incoming) + formatQuery(corrected));
  }
  return answerFile(site, incoming, tree, contractPath(domain, topic, reading.value));
}

async function answerRows(
  { files, catalog, executors }: Site,
  incoming: Incoming,
  tree: Tree,
  key: string,
): Promise<Answer> {
  const subject = await catalog.subject(tree, key);
  if (!subject) return refusePath(incoming, tree);
  const pairs = parseQuery(incoming.query);
  if (!pairs) {
    const msg = 'The query is not percent-encoded UTF-8';
    const problem = { type: 'string_unicode' as const, param: '', msg, input: incoming.query, ctx: {} };
    return refuseParameters([problem], linkPath(incoming));
  }
  const parsed = parseRequest(subject.table, pairs);
  if ('problems' in parsed)
    return refuseParameters(parsed.problems, linkPath(incoming) + formatQuery(parsed.corrected));
  return answerPlan({ files, executors, incoming, pairs }, planRequest(subject.table, parsed.request));
}

/** A file of the tree; 404 where there is none. */
async function answerFile(
  site: Site,
  incoming: Incoming,
  tree: Tree,
  path: string,
  extra: Headers = {},
): Promise<Answer> {
  return (await findFile(site, incoming, tree, path, extra)) ?? refusePath(incoming, tree);
}

async function findFile(
  { files, catalog }: Site,
  incoming: Incoming,
  tree: Tree,
  path: string,
  extra: Headers = {},
): Promise<Answer | null> {
  const entry = await catalog.find(tree, path);
  if (entry) return answerListed(files, incoming, path, entry, extra);
  const stat = await files.stat(path, incoming.signal);
  return stat && answerUnlisted(incoming, path, stat, extra);
}

/** A folder without its slash is sent to the one with it, as other web servers do, query and all: pages read theirs. */
async function redirectToFolder(
  { files }: Site,
  incoming: Incoming,
  tree: Tree,
  path: string,
): Promise<Answer> {
  const stat = await files.stat(`${path}/index.html`, incoming.signal);
  return stat
    ? bodyAnswer(301, errorHeaders({ Location: `${incoming.root}/${path}/${incoming.query}` }))
    : refusePath(incoming, tree);
}

function refusePath({ path }: Incoming, tree: Tree): Answer {
  const gone = tree.withdrawn.get(subjectKey(path.slice(1)) ?? '');
  if (gone) return refuseWithdrawn(gone);
  const datasets = tree.manifest.datasets.map(({ key }) => key.split('/') as [string, string]);
  const known = [
    ...FIXED_ROUTES,
    ...datasets.map(([domain, topic]) => routes.facts(domain, topic)),
    ...datasets.map(([domain, topic]) => routes.schema(domain, topic)),
    ...tree.manifest.dimensions.map(({ key }) => `/${API_ROOT}/${key}`),
  ];
  return refuseUnknown(
    'Nothing is published here.',
    nearest(path, known),
    `/${API_ROOT}/datasets lists all datasets.`,
  );
}
