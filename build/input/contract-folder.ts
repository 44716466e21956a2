/** Reads the contracts of a folder as text. build/contract parses them. */
import { readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import type { ContractFile, Unread } from '../contract/parse-contracts.ts';
import { UnableError } from '../failure.ts';
import { isLink, isRegularFile, listFiles } from '../lake/lake-files.ts';
import { isFileShortage, reasonOf, refusedPath } from '../system-error.ts';

/**
 * Every YAML file below a folder, in any layout, sorted by path, except hidden files. A link to a file of the folder, even
 * a hidden one, is read unless the file itself is; other links are not read, and `unread` says why.
 */
export function readContractFolder(folder: string): ContractFile[] {
  try {
    return contractFiles(folder);
  } catch (error) {
    if (isFileShortage(error)) throw error;
    const file = refusedPath(error) ?? folder;
    throw new UnableError(
      'contracts-unreadable',
      `${path.resolve(folder) === file ? folder : file} cannot be read: ${reasonOf(error)}. Name the folder of the contracts.`,
    );
  }
}

function contractFiles(folder: string): ContractFile[] {
  const root = realpathSync(folder);
  const names = listFiles(root).filter(name => !name.split('/').some(part => part.startsWith('.')));
  const links = new Set(names.filter(name => isLink(path.join(root, name))));
  const files = new Set(
    names.filter(name => isYaml(name) && !links.has(name)).map(name => path.join(root, name)),
  );
  return names.flatMap((name): ContractFile[] => {
    const file = path.join(folder, name);
    if (!isYaml(name) && !links.has(name)) return [];
    const found = follow(root, name, links.has(name));
    // A linked folder may hold contracts, whatever its name.
    if (!isYaml(name) && found.unread !== 'link to a folder') return [];
    if (found.unread !== undefined) return [{ file, text: '', unread: found.unread }];
    return links.has(name) && files.has(found.target)
      ? []
      : [{ file, text: readFileSync(found.target, 'utf8'), folder: folderOf(name) }];
  });
}

type Followed = { readonly target: string; readonly unread?: undefined } | { readonly unread: Unread };

/** Follows a link within the folder only: no other file of the machine may show up in a message. */
function follow(root: string, name: string, isLinked: boolean): Followed {
  if (!isLinked) {
    const target = path.join(root, name);
    // Opening a pipe waits until another process writes to it.
    return isRegularFile(target) ? { target } : { unread: 'no regular file' };
  }
  let target: string;
  try {
    target = realpathSync(path.join(root, name));
  } catch {
    return { unread: 'broken link' };
  }
  if (statSync(target).isDirectory()) return { unread: 'link to a folder' };
  if (!target.startsWith(root + path.sep)) return { unread: 'link out of the folder' };
  return isRegularFile(target) ? { target } : { unread: 'no regular file' };
}

/** The name of the folder that a file is in, without those that only sort files, such as `_dimensions`. */
function folderOf(name: string): string {
  return (
    name
      .split('/')
      .slice(0, -1)
      .findLast(part => !part.startsWith('_')) ?? ''
  );
}

function isYaml(name: string): boolean {
  return /\.ya?ml$/i.test(name);
}
