/**
 * The cache of made things. Its key is a digest of the program's version, of what is made, and of everything that it is
 * made from, so nothing else decides what is out of date. Deleting the cache costs time and nothing else.
 */
import { createHash, randomBytes } from 'node:crypto';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { copyFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { deserialize, serialize } from 'node:v8';
import { digestFile } from '../slice/file-digest.ts';

/** Version of the program; raise it when published bytes change. Every key contains it. */
export const PROGRAM = 'civic 0.12.0';

export function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

/** A file of an entry, relative to the entry's folder. */
export interface MadeFile {
  readonly path: string;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

/** What a `write` made. */
export interface Made<Value> {
  /** Anything that structured cloning takes. */
  readonly value: Value;
  readonly files: readonly MadeFile[];
  /** False for a value that the next build has to make again, such as one that depended on time. */
  readonly keep?: boolean;
}

/** Names one thing. Two with the same key are the same to the byte, on any machine. */
export interface Recipe {
  /** Such as `slice`. */
  readonly what: string;
  /** Everything that it is made from: texts, options, and digests of files. JSON. */
  readonly inputs: unknown;
}

export interface CacheOptions {
  readonly folder: string;
  /** The most bytes that the cache has after a build. */
  readonly limit: number;
}

/** Bytes of SHA-256. */
const SEAL = 32;

const VALUE = 'value';
/** The folders of a cache. Others in the same place are not ours, and stay. */
const ENTRY = /^[0-9a-f]{64}$/;
export const MAKING = '.civic-making-';

/** Milliseconds without a new entry after which a folder in which a build makes entries counts as left over. */
const ABANDONED = 24 * 60 * 60 * 1000;

export class Cache {
  readonly folder: string;
  /** Number of things that this build made, and of those that it found. */
  readonly counts = { made: 0, found: 0 };
  readonly #limit: number;
  /** Entries are made here, on the cache's own disk, and then renamed. */
  readonly #making: string;
  #count = 0;

  constructor({ folder, limit }: CacheOptions) {
    this.folder = path.resolve(folder);
    this.#limit = limit;
    this.#making = path.join(this.folder, MAKING + randomBytes(8).toString('hex'));
  }

  /** Throws a system error if the folder takes no files. */
  expectWritable(): void {
    mkdirSync(this.#making);
    rmdirSync(this.#making);
  }

  /** Returns what was made from these inputs before, and puts its files into `into`; undefined if it is not there. */
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
      // Missing, damaged, or removed by another build: it is made again.
      return undefined;
    }
  }

  /** Finds a thing, or makes it: `write` writes files to the folder that it gets. */
  async make<Value>(
    recipe: Recipe,
    write: (folder: string) => Promise<Made<Value>>,
    into: string | null = null,
  ): Promise<Value> {
    const found = await this.find<Value>(recipe, into);
    if (found !== undefined) return found;
    const folder = path.join(this.#making, String(++this.#count));
    mkdirSync(folder, { recursive: true });
    try {
      const { value, files, keep = true } = await write(folder);
      // Before another build can remove the entry.
      if (into !== null) await placeFiles(folder, files, into);
      if (keep) {
        writeFileSync(path.join(folder, VALUE), sealed(serialize({ value, files })));
        this.#publish(folder, this.#entryOf(recipe));
      }
      this.counts.made++;
      return value;
    } finally {
      await rm(folder, { recursive: true, force: true });
      removeEmpty(this.#making);
    }
  }

  /** Removes the entries that no build used for longest, until the rest fits the limit, and what killed builds left. */
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

  #entryOf({ what, inputs }: Recipe): string {
    return path.join(this.folder, digestOf([PROGRAM, what, inputs]));
  }

  /** Another build may have made the same in the meantime, or what is there is damaged: the new one replaces it. */
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
        // Two builds replace it at once, and either has the same bytes.
      }
      rmSync(old, { recursive: true, force: true });
    }
  }
}

/** A value behind its digest. */
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

/** Throws if the file is damaged, and removes it. */
function expectSound(file: string, { sha256 }: MadeFile): void {
  if (digestFile(file).sha256 === sha256) return;
  rmSync(file);
  throw new Error(`${file} is damaged.`);
}

/** Links a file, or copies it where links lead nowhere. Replaces `target`. */
export async function placeFile(source: string, target: string): Promise<void> {
  mkdirSync(path.dirname(target), { recursive: true });
  rmSync(target, { force: true });
  try {
    linkSync(source, target);
  } catch {
    await copyFile(source, target);
  }
}

/** Leaves a folder that another thing is being made in. */
function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // The last one removes it.
  }
}

function bytesOf(folder: string): number {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  return entries.reduce((sum, entry) => {
    if (!entry.isFile()) return sum;
    return sum + (statSync(path.join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0);
  }, 0);
}
