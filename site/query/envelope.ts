/** The head of a JSON page. FORMAT.md section 3. */
import type { DimensionEnvelope, FactEnvelope } from '../../build/format/documents.ts';
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
export function renderEnvelope(plan: Plan, page: PageFacts): string {
  return pageHead(plan.table.kind === 'dataset' ? factEnvelope(plan, page) : dimensionEnvelope(plan, page));
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

function factEnvelope(plan: Plan, page: PageFacts): FactEnvelope {
  return { ...describeQuestion(plan), ...paging(plan, page) };
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

function dimensionEnvelope(plan: Plan, page: PageFacts): DimensionEnvelope {
  const { total, ...rest } = paging(plan, page);
  return { dimension: plan.table.name, ...stamp(plan), total: total ?? 0, ...rest };
}

function stamp({ table, release, request: { asOf } }: Pick<Plan, 'table' | 'release' | 'request'>) {
  const { version, schema_hash, license, attribution, sample } = table.manifest;
  return {
    ...{ version, schema_hash, release, license, attribution },
    ...(sample && { sample: true as const }),
    ...(asOf !== undefined && { as_of: asOf }),
  };
}

function paging({ request, notices }: Plan, { count, total, next }: PageFacts) {
  return { total, offset: request.offset, limit: request.limit ?? count, count, next, notices };
}
