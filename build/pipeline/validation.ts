/** `civic validate`: checks contracts alone, without a lake. */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { bindRules } from '../check/run-checks.ts';
import { type Diagnostic, hasErrors, sortDiagnostics } from '../contract/diagnostic.ts';
import { parseContracts } from '../contract/parse-contracts.ts';
import { RefusedError, UnableError } from '../failure.ts';
import { refuses } from '../input/build-input.ts';
import { readContractFolder } from '../input/contract-folder.ts';

export interface ValidateResult {
  readonly files: number;
  readonly datasets: number;
  readonly dimensions: number;
  readonly rules: number;
  /** Contracts without errors that are not active. The counts above leave them out. */
  readonly inactive: number;
  /** Warnings and notes; errors refuse the contracts. */
  readonly diagnostics: readonly Diagnostic[];
}

export async function validate(folder: string, strict: boolean): Promise<ValidateResult> {
  const files = readContractFolder(folder);
  const { contracts, diagnostics, inactive, read } = parseContracts(files);
  const temporaryFolder = await mkdtemp(path.join(os.tmpdir(), 'civic-'));
  try {
    const bound = await bindRules(contracts, { threads: 1, memoryLimit: '400MB', temporaryFolder });
    // A rule may fail to bind only because the contract of its table has errors.
    const certain = hasErrors(diagnostics) ? bound.filter(one => one.code !== 'rule-does-not-bind') : bound;
    const all = sortDiagnostics([...diagnostics, ...certain]);
    if (refuses(all, strict)) throw new RefusedError(all);
    if (read === 0) {
      // Files that are no contracts, usually a warning, explain here why there is no contract.
      const none = all.filter(one => one.code === 'not-a-contract');
      if (none.length > 0) throw new RefusedError(none.map(one => ({ ...one, severity: 'error' })));
      throw new UnableError(
        'nothing-to-build',
        `${folder} holds no active data contract. Name the folder of the contracts.`,
      );
    }
    const owners = [...contracts.datasets, ...contracts.dimensions.values()];
    return {
      files: files.length,
      datasets: contracts.datasets.length,
      dimensions: contracts.dimensions.size,
      rules: owners.reduce((sum, owner) => sum + owner.rules.length, 0),
      inactive,
      diagnostics: all,
    };
  } finally {
    await rm(temporaryFolder, { recursive: true, force: true });
  }
}
