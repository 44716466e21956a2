/** Chooses the formats to leave out so that a host accepts the tree. Pure. */
import type { HostSummary } from '../cache/build-note.ts';
import type { Diagnostic } from '../contract/diagnostic.ts';
import { FORMAT_NAMES, ofTextFormats, TEXT_FORMATS, type TextFormat } from '../format/documents.ts';
import { ROOT } from '../format/paths.ts';
import { countOf, groupDigits } from '../format/shown-text.ts';
import type { HostProfile } from './host-profile.ts';

/** Files that a tree has all or none of, such as the JSON pages of a slice. A tree can't leave out other files. */
export interface FileGroup {
  readonly kind: TextFormat | 'copy';
  /** The first one identifies the group. */
  readonly paths: readonly [string, ...string[]];
}

export type LeftOut = ReadonlyMap<string, FileGroup['kind']>;

interface FormatChoice {
  /** The kinds of the groups to leave out, by their first paths. */
  readonly leftOut: LeftOut;
  /** Size of the remaining tree. */
  readonly bytes: number;
  /** Limits that the tree still exceeds. */
  readonly problems: readonly Diagnostic[];
}

/**
 * The share of a limit that a tree may use. The rest is for other files of the owner and for the next
 * release.
 */
const ROOM = 0.95;

/**
 * Leaves out every group with a file that is too large for the host. If the tree still takes more than its
 * share, leaves out each text format of the largest slices. Only a tree over the limit itself is a
 * problem.
 */
export function chooseFormats(
  tree: ReadonlyMap<string, { readonly bytes: number }>,
  groups: readonly FileGroup[],
  { name, limits }: HostProfile,
): FormatChoice {
  const { bytesPerFile: mostPerFile, bytesInAll: mostBytes, files: mostFiles } = limits;
  const sizeOf = (path: string) => tree.get(path)?.bytes ?? 0;
  const bytesOf = (paths: Iterable<string>) => sum([...paths].map(sizeOf));
  let files = tree.size;
  let bytes = bytesOf(tree.keys());
  const leftOut = new Map<string, FileGroup['kind']>();
  const leaveOut = ({ kind, paths }: FileGroup) => {
    leftOut.set(paths[0], kind);
    files -= paths.length;
    bytes -= bytesOf(paths);
  };
  const isTooLarge = (path: string) => sizeOf(path) > mostPerFile;
  for (const group of groups) if (group.paths.some(isTooLarge)) leaveOut(group);
  const rest = groups
    .filter(({ paths }) => !leftOut.has(paths[0]))
    .map(group => ({ group, bytes: bytesOf(group.paths) }))
    .sort((a, b) => b.bytes - a.bytes || (a.group.paths[0] < b.group.paths[0] ? -1 : 1));
  const candidates = TEXT_FORMATS.flatMap(kind => rest.filter(({ group }) => group.kind === kind));
  for (const { group } of candidates) {
    if (bytes <= mostBytes * ROOM && files <= mostFiles * ROOM) break;
    leaveOut(group);
  }
  const refuse = (code: string, file: string, most: number, what: string, has: number, even = '') => ({
    severity: 'error' as const,
    code,
    file,
    message: `${name} takes at most ${groupDigits(most)} ${what} ${groupDigits(has)}${even}. Publish some datasets with --only, or choose a host without that limit (s3-cloudfront, cloudflare-r2, nginx).`,
  });
  const texts = TEXT_FORMATS.map(format => FORMAT_NAMES[format]).join(' nor ');
  const even = ` even with neither ${texts} of any slice`;
  const optional = new Set(groups.flatMap(({ paths }) => paths));
  const problems: Diagnostic[] = [...tree.keys()]
    .filter(path => isTooLarge(path) && !optional.has(path))
    .map(path =>
      refuse('host-file-too-large', path, mostPerFile, 'bytes in a file, but this file has', sizeOf(path)),
    );
  if (bytes > mostBytes)
    problems.push(refuse('host-tree-too-large', TREE, mostBytes, 'bytes, but the tree has', bytes, even));
  if (files > mostFiles)
    problems.push(refuse('host-too-many-files', TREE, mostFiles, 'files, but the tree has', files, even));
  return { leftOut, bytes, problems };
}

/** Diagnostics about the whole tree name this file. */
const TREE = ROOT.manifest;

export function countLeftOut(leftOut: LeftOut): HostSummary['leftOut'] {
  const count = (kind: FileGroup['kind']) => [...leftOut.values()].filter(one => one === kind).length;
  return { ...ofTextFormats(count), copies: count('copy') };
}

/** Such as `JSON of 12 slices`. */
export function describeLeftOut({ copies, ...texts }: HostSummary['leftOut']): string[] {
  return [
    ...TEXT_FORMATS.map(format =>
      texts[format] > 0 ? `${FORMAT_NAMES[format]} of ${countOf(texts[format], 'slice')}` : '',
    ),
    copies > 0 ? `${groupDigits(copies)} ${copies === 1 ? 'copy' : 'copies'} of rows in another order` : '',
  ].filter(Boolean);
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
