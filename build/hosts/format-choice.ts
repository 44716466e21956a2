/** Which formats a tree leaves out so that a host takes it. Pure, and the same for sizes estimated and sizes measured. */
import type { Diagnostic } from '../contract/diagnostic.ts';
import type { HostProfile } from './host-profile.ts';

/** Some files of a tree that are there together or not at all. */
export interface TreePart {
  /** Of its first file: how it is named among what is left out. */
  readonly path: string;
  /** JSON and CSV of slices, and histories, may be left out; all else is always there. */
  readonly kind: 'json' | 'csv' | 'history' | 'other';
  readonly files: number;
  readonly bytes: number;
  /** Bytes of its largest file. */
  readonly largest: number;
}

export interface TreeSize {
  readonly files: number;
  readonly bytes: number;
}

export interface FormatChoice {
  /** Paths of the parts to leave out. */
  readonly leftOut: ReadonlySet<string>;
  /** Of what is left. */
  readonly size: TreeSize;
  /** What the host would not take whatever is left out. */
  readonly problems: readonly Diagnostic[];
}

/** What is given up for the whole to fit, in this order. */
const GIVEN_UP = ['json', 'csv'] as const satisfies readonly TreePart['kind'][];

/** Sizes may be a guess: `room` is what part of the limits they may fill, more than 1 where they are doubted. */
export interface Guess {
  readonly room: number;
}

/**
 * First all that has a file which the host would not take; then, for as long as the whole does not fit, JSON of the
 * largest slices, and then their CSV.
 */
export function chooseFormats(
  parts: readonly TreePart[],
  { name, limits }: HostProfile,
  guess: Guess | null = null,
): FormatChoice {
  const most = (limit: number | null) =>
    limit === null ? Number.POSITIVE_INFINITY : limit * (guess?.room ?? 1);
  const mostPerFile = most(limits.bytesPerFile);
  const mostBytes = most(limits.bytesInAll);
  const mostFiles = most(limits.files);
  const tooLarge = parts.filter(part => part.largest > mostPerFile);
  const leftOut = new Set(tooLarge.filter(part => part.kind !== 'other').map(part => part.path));
  const rest = parts.filter(part => !leftOut.has(part.path));
  let files = sum(rest.map(part => part.files));
  let bytes = sum(rest.map(part => part.bytes));
  const candidates = GIVEN_UP.flatMap(kind => rest.filter(part => part.kind === kind).sort(byBytes));
  for (const part of candidates) {
    if (bytes <= mostBytes && files <= mostFiles) break;
    leftOut.add(part.path);
    files -= part.files;
    bytes -= part.bytes;
  }
  const has = guess === null ? 'has' : 'would have about';
  const refuse = (code: string, file: string, what: string): Diagnostic => ({
    severity: 'error',
    code,
    file,
    message: `${name} takes at most ${what} Publish part of the data with --only, or on a host without that limit (s3-cloudfront, cloudflare-r2, nginx).`,
  });
  const problems = tooLarge
    .filter(part => part.kind === 'other')
    .map(part =>
      refuse(
        'host-file-too-large',
        part.path,
        `${grouped(limits.bytesPerFile ?? 0)} bytes in a file, and this one ${has} ${grouped(part.largest)}.`,
      ),
    );
  const without = 'with neither JSON nor CSV of any slice';
  const root = 'manifest.json';
  if (bytes > mostBytes)
    problems.push(
      refuse(
        'host-tree-too-large',
        root,
        `${grouped(limits.bytesInAll ?? 0)} bytes, and the tree ${has} ${grouped(bytes)} ${without}.`,
      ),
    );
  if (files > mostFiles)
    problems.push(
      refuse(
        'host-too-many-files',
        root,
        `${grouped(limits.files ?? 0)} files, and the tree ${has} ${grouped(files)} ${without}.`,
      ),
    );
  return { leftOut, size: { files, bytes }, problems };
}

function byBytes(a: TreePart, b: TreePart): number {
  return b.bytes - a.bytes || (a.path < b.path ? -1 : 1);
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** 1,234,567 */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}
