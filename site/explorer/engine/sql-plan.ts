/** What a statement needs of its tables, from DuckDB's plan, and the row groups that have it, from the API's own planner. */
import type { ColumnType, Scalar } from '../../../build/format/documents.ts';
import { compareValues } from '../../query/order.ts';
import type { ScanSource } from '../../query/plan.ts';
import { planRequest } from '../../query/planner.ts';
import { ALL_YEARS, type KeyCondition, type YearRange } from '../../query/request.ts';
import type { Level, Table } from '../../query/table.ts';
import { listSources } from './scan-sources.ts';

/** The column with a row's level; it comes first, as in the tree's duckdb.sql. */
export const LEVEL_COLUMN = 'detail';

/** A file of all years may be this much larger than the yearly slices, since it is one request. */
const WHOLE_SURPLUS = 1.25;

/** Rows of one level. */
export interface LevelSources {
  readonly detail: string;
  readonly sources: readonly ScanSource[];
}

/** Whether a table gets the level column: a dimension does not, nor a table with its own column of that name. */
export function hasLevelColumn(table: Table): boolean {
  return table.kind === 'dataset' && table.columns.every(({ name }) => name !== LEVEL_COLUMN);
}

/** Lists the columns that SQL sees. */
export function listColumns(table: Table): ScanColumns {
  const columns = new Map(table.columns.map(({ name, type }) => [name, type] as const));
  return hasLevelColumn(table) ? new Map([[LEVEL_COLUMN, 'string' as const], ...columns]) : columns;
}

/** Plans every row that can matter, level by level. */
export function planNeed(table: Table, { bounds }: ScanNeed): readonly LevelSources[] {
  const years = readYears(table, bounds);
  const conditions = readConditions(table, bounds);
  const plans: LevelSources[] = [];
  for (const level of table.levels.values()) {
    if (!isWanted(table, level, bounds)) continue;
    const all = conditions.length === 0 && isAll(years) ? preferWhole(level) : null;
    const sources = all ?? planSources(table, level, years, conditions);
    const kept = sources.map(source => dropByNulls(table, source, bounds));
    plans.push({ detail: level.name, sources: kept.filter(({ groups }) => groups.length > 0) });
  }
  return plans;
}

function isWanted(table: Table, { name }: Level, bounds: readonly ColumnBound[]): boolean {
  if (!hasLevelColumn(table)) return true;
  return bounds.every(
    bound => bound.kind !== 'values' || bound.column !== LEVEL_COLUMN || bound.values.includes(name),
  );
}

function isAll({ min, max }: YearRange): boolean {
  return min === null && max === null;
}

/** Returns the range of years that can matter. */
function readYears(table: Table, bounds: readonly ColumnBound[]): YearRange {
  let min: number | null = null;
  let max: number | null = null;
  const column = table.columns[table.year]?.name;
  for (const bound of bounds) {
    if (bound.column !== column || bound.kind === 'null') continue;
    const [least, greatest] =
      bound.kind === 'range'
        ? [bound.least, bound.greatest]
        : [Math.min(...bound.values.map(Number)), Math.max(...bound.values.map(Number))];
    if (least !== null) min = Math.max(min ?? least, least);
    if (greatest !== null) max = Math.min(max ?? greatest, greatest);
  }
  return { ...ALL_YEARS, min, max };
}

/** Converts bounds for the planner: only columns with bounds in the manifest count. */
function readConditions(table: Table, bounds: readonly ColumnBound[]): readonly KeyCondition[] {
  const conditions: KeyCondition[] = [];
  for (const bound of bounds) {
    if (bound.kind !== 'values') continue;
    const position = table.columns.findIndex(({ name }) => name === bound.column);
    const key = table.keyColumns.indexOf(bound.column);
    // Texts of dates are compared as the manifest's bounds, which have no Z.
    if (position < 0 || position === table.year || key < 0) continue;
    const values = [...new Set(bound.values)].sort(compareValues);
    conditions.push({
      bound: 'key',
      param: bound.column,
      columns: [bound.column],
      texts: [],
      keys: values.map(value => [value]),
    });
  }
  return conditions;
}

function planSources(
  table: Table,
  level: Level,
  years: YearRange,
  conditions: readonly KeyCondition[],
): readonly ScanSource[] {
  const request = {
    format: 'parquet',
    detail: level.name,
    years,
    conditions,
    offset: 0,
    limit: null,
  } as const;
  return listSources(planRequest(table, request));
}

/** Returns the copy by place, a file of all years, unless it is much larger than the yearly files; else null. */
function preferWhole({ copies, slices, years }: Level): readonly ScanSource[] | null {
  const [whole] = copies.find(({ column }) => column === null)?.files.values() ?? [];
  if (!whole?.source || slices.length < 2 || whole.years.length !== years.length) return null;
  const { source } = whole;
  const bytes = slices.reduce((sum, { parquet }) => sum + parquet.entry.bytes, 0);
  if (source.entry.bytes > bytes * WHOLE_SURPLUS) return null;
  return [{ file: source, groups: [...source.groupBytes.keys()] }];
}

/** Drops row groups in which a column is all NULL and must not be, or never NULL and must be. */
function dropByNulls(table: Table, { file, groups }: ScanSource, bounds: readonly ColumnBound[]): ScanSource {
  const wanted = bounds
    .filter(bound => bound.kind === 'null')
    .map(({ column, isNull }) => ({ key: table.keyColumns.indexOf(column), isNull }))
    .filter(({ key }) => key >= 0);
  const kept = groups.filter(index => {
    const { nulls, rows } = file.entry.row_groups[index]!;
    return wanted.every(({ key, isNull }) => (isNull ? nulls[key] !== 0 : nulls[key] !== rows));
  });
  return { file, groups: kept };
}

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

type ColumnBound =
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
