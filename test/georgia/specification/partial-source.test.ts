/**
 * A lake may hold part of what a contract promises. Rows and figures that are not there are at most a warning; a rule
 * that fails says that what is there is wrong.
 */
import { describe, expect, test } from 'vitest';
import { datasetChecks } from '../../../build/check/derived-checks.ts';
import type { Dataset } from '../../../build/contract/dataset.ts';
import { identifier, literal } from '../../../build/lake/sql.ts';
import { BreakableTable, readInventory } from './breakable-table.ts';
import { readOwnContracts } from './contracts.ts';
import { sampleLake } from './sample.ts';

const contracts = await readOwnContracts();
const inventory = await readInventory(await sampleLake(), contracts);

/** Rules of a figure beside another: a margin or a mark without what it is of is wrong, whatever else is missing. */
const WITHOUT_ITS_FIGURE = [
  'length_null_without_ended',
  'mean_margin_null_with_mean',
  'median_margin_null_without_median',
  'no_margin_without_amount',
  'poverty_rate_moe_null_where_not_derivable',
  'unemployment_rate_moe_null_where_not_derivable',
];

/** SQL that takes rows or figures away from the table `t`, by what is left. */
function extracts({ columns, placeColumns }: Dataset): Map<string, string> {
  const found = new Map<string, string>();
  const axes = columns.filter(
    ({ name, role }) => !['year', 'metric'].includes(role) && !placeColumns.includes(name),
  );
  const totals = axes.flatMap(({ name, totalValue }) =>
    totalValue === null ? [] : [`${identifier(name)} <> ${literal(totalValue)}`],
  );
  if (totals.length > 0) found.set('totals alone', `DELETE FROM t WHERE ${totals.join(' OR ')}`);
  for (const { name, validValues, totalValue } of axes) {
    const value = validValues?.find(one => one !== totalValue);
    if (value !== undefined)
      found.set(`${name} ${value} alone`, `DELETE FROM t WHERE ${identifier(name)} <> ${literal(value)}`);
  }
  for (const { name, role, nullable } of columns)
    if (role === 'metric' && nullable)
      found.set(`without ${name}`, `UPDATE t SET ${identifier(name)} = NULL`);
  return found;
}

describe.each(contracts.datasets.map(dataset => [dataset.key, dataset] as const))('%s', (key, dataset) => {
  test('what is missing fails no rule', async () => {
    const checks = datasetChecks(dataset, contracts, inventory.slices.get(key) ?? []).filter(
      ({ name, severity, measure }) =>
        severity === 'error' && measure.kind === 'query' && !WITHOUT_ITS_FIGURE.includes(name),
    );
    const table = await BreakableTable.open(contracts, inventory, dataset);
    await table.lock();
    const failed: string[] = [];
    for (const [what, change] of extracts(dataset)) {
      const outcomes = await table.outcomes(checks, change);
      failed.push(
        ...outcomes.filter(({ result }) => result === 'failed').map(({ check }) => `${check.name}: ${what}`),
      );
    }
    table.close();
    expect(failed).toEqual([]);
  });
});
