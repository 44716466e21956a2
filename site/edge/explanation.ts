/** A plan in words and numbers: what it reads, what it does with that, and the equivalent SQL. */
import type { RowFormat } from '../../build/format/documents.ts';
import { describeConditions } from '../query/condition.ts';
import type { Plan, ScanPlan } from '../query/plan.ts';
import { renderSql } from '../query/sql.ts';

export interface Explanation {
  readonly table: string;
  readonly format: RowFormat;
  readonly detail: string;
  readonly years: readonly number[];
  readonly kind: Plan['kind'];
  readonly files: readonly ExplainedFile[];
  /** Most bytes that the plan reads. */
  readonly bytes: number;
  /** Rows of the whole answer; null if only a scan can count them. */
  readonly total: number | null;
  readonly residual: ExplainedResidual;
  readonly notices: readonly string[];
  readonly sql: string;
}

export interface ExplainedFile {
  readonly path: string;
  /** Length of the whole file. */
  readonly bytes: number;
  readonly rows: number;
  /** Row groups that the plan reads, and all of the file; null if it doesn't read row groups. */
  readonly row_groups: { readonly read: number; readonly of: number } | null;
  /** Most bytes of the file that the plan reads. */
  readonly read: number;
}

export interface ExplainedResidual {
  readonly filters: Readonly<Record<string, readonly string[]>>;
  readonly sort: boolean;
  readonly offset: number;
  readonly limit: number | null;
}

const NOTHING: ExplainedResidual = { filters: {}, sort: false, offset: 0, limit: null };

/** `base`: the address or folder of the tree's root, with a final slash. */
export function explainPlan(plan: Plan, base: string): Explanation {
  const { files, residual } = explainWork(plan);
  return {
    table: plan.table.name,
    format: plan.request.format,
    detail: plan.request.detail,
    years: plan.years,
    kind: plan.kind,
    files,
    bytes: files.reduce((sum, file) => sum + file.read, 0),
    total: plan.total,
    residual,
    notices: plan.notices,
    sql: renderSql(plan, base),
  };
}

function explainWork(plan: Plan): Pick<Explanation, 'files' | 'residual'> {
  switch (plan.kind) {
    case 'stored': {
      const files = plan.files.map(({ path, entry: { bytes, rows } }) => ({
        path,
        bytes,
        rows,
        row_groups: null,
        read: bytes,
      }));
      return { files, residual: NOTHING };
    }
    case 'scan': {
      const files = plan.sources.map(({ file: { path, entry, groupBytes }, groups }) => ({
        path,
        bytes: entry.bytes,
        rows: entry.rows,
        row_groups: { read: groups.length, of: groupBytes.length },
        read: groups.reduce((sum, index) => sum + groupBytes[index]!, 0),
      }));
      return { files, residual: explainResidual(plan) };
    }
    default:
      return plan satisfies never;
  }
}

export function explainResidual({ residual }: ScanPlan): ExplainedResidual {
  const { conditions, sort, offset, limit } = residual;
  return { filters: describeConditions(conditions), sort: sort === 'rows', offset, limit };
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
