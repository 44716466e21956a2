/** Binds every contract's SQL to empty tables, so that a rule that cannot run is found without a lake. */
import type { Contracts, Dataset, Dimension } from '../contract/dataset.ts';
import { type Diagnostic, diagnosticAt } from '../contract/diagnostic.ts';
import { Database, type DatabaseOptions } from '../lake/database.ts';
import { createEmptyTables, dimensionTable, factTable } from '../lake/fact-table.ts';
import { MemoryExceeded } from '../lake/memory-watch.ts';
import { bindRule, parseUncounted, type RuleProblem } from './rule-statement.ts';
import { endRunawayRule, TOO_MUCH_MEMORY } from './runaway-rule.ts';

/** Binding takes milliseconds, except where it computes something constant. */
const BIND_SECONDS = 10;

function noBinding(error: unknown): { code: RuleProblem; message: string } {
  if (error instanceof MemoryExceeded) return { code: 'rule-no-answer', message: TOO_MUCH_MEMORY };
  throw error;
}

function tableOf(contract: Dataset | Dimension) {
  return contract.kind === 'dataset' ? factTable(contract) : dimensionTable(contract);
}

export async function bindRules(contracts: Contracts, options: DatabaseOptions): Promise<Diagnostic[]> {
  const all: (Dataset | Dimension)[] = [...contracts.datasets, ...contracts.dimensions.values()];
  if (!all.some(contract => contract.rules.some(rule => rule.measure.kind === 'sql'))) return [];
  const database = await Database.open(options);
  try {
    const session = await database.connect();
    await createEmptyTables(session, all);
    // The queries are bound but never run, so they need no optimized plan.
    await session.run('PRAGMA disable_optimizer');
    await database.lock();
    const tables = new Set(all.map(contract => tableOf(contract).name));
    const found: Diagnostic[] = [];
    for (const contract of all) {
      const rules = contract.rules.flatMap(({ name, place, column, measure }) =>
        measure.kind === 'sql' ? [{ name, place, column, query: measure.query }] : [],
      );
      const statements = await parseUncounted(session, tableOf(contract), rules);
      for (const [i, { name, place }] of rules.entries()) {
        const statement = statements[i];
        if (statement === undefined) continue;
        const problem = statement.ok
          ? await session
              .within(
                BIND_SECONDS,
                () => bindRule(session, statement, table => tables.has(table)),
                () => endRunawayRule(name, place),
              )
              .catch(noBinding)
          : statement;
        if (problem === null) continue;
        found.push(
          contract.native
            ? diagnosticAt(place, 'error', problem.code, `Rule ${name}: ${problem.message}`)
            : diagnosticAt(
                place,
                'warning',
                'rule-not-run',
                `Rule ${name} does not run here: ${problem.message}`,
              ),
        );
      }
    }
    return found;
  } finally {
    database.close();
  }
}
