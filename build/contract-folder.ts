/** The contracts of a folder, as text. What they say is build/contract's business. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ContractFile } from './contract/parse-contracts.ts';
import { UnableError } from './publish/failure.ts';

/** Every YAML file beneath a folder, in any layout, sorted by path; hidden ones are left out. */
export async function readContractFolder(folder: string): Promise<ContractFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new UnableError(
      'contracts-unreadable',
      `${folder} cannot be read (${why}). Name the folder of the contracts.`,
    );
  });
  const files = entries
    .filter(entry => entry.isFile() && /\.ya?ml$/i.test(entry.name))
    .map(entry => path.join(entry.parentPath, entry.name))
    .filter(
      file =>
        !path
          .relative(folder, file)
          .split(path.sep)
          .some(part => part.startsWith('.')),
    )
    .sort();
  return Promise.all(files.map(async file => ({ file, text: await readFile(file, 'utf8') })));
}
