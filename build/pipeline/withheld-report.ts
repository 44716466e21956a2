/** Warns about withheld figures that readers know all the same: from shares, or from earlier releases. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { disclosureMetrics } from '../check/disclosure-family.ts';
import { forgetDiagnostic, shareDiagnostics } from '../check/disclosure-report.ts';
import { readShares } from '../check/disclosure-shares.ts';
import type { Dataset } from '../contract/dataset.ts';
import { type Diagnostic, diagnosticAt } from '../contract/diagnostic.ts';
import { changesFile, datasetFolder } from '../format/paths.ts';
import type { Compiled } from '../input/compiled-input.ts';
import { SLICE_NAME } from '../lake/fact-table.ts';
import { sliceName } from '../lake/inventory.ts';
import type { Session, SessionSource } from '../lake/database.ts';
import { isMemoryShortage } from '../lake/memory-shortage.ts';
import { identifier, literal, parquetRows } from '../lake/sql.ts';
import type { Cache, Made } from '../cache/cache.ts';
import { type DatasetPlan, levelsRecipe } from '../plan/dataset-plan.ts';
import type { WrittenRowsOf } from '../plan/pieces.ts';
import type { TreePlan } from '../plan/tree-plan.ts';
import type { Reporter } from '../report.ts';
import type { BuildOptions } from './build-options.ts';
import { reportFound } from './rows-stage.ts';

export interface WithheldInput {
  readonly options: BuildOptions;
  readonly compiled: Compiled;
  readonly cache: Cache;
  readonly plan: TreePlan;
  readonly written: WrittenRowsOf;
  /** Folder of the staged tree. */
  readonly staging: string;
  /** Name of this release. */
  readonly release: string;
  readonly session: SessionSource;
}

export async function reportWithheld(input: WithheldInput, report: Reporter): Promise<void> {
  const found: Diagnostic[] = [];
  for (const one of input.plan.datasets) {
    if (one.dataset.nullSemantics.suppressed_to_null === false) continue;
    const { cache, compiled } = input;
    const shares = await cache.make(levelsRecipe('withheld', one, compiled, null), () =>
      knownFromShares(one, input),
    );
    found.push(...shares, ...(await knownFromEarlier(one.dataset, input)));
  }
  reportFound(found, input.options, report);
}

const FIGURES = 'temp.main."written figures"';

async function knownFromShares(
  { dataset, slices }: DatasetPlan,
  { compiled, written, session: open }: WithheldInput,
): Promise<Made<Diagnostic[]>> {
  const nothing = { value: [], files: [] };
  if (disclosureMetrics(dataset).length === 0) return nothing;
  const rows = written.slices.get(dataset.key);
  const folder = datasetFolder(dataset.domain, dataset.topic);
  const parts = slices.flatMap((slice, i) => {
    const file = rows?.get(sliceName(slice))?.parquet;
    if (file === undefined) return [];
    return [
      `SELECT ${i} AS ${identifier(SLICE_NAME)}, * FROM ${parquetRows([path.join(written.folder, folder, file.path)])}`,
    ];
  });
  if (parts.length === 0) return nothing;
  const session = await open();
  await session.run(`CREATE OR REPLACE TEMP VIEW "written figures" AS ${parts.join(' UNION ALL BY NAME ')}`);
  try {
    const found = await readShares(session, dataset, compiled.contracts, FIGURES, slices);
    return { value: shareDiagnostics(dataset, found, 'warning'), files: [] };
  } catch (error) {
    if (!isMemoryShortage(error)) throw error;
    const message = `${dataset.key}: there was too little memory to look for withheld counts that follow from shares. Run civic check --disclosure with more --memory.`;
    const value = [diagnosticAt(dataset.source, 'warning', 'disclosure-share', message)];
    return { value, files: [], keep: false };
  } finally {
    await session.run(`DROP VIEW ${FIGURES}`);
  }
}

/** Figures that the release before has, and that this one withholds. */
async function knownFromEarlier(
  dataset: Dataset,
  { plan, staging, release, session: open }: WithheldInput,
): Promise<Diagnostic[]> {
  const file = path.join(
    staging,
    changesFile(datasetFolder(dataset.domain, dataset.topic), release, 'parquet'),
  );
  if (plan.before === null || !existsSync(file)) return [];
  const session = await open();
  const names = await columnsOf(session, file);
  const found: Diagnostic[] = [];
  for (const { name, role, renamedFrom } of dataset.columns) {
    const old = [name, ...(renamedFrom === null ? [] : [renamedFrom])]
      .map(one => `old_${one}`)
      .find(one => names.has(one));
    if (role !== 'metric' || old === undefined || !names.has(`new_${name}`)) continue;
    const slices = await session.rows<{ year: number; detail: string; cells: number }>(
      `SELECT year, detail, count(*) AS cells FROM ${parquetRows([file])} WHERE change = ${literal('revised')} AND ${identifier(old)} IS NOT NULL AND ${identifier(`new_${name}`)} IS NULL GROUP BY ALL ORDER BY ALL`,
    );
    if (slices.length > 0) found.push(forgetDiagnostic(dataset, name, slices, plan.before.manifest.release));
  }
  return found;
}

async function columnsOf(session: Session, file: string): Promise<ReadonlySet<string>> {
  const rows = await session.rows<{ column_name: string }>(`DESCRIBE SELECT * FROM ${parquetRows([file])}`);
  return new Set(rows.map(row => row.column_name));
}
