/**
 * Every rule of every contract has a sentence in the specification, holds for the sample, and can fail: by
 * the smallest change, which a person wrote. A lake may hold a part of what a contract promises, so missing
 * rows and figures break no rule.
 */
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Check, CheckOutcome } from '../../../build/check/check.ts';
import { datasetChecks, dimensionChecks } from '../../../build/check/derived-checks.ts';
import { checkTable } from '../../../build/check/run-checks.ts';
import type { Dataset, Dimension } from '../../../build/contract/dataset.ts';
import { Database } from '../../../build/lake/database.ts';
import {
  createSchemas,
  dimensionTable,
  factTable,
  loadDimension,
  loadFacts,
  SLICE_COLUMN,
} from '../../../build/lake/fact-table.ts';
import { type LakeSlice, takeInventory } from '../../../build/lake/inventory.ts';
import { openLake } from '../../../build/lake/lake.ts';
import { readShapes } from '../../../build/lake/parquet-shape.ts';
import { identifier, literal, literals } from '../../../build/lake/sql.ts';
import { readOwnContracts, sampleLake } from '../sample-lake.ts';
import { dimensionSpecifications, specifications } from './facts.ts';

type Contract = Dataset | Dimension;

const contracts = await readOwnContracts();
const all: readonly Contract[] = [...contracts.dimensions.values(), ...contracts.datasets];
const lake = await sampleLake();
const { inventory } = takeInventory(await openLake(lake, lake), contracts);
const slicesOf = ({ kind, key }: Contract): readonly LakeSlice[] =>
  kind === 'dataset' ? (inventory.slices.get(key) ?? []) : [];
const tableOf = (contract: Contract) =>
  contract.kind === 'dataset' ? factTable(contract) : dimensionTable(contract);

const limits = { threads: 2, memoryLimit: '800MB', temporaryFolder: tmpdir() };
const database = await Database.open(limits);
afterAll(() => database.close());
const session = await database.connect();
const domains = contracts.datasets.map(dataset => dataset.domain);
await createSchemas(session, domains);
for (const contract of all) {
  const slices = slicesOf(contract);
  const own = contract.kind === 'dimension' ? [inventory.dimensions.get(contract.key)!] : [];
  const files = [...own, ...slices.flatMap(slice => slice.files)];
  const { shapes } = await readShapes(session, files);
  if (contract.kind === 'dataset') await loadFacts(session, contract, slices, shapes);
  else await loadDimension(session, contract, files[0]!, shapes.get(files[0]!.path)!);
}
// From here on, only tables can be read or written, as in a build.
await database.lock();

function readFrom(table: string, contract: Contract): Promise<void> {
  const names = contract.columns.map(column => identifier(column.name)).join(', ');
  return session.run(`CREATE OR REPLACE VIEW ${tableOf(contract).view} AS SELECT ${names} FROM ${table}`);
}

/** Until it is put back, `t` has the contract's rows and `detail`, and the contract's own view reads it. */
async function takeOut(contract: Contract): Promise<void> {
  const details = literals(slicesOf(contract).map(slice => slice.detail));
  const detail = contract.kind === 'dataset' ? `, ([${details}])[${SLICE_COLUMN} + 1] AS detail` : '';
  await session.run(`CREATE TABLE main.t AS SELECT *${detail} FROM ${tableOf(contract).table}`);
  await readFrom('main.t', contract);
}

async function putBack(contract: Contract): Promise<void> {
  await readFrom(tableOf(contract).table, contract);
  await session.run('DROP TABLE main.t');
}

/** Outcomes on the rows of `t`, now or after a change that is undone. */
async function outcomesOf(
  contract: Contract,
  checks: readonly Check[],
  change?: string,
): Promise<CheckOutcome[]> {
  const subject = { ...tableOf(contract), table: 'main.t' };
  const loaded = new Set(all.map(one => tableOf(one).name));
  await session.run('BEGIN');
  try {
    if (change !== undefined) await session.run(change);
    return await checkTable({
      session,
      subject,
      slices: slicesOf(contract),
      checks,
      loaded,
      absent: new Set(),
    });
  } finally {
    await session.run('ROLLBACK');
  }
}

