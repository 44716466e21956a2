/** A plan as DuckDB SQL. An edge that refuses a request gives its reader this SQL to run. */
import type { Scalar } from '../../build/format/documents.ts';
import type { Value } from './order.ts';
import type { Plan, ScanPlan } from './plan.ts';
import { type Condition, inZone, type PlaceCondition } from './request.ts';
import { quoteName, quoteText, renderOneOf, renderPage, renderSelect } from './select-sql.ts';

/**
 * SQL that gives the rows of a plan, in order, from the files below `base`: an address or a folder, with a final `/`.
 */
export function renderSql(plan: Plan, base: string): string {
  switch (plan.kind) {
    case 'stored':
      return renderTextRead([plan.file.path], base, plan.request.format);
    case 'cut': {
      const paths = plan.pieces.map(piece => piece.file.path);
      if (paths.length === 0) return renderNothing(plan);
      const { offset, limit } = plan.request;
      const skip = plan.pieces[0]?.skip ?? offset;
      return renderTextRead(paths, base, plan.request.format) + renderPage(skip, limit ?? Infinity);
    }
    case 'scan':
      return renderScan(plan, base, plan.residual.limit);
    default:
      return plan satisfies never;
  }
}

/** The SQL of a scan with a limit of its own; null sets none. It reads whole files, so it passes over skipped rows. */
export function renderScan(plan: ScanPlan, base: string, limit: number | null): string {
  const { table, sources, residual } = plan;
  const names = table.columns.map(column => quoteName(column.name));
  if (sources.length === 0) return renderNothing(plan);
  return renderSelect(
    names.join(', '),
    sources.map(source => base + source.file.path),
    residual.conditions.map(renderCondition),
    table.order.map(position => table.columns[position]!.name),
    residual.offset + residual.skipped,
    limit ?? Infinity,
  );
}

/** SQL for a plan whose files hold no row of the answer. */
function renderNothing({ table }: Plan): string {
  return `SELECT ${table.columns.map(({ name }) => `NULL AS ${quoteName(name)}`).join(', ')} WHERE false`;
}

export function renderCondition(condition: Condition): string {
  switch (condition.bound) {
    case 'list':
      return renderValues(
        condition.column,
        condition.utc ? condition.values.map(value => inZone(value, condition)) : condition.values,
      );
    case 'min':
    case 'max': {
      const { bound, column, value, utc } = condition;
      const limit = quoteScalar(utc ? inZone(value, condition) : value);
      return `${quoteName(column)} ${bound === 'min' ? '>=' : '<='} ${limit}`;
    }
    case 'place':
      return renderPlaces(condition);
    default:
      return condition satisfies never;
  }
}

/** One of the values; NULL matches NULL. */
function renderValues(column: string, values: readonly Value[]): string {
  const name = quoteName(column);
  const known = values.filter(value => value !== null);
  const isKnown = renderOneOf(column, known.map(quoteScalar));
  if (known.length === values.length) return isKnown;
  return known.length === 0 ? `${name} IS NULL` : `(${name} IS NULL OR ${isKnown})`;
}

/**
 * The values of each part stand first, although the places say it all: DuckDB passes over row groups by the values of
 * one column, not by those of several together.
 */
function renderPlaces({ parts, places }: PlaceCondition): string {
  const each = parts.map(({ column }, index) =>
    renderValues(column, [...new Set(places.map(place => place[index] ?? null))]),
  );
  if (parts.length === 1 || places.length === 1) return each.join(' AND ');
  const whole = places.map(
    place =>
      `(${parts.map(({ column }, index) => renderValues(column, [place[index] ?? null])).join(' AND ')})`,
  );
  return `${each.join(' AND ')} AND (${whole.join(' OR ')})`;
}

function renderTextRead(paths: readonly string[], base: string, format: string): string {
  const files = paths.map(path => quoteText(base + path)).join(', ');
  switch (format) {
    case 'json':
      return `SELECT unnest(data, recursive := true) FROM read_json([${files}], hive_partitioning = false)`;
    case 'csv':
      return `SELECT * FROM read_csv([${files}], all_varchar = true, hive_partitioning = false)`;
    default:
      return `SELECT * FROM read_parquet([${files}], hive_partitioning = false)`;
  }
}

/** DuckDB reads plain digits as a DECIMAL, and does not always convert that to the nearest double. */
function quoteScalar(value: Scalar): string {
  if (typeof value === 'string') return quoteText(value);
  return typeof value === 'boolean' || Number.isSafeInteger(value) ? String(value) : `'${value}'::DOUBLE`;
}
