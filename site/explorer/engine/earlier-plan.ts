/** Plans answers about an earlier release. A column that has another name since is asked for by that of today. */
import type { Subject } from '../../edge/catalog.ts';
import { type FoundPast, findPast } from '../../edge/past.ts';
import { AS_OF, findForgotten, nameFrom } from '../../query/past.ts';
import type { Plan } from '../../query/plan.ts';
import { planRequest } from '../../query/planner.ts';
import type { Pair } from '../../query/query-string.ts';
import { parseRequest } from '../../query/request-parser.ts';
import type { Table } from '../../query/table.ts';
import { EngineError } from './engine.ts';
import type { TreeAccess } from './tree-reader.ts';

export interface EarlierPlan {
  readonly plan: Plan;
  /** Names of today's columns by those of then. */
  readonly names: ReadonlyMap<string, string>;
}

/** Null where the pairs name no earlier moment. Throws EngineError if the API refuses the question. */
export async function planEarlier(
  { catalog, files }: TreeAccess,
  subject: Subject,
  pairs: readonly Pair[],
): Promise<EarlierPlan | null> {
  const moment = pairs.find(({ name }) => name === AS_OF);
  if (moment === undefined) return null;
  const place = { catalog, files, tree: await catalog.current() };
  const found = await findPast(place, subject, `?${AS_OF}=${encodeURIComponent(moment.value)}`);
  return found && planFound(found, subject.table, pairs);
}

function planFound(found: FoundPast, now: Table, pairs: readonly Pair[]): EarlierPlan {
  if ('problem' in found) throw new EngineError(`${found.problem.msg}.`);
  const { table } = found.past;
  const oldest = [...found.later].reverse();
  const names = new Map<string, string>();
  for (const { name } of now.columns) {
    const then = nameFrom(oldest, name, 0);
    if (then !== null) names.set(then, name);
  }
  const asked = pairs.map(({ name, value }) => ({ name: paramThen(now, table, names, name), value }));
  const parsed = parseRequest(table, asked);
  if ('problems' in parsed)
    throw new EngineError(parsed.problems.map(({ param, msg }) => `${param}: ${msg}.`).join(' '));
  if (findForgotten(found.past, parsed.request))
    throw new EngineError('The publisher took back the rows that stood there then.');
  return { plan: planRequest(table, parsed.request), names };
}

/** The parameter of then that asks for the same column as one of today; its own name where there is none. */
function paramThen(now: Table, then: Table, names: ReadonlyMap<string, string>, param: string): string {
  const asked = now.parameters.get(param);
  if (asked === undefined || !('column' in asked)) return param;
  const bound = asked.kind === 'range' ? asked.bound : null;
  const found = [...then.parameters].find(
    ([, one]) =>
      'column' in one &&
      names.get(one.column) === asked.column &&
      (one.kind === 'range' ? one.bound : null) === bound,
  );
  return found?.[0] ?? param;
}
