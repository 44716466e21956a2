/** Holds every contract's SQL against empty tables, so that a rule that cannot run is found without a lake. */
import type { Contracts, Dataset, Dimension } from '../contract/dataset.ts';
import { type Diagnostic, diagnosticAt } from '../contract/diagnostic.ts';
import { Database, type DatabaseOptions } from '../lake/database.ts';
import { createEmptyTable, createSchemas, dimensionTable, factTable } from '../lake/fact-table.ts';
import { bindRule, parseRule } from './rule-statement.ts';

function tableOf(contract: Dataset | Dimension) {
  return contract.kind === 'dataset' ? factTable(contract) : dimensionTable(contract);
}

export async function bindRules(contracts: Contracts, options: DatabaseOptions): Promise<Diagnostic[]> {
  const all: (Dataset | Dimension)[] = [...contracts.datasets, ...contracts.dimensions.values()];
  if (!all.some(contract => contract.rules.some(rule => rule.measure.kind === 'sql'))) return [];
  const database = await Database.open(options);
  try {
    const session = await database.connect();
    await createSchemas(
      session,
      contracts.datasets.map(dataset => dataset.domain),
    );
    for (const contract of all) await createEmptyTable(session, contract);
    await database.lock();
    const tables = new Set(all.map(contract => tableOf(contract).name));
    const found: Diagnostic[] = [];
    for (const contract of all) {
      const subject = tableOf(contract);
      for (const rule of contract.rules) {
        if (rule.measure.kind !== 'sql') continue;
        const statement = await parseRule(session, subject, {
          query: rule.measure.query,
          column: rule.column,
        });
        const problem = statement.ok
          ? await bindRule(session, statement, name => tables.has(name))
          : statement;
        if (problem !== null) {
          found.push(
            diagnosticAt(rule.place, 'error', problem.code, `Rule ${rule.name}: ${problem.message}`),
          );
        }
      }
    }
    return found;
  } finally {
    database.close();
  }
}
