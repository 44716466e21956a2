/**
 * A request → an answer, on every host: request → route → subject → parse → plan → respond. An adapter brings the files
 * and sends the answer.
 */

import { parseDatasetFeed } from '../../build/format/paths.ts';
import { findStray, isFollowed } from '../query/followed.ts';
import { asCut, type Plan } from '../query/plan.ts';
import { planRequest } from '../query/planner.ts';
import { formatQuery, parseQuery } from '../query/query-string.ts';
import { parseRequest } from '../query/request-parser.ts';
import { type Route, resolveRoute } from '../query/route.ts';
import { type Answer, bodyAnswer, type Incoming, linkPath } from './answer.ts';
import { Catalog, subjectKey } from './catalog.ts';
import { answerDocument } from './documents.ts';
import type { Exchange, Site } from './exchange.ts';
import { type Files, TreeMismatch } from './files/files.ts';
import type { Kept } from './files/kept.ts';
import { readChanges } from './past.ts';
import { askSubject, findSubject, type PageLink } from './question.ts';
import { refuseAbsent, refuseUnpublished } from './respond/absence.ts';
import { forPeople } from './respond/absence-page.ts';
import { respondCut } from './respond/cut.ts';
import { respondHistory } from './respond/figure-history.ts';
import { respondFollowed } from './respond/followed-feed.ts';
import { OPTIONS_HEADERS } from './respond/headers.ts';
import { refuse, refuseForgotten, refuseMethod, refuseParameters, refuseTooLong } from './respond/refusal.ts';
import { respondScan } from './respond/scan.ts';
import { respondStored } from './respond/stored.ts';
import { ColumnCache } from './rows/column-cache.ts';
import type { Budget } from './rows/scan.ts';

export interface EdgeOptions {
  /** What an answer may cost; null where the host can't compute any. */
  readonly budget: Budget | null;
  /** The small stored files that the host keeps in memory; by default none. */
  readonly kept?: Kept<Uint8Array>;
  /** Decoded columns, which several edges may share; by default few are kept. */
  readonly cache?: ColumnCache;
  /** As ReaderOptions has it. */
  readonly endOfTurn?: () => Promise<void> | null;
  /** Milliseconds after which the edge looks at the root manifest again: another release may have taken its place. */
  readonly refreshAfter?: number;
  readonly now?: () => number;
  /** As CatalogOptions has it. */
  readonly sharesReads?: boolean;
  /** Takes the place of the edge's own catalog, for hosts whose way of reading files needs the manifests too. */
  readonly catalog?: Catalog;
  /** Hears of every unexpected error. The reader learns only that there was one. */
  readonly onError?: (error: unknown) => void;
}

/** Room for the row groups of a page. */
const FEW_BYTES = 16 << 20;

export type Edge = (incoming: Incoming) => Promise<Answer>;

export function createEdge(files: Files, options: EdgeOptions): Edge {
  const { budget, kept = null, cache = new ColumnCache(FEW_BYTES), endOfTurn } = options;
  const { refreshAfter = 1000, now = Date.now, sharesReads = false } = options;
  const catalog = options.catalog ?? new Catalog(files, { refreshAfter, now, sharesReads });
  return async incoming => {
    try {
      return (
        refuseRequest(incoming) ??
        (await answerRequest({ files, catalog, kept, cache, budget, endOfTurn }, incoming))
      );
    } catch (error) {
      if (incoming.signal?.aborted) throw error;
      if (error instanceof TreeMismatch) return refuse(502, `${error.message}.`);
      options.onError?.(error);
      return refuse(500, 'The server failed unexpectedly. The request itself may be right.');
    }
  };
}

/** The answer to a request that no release needs to be read for; null for all others. */
function refuseRequest({ method, path, query }: Incoming): Answer | null {
  if (method === 'OPTIONS') return bodyAnswer(204, OPTIONS_HEADERS);
  if (method !== 'GET' && method !== 'HEAD') return refuseMethod();
  return refuseTooLong(path, query);
}

/**
 * A file that is not as its manifest says may be of a new release, so the answer is made a second time from what is
 * there now.
 */
async function answerRequest(site: Site, incoming: Incoming): Promise<Answer> {
  try {
    return await walk({ ...site, incoming, tree: await site.catalog.current() });
  } catch (error) {
    if (!(error instanceof TreeMismatch)) throw error;
    return walk({ ...site, incoming, tree: await site.catalog.reload() });
  }
}

/** Throws TreeMismatch where a file is not as its manifest says. */
async function walk(exchange: Exchange): Promise<Answer> {
  const { catalog, tree, incoming } = exchange;
  const route = resolveRoute(incoming.path);
  const unpublished = refuseUnpublished(exchange, route);
  if (unpublished) return forPeople(exchange, unpublished);
  const feed = await answerFeed(exchange, route);
  if (feed) return feed;
  const document = await answerDocument(exchange, route);
  if (document) return document;
  const subject = await findSubject(catalog, tree, route);
  if (!subject) return forPeople(exchange, await refuseAbsent(exchange, route));
  const asked = await askSubject(exchange, subject, incoming);
  if ('problems' in asked) return refuseParameters(asked.problems, asked.correctedUrl);
  const { folder, name } = subject.table;
  if ('forgotten' in asked) return refuseForgotten(subjectKey(folder) ?? name, asked.forgotten);
  const { table, request, pageLink } = asked;
  if (request.history && request.asOf === undefined) return respondHistory(exchange, subject, request);
  return respond(exchange, planRequest(table, request), pageLink);
}

/** What releases changed in the rows that a dataset's feed is asked for; null for the feed of all. */
async function answerFeed(exchange: Exchange, route: Route): Promise<Answer | null> {
  const key = route.kind === 'file' ? parseDatasetFeed(route.path) : null;
  const { incoming, catalog, tree } = exchange;
  const pairs = key === null ? null : parseQuery(incoming.query);
  if (key === null || pairs === null || pairs.length === 0) return null;
  const subject = await catalog.subject(tree, key);
  const table = subject?.table;
  if (!table || !pairs.some(({ name }) => isFollowed(table, name))) return null;
  const parsed = parseRequest(table, pairs);
  const link = linkPath(incoming);
  if ('problems' in parsed) return refuseParameters(parsed.problems, link + formatQuery(parsed.corrected));
  const stray = findStray(table, parsed.request, pairs);
  if (stray) {
    const kept = pairs.filter(({ name }) => name !== stray.param);
    return refuseParameters([stray], link + formatQuery(kept));
  }
  const changes = await readChanges(exchange, table);
  return respondFollowed(exchange, { ...subject, request: parsed.request, changes });
}

async function respond(exchange: Exchange, plan: Plan, pageLink: PageLink): Promise<Answer> {
  switch (plan.kind) {
    case 'stored':
      // The file links the next page by its name; an API answer links it by a query.
      return plan.more || statesMoment(plan)
        ? respondCut(exchange, asCut(plan), pageLink)
        : respondStored(exchange, plan);
    case 'cut':
      return respondCut(exchange, plan, pageLink);
    case 'scan':
      return respondScan(exchange, plan, pageLink);
    default:
      return plan satisfies never;
  }
}

/** Whether the head of the answer names the moment that was asked for, which the head of the file does not. */
function statesMoment({ request: { asOf, format } }: Plan): boolean {
  return asOf !== undefined && format === 'json';
}
