/**
 * Derives which columns and rows of its tables a statement needs, from DuckDB's own plan. DuckDB plans over empty
 * tables, without statistics, so that the plan depends on the statement alone.
 *
 * Invariant: a filter that this code does not understand costs bytes, never rows.
 */
import type { ColumnType, Scalar } from '../../../build/format/documents.ts';

/** A node of EXPLAIN (FORMAT JSON). */
export interface PlanNode {
  readonly children?: readonly PlanNode[];
  readonly extra_info?: {
    readonly Table?: string;
    readonly Projections?: string | readonly string[];
    readonly Filters?: string | readonly string[];
  };
}

/** The columns and rows that one table must have. */
export interface ScanNeed {
  readonly columns: ReadonlySet<string>;
  /** A needed row fulfils all of these. */
  readonly bounds: readonly ColumnBound[];
}

export type ColumnBound =
  | { readonly kind: 'values'; readonly column: string; readonly values: readonly Scalar[] }
  | {
      readonly kind: 'range';
      readonly column: string;
      readonly least: number | null;
      readonly greatest: number | null;
    }
  | { readonly kind: 'null'; readonly column: string; readonly isNull: boolean };

/** Names and types of a table's columns. */
export type ScanColumns = ReadonlyMap<string, ColumnType>;

/** Returns needs by table. A table that is read twice needs the columns of both, and the bounds that both have. */
export function deriveNeeds(
  plan: readonly PlanNode[],
  tables: ReadonlyMap<string, ScanColumns>,
): ReadonlyMap<string, ScanNeed> {
  const needs = new Map<string, ScanNeed>();
  const visit = (node: PlanNode): void => {
    const { Table: name, Projections: projections, Filters: filters } = node.extra_info ?? {};
    const columns = name === undefined ? undefined : tables.get(name);
    if (name !== undefined && columns) {
      const need = deriveNeed(columns, listOf(projections), listOf(filters));
      const other = needs.get(name);
      needs.set(name, other ? joinNeeds(other, need) : need);
    }
    node.children?.forEach(visit);
  };
  plan.forEach(visit);
  return needs;
}

function listOf(texts: string | readonly string[] | undefined): readonly string[] {
  if (texts === undefined || texts === '') return [];
  return typeof texts === 'string' ? [texts] : texts;
}

function deriveNeed(
  columns: ScanColumns,
  projections: readonly string[],
  filters: readonly string[],
): ScanNeed {
  const filtered = [...columns.keys()].filter(name => filters.some(filter => filter.includes(name)));
  return {
    columns: new Set([...projections.filter(name => columns.has(name)), ...filtered]),
    bounds: filters.flatMap(filter => readBound(filter, columns) ?? []),
  };
}

function joinNeeds(a: ScanNeed, b: ScanNeed): ScanNeed {
  const other = new Set(b.bounds.map(bound => JSON.stringify(bound)));
  return {
    columns: new Set([...a.columns, ...b.columns]),
    bounds: a.bounds.filter(bound => other.has(JSON.stringify(bound))),
  };
}

const LITERAL = String.raw`'(?:[^']|'')*'|-?\d+`;
const LIST = new RegExp(`^ IN \\((?:${LITERAL})(?:, (?:${LITERAL}))*\\)$`);

/**
 * Parses `year=2024`, `code IN ('a', 'b')`, `year>=2020 AND year<=2022`, `(code IS NOT NULL)`; null for anything else.
 */
export function readBound(filter: string, columns: ScanColumns): ColumnBound | null {
  const text = filter.replace(/^optional: /, '').replace(/^\((.* IS (?:NOT )?NULL)\)$/, '$1');
  for (const [column, type] of columns) {
    if (!text.startsWith(column)) continue;
    const rest = text.slice(column.length);
    if (rest === ' IS NULL' || rest === ' IS NOT NULL')
      return { kind: 'null', column, isNull: rest === ' IS NULL' };
    const bound = readValues(column, type, rest) ?? readRange(column, type, rest);
    if (bound) return bound;
  }
  return null;
}

function readValues(column: string, type: ColumnType, rest: string): ColumnBound | null {
  const name = escapePattern(column);
  const either = new RegExp(`^=(?:${LITERAL})(?: OR ${name}=(?:${LITERAL}))*$`);
  if (!LIST.test(rest) && !either.test(rest)) return null;
  // Reads literals in sequence, so that no part of a text passes for one.
  const found = rest.match(new RegExp(LIST.test(rest) ? LITERAL : `(?<==)(?:${LITERAL})`, 'g')) ?? [];
  const values = found.map(literal => readLiteral(literal, type));
  return values.includes(null) ? null : { kind: 'values', column, values: values.filter(isValue) };
}

function readLiteral(literal: string, type: ColumnType): Scalar | null {
  const isText = literal.startsWith("'");
  if (type === 'string' && isText) return literal.slice(1, -1).replaceAll("''", "'");
  return type === 'integer' && !isText && Number.isSafeInteger(Number(literal)) ? Number(literal) : null;
}

function isValue(value: Scalar | null): value is Scalar {
  return value !== null;
}

function readRange(column: string, type: ColumnType, rest: string): ColumnBound | null {
  if (type !== 'integer') return null;
  const match = new RegExp(`^([<>]=?)(-?\\d+)(?: AND ${escapePattern(column)}([<>]=?)(-?\\d+))?$`).exec(rest);
  if (!match) return null;
  let least: number | null = null;
  let greatest: number | null = null;
  for (const [sign, number] of [
    [match[1], match[2]],
    [match[3], match[4]],
  ]) {
    // Treated as "or equal": the statement itself filters the extra row.
    if (sign?.startsWith('>')) least = Math.max(least ?? Number(number), Number(number));
    if (sign?.startsWith('<')) greatest = Math.min(greatest ?? Number(number), Number(number));
  }
  return { kind: 'range', column, least, greatest };
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
