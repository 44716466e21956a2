/** A plan as DuckDB SQL. An edge that refuses a request gives this SQL to its reader. */
import { renderCondition } from './condition.ts';
import { type Plan, planScan } from './plan.ts';
import { quoteName, renderSelect } from './select-sql.ts';

/** `base`: the address or folder of the tree's root, with a final `/`. Stored files are read from Parquet, with types. */
export function renderSql(plan: Plan, base: string): string {
  const { table, sources, residual } = plan.kind === 'scan' ? plan : planScan(plan.table, plan.request);
  const names = table.columns.map(column => quoteName(column.name));
  if (sources.length === 0) return `SELECT ${names.map(name => `NULL AS ${name}`).join(', ')} WHERE false`;
  return renderSelect(
    names.join(', '),
    sources.map(source => base + source.file.path),
    residual.conditions.map(renderCondition),
    table.order.map(position => table.columns[position]!.name),
    // The SQL reads whole files, so its offset includes skipped rows.
    residual.offset + residual.skipped,
    residual.limit ?? Infinity,
  );
}
