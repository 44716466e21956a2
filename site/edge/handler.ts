/**
 * Request → route → subject → parse → plan → read → render → respond, on every host. An adapter provides the
 * files and sends the answer.
 */
import { PAGE_ROWS } from '../../build/format/documents.ts';
import {
  contractPath,
  dimensionSchemaPath,
  pageName,
  parseSlicePath,
  ROOT,
  type SliceFile,
  schemaPath,
  valuesPath,
} from '../../build/format/paths.ts';
import { findForgotten } from '../query/past.ts';
import { type Plan, planRequest } from '../query/plan.ts';
import { formatQuery, parseQuery, parseReadable, withPair } from '../query/query-string.ts';
import { parseRequest, type RowsRequest, type WrongRequest } from '../query/request.ts';
import { type Route, resolveRoute, routeKey } from '../query/route.ts';
import type { ForgottenAt, Table } from '../query/table.ts';
import { readChoice } from '../query/value.ts';
import { type Answer, acceptsHtml, bodyAnswer, type Exchange, type Incoming, type Site } from './answer.ts';
import { Catalog, subjectKey, type Tree } from './catalog.ts';
import { type Files, TreeMismatch } from './files/files.ts';
import { STEP } from './files/proof.ts';
import { findPast } from './past.ts';
import { forPeople, refuseAbsent, refuseUnpublished } from './respond/absence.ts';
import { respondFeed, respondHistory } from './respond/earlier-releases.ts';
import { respondOEmbed } from './respond/embedding.ts';
import { respondFigure } from './respond/figure.ts';
import { attachment, COMMON, type Headers, PREFLIGHT } from './respond/headers.ts';
import {
  LONGEST_PATH,
  LONGEST_QUERY,
  refuse,
  refuseForgotten,
  refuseLength,
  refuseMethod,
  refuseParameters,
} from './respond/refusal.ts';
import { type PageLink, respondRows } from './respond/rows.ts';
import { respondListed, respondUnlisted } from './respond/stored.ts';
import { ColumnCache } from './rows/column-cache.ts';
import { BudgetExceeded } from './rows/scan.ts';

