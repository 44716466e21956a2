/** What files of the lake hold: one that was written again with the same bytes is as it was, whatever its times. */
import { setImmediate } from 'node:timers/promises';
import type { LakeFile } from '../lake/lake-files.ts';
import { digestFile } from '../slice/file-digest.ts';

/** The same text, the same bytes. */
export type ContentOf = (file: LakeFile) => string;

interface KnownContent {
  readonly fingerprint: string;
  readonly content: string;
}

/** By path. */
export type KnownContents = Readonly<Record<string, KnownContent>>;

/** Without reading a byte: a file whose size, times and place on the disk are as they were. */
export const byFingerprint: ContentOf = file => file.fingerprint;

/** Reads a file when it is asked for the first time since it may have changed. */
export class FileContents {
  readonly #known: Map<string, KnownContent>;

  constructor(known: KnownContents = {}) {
    this.#known = new Map(Object.entries(known));
  }

  /** SHA-256 of its bytes, or what the lake's listing tells of them. */
  of(file: LakeFile): string {
    const { path, fingerprint } = file;
    const known = this.#knownOf(file);
    if (known !== undefined) return known.content;
    const content = file.content ?? hashOf(file);
    this.#known.set(path, { fingerprint, content });
    return content;
  }

  /** Reads those of some files that may have changed, and tells of each: of a large lake it takes its time. */
  async read(
    files: readonly LakeFile[],
    onRead: (done: number, total: number, what: string) => void,
  ): Promise<void> {
    const changed = files.filter(file => this.#knownOf(file) === undefined);
    for (const [index, file] of changed.entries()) {
      this.of(file);
      onRead(index + 1, changed.length, file.path);
      // What is told is drawn in between.
      await setImmediate();
    }
  }

  /** The same of a file that an earlier build read; any other, which may never be read, by its fingerprint. */
  recalled(file: LakeFile): string {
    return this.#known.has(file.path) ? this.of(file) : file.fingerprint;
  }

  /** Undefined where the file may have changed since. */
  #knownOf({ path, fingerprint }: LakeFile): KnownContent | undefined {
    const known = this.#known.get(path);
    return known?.fingerprint === fingerprint ? known : undefined;
  }

  /** What is known of these files. */
  among(files: readonly LakeFile[]): KnownContents {
    return Object.fromEntries(
      files.flatMap(file => {
        const known = this.#knownOf(file);
        return known === undefined ? [] : [[file.path, known]];
      }),
    );
  }
}

/** A file that cannot be read is what its fingerprint says, and the checks say that it cannot be read. */
function hashOf(file: LakeFile): string {
  try {
    return digestFile(file.absolute).sha256;
  } catch {
    return file.fingerprint;
  }
}
