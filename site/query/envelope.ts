/** The head of a JSON page. FORMAT.md section 3. */
import { pageHead } from '../../build/format/envelope.ts';
import { describeConditions } from './condition.ts';
import type { Plan } from './plan.ts';

/** The facts of a page that only its rows tell. */
export interface PageFacts {
  readonly count: number;
  readonly total: number | null;
  /** The path and query of the following page. */
  readonly next: string | null;
}

/** Everything before the first row's line, with its line end. */
export function renderEnvelope(plan: Plan, { count, total, next }: PageFacts): string {
  const { table, request, notices } = plan;
  const { offset, limit } = request;
  const rest = { offset, limit: limit ?? count, count, next, notices };
  if (table.kind === 'dataset') return pageHead({ ...describeQuestion(plan), total, ...rest });
  return pageHead({ dimension: table.name, ...stamp(plan), total: total ?? 0, ...rest });
}

/**
 * The number of rows of the whole answer. Without conditions the manifest has it. With conditions only the last page
 * knows it, and other pages give null, since no row is read only to be counted.
 */
export function knownTotal(plan: Plan, count: number, more: boolean): number | null {
  if (plan.total !== null || more) return plan.total;
  const { offset } = plan.request;
  return count > 0 || offset === 0 ? offset + count : null;
}

/** What is answered, and from what. */
export function describeQuestion(plan: Pick<Plan, 'table' | 'release' | 'request' | 'years'>) {
  return {
    dataset: plan.table.name,
    ...stamp(plan),
    detail: plan.request.detail,
    years: plan.years,
    filters: describeConditions(plan.request.conditions),
  };
}

function stamp({ table, release, request: { asOf } }: Pick<Plan, 'table' | 'release' | 'request'>) {
  const { version, schema_hash, license, attribution, sample } = table.manifest;
  return {
    ...{ version, schema_hash, release, license, attribution },
    ...(sample && { sample: true as const }),
    ...(asOf !== undefined && { as_of: asOf }),
  };
}
