/** A URL of rows → its plan, without carrying it out. */
import type { Plan } from '../query/plan.ts';
import { planRequest } from '../query/planner.ts';
import { parseQuery } from '../query/query-string.ts';
import { parseRequest } from '../query/request-parser.ts';
import { resolveRoute } from '../query/route.ts';
import type { Catalog } from './catalog.ts';

/** Null where the path names no rows, or the query is wrong. Throws TreeMismatch. */
export async function planQuestion(catalog: Catalog, path: string, query: string): Promise<Plan | null> {
  const route = resolveRoute(path);
  if (route.kind !== 'facts' && route.kind !== 'dimension') return null;
  const key = `${route.domain}/${route.kind === 'facts' ? route.topic : `_dimensions/${route.name}`}`;
  const subject = await catalog.subject(await catalog.current(), key);
  const pairs = parseQuery(query);
  if (!subject || !pairs) return null;
  const parsed = parseRequest(subject.table, pairs);
  return 'problems' in parsed ? null : planRequest(subject.table, parsed.request);
}
