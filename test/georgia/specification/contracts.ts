import { fileURLToPath } from 'node:url';
import type { Contracts } from '../../../build/contract/dataset.ts';
import { formatDiagnostic, hasErrors } from '../../../build/contract/diagnostic.ts';
import { parseContracts } from '../../../build/contract/parse-contracts.ts';
import { readContractFolder } from '../../../build/input/contract-folder.ts';

/** Folder of the project. */
export const PROJECT = fileURLToPath(new URL('../../..', import.meta.url));

export const CONTRACTS = fileURLToPath(new URL('../../../contracts', import.meta.url));

/** The project's own contracts, which must be without error. */
export async function readOwnContracts(): Promise<Contracts> {
  const { contracts, diagnostics } = parseContracts(readContractFolder(CONTRACTS));
  if (hasErrors(diagnostics)) throw new Error(diagnostics.map(formatDiagnostic).join('\n'));
  return contracts;
}
