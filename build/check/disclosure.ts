/**
 * Finds withheld counts that readers can derive from published figures: by subtracting parts from a total, or from a
 * share and the total that it is of.
 */
import type { Contracts, Dataset } from '../contract/dataset.ts';
import {
  type DatabaseOptions,
  type Session,
  type SqlRow,
  type SqlValue,
  withDatabase,
} from '../lake/database.ts';
import { createSchemas, dimensionTable, factTable, loadDimension, loadFacts } from '../lake/fact-table.ts';
import type { Inventory, LakeSlice } from '../lake/inventory.ts';
import { withinMemory } from '../lake/memory-shortage.ts';
import { identifier, numberedRows } from '../lake/sql.ts';
import type { CheckStageResult } from './check-stage.ts';
import {
  type DisclosedCells,
  type DisclosureFinding,
  disclosedSlices,
  evidenceOf,
  type FamilyCounts,
  judgeYears,
} from './disclosure-evidence.ts';
import { deriveFamilies, describeFamily, disclosureMetrics } from './disclosure-family.ts';
import { readShares, type SharedCells } from './disclosure-shares.ts';
import { compileCells, compileCounts, compileFamilies, DISCLOSED, FAMILIES } from './disclosure-sql.ts';

const EXAMPLES = 5;

interface DisclosureInput {
  readonly contracts: Contracts;
  readonly inventory: Inventory;
  /** Limits of each database. Each dataset has its own, because checking locks it. */
  readonly limits: DatabaseOptions;
  readonly datasets: readonly Dataset[];
  /** The datasets' checked files. */
  readonly checked: CheckStageResult;
  readonly onCompared: (done: number, total: number, dataset: string) => void;
}

export interface DatasetDisclosure {
  readonly dataset: string;
  /** The number of distinct cells: a cell that two families disclose counts once. */
  readonly cells: number;
  readonly disclosed: readonly DisclosedCells[];
  /** Counts that follow from a share and its total. */
  readonly shares: readonly SharedCells[];
  /** Families and years for which the rows do not show that the family adds up. */
  readonly passedOver: readonly DisclosureFinding[];
  /** Up to five of the cells in grain order: the metric and the keys of its row, never the value. */
  readonly examples: readonly { readonly metric: string; readonly keys: SqlRow }[];
}

/**
 * Examines the datasets that withhold counts, in the given order. It finds first-order disclosure only: not a cell that
 * can be derived only after another one, and not a withheld total that is the sum of its parts.
 */
export async function runDisclosure(input: DisclosureInput): Promise<DatasetDisclosure[]> {
  const withholding = input.datasets.filter(dataset => disclosureMetrics(dataset).length > 0);
  const found: DatasetDisclosure[] = [];
  for (const dataset of withholding) {
    const one = await withinMemory(dataset.key, () =>
      withDatabase(input.limits, async database => {
        const session = await database.connect();
        const slices = await loadDataset(session, dataset, input);
        await database.lock();
        return readDisclosure(session, dataset, input.contracts, slices);
      }),
    );
    found.push(one);
    input.onCompared(found.length, withholding.length, dataset.key);
  }
  return found;
}

async function loadDataset(
  session: Session,
  dataset: Dataset,
  { contracts, inventory, checked }: DisclosureInput,
): Promise<readonly LakeSlice[]> {
  const slices = inventory.slices.get(dataset.key) ?? [];
  const joined = new Set(dataset.foreignKeys.map(key => key.dimension));
  await createSchemas(session, [dataset.domain]);
  for (const { key, shape } of checked.dimensions) {
    const [dimension, file] = [contracts.dimensions.get(key), inventory.dimensions.get(key)];
    if (joined.has(key) && dimension && file) await loadDimension(session, dimension, file, shape);
  }
  await loadFacts(session, dataset, slices, checked.datasets.get(dataset.key)?.shapes ?? new Map());
  return slices;
}

async function readDisclosure(
  session: Session,
  dataset: Dataset,
  contracts: Contracts,
  slices: readonly LakeSlice[],
): Promise<DatasetDisclosure> {
  const metrics = disclosureMetrics(dataset);
  const facts = numberedFacts(dataset);
  const source = {
    table: facts.from,
    rowNumber: facts.number,
    slices,
    metrics,
    dimensionTable: (key: string) => dimensionTable(contracts.dimensions.get(key)!).table,
  };
  const disclosed: DisclosedCells[] = [];
  const passedOver: DisclosureFinding[] = [];
  await session.run(`CREATE TABLE ${DISCLOSED} (metric INTEGER, cell BIGINT)`);
  for (const family of deriveFamilies(dataset, contracts)) {
    await session.run(`CREATE OR REPLACE TABLE ${FAMILIES} AS ${compileFamilies(family, source)}`);
    const counts = await session.rows<FamilyCounts>(compileCounts(metrics));
    for (const [index, metric] of metrics.entries()) {
      for (const part of new Set(counts.map(row => row.part))) {
        const along = describeFamily(family, part);
        const rows = counts.filter(row => row.metric === index && row.part === part);
        const { adding, others } = judgeYears(rows, slices);
        if (others.length > 0) passedOver.push({ metric, along, ...evidenceOf(others, slices) });
        const where = disclosedSlices(adding, slices);
        if (where.length === 0) continue;
        const within = adding.map(row => row.slice);
        await session.run(compileCells(index, part, within));
        const cells = where.reduce((sum, slice) => sum + slice.cells, 0);
        disclosed.push({ metric, along, ...evidenceOf(adding, slices), cells, slices: where });
      }
    }
  }
  const shares: SharedCells[] = [];
  for (const { rows, ...one } of await readShares(session, dataset, contracts, facts.from, slices)) {
    shares.push(one);
    await session.run(
      `INSERT INTO ${DISCLOSED} SELECT ${metrics.indexOf(one.metric)}, t.${facts.number} ${rows}`,
    );
  }
  const { cells } = await session.row<{ cells: number }>(
    `SELECT count(*) AS cells FROM (SELECT DISTINCT metric, cell FROM ${DISCLOSED})`,
  );
  const examples = await readExamples(session, dataset, metrics);
  return { dataset: dataset.key, cells, disclosed, shares, passedOver, examples };
}

function numberedFacts(dataset: Dataset) {
  const { table, columns } = factTable(dataset);
  return numberedRows(table, columns);
}

async function readExamples(
  session: Session,
  dataset: Dataset,
  metrics: readonly string[],
): Promise<DatasetDisclosure['examples']> {
  const facts = numberedFacts(dataset);
  const keys = dataset.grain.map((name, i) => `t.${identifier(name)} AS k${i}`);
  const rows = await session.rows<Record<string, SqlValue>>(
    `SELECT DISTINCT ${keys.join(', ')}, d.metric AS metric FROM ${DISCLOSED} d JOIN ${facts.from} t ON t.${facts.number} = d.cell ORDER BY ${keys.map((_, i) => `k${i} NULLS FIRST`).join(', ')}, metric LIMIT ${EXAMPLES}`,
  );
  return rows.map(row => ({
    metric: metrics[Number(row['metric'])] ?? '',
    keys: Object.fromEntries(dataset.grain.map((name, i) => [name, row[`k${i}`] ?? null])),
  }));
}
