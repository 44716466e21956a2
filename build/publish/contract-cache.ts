/**
 * Contracts as they were compiled last, kept in the workspace: reading thirty of them takes longer than making one
 * changed slice. Same texts, same program, same result; anything else is compiled anew.
 */
import path from 'node:path';
import type { ContractFile, ParsedContracts } from '../contract/parse-contracts.ts';
import { digestOf, PROGRAM, textsDigest } from './build-state.ts';
import { keepValue, readKept } from './kept-value.ts';
import type { Workspace } from './workspace.ts';

export async function parseKept(
  workspace: Workspace,
  files: readonly ContractFile[],
): Promise<ParsedContracts> {
  const file = path.join(workspace.folder, 'contracts.v8');
  const digest = digestOf([
    PROGRAM,
    process.version,
    files.map(({ text: _, ...rest }) => rest),
    textsDigest(files),
  ]);
  const kept = readKept<ParsedContracts>(file, digest);
  if (kept !== null) return kept;
  // Loaded only here: the parsers are what costs.
  const { parseContracts } = await import('../contract/parse-contracts.ts');
  const parsed = parseContracts(files);
  keepValue(file, digest, parsed);
  return parsed;
}
