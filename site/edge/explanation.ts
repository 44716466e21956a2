/** A plan as JSON: what it reads, what it does with that, and the equivalent SQL. */
import { describeConditions } from '../query/condition.ts';
import { type Plan, renderSql } from '../query/plan.ts';

export type Explanation = ReturnType<typeof explainPlan>;

/** `base`: the address or folder of the tree's root, with a final slash. */
export function explainPlan(plan: Plan, base: string) {
  const { table, request, years, kind, total, notices } = plan;
  const files = explainFiles(plan);
  return {
    table: table.name,
    format: request.format,
    detail: request.detail,
    years,
    kind,
    files,
    /** Most bytes that the plan reads. */
    bytes: files.reduce((sum, file) => sum + file.read, 0),
    /** Rows of the whole answer; null if only a scan can count them. */
    total,
    residual: explainResidual(plan),
    notices,
    sql: renderSql(plan, base),
  };
}

/** `read`: most bytes of the file that the plan reads. `row_groups`: null if it doesn't read row groups. */
function explainFiles(plan: Plan) {
  if (plan.kind === 'stored')
    return plan.files.map(({ path, bytes, rows }) => ({ path, bytes, rows, row_groups: null, read: bytes }));
  return plan.sources.map(({ file: { path, bytes, rows, groupBytes }, groups }) => {
    const row_groups = { read: groups.length, of: groupBytes.length };
    const read = groups.reduce((sum, index) => sum + groupBytes[index]!, 0);
    return { path, bytes, rows, row_groups, read };
  });
}

export function explainResidual(plan: Plan) {
  if (plan.kind === 'stored') return { filters: {}, sort: false, offset: 0, limit: null };
  const { conditions, sort, offset, limit } = plan.residual;
  return { filters: describeConditions(conditions), sort: sort === 'rows', offset, limit };
}