const stated = new Map([...specifications, ...dimensionSpecifications].map(one => [one.key, one]));

test('each contract has a specification, and each specification a contract with rows in the sample', () => {
  const withRows = all.filter(one => slicesOf(one).length > 0 || one.kind === 'dimension');
  expect(withRows.map(({ key }) => key).sort()).toEqual([...stated.keys()].sort());
});

/** Rules about a figure beside another: a margin or a mark without its figure is wrong, whatever else is missing. */
const WITHOUT_ITS_FIGURE = [
  'length_null_without_ended',
  'mean_margin_null_with_mean',
  'median_margin_null_without_median',
  'no_margin_without_amount',
  'poverty_rate_moe_null_where_not_derivable',
  'unemployment_rate_moe_null_where_not_derivable',
];

describe.each(all.map(contract => [`${contract.kind} ${contract.key}`, contract] as const))(
  '%s',
  (_, contract) => {
    const checks: readonly Check[] =
      contract.kind === 'dataset'
        ? datasetChecks(contract, contracts, slicesOf(contract))
        : dimensionChecks(contract);
    const written = checks.filter(({ measure }) => measure.kind === 'query');
    const { breaks } = stated.get(contract.key)!;
    beforeAll(() => takeOut(contract));
    afterAll(() => putBack(contract));

    test('the sample keeps every rule', async () => {
      const outcomes = await outcomesOf(contract, checks);
      expect(outcomes.filter(({ result }) => result !== 'passed')).toEqual([]);
    });

    test('each rule in SQL has a change that breaks it, and no two rules share a name', () => {
      expect(Object.keys(breaks).sort()).toEqual(written.map(({ name }) => name).sort());
      expect(new Set(checks.map(({ name }) => name)).size).toBe(checks.length);
      expect(contract.rules.filter(({ description }) => description.trim() === '')).toEqual([]);
    });

    test.each(written.map(check => [check.name, check] as const))(
      '%s fails where it is broken',
      async (name, check) => {
        const [outcome] = await outcomesOf(contract, [check], breaks[name]);
        // The measure fails, not the rule's SQL.
        const result = check.severity === 'error' ? 'failed' : 'warned';
        expect(outcome).toMatchObject({ check: { name }, result, found: expect.any(Number), reason: null });
      },
    );

    if (contract.kind === 'dimension') return;

    test('sentences name rules that exist, or say why there is none, and every rule in SQL is named', () => {
      const { sentences } = specifications.find(({ key }) => key === contract.key)!;
      const named = sentences.flatMap(({ rules }) => rules);
      expect(named.filter(name => !checks.some(check => check.name === name))).toEqual([]);
      expect(written.filter(({ name }) => !named.includes(name))).toEqual([]);
      expect(sentences.filter(({ rules, why }) => rules.length === 0 && !why.trim())).toEqual([]);
      expect(new Set(sentences.map(({ says }) => says)).size).toBe(sentences.length);
    });

    test('what is missing fails no rule', async () => {
      const strict = written.filter(
        ({ name, severity }) => severity === 'error' && !WITHOUT_ITS_FIGURE.includes(name),
      );
      const failed: string[] = [];
      for (const [what, change] of extracts(contract))
        for (const { check, result } of await outcomesOf(contract, strict, change))
          if (result === 'failed') failed.push(`${check.name}: ${what}`);
      expect(failed).toEqual([]);
    });

    test('the sample has exactly the values, years and levels that the contract lists', async () => {
      for (const { name, validValues } of contract.columns.filter(column => column.validValues !== null)) {
        const sql = `SELECT DISTINCT ${identifier(name)} AS v FROM t WHERE v IS NOT NULL`;
        const found = await session.rows<Record<string, unknown>>(sql);
        expect(found.map(({ v }) => v).sort(), name).toEqual([...validValues!].sort());
      }
      const slices = slicesOf(contract);
      expect([...new Set(slices.map(({ year }) => year))].sort()).toEqual(contract.years);
      expect([...new Set(slices.map(({ detail }) => detail))].sort()).toEqual([...contract.levels].sort());
    });
  },
);

/** SQL that removes rows or figures from the table `t`, by what is left. */
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
