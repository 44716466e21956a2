/** `civic check`: every rule on every row, publishing nothing. */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type CheckOptions, readLake } from './build-input.ts';
import { addCounts, countRules, ruleResult } from './catalog/quality-document.ts';
import { readContractFolder } from './contract-folder.ts';
import type { RuleCounts } from './format/documents.ts';
import type { Reporter } from './report.ts';
import { checkAll, compileInput } from './stages.ts';

export interface CheckResult {
  readonly datasets: number;
  readonly dimensions: number;
  readonly rows: number;
  readonly rules: RuleCounts;
}

export async function check(options: CheckOptions, report: Reporter): Promise<CheckResult> {
  const [contractFiles, lakeFiles] = await Promise.all([
    readContractFolder(options.contracts),
    readLake(options.data),
  ]);
  const temporaryFolder = await mkdtemp(path.join(os.tmpdir(), 'civic-'));
  try {
    const compiled = await compileInput(options, { contractFiles, lakeFiles }, report);
    const result = await checkAll(options, temporaryFolder, compiled, compiled.asked, report);
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
