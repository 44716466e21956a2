/**
 * A question about rows. A reader asks it with an API URL and its query, or with the name of a file that the tree has
 * no room for.
 */
import { PAGE_ROWS } from '../../build/format/documents.ts';
import { pageName, parseSlicePath, type SliceFile } from '../../build/format/paths.ts';
import { findForgotten, type ForgottenAt } from '../query/past.ts';
import type { Plan } from '../query/plan.ts';
import { planRequest } from '../query/planner.ts';
import type { Problem } from '../query/problems.ts';
import { formatQuery, type Pair, parseQuery, parseReadable, withPair } from '../query/query-string.ts';
import type { RowsRequest } from '../query/request.ts';
import { parseRequest } from '../query/request-parser.ts';
import { type Route, resolveRoute, routeKey } from '../query/route.ts';
import type { Table } from '../query/table.ts';
import { type Incoming, linkPath } from './answer.ts';
import type { Catalog, Subject as Found, Tree } from './catalog.ts';
import { findPast, type Place } from './past.ts';

/** The rows that a route names. */
export interface Subject extends Pick<Found, 'table' | 'described'> {
  /** The file that is asked for by its name; null where an API URL asks. */
  readonly file: SliceFile | null;
}

export interface Question {
  readonly request: RowsRequest;
  readonly pageLink: PageLink;
}

/** The address of the page that begins at an offset. */
export type PageLink = (offset: number) => string;

export interface WrongQuestion {
  readonly problems: readonly Problem[];
  readonly correctedUrl: string;
}

/** Null where the route names no rows. */
export async function findSubject(catalog: Catalog, tree: Tree, route: Route): Promise<Subject | null> {
  switch (route.kind) {
    case 'facts':
    case 'dimension': {
      const found = await catalog.subject(tree, routeKey(route));
      return found && { ...found, file: null };
    }
    case 'file':
      return findLeftOut(catalog, tree, route.path);
    default:
      return null;
  }
}

/**
 * A JSON or CSV file that a host has no room for. Its name still works: its rows are in the Parquet file of its slice.
 * Null where the tree stores that slice in that format, or has no such slice.
 */
async function findLeftOut(catalog: Catalog, tree: Tree, path: string): Promise<Subject | null> {
  const file = parseSlicePath(path);
  if (file === null || file.format === 'parquet' || (file.format === 'csv' && file.page > 1)) return null;
  const { domain, topic, year, detail, format, page } = file;
  const found = await catalog.subject(tree, `${domain}/${topic}`);
  const slice = found?.table.levels.get(detail)?.slices.find(one => one.year === year);
  if (!found || !slice || slice[format].length > 0 || (page - 1) * PAGE_ROWS >= slice.rows) return null;
  return { ...found, file };
}

/** A question about the rows of a table: of today, or of the moment that it names. */
export interface AskedRows extends Question {
  readonly table: Table;
}

/** Throws TreeMismatch. */
export async function askSubject(
  place: Place,
  subject: Subject,
  incoming: Pick<Incoming, 'root' | 'path' | 'query'>,
): Promise<AskedRows | WrongQuestion | { readonly forgotten: ForgottenAt }> {
  const found = subject.file ? null : await findPast(place, subject, incoming.query);
  if (found && 'problem' in found) return addProblem(parseQuestion(subject, incoming), found, incoming);
  const table = found?.past.table ?? subject.table;
  const question = parseQuestion({ table, file: subject.file }, incoming);
  if ('problems' in question) return question;
  const forgotten = found && findForgotten(found.past, question.request);
  return forgotten ? { forgotten } : { ...question, table };
}

function parseQuestion(
  { table, file }: Pick<Subject, 'table' | 'file'>,
  incoming: Pick<Incoming, 'root' | 'path' | 'query'>,
): Question | WrongQuestion {
  if (file) return parseFile(file);
  const link = linkPath(incoming);
  const pairs = parseQuery(incoming.query);
  if (!pairs) return { problems: [describeEncoding(incoming.query)], correctedUrl: link };
  const parsed = parseRequest(table, pairs);
  if ('problems' in parsed)
    return { problems: parsed.problems, correctedUrl: link + formatQuery(parsed.corrected) };
  return { request: parsed.request, pageLink: linkByQuery(link, pairs) };
}

/** A question that is wrong in one more way, which only the table's releases tell. */
function addProblem(
  question: Question | WrongQuestion,
  { problem, repaired }: { readonly problem: Problem; readonly repaired: string },
  incoming: Pick<Incoming, 'root' | 'path' | 'query'>,
): WrongQuestion {
  const [problems, url] =
    'problems' in question
      ? [question.problems, question.correctedUrl]
      : [[], linkPath(incoming) + formatQuery(parseReadable(incoming.query))];
  const [link = '', query = ''] = url.split('?');
  const corrected = withPair(parseReadable(query), problem.param, repaired);
  return { problems: [...problems, problem], correctedUrl: link + formatQuery(corrected) };
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

/** Links repeat the query as the reader wrote it, with another offset. */
function linkByQuery(link: string, pairs: readonly Pair[]): PageLink {
  return offset => link + formatQuery(withPair(pairs, 'offset', String(offset)));
}

function describeEncoding(query: string): Problem {
  const msg = 'The query is not percent-encoded UTF-8';
  return { type: 'string_unicode', param: '', msg, input: query, ctx: {} };
}

/** The plan of a URL, which nothing carries out. Null where it asks for no rows. Throws TreeMismatch. */
export async function planQuestion(
  { files, catalog }: Omit<Place, 'tree'>,
  path: string,
  query: string,
): Promise<Plan | null> {
  const tree = await catalog.current();
  const subject = await findSubject(catalog, tree, resolveRoute(path));
  if (!subject) return null;
  const asked = await askSubject({ files, catalog, tree }, subject, { root: '', path, query });
  return 'request' in asked ? planRequest(asked.table, asked.request) : null;
}
