/**
 * Contracts as they were compiled last, kept in the workspace: reading thirty of them takes longer than making one
 * changed slice. Same texts, same program, same result; anything else is compiled anew.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { ContractFile, ParsedContracts } from '../contract/parse-contracts.ts';
import { digestOf, PROGRAM } from './build-state.ts';
import type { Workspace } from './workspace.ts';

interface Kept {
  readonly digest: string;
  readonly parsed: ParsedContracts;
}

export async function parseKept(
  workspace: Workspace,
  files: readonly ContractFile[],
): Promise<ParsedContracts> {
  const file = path.join(workspace.folder, 'contracts.v8');
  const digest = digestOf([PROGRAM, process.version, files]);
  const kept = await readFile(file)
    .then(bytes => deserialize(bytes) as Kept)
    // None, or one whose writing was interrupted.
    .catch(() => null);
  if (kept?.digest === digest) return kept.parsed;
  // Loaded only here: the parsers are what costs.
  const { parseContracts } = await import('../contract/parse-contracts.ts');
  const parsed = parseContracts(files);
  await writeFile(file, serialize({ digest, parsed } satisfies Kept)).catch(() => undefined);
  return parsed;
}
