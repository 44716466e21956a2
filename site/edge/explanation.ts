/** A plan as JSON: what it reads, what it does with that, and the equivalent SQL. */
import type { RowsFile } from '../../build/format/manifest.ts';
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

function explainFiles(plan: Plan): readonly ReturnType<typeof explainFile>[] {
  if (plan.kind === 'stored') return plan.files.map(file => explainFile(file, file.bytes, null));
  return plan.sources.map(({ file, groups }) => {
    const read = groups.reduce((sum, index) => sum + file.groupBytes[index]!, 0);
    return explainFile(file, read, { read: groups.length, of: file.groupBytes.length });
  });
}

/** `read`: most bytes of the file that the plan reads. `groups`: null if it doesn't read row groups. */
function explainFile(
  { path, bytes, rows }: RowsFile,
  read: number,
  groups: { readonly read: number; readonly of: number } | null,
) {
  return { path, bytes, rows, row_groups: groups, read };
}

export function explainResidual(plan: Plan) {
  if (plan.kind === 'stored') return { filters: {}, sort: false, offset: 0, limit: null };
  const { conditions, sort, offset, limit } = plan.residual;
  return { filters: describeConditions(conditions), sort: sort === 'rows', offset, limit };
}
