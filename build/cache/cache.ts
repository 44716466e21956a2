/**
 * The cache of a build's results. A key is a digest of the program, the kind of result and everything that it is
 * made from, so an entry is never out of date. Deleting the cache only costs time.
 */
import { createHash, randomBytes } from 'node:crypto';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { copyFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { deserialize, serialize } from 'node:v8';
import { fingerprintOf, type LakeFile, listFiles } from '../lake/lake-files.ts';
import { digestFile, digestText } from '../slice/file-digest.ts';
import { UnableError } from '../system-error.ts';
import { PROGRAM } from './program.ts';

export function digestOf(value: unknown): string {
  return digestText(JSON.stringify(value));
}

/** By the file of one listing, so that each is read once. */
const contents = new WeakMap<LakeFile, string>();

/**
 * The SHA-256 of a file of the lake, or its identifier in a bucket's listing. Hashing a lake takes less than a thousandth
 * of the time of building it.
 */
export function contentOf(file: LakeFile): string {
  const known = file.content ?? contents.get(file);
  if (known !== undefined) return known;
  let content = file.fingerprint;
  try {
    content = digestFile(file.absolute).sha256;
  } catch {
    // The checks report an unreadable file.
  }
  contents.set(file, content);
  return content;
}

/** A file of an entry. */
interface MadeFile {
  /** Relative to the entry's folder. */
  readonly path: string;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

export interface Made<Value> {
  /** Anything that structured cloning supports. */
  readonly value: Value;
  readonly files: readonly MadeFile[];
  /** False if the next build must make it again, for example because it depended on time. */
  readonly keep?: boolean;
}

/** Identifies a result. The same recipe gives the same bytes on any machine. */
export interface Recipe {
  /** Such as `slice`. */
  readonly what: string;
  /** Texts and options that it is made from, as JSON. */
  readonly inputs: unknown;
  /** Files of the lake that it is made from. */
  readonly files: readonly LakeFile[];
}

export interface CacheOptions {
  readonly folder: string;
  /** The most bytes that the cache has after a build. */
  readonly limit: number;
}

/** Bytes of the SHA-256 before a value. */
const SEAL = 32;

const VALUE = 'value';
/** Names of the cache's folders. Others in the same place stay. */
const ENTRY = /^[0-9a-f]{64}$/;
const MAKING = '.civic-making-';

/** An unfinished entry counts as abandoned after so many milliseconds. */
const ABANDONED = 24 * 60 * 60 * 1000;

export class Cache {
  readonly folder: string;
  /** Numbers of results that this build made and found. */
  readonly counts = { made: 0, found: 0 };
  readonly #limit: number;

  constructor({ folder, limit }: CacheOptions) {
    this.folder = path.resolve(folder);
    this.#limit = limit;
  }

  /** A folder on the cache's disk. If the machine dies, a later trim removes it. */
  makeFolder(): string {
    const folder = path.join(this.folder, MAKING + randomBytes(8).toString('hex'));
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  /** Returns an earlier result and puts its files into `into`; undefined if there is none. */
  async find<Value>(recipe: Recipe, into: string | null = null): Promise<Value | undefined> {
    const entry = this.#entryOf(recipe);
    try {
      const { value, files } = readValue<Value>(path.join(entry, VALUE));
      if (into !== null) {
        await placeFiles(entry, files, into);
        for (const file of files) expectSound(path.join(into, file.path), file);
      }
      const now = new Date();
      utimesSync(path.join(entry, VALUE), now, now);
      this.counts.found++;
      return value;
    } catch {
      // Missing, damaged, or removed by another build.
      return undefined;
    }
  }

  /**
   * Finds a result or makes it; `write` puts its files into the folder that it gets. Throws UnableError if a file of the
   * lake changes meanwhile.
   */
  async make<Value>(
    recipe: Recipe,
    write: (folder: string) => Promise<Made<Value>>,
    into: string | null = null,
  ): Promise<Value> {
    const found = await this.find<Value>(recipe, into);
    if (found !== undefined) return found;
    const folder = this.makeFolder();
    try {
      const { value, files, keep = true } = await write(folder);
      expectUnchanged(recipe.files);
      // Places the files before another build can remove the entry.
      if (into !== null) await placeFiles(folder, files, into);
      if (keep) {
        writeFileSync(path.join(folder, VALUE), sealed(serialize({ value, files })));
        this.#publish(folder, this.#entryOf(recipe));
      }
      this.counts.made++;
      return value;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Removes the least recently used entries until the rest fits the limit, and what killed builds left. */
  async trim(): Promise<void> {
    const entries: { folder: string; used: number; bytes: number }[] = [];
    for (const name of existsSync(this.folder) ? readdirSync(this.folder) : []) {
      const folder = path.join(this.folder, name);
      if (name.startsWith(MAKING)) {
        const touched = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0;
        if (Date.now() - touched > ABANDONED) await rm(folder, { recursive: true, force: true });
        continue;
      }
      if (!ENTRY.test(name)) continue;
      const used = statSync(path.join(folder, VALUE), { throwIfNoEntry: false })?.mtimeMs ?? 0;
      entries.push({ folder, used, bytes: bytesOf(folder) });
      await setImmediate();
    }
    let bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
    for (const entry of entries.sort((a, b) => a.used - b.used)) {
      if (bytes <= this.#limit) return;
      await rm(entry.folder, { recursive: true, force: true });
      bytes -= entry.bytes;
    }
  }

  #entryOf({ what, inputs, files }: Recipe): string {
    const read = files.map(file => [file.path, contentOf(file)]);
    return path.join(this.folder, digestOf([PROGRAM, what, inputs, read]));
  }

  /** Replaces an entry that another build made meanwhile, or that is damaged. */
  #publish(folder: string, entry: string): void {
    const old = `${folder}.old`;
    try {
      renameSync(folder, entry);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && /EEXIST|ENOTEMPTY/.test(String(error.code))))
        throw error;
      try {
        renameSync(entry, old);
        renameSync(folder, entry);
      } catch {
        // Two builds replace it at the same time; both have the same bytes.
      }
      rmSync(old, { recursive: true, force: true });
    }
  }
}

/** The cache must not keep what was read from a changed file: the key has the hash of the old bytes. */
function expectUnchanged(files: readonly LakeFile[]): void {
  for (const { absolute, fingerprint, content, path: name } of files) {
    // Downloaded objects and converted tables don't change.
    if (content !== undefined) continue;
    const info = statSync(absolute, { bigint: true, throwIfNoEntry: false });
    if (info !== undefined && fingerprintOf(info) === fingerprint) continue;
    throw new UnableError(
      'lake-changed',
      `${name} changed while the build read it. Nothing was published. Build again when no program writes to it.`,
    );
  }
}

/** A value after its digest. */
function sealed(value: Uint8Array): Buffer {
  return Buffer.concat([createHash('sha256').update(value).digest(), value]);
}

/** Throws if the file is missing or damaged. */
function readValue<Value>(file: string): Made<Value> {
  const bytes = readFileSync(file);
  const value = bytes.subarray(SEAL);
  if (!sealed(value).equals(bytes)) throw new Error(`${file} is damaged.`);
  return deserialize(value) as Made<Value>;
}

async function placeFiles(from: string, files: readonly MadeFile[], into: string): Promise<void> {
  for (const file of files) await placeFile(path.join(from, file.path), path.join(into, file.path));
}

/** Removes a damaged file and throws. */
function expectSound(file: string, { sha256 }: MadeFile): void {
  if (digestFile(file).sha256 === sha256) return;
  rmSync(file);
  throw new Error(`${file} is damaged.`);
}

/** Links a file, or copies it if it can't be linked. Replaces `target`. */
export async function placeFile(source: string, target: string): Promise<void> {
  mkdirSync(path.dirname(target), { recursive: true });
  rmSync(target, { force: true });
  try {
    linkSync(source, target);
  } catch {
    await copyFile(source, target);
  }
}

function bytesOf(folder: string): number {
  const files = listFiles(folder).map(name => path.join(folder, name));
  return files.reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0);
}
