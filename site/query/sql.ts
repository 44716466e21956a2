/** A plan as DuckDB SQL. An edge that refuses a request gives this SQL to its reader. */
import { renderCondition } from './condition.ts';
import type { Plan, ScanPlan } from './plan.ts';
import { quoteName, quoteText, renderSelect } from './select-sql.ts';

/** `base`: the address or folder of the tree's root, with a final `/`. */
export function renderSql(plan: Plan, base: string): string {
  switch (plan.kind) {
    case 'stored': {
      const paths = plan.files.map(({ path }) => path);
      return paths.length === 0 ? renderNothing(plan) : renderTextRead(paths, base, plan.request.format);
    }
    case 'scan':
      return renderScan(plan, base);
    default:
      return plan satisfies never;
  }
}

/** It reads whole files, so the offset includes skipped rows. */
function renderScan(plan: ScanPlan, base: string): string {
  const { table, sources, residual } = plan;
  const names = table.columns.map(column => quoteName(column.name));
  if (sources.length === 0) return renderNothing(plan);
  return renderSelect(
    names.join(', '),
    sources.map(source => base + source.file.path),
    residual.conditions.map(renderCondition),
    table.order.map(position => table.columns[position]!.name),
    residual.offset + residual.skipped,
    residual.limit ?? Infinity,
  );
}

function renderNothing({ table }: Plan): string {
  return `SELECT ${table.columns.map(({ name }) => `NULL AS ${quoteName(name)}`).join(', ')} WHERE false`;
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
