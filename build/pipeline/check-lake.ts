/** `civic check`: runs every rule on every row, and publishes nothing. */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Cache } from '../cache/cache.ts';
import type { CheckStageResult } from '../check/check-stage.ts';
import { disclosureDiagnostics, runDisclosure } from '../check/disclosure.ts';
import type { Diagnostic } from '../contract/diagnostic.ts';
import { RefusedError } from '../failure.ts';
import type { RuleCounts } from '../format/document-schemas.ts';
import { type CheckOptions, databaseOptions, readLake } from '../input/build-input.ts';
import { type Compiled, compileInput } from '../input/compiled-input.ts';
import { readContractFolder } from '../input/contract-folder.ts';
import { type DatabaseOptions, withSession } from '../lake/database.ts';
import { planDataset } from '../plan/dataset-plan.ts';
import { checksPiece, neededFiles } from '../plan/pieces.ts';
import type { Reporter } from '../report.ts';
import { readShapes } from '../slice/dimension-rows.ts';
import { addCounts, countRules } from '../tree/published-records.ts';
import { checkAll, ruleResult } from './findings.ts';
import { fetchFiles, reportFound, unchangedWhile } from './rows-stage.ts';

export interface LakeCheckOptions extends CheckOptions {
  /** If no rule fails, looks for withheld counts that readers can work out from published ones. */
  readonly disclosure?: boolean | undefined;
}

export interface CheckResult {
  readonly datasets: number;
  readonly dimensions: number;
  readonly rows: number;
  readonly rules: RuleCounts;
}

export async function check(options: LakeCheckOptions, report: Reporter): Promise<CheckResult> {
  const temporaryFolder = await mkdtemp(path.join(os.tmpdir(), 'civic-'));
  const limits = databaseOptions(options, temporaryFolder);
  try {
    const contractFiles = readContractFolder(options.contracts);
    const lake = await readLake(options.data, path.join(temporaryFolder, 'lake'));
    const cache = new Cache({ folder: path.join(temporaryFolder, 'cache'), limit: Number.POSITIVE_INFINITY });
    const compiling = { cache, temporary: temporaryFolder, limits, contents: null };
    const compiled = await compileInput(options, { contractFiles, lake }, compiling, report);
    const { contracts, inventory } = compiled;
    const needed = neededFiles(
      compiled.asked.map(one => checksPiece(planDataset(one, contracts, inventory), compiled, options)),
      compiled,
    );
    await fetchFiles(lake, needed, report);
    const result = await unchangedWhile(lake, compiled, needed, limits, async () => {
      const checked = await checkAll(options, limits, compiled, { datasets: compiled.asked }, report);
      reportFound(await findUnfitShapes(limits, compiled), options, report);
      if (options.disclosure === true) await checkDisclosure(options, limits, compiled, checked, report);
      return checked;
    });
    const counts = [...result.dimensions, ...result.datasets.values()].map(one =>
      countRules(one.outcomes.map(ruleResult)),
    );
    return {
      datasets: result.datasets.size,
      dimensions: result.dimensions.length,
      rows: [...result.datasets.values()].reduce(
        (sum, dataset) => sum + [...dataset.shapes.values()].reduce((rows, shape) => rows + shape.rows, 0),
        0,
      ),
      rules: counts.reduce(addCounts, { run: 0, passed: 0, warned: 0, skipped: 0 }),
    };
  } finally {
    await rm(temporaryFolder, { recursive: true, force: true });
  }
}

/** What is wrong with the boundaries and points of dimensions. */
async function findUnfitShapes(
  limits: DatabaseOptions,
  { contracts, inventory }: Compiled,
): Promise<Diagnostic[]> {
  const drawn = [...contracts.dimensions.values()].flatMap(dimension => {
    const file = inventory.dimensions.get(dimension.key);
    const boundaries = inventory.boundaries.get(dimension.key) ?? null;
    const isDrawn = file !== undefined && (boundaries !== null || dimension.coordinates !== null);
    return isDrawn ? [{ dimension, file, boundaries }] : [];
  });
  if (drawn.length === 0) return [];
  return withSession(limits, async session => {
    const found: Diagnostic[] = [];
    for (const one of drawn) found.push(...(await readShapes(session, one)).diagnostics);
    return found;
  });
}

/** Warns; with --strict, refuses. */
async function checkDisclosure(
  options: CheckOptions,
  limits: DatabaseOptions,
  { contracts, inventory, asked }: Compiled,
  checked: CheckStageResult,
  report: Reporter,
): Promise<void> {
  const found = await runDisclosure({
    contracts,
    inventory,
    datasets: asked,
    checked,
    limits,
    onCompared: (done, total, what) => report({ kind: 'progress', stage: 'disclosure', done, total, what }),
  });
  report({ kind: 'disclosure', datasets: found });
  const diagnostics = disclosureDiagnostics(found, asked, options.strict ? 'error' : 'warning');
  if (options.strict && diagnostics.length > 0) throw new RefusedError(diagnostics);
  if (diagnostics.length > 0) report({ kind: 'warnings', diagnostics });
}
