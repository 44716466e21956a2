/**
 * The tree that a build prepares: files are written or carried over into it, and only a complete tree is
 * published. The calls are synchronous because the thread pool takes several times as long for many small
 * files.
 */
import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { placeFile } from '../cache/cache.ts';
import type { PublishedFile } from '../format/manifest.ts';
import { digestContent, digestText } from '../slice/file-digest.ts';
import { type KnownFile, type PreviousTree, utcTime } from './previous-tree.ts';

/**
 * A file that this build made or found has three names: in the cache, where the build read it, and in the
 * tree.
 */
const MADE_LINKS = 3;

/** Files carried over before other tasks get a turn. */
const BATCH = 32;

export class Staging {
  readonly folder: string;
  readonly files = new Map<string, KnownFile>();
  readonly #previous: readonly PreviousTree[];
  readonly #released: string;
  readonly #documents: string[] = [];
  readonly #folders = new Set<string>();
  /** Paths of files that stay in another tree's folder. */
  readonly #elsewhere = new Map<string, string>();

  /** `released`: the release date at midnight UTC, which is the time of files with new bytes. */
  constructor(folder: string, previous: readonly PreviousTree[], released: Date) {
    this.folder = folder;
    this.#previous = previous;
    this.#released = utcTime(released);
  }

  /** Records and dates a file that was written into the folder. */
  add<File extends { readonly bytes: number; readonly sha256: string; readonly blocks?: string }>(
    name: string,
    file: File,
  ): File & { readonly modified: string } {
    const modified = this.#date(name, file.sha256);
    const { bytes, sha256, blocks } = file;
    this.files.set(name, { bytes, sha256, modified, ...(blocks === undefined ? {} : { blocks }) });
    this.#elsewhere.delete(name);
    return { ...file, modified };
  }

  /**
   * When a file got its bytes. Mirrors and caches compare times, so new bytes under a name always get a later
   * time, even on a day with several releases.
   */
  #date(name: string, sha256: string): string {
    let after = this.#released;
    for (const { published, manifest } of this.#previous) {
      const known = published.get(name);
      if (known?.sha256 === sha256) return known.modified;
      // A tree without a manifest is the source of an extract, not an earlier release.
      if (known === undefined || manifest === null) continue;
      const next = utcTime(new Date(Date.parse(known.modified) + 1000));
      if (next > after) after = next;
    }
    return after;
  }

  async write(name: string, content: string | Uint8Array): Promise<Omit<PublishedFile, 'path'>> {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    const written = digestContent(bytes);
    const kept = await this.keep(name, written);
    if (kept !== null) return { ...written, modified: kept.modified };
    const file = path.join(this.folder, name);
    this.#makeFolder(file);
    // The file may be a hard link to a published file, whose bytes must not change: replace it, never write
    // into it.
    replacing(file, () => writeFileSync(file, bytes, { flag: 'wx' }));
    this.#documents.push(name);
    return this.add(name, written);
  }

  /** Carries over the file from an earlier tree with these bytes; null if none has it. */
  async keep(
    name: string,
    file: { readonly bytes: number; readonly sha256: string },
  ): Promise<KnownFile | null> {
    const from = this.#previous.find(({ folder, files }) => {
      const known = files.get(name);
      return folder !== null && known?.sha256 === file.sha256 && known.bytes === file.bytes;
    });
    return from === undefined ? null : this.carry(name, from);
  }

  /** Adds a file that is at `source` on this machine. */
  async copy(
    name: string,
    file: { readonly bytes: number; readonly sha256: string; readonly blocks?: string },
    source: string,
  ): Promise<KnownFile> {
    const kept = await this.keep(name, file);
    if (kept !== null) return kept;
    await this.#copy(source, name);
    this.#documents.push(name);
    const { bytes, sha256, blocks } = file;
    return this.add(name, { bytes, sha256, ...(blocks === undefined ? {} : { blocks }) });
  }

  /** Adds a file of rows that was made at `source` on this disk. */
  async take<File extends { readonly bytes: number; readonly sha256: string; readonly blocks?: string }>(
    name: string,
    file: File,
    source: string,
  ): Promise<File & { readonly modified: string }> {
    await placeFile(source, path.join(this.folder, name));
    return this.add(name, file);
  }

  /** Includes a file of another tree without moving it. */
  refer(name: string, file: KnownFile, where: string): void {
    this.files.set(name, file);
    this.#elsewhere.set(name, where);
  }

  locate(name: string): string {
    return this.#elsewhere.get(name) ?? path.join(this.folder, name);
  }

  /** Carries over a file of the published tree with its bytes and time, as a hard link if possible. */
  async carry(name: string, from: PreviousTree): Promise<KnownFile> {
    const known = from.files.get(name);
    if (known === undefined || from.folder === null) throw new Error(`${name} is not in the previous tree.`);
    if (this.files.get(name) === known) return known;
    const source = path.join(from.folder, name);
    // A link shares its time with the published file, so only a file with the right time is linked.
    const isDated = statSync(source).mtimeMs === Date.parse(known.modified);
    if (isDated) await placeFile(source, path.join(this.folder, name));
    else await this.#copy(source, name);
    this.#elsewhere.delete(name);
    this.files.set(name, known);
    return known;
  }

  async carryAll(names: readonly string[], from: PreviousTree): Promise<void> {
    for (let at = 0; at < names.length; at += BATCH) {
      await Promise.all(names.slice(at, at + BATCH).map(name => this.carry(name, from)));
      await setImmediate();
    }
  }

  async #copy(source: string, name: string): Promise<void> {
    const target = path.join(this.folder, name);
    this.#makeFolder(target);
    rmSync(target, { force: true });
    await copyFile(source, target);
  }

  #makeFolder(file: string): void {
    const folder = path.dirname(file);
    if (this.#folders.has(folder)) return;
    mkdirSync(folder, { recursive: true });
    this.#folders.add(folder);
  }

  /**
   * Sets every file's time, and checks the sizes of all files and the bytes of documents. Files of rows were
   * read back when they were written.
   */
  seal(): void {
    for (const name of this.#documents) {
      if (digestText(readFileSync(this.locate(name))) !== this.files.get(name)?.sha256)
        throw new Error(`${name} on the disk differs from what the build wrote.`);
    }
    for (const [name, { bytes, modified }] of this.files) {
      const file = path.join(this.folder, name);
      const { size, mtimeMs, nlink } = statSync(file);
      if (size !== bytes) throw new Error(`${name} has ${size} bytes on the disk instead of ${bytes}.`);
      const time = new Date(modified);
      if (mtimeMs === time.getTime()) continue;
      // The file may be linked into the cache and another tree, where it must keep its time.
      if (nlink > MADE_LINKS) {
        const own = `${file}.own`;
        copyFileSync(file, own);
        renameSync(own, file);
      }
      utimesSync(file, time, time);
    }
  }
}

/** Existing files are rare, so it doesn't look first. */
function replacing(file: string, make: () => void): void {
  try {
    make();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    rmSync(file);
    make();
  }
}
