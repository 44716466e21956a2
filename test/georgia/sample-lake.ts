/** Our contracts and their small sample lake, made once for all tests. */
import { fileURLToPath } from 'node:url';
import type { Contracts } from '../../build/contract/dataset.ts';
import { formatDiagnostic, hasErrors } from '../../build/contract/diagnostic.ts';
import { parseContracts } from '../../build/contract/parse-contracts.ts';
import { build } from '../../build/pipeline/build.ts';
import type { BuildOptions } from '../../build/pipeline/build-options.ts';
import { readContractFolder } from '../../build/plan/build-input.ts';
import type { BuildEvent } from '../../build/report.ts';
import { type SampleOptions, writeSampleLake } from '../../scripts/georgia/sample/lake.ts';
import { keptFolder } from '../kept-folder.ts';

/** Writes the lake to a folder that is not there yet. */
export async function makeSampleLake(out: string, options: Partial<SampleOptions> = {}): Promise<void> {
  await writeSampleLake({ out, scale: 'small', seed: 1, ...options });
}

/** Builds a tree of a lake that breaks no rule. */
export async function makeTree(
  options: Pick<BuildOptions, 'contracts' | 'data' | 'out' | 'releaseDate'> & Partial<BuildOptions>,
  report: (event: BuildEvent) => void = () => undefined,
): Promise<void> {
  await build(
    { only: null, strict: false, previous: null, baseUrl: null, jobs: 2, memory: '800MB', ...options },
    report,
  );
}

/** What decides the bytes of a sample lake; for a tree, the builder does too. */
export const LAKE_SOURCES = [
  'contracts',
  'scripts/georgia/lake-table.ts',
  'scripts/georgia/sample',
  'package-lock.json',
];
export const TREE_SOURCES = [...LAKE_SOURCES, 'build', 'site', 'vite.config.ts'];

export function sampleLake(): Promise<string> {
  return keptFolder('lake', LAKE_SOURCES, out => makeSampleLake(out, { contracts: CONTRACTS }));
}

export const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

export const CONTRACTS = fileURLToPath(new URL('../../contracts', import.meta.url));

/** The project's own contracts, which must be without error. */
export async function readOwnContracts(): Promise<Contracts> {
  const { contracts, diagnostics } = parseContracts(readContractFolder(CONTRACTS));
  if (hasErrors(diagnostics)) throw new Error(diagnostics.map(formatDiagnostic).join('\n'));
  return contracts;
}
