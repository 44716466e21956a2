/**
 * Every rule of every contract holds for the sample, and can fail: by the smallest change that a person wrote for it, or
 * by one that follows from a derived check. A lake may hold part of what a contract promises, so rows and figures that
 * are not there fail no rule of a contract.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Check } from '../../../build/check/check.ts';
import { datasetChecks, dimensionChecks } from '../../../build/check/derived-checks.ts';
import type { Dataset, Dimension } from '../../../build/contract/dataset.ts';
import { identifier, literal } from '../../../build/lake/sql.ts';
import { datasets as samples } from '../../../scripts/georgia/sample/datasets.ts';
import { BreakableSample } from './breakable-sample.ts';
import { type DerivedBreak, derivedBreaks } from './derived-breaks.ts';
import { dimensionSpecifications, specifications } from './facts.ts';

const sample = await BreakableSample.open();
await sample.lock();
afterAll(() => sample.close());

test('the sample has all thirty datasets and six dimensions', () => {
  const datasets = specifications.map(({ key }) => key).sort();
  const dimensions = dimensionSpecifications.map(({ key }) => key);
  expect(samples.map(({ key }) => key).sort()).toEqual(datasets);
  expect([...sample.all()].map(({ key }) => key).sort()).toEqual([...datasets, ...dimensions].sort());
  for (const contract of sample.all()) expect(sample.filesOf(contract), contract.key).not.toEqual([]);
});

/** Rules of a figure beside another: a margin or a mark without what it is of is wrong, whatever else is missing. */
const WITHOUT_ITS_FIGURE = [
  'length_null_without_ended',
  'mean_margin_null_with_mean',
  'median_margin_null_without_median',
  'no_margin_without_amount',
  'poverty_rate_moe_null_where_not_derivable',
  'unemployment_rate_moe_null_where_not_derivable',
];

const breaks = new Map([...specifications, ...dimensionSpecifications].map(one => [one.key, one.breaks]));

describe.each([...sample.all()].map(contract => [`${contract.kind} ${contract.key}`, contract] as const))(
  '%s',
  (_, contract) => {
    const checks = checksOf(contract);
    const written = checks.filter(({ measure }) => measure.kind === 'query');
    beforeAll(() => sample.takeOut(contract));
    afterAll(() => sample.putBack(contract));

    test('the sample keeps every rule', async () => {
      const outcomes = await sample.outcomes(contract, checks);
      expect(outcomes.filter(({ result }) => result !== 'passed')).toEqual([]);
    });

    test.each(written.map(check => [check.name, check] as const))(
      '%s fails where it is broken',
      async (name, check) => {
        const change = breaks.get(contract.key)?.[name];
        expect(change, 'a change that breaks the rule').toBeDefined();
        const [outcome] = await sample.outcomes(contract, [check], [change!]);
        expect(outcome).toMatchObject(failureOf(check));
      },
    );

    const derived = checks
      .filter(check => !written.includes(check))
      .map(check => ({ check, breaks: derivedBreaks(contract, check, levelsOf(contract)) }));

    test('each derived check has a change that breaks it', () => {
      expect(derived.filter(one => one.breaks.length === 0).map(({ check }) => check.name)).toEqual([]);
    });

    test.each(rounds(derived))('%s', async (_, changes) => {
      const outcomes = await sample.outcomes(
        contract,
        changes.map(({ check }) => check),
        changes.map(({ change }) => change.sql),
      );
      expect(outcomes).toMatchObject(changes.map(({ check }) => failureOf(check)));
    });

    if (contract.kind === 'dimension') return;

    test('what is missing fails no rule', async () => {
      const strict = written.filter(
        ({ name, severity }) => severity === 'error' && !WITHOUT_ITS_FIGURE.includes(name),
      );
      const failed: string[] = [];
      for (const [what, change] of extracts(contract))
        for (const { check, result } of await sample.outcomes(contract, strict, [change]))
          if (result === 'failed') failed.push(`${check.name}: ${what}`);
      expect(failed).toEqual([]);
    });

    test('the sample has exactly the values, years and levels that the contract lists', async () => {
      for (const { name, validValues } of contract.columns) {
        if (validValues === null) continue;
        const column = identifier(name);
        const found = await sample.session.rows<Record<string, unknown>>(
          `SELECT DISTINCT ${column} AS v FROM t WHERE ${column} IS NOT NULL`,
        );
        expect(found.map(({ v }) => v).sort(), name).toEqual([...validValues].sort());
      }
      const slices = sample.slicesOf(contract);
      expect([...new Set(slices.map(({ year }) => year))].sort()).toEqual(contract.years);
      expect([...new Set(slices.map(({ detail }) => detail))].sort()).toEqual([...contract.levels].sort());
    });
  },
);

function checksOf(contract: Dataset | Dimension): Check[] {
  return contract.kind === 'dataset'
    ? datasetChecks(contract, sample.contracts, sample.slicesOf(contract))
    : dimensionChecks(contract);
}

function levelsOf(contract: Dataset | Dimension): string[] {
  return [...new Set(sample.slicesOf(contract).map(({ detail }) => detail))];
}

/** It is what was measured that fails, not the rule's SQL. */
function failureOf({ name, severity }: Check) {
  const result = severity === 'error' ? 'failed' : 'warned';
  return { check: { name }, result, found: expect.any(Number), reason: null };
}

interface DerivedRound {
  readonly check: Check;
  readonly change: DerivedBreak;
}

/**
 * Changes that are made at once. Each is of another column and held against the checks of that column alone, so that
 * none fails by the change of another. What concerns whole rows is changed on its own.
 */
function rounds(
  derived: readonly { readonly check: Check; readonly breaks: readonly DerivedBreak[] }[],
): [name: string, changes: DerivedRound[]][] {
  const found: DerivedRound[][] = [];
  for (const { check, breaks } of derived)
    for (const change of breaks) {
      const free = found.find(
        round =>
          isOfColumn(check) && round.every(one => isOfColumn(one.check) && one.check.column !== check.column),
      );
      if (free === undefined) found.push([{ check, change }]);
      else free.push({ check, change });
    }
  return found.map(changes => [
    changes.map(({ check, change }) => `${check.name} (${change.what})`).join(', '),
    changes,
  ]);
}

function isOfColumn({ name, column, measure }: Check): boolean {
  if (column === null || name === 'year_in_folder') return false;
  return measure.kind === 'rows' || (measure.kind === 'values' && measure.columns.length === 1);
}

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
