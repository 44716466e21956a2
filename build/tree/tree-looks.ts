/** What of a tree on a disk differs from what was built although every byte is right: times, links, empty folders. */
import { lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { Diagnostic } from '../contract/diagnostic.ts';
import type { ReportFault, TreeLists } from './tree-lists.ts';

/** Reports links as faults, since no server follows them, and returns warnings about times and folders. */
export function compareLooks(
  { folder, present, files }: Pick<TreeLists, 'folder' | 'present' | 'files'>,
  wrong: ReportFault,
): Diagnostic[] {
  const otherTimes: string[] = [];
  for (const name of present) {
    const info = lstatSync(path.join(folder, name));
    if (info.isSymbolicLink()) {
      wrong(name, 'tree-link', 'The file is a link, and no server follows it. Put the file itself there.');
      continue;
    }
    const modified = files.get(name)?.modified;
    if (modified !== undefined && info.mtimeMs !== Date.parse(modified)) otherTimes.push(name);
  }
  return [
    ...warning(
      otherTimes,
      'tree-time-differs',
      'has another time than its manifest says, so mirrors and caches fetch it again',
      'Copy the tree with its times.',
    ),
    ...warning(
      emptyFolders(folder),
      'tree-empty-folder',
      'is an empty folder, which no build makes',
      'Remove it.',
    ),
  ];
}

/** One warning for all, which names the first. */
function warning(names: readonly string[], code: string, what: string, remedy: string): Diagnostic[] {
  const [file] = names;
  if (file === undefined) return [];
  const more = names.slice(1, 4).join(', ');
  const others =
    names.length > 1
      ? ` The same is true of ${names.length - 1} more (${more}${names.length > 4 ? ', …' : ''}).`
      : '';
  return [{ severity: 'warning', code, file, message: `It ${what}.${others} ${remedy}` }];
}

function emptyFolders(root: string): string[] {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  return entries
    .filter(entry => entry.isDirectory())
    .map(entry => path.join(entry.parentPath, entry.name))
    .filter(place => readdirSync(place).length === 0)
    .map(place => path.relative(root, place))
    .sort();
}