export interface EdgeOptions extends Pick<Site, 'budget'>, Partial<Omit<Site, 'files' | 'budget'>> {
  /** Milliseconds after which another release can have become current; by default never. */
  readonly refreshAfter?: number | undefined;
  /** Gets every unexpected error. The reader learns only that there was one. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** Room for the row groups of a page. */
const FEW_BYTES = 16 << 20;

export type Edge = (incoming: Incoming) => Promise<Answer>;

export function createEdge(files: Files, options: EdgeOptions): Edge {
  const catalog = new Catalog(files, options.refreshAfter);
  const { kept = null, codings = null, step = STEP, cache = new ColumnCache(FEW_BYTES) } = options;
  const site = { ...options, files, kept, codings, step, cache };
  return async incoming => {
    try {
      return refuseRequest(incoming) ?? (await answerRequest(site, catalog, incoming));
    } catch (error) {
      if (incoming.signal?.aborted) throw error;
      if (error instanceof TreeMismatch) return refuse(502, `${error.message}.`);
      // Of a figure or its history, which have no plan to show.
      if (error instanceof BudgetExceeded)
        return refuse(501, `This answer costs more than the server allows (${error.message}).`);
      options.onError?.(error);
      return refuse(500, 'The server failed unexpectedly. The request itself may be right.');
    }
  };
}

/** Refuses what no release needs to be read for; null for other requests. */
function refuseRequest({ method, path, query }: Incoming): Answer | null {
  if (method === 'OPTIONS') return bodyAnswer(204, { ...COMMON, ...PREFLIGHT });
  if (method !== 'GET' && method !== 'HEAD') return refuseMethod();
  return path.length > LONGEST_PATH || query.length > LONGEST_QUERY ? refuseLength() : null;
}

/**
 * A file that doesn't match its manifest may be of a new release, so the answer is made again from the
 * current one.
 */
async function answerRequest(site: Site, catalog: Catalog, incoming: Incoming): Promise<Answer> {
  try {
    return await walk({ ...site, incoming, tree: await catalog.current() });
  } catch (error) {
    if (!(error instanceof TreeMismatch)) throw error;
    return walk({ ...site, incoming, tree: await catalog.reload() });
  }
}

/** Throws TreeMismatch. */
async function walk(exchange: Exchange): Promise<Answer> {
  const { tree, incoming } = exchange;
  const route = resolveRoute(incoming.path);
  const unpublished = refuseUnpublished(exchange, route);
  if (unpublished) return forPeople(exchange, unpublished);
  const settled =
    (await respondFeed(exchange, route)) ??
    (await respondOEmbed(exchange, route)) ??
    (await answerDocument(exchange, route));
  if (settled) return settled;
  const subject = await findSubject(tree, route);
  if (!subject) return forPeople(exchange, await refuseAbsent(exchange, route));
  const asked = await askSubject(tree, subject, incoming);
  if ('problems' in asked) return refuseParameters(incoming, asked);
  const { folder, name } = subject.table;
  if ('forgotten' in asked) return refuseForgotten(subjectKey(folder) ?? name, asked.forgotten);
  const { table, request, pageLink } = asked;
  if (request.history && request.asOf === undefined) return respondHistory(exchange, subject.table, request);
  if (request.figure !== undefined)
    return respondFigure(exchange, { current: subject.table, table, request });
  return respond(exchange, planRequest(table, request), pageLink);
}

// Answers that are files of the tree and need no plan.

/** Null if the route names rows, or the tree has no such file. */
async function answerDocument(exchange: Exchange, route: Route): Promise<Answer | null> {
  switch (route.kind) {
    case 'service':
      return answerService(exchange);
    case 'document':
    case 'folder':
    case 'file':
      return answerFile(exchange, route.path);
    case 'schema':
      return answerFile(exchange, schemaPath(route.domain, route.topic));
    case 'values':
      return answerFile(exchange, valuesPath(route.domain, route.topic));
    case 'contract':
      return answerContract(exchange, route.domain, route.topic);
    case 'dimension-schema':
      return answerFile(exchange, dimensionSchemaPath(route.domain, route.name));
    case 'facts':
    case 'dimension':
    case 'unknown':
      return null;
    default:
      return route satisfies never;
  }
}

/** The front page for people, a document for programs. */
async function answerService(exchange: Exchange): Promise<Answer | null> {
  const vary = { Vary: 'Accept' };
  const page = acceptsHtml(exchange.incoming) ? await answerFile(exchange, 'index.html', vary) : null;
  return page ?? answerFile(exchange, ROOT.service, vary);
}

/** Ignores all parameters except `format`. */
function answerContract(exchange: Exchange, domain: string, topic: string): Promise<Answer | null> | Answer {
  const { incoming } = exchange;
  const pairs = parseReadable(incoming.query);
  const format = pairs.find(pair => pair.name === 'format')?.value ?? 'yaml';
  const reading = readChoice('format', format, ['yaml', 'json']);
  if ('problem' in reading) {
    const corrected = withPair([], 'format', reading.repaired ?? 'yaml');
    return refuseParameters(incoming, { problems: [reading.problem], corrected });
  }
  return answerFile(exchange, contractPath(domain, topic, reading.value));
}

async function answerFile(exchange: Exchange, path: string, extra: Headers = {}): Promise<Answer | null> {
  const { files, tree, incoming } = exchange;
  const entry = await tree.find(path);
  if (entry) return respondListed(exchange, entry, extra);
  const checksums = await tree.checksums();
  const sha256 = checksums && (checksums.get(path) ?? null);
  // A file in no list was never published.
  if (checksums && sha256 === null) return null;
  const stat = await files.stat(path, incoming.signal);
  if (!stat && sha256 !== null) throw new TreeMismatch(path, `is in ${ROOT.checksums} but not in the tree`);
  return stat && respondUnlisted(exchange, path, stat, sha256, extra);
}

// Questions about rows: an API URL with its query, or the name of a file that the host has no room for.

/** The rows that a route names. */
interface NamedRows {
  readonly table: Table;
  /** The file requested by its name; null for an API URL. */
  readonly file: SliceFile | null;
}

interface Question {
  readonly request: RowsRequest;
  readonly pageLink: PageLink;
}

/** Null if the route doesn't name rows. */
async function findSubject(tree: Tree, route: Route): Promise<NamedRows | null> {
  switch (route.kind) {
    case 'facts':
    case 'dimension': {
      const found = await tree.subject(routeKey(route));
      return found && { ...found, file: null };
    }
    case 'file':
      return findLeftOut(tree, route.path);
    default:
      return null;
  }
}

/**
 * A file of text that was left out for lack of room: its rows are in the slice's Parquet file. Null if
 * the tree stores it, or has no such slice.
 */
async function findLeftOut(tree: Tree, path: string): Promise<NamedRows | null> {
  const file = parseSlicePath(path);
  if (file === null || file.format === 'parquet' || (file.format !== 'json' && file.page > 1)) return null;
  const { domain, topic, year, detail, format, page } = file;
  const found = await tree.subject(`${domain}/${topic}`);
  const slice = found?.table.levels.get(detail)?.slices.find(one => one.year === year);
  if (!found || !slice || slice[format].length > 0 || (page - 1) * PAGE_ROWS >= slice.rows) return null;
  return { ...found, file };
}

/** Throws TreeMismatch. */
async function askSubject(
  tree: Tree,
  subject: NamedRows,
  incoming: Pick<Incoming, 'root' | 'path' | 'query'>,
): Promise<(Question & { readonly table: Table }) | WrongRequest | { readonly forgotten: ForgottenAt }> {
  if (subject.file) return { ...parseFile(subject.file), table: subject.table };
  const pairs = parseQuery(incoming.query);
  if (!pairs) {
    const msg = 'The query is not percent-encoded UTF-8';
    const problem = { type: 'string_unicode', param: '', msg, input: incoming.query, ctx: {} };
    return { problems: [problem], corrected: [] };
  }
  const found = await findPast(tree, subject.table, pairs);
  const table = 'problem' in found ? subject.table : found.value;
  const parsed = parseRequest(table, pairs);
  if ('problem' in found) {
    const { problems, corrected } = 'problems' in parsed ? parsed : { problems: [], corrected: pairs };
    const right = withPair(corrected, found.problem.param, found.repaired ?? '');
    return { problems: [...problems, found.problem], corrected: right };
  }
  if ('problems' in parsed) return parsed;
  const { request } = parsed;
  const forgotten = findForgotten(table, request);
  if (forgotten) return { forgotten };
  // Links repeat the query as the reader wrote it, with another offset.
  const pageLink: PageLink = offset =>
    incoming.root + incoming.path + formatQuery(withPair(pairs, 'offset', String(offset)));
  return { request, pageLink, table };
}

function parseFile({ year, detail, format, page }: SliceFile): Question {
  return {
    request: {
      format,
      detail,
      years: { exact: year, min: null, max: null },
      conditions: [],
      offset: (page - 1) * PAGE_ROWS,
      limit: format === 'json' ? PAGE_ROWS : null,
    },
    pageLink: offset => pageName(detail, format, 1 + offset / PAGE_ROWS),
  };
}

/** The plan of a URL, without running it; null if it doesn't ask for rows. Throws TreeMismatch. */
export async function planQuestion(tree: Tree, path: string, query: string): Promise<Plan | null> {
  const subject = await findSubject(tree, resolveRoute(path));
  if (!subject) return null;
  const asked = await askSubject(tree, subject, { root: '', path, query });
  return 'request' in asked ? planRequest(asked.table, asked.request) : null;
}

function respond(exchange: Exchange, plan: Plan, pageLink: PageLink): Promise<Answer> {
  const { table, request } = plan;
  // A file links its next page by name, an API answer by a query. The head of an answer about an earlier
  // release also names the moment.
  const hasOwnHead = request.asOf !== undefined && request.format === 'json';
  if (plan.kind !== 'stored' || plan.file === null || plan.more || hasOwnHead)
    return respondRows(exchange, plan, pageLink);
  return respondListed(exchange, plan.file, attachment(table.name, request.format));
}
