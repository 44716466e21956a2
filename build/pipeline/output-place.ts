/** Keeps the output folder apart from contracts and lake, which the switch of trees would remove with it. */
import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { UnableError } from '../failure.ts';
import { workspaceOf } from '../tree/workspace.ts';

interface Places {
  readonly out: string;
  readonly contracts: string;
  /** Folder of the lake, or `s3://bucket/prefix`. */
  readonly data: string;
}

/** Refuses an output folder that is within the lake or the contracts or holds them, even through links. Writes nothing. */
export function expectOutputApart({ out, contracts, data }: Places): void {
  const sources = [
    { folder: contracts, what: 'the folder of the contracts' },
    ...(/^s3:/i.test(data) ? [] : [{ folder: data, what: "the lake's folder" }]),
  ];
  const target = workspaceOf(out).out;
  for (const { folder, what } of sources) {
    const same = sameFolder(target, folder);
    const within = same
      ? ''
      : isWithin(target, folder)
        ? 'is within'
        : isWithin(folder, target)
          ? 'holds'
          : '';
    if (!same && within === '') continue;
    throw new UnableError(
      'output-in-input',
      `${out} ${same ? 'is' : within} ${what}${path.resolve(out) === path.resolve(folder) ? '' : ` (${folder})`}. A build replaces its output folder as a whole. Name another folder with --out.`,
    );
  }
}

function sameFolder(a: string, b: string): boolean {
  const [first, second] = [identity(a), identity(b)];
  return first !== null && first === second;
}

/** Whether `inner` lies within `outer`, whatever links lead there. */
function isWithin(inner: string, outer: string): boolean {
  const folder = identity(outer);
  if (folder === null) return false;
  for (let at = realPath(inner); ; at = path.dirname(at)) {
    if (identity(at) === folder) return true;
    if (path.dirname(at) === at) return false;
  }
}

/** Resolves links in the existing part of a path. */
function realPath(file: string): string {
  const absolute = path.resolve(file);
  try {
    return realpathSync(absolute);
  } catch {
    const parent = path.dirname(absolute);
    return parent === absolute ? absolute : path.join(realPath(parent), path.basename(absolute));
  }
}

/** Null if the file does not exist. */
function identity(file: string): string | null {
  try {
    const { dev, ino } = statSync(file, { bigint: true });
    return `${dev}-${ino}`;
  } catch {
    return null;
  }
}
