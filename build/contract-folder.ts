/** The contracts of a folder, as text. What they say is build/contract's business. */
import { lstatSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { ContractFile } from './contract/parse-contracts.ts';
import { listFiles } from './lake/lake-files.ts';
import { UnableError } from './publish/failure.ts';

/** Every YAML file beneath a folder, in any layout, sorted by path; hidden ones and links are left out. */
export function readContractFolder(folder: string): ContractFile[] {
  return yamlFiles(folder)
    .map(name => path.join(folder, name))
    .map(file => ({ file, text: readFileSync(file, 'utf8') }));
}

function yamlFiles(folder: string): string[] {
  try {
    return listFiles(folder).filter(
      name =>
        /\.ya?ml$/i.test(name) &&
        !name.split('/').some(part => part.startsWith('.')) &&
        lstatSync(path.join(folder, name)).isFile(),
    );
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UnableError(
      'contracts-unreadable',
      `${folder} cannot be read (${why}). Name the folder of the contracts.`,
    );
  }
}
