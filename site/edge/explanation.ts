/** A plan in words and numbers: what it reads, what it does with that, and the equivalent SQL. */
import { describeConditions } from '../query/condition.ts';
import type { Plan } from '../query/plan.ts';
import { renderSql } from '../query/sql.ts';
import type { StoredFile } from '../query/table.ts';

export type Explanation = ReturnType<typeof explainPlan>;

type ExplainedFile = ReturnType<typeof explainFile>;

type ExplainedResidual = ReturnType<typeof explainResidual>;

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

function explainFiles(plan: Plan): readonly ExplainedFile[] {
  switch (plan.kind) {
    case 'stored':
      return plan.files.map(file => explainFile(file, file.entry.bytes, null));
    case 'scan':
      return plan.sources.map(({ file, groups }) => {
        const read = groups.reduce((sum, index) => sum + file.groupBytes[index]!, 0);
        return explainFile(file, read, { read: groups.length, of: file.groupBytes.length });
      });
    default:
      return plan satisfies never;
  }
}

/** `read`: most bytes of the file that the plan reads. `groups`: null if it doesn't read row groups. */
function explainFile(
  { path, entry: { bytes, rows } }: StoredFile,
  read: number,
  groups: { readonly read: number; readonly of: number } | null,
) {
  return { path, bytes, rows, row_groups: groups, read };
}

export function explainResidual(plan: Plan) {
  switch (plan.kind) {
    case 'stored':
      return { filters: {}, sort: false, offset: 0, limit: null };
    case 'scan': {
      const { conditions, sort, offset, limit } = plan.residual;
      return { filters: describeConditions(conditions), sort: sort === 'rows', offset, limit };
    }
    default:
      return plan satisfies never;
  }
}

const KINDS: Readonly<Record<Plan['kind'], string>> = {
  stored: 'stored files, as they are',
  scan: 'row groups, filtered',
};

export function describeExplanation(explained: Explanation): string {
  const { table, detail, years, format, kind, files, bytes, total, residual, notices, sql } = explained;
  const answer = total === null ? '' : `, ${count(total, 'row')} in all`;
  return [
    `${[table, detail, listYears(years), format].filter(text => text !== '').join(', ')}${answer}`,
    `plan      ${KINDS[kind]}`,
    `read      ${files.length === 0 ? 'nothing' : `at most ${number(bytes)} bytes of ${count(files.length, 'file')}`}`,
    ...files.map(describeFile),
    `residual  ${describeResidual(residual)}`,
    ...notices.map(notice => `notice    ${notice}`),
    `sql       ${sql}`,
  ].join('\n');
}

function listYears(years: readonly number[]): string {
  return years.length > 4 ? `${years[0]} … ${years.at(-1)} (${years.length} years)` : years.join(', ');
}

function describeFile({ path, bytes, row_groups: groups, read }: ExplainedFile): string {
  const part = groups ? `, row groups ${groups.read} of ${groups.of}` : '';
  return `          ${path}: ${number(read)} of ${number(bytes)} bytes${part}`;
}

function describeResidual({ filters, sort, offset, limit }: ExplainedResidual): string {
  const parts = Object.entries(filters).map(([param, values]) => `${param} = ${values.join(' or ')}`);
  if (sort) parts.push('sort');
  if (offset > 0) parts.push(`pass over ${number(offset)}`);
  if (limit !== null) parts.push(`take ${number(limit)}`);
  return parts.length === 0 ? 'none' : parts.join('; ');
}

function count(value: number, noun: string): string {
  return `${number(value)} ${noun}${value === 1 ? '' : 's'}`;
}

function number(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}
