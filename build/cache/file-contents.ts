/** Hashes of the lake's files, so that a file that is written again with the same bytes counts as unchanged. */
import { setImmediate } from 'node:timers/promises';
import type { LakeFile } from '../lake/lake-files.ts';
import { digestFile } from '../slice/file-digest.ts';

/** Returns the same text for files with the same bytes. */
export type ContentOf = (file: LakeFile) => string;

interface KnownContent {
  readonly fingerprint: string;
  readonly content: string;
}

/** Hashes by path. */
export type KnownContents = Readonly<Record<string, KnownContent>>;

/** Identifies a file by its size, times and place on the disk, without reading it. */
export const byFingerprint: ContentOf = file => file.fingerprint;

/** Reads a file once and remembers its hash until the file may have changed. */
export class FileContents {
  readonly #known: Map<string, KnownContent>;

  constructor(known: KnownContents = {}) {
    this.#known = new Map(Object.entries(known));
  }

  /** The SHA-256 of a file, or the identifier that a bucket's listing gives. */
  of(file: LakeFile): string {
    const { path, fingerprint } = file;
    const known = this.#knownOf(file);
    if (known !== undefined) return known.content;
    const content = file.content ?? hashOf(file);
    this.#known.set(path, { fingerprint, content });
    return content;
  }

  /** Reads the files that may have changed, and reports each: a large lake takes a while. */
  async read(
    files: readonly LakeFile[],
    onRead: (done: number, total: number, what: string) => void,
  ): Promise<void> {
    const changed = files.filter(file => this.#knownOf(file) === undefined);
    for (const [index, file] of changed.entries()) {
      this.of(file);
      onRead(index + 1, changed.length, file.path);
      // Lets the terminal draw the progress.
      await setImmediate();
    }
  }

  /** The hash of a file that an earlier build read; the fingerprint of any other, since a build may never read it. */
  recalled(file: LakeFile): string {
    return this.#known.has(file.path) ? this.of(file) : file.fingerprint;
  }

  /** Undefined if the file may have changed. */
  #knownOf({ path, fingerprint }: LakeFile): KnownContent | undefined {
    const known = this.#known.get(path);
    return known?.fingerprint === fingerprint ? known : undefined;
  }

  /** The hashes of these files, as far as they are known. */
  among(files: readonly LakeFile[]): KnownContents {
    return Object.fromEntries(
      files.flatMap(file => {
        const known = this.#knownOf(file);
        return known === undefined ? [] : [[file.path, known]];
      }),
    );
  }
}

/** Falls back to the fingerprint of an unreadable file: the checks report such files. */
function hashOf(file: LakeFile): string {
  try {
    return digestFile(file.absolute).sha256;
  } catch {
    return file.fingerprint;
  }
}
