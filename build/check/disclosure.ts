/** Finds and reports withheld counts that readers can derive from published figures. */

import type { Contracts, Dataset, Place } from '../contract/dataset.ts';
import { type Diagnostic, diagnosticAt } from '../contract/diagnostic.ts';
import { NO_YEAR } from '../format/paths.ts';
import { groupDigits, someOf } from '../format/shown-text.ts';
import { spellYears } from '../format/time-text.ts';
import {
  type DatabaseOptions,
  type Session,
  type SqlRow,
  type SqlValue,
  withDatabase,
  withinMemory,
} from '../lake/database.ts';
import { createSchemas, dimensionTable, factTable, loadDimension, loadFacts } from '../lake/fact-table.ts';
import type { Inventory, LakeSlice } from '../lake/inventory.ts';
import { identifier, numberedRows } from '../lake/sql.ts';
import type { CheckStageResult } from './check-stage.ts';
import {
  compileCells,
  compileCounts,
  compileFamilies,
  DISCLOSED,
  type DisclosedCells,
  type DisclosureFinding,
  deriveFamilies,
  describeFamily,
  disclosedSlices,
  disclosureMetrics,
  evidenceOf,
  FAMILIES,
  type FamilyCounts,
  judgeYears,
} from './disclosure-family.ts';
import { readShares, type SharedCells } from './disclosure-shares.ts';

const EXAMPLES = 5;

interface DisclosureInput {
  readonly contracts: Contracts;
  readonly inventory: Inventory;
  /** Of each database: each dataset has its own, because checking locks it. */
  readonly limits: DatabaseOptions;
  readonly datasets: readonly Dataset[];
  readonly checked: CheckStageResult;
  readonly onCompared: (done: number, total: number, dataset: string) => void;
}

export interface DatasetDisclosure {
  readonly dataset: string;
  /** Distinct cells: a cell that two families disclose counts once. */
  readonly cells: number;
  readonly disclosed: readonly DisclosedCells[];
  readonly shares: readonly SharedCells[];
  /** Families and years in which rows don't show that they add up. */
  readonly passedOver: readonly DisclosureFinding[];
  /** Up to five cells in grain order, with the keys of their rows but without values. */
  readonly examples: readonly { readonly metric: string; readonly keys: SqlRow }[];
}

/**
 * Finds first-order disclosure only: not cells that can be derived after other ones, nor withheld totals of
 * published parts.
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
  const { table, columns } = factTable(dataset);
  const facts = numberedRows(table, columns);
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
  const examples = await readExamples(session, dataset, metrics, facts);
  return { dataset: dataset.key, cells, disclosed, shares, passedOver, examples };
}

async function readExamples(
  session: Session,
  dataset: Dataset,
  metrics: readonly string[],
  facts: ReturnType<typeof numberedRows>,
): Promise<DatasetDisclosure['examples']> {
  const keys = dataset.grain.map((name, i) => `t.${identifier(name)} AS k${i}`);
  const rows = await session.rows<Record<string, SqlValue>>(
    `SELECT DISTINCT ${keys.join(', ')}, d.metric AS metric FROM ${DISCLOSED} d JOIN ${facts.from} t ON t.${facts.number} = d.cell ORDER BY ${keys.map((_, i) => `k${i} NULLS FIRST`).join(', ')}, metric LIMIT ${EXAMPLES}`,
  );
  return rows.map(row => ({
    metric: metrics[Number(row['metric'])] ?? '',
    keys: Object.fromEntries(dataset.grain.map((name, i) => [name, row[`k${i}`] ?? null])),
  }));
}

/** Slices named per line; --json lists all. */
const SHOWN_SLICES = 8;

/** One for each metric and family, at the metric's place in the contract. */
export function disclosureDiagnostics(
  found: readonly DatasetDisclosure[],
  datasets: readonly Dataset[],
  severity: Diagnostic['severity'],
): Diagnostic[] {
  const byKey = new Map(datasets.map(dataset => [dataset.key, dataset]));
  return found.flatMap(({ dataset: key, disclosed, shares }) => {
    const dataset = byKey.get(key);
    if (dataset === undefined) return [];
    const subtracted = disclosed.map(({ metric, along, cells, slices }) => {
      const message = `${key}: ${cells} withheld ${cells === 1 ? 'cell' : 'cells'} of ${metric} can be derived along ${along} by subtracting the other parts from the total: ${listSlices(slices)}. Withhold a second part of each family, or its total.`;
      return diagnosticAt(placeOf(dataset, metric), severity, 'disclosure-derivable-cell', message);
    });
    return [...subtracted, ...shareDiagnostics(dataset, shares, severity)];
  });
}

/** One for each metric that follows from a share. */
export function shareDiagnostics(
  dataset: Dataset,
  shares: readonly SharedCells[],
  severity: Diagnostic['severity'],
): Diagnostic[] {
  return shares.map(({ metric, share, total, whole, agreeing, withheld, cells, exact, slices }) => {
    const known = exact === cells ? '' : ` (${groupDigits(exact)} of them exactly, the others within 10)`;
    const message = `${dataset.key}: ${groupDigits(cells)} of ${groupDigits(withheld)} withheld counts of ${metric} follow from ${share} and ${total}${known}: ${listSlices(slices)}. In ${groupDigits(agreeing)} of ${groupDigits(whole)} rows that publish all three, the count is the share of the total. Withhold ${share} in these rows too, or round it more.`;
    return diagnosticAt(placeOf(dataset, metric), severity, 'disclosure-share', message);
  });
}

export function placeOf(dataset: Dataset, metric: string): Place {
  return dataset.columns.find(column => column.name === metric)?.place ?? dataset.source;
}

/** `2021 coasts (1), 2022 coasts (3) and 2 more` */
export function listSlices(
  slices: readonly { readonly year: number; readonly detail: string; readonly cells: number }[],
): string {
  const where = slices.map(
    ({ year, detail, cells }) => `${year === NO_YEAR ? '' : `${year} `}${detail} (${cells})`,
  );
  return someOf(where, SHOWN_SLICES);
}

/** Examples and skipped families of each dataset, then the total. */
export function disclosureLines(found: readonly DatasetDisclosure[]): string[] {
  const cells = found.reduce((sum, one) => sum + one.cells, 0);
  const holders = found.filter(one => one.cells > 0);
  return [
    ...found.flatMap(one => [
      ...(one.examples.length === 0 ? [] : [`${one.dataset}: derivable cells, such as`]),
      ...one.examples.map(({ metric, keys }) => `  ${metric} of ${JSON.stringify(keys)}`),
      ...one.passedOver.map(
        finding =>
          `${one.dataset}: ${finding.metric} along ${finding.along} in ${spellYears(finding.years, '-')} was skipped: ${whyPassedOver(finding)}.`,
      ),
    ]),
    `Disclosure: ${cells} withheld ${cells === 1 ? 'cell' : 'cells'} can be derived from published ones (datasets that withhold counts: ${found.length}; with such cells: ${holders.length}).`,
  ];
}

function whyPassedOver({ whole, adding }: DisclosureFinding): string {
  if (whole === 0)
    return 'no total is published together with all its parts, so nothing shows that they add up';
  return `of ${whole} totals published together with all their parts, ${adding} equal the sum`;
}
