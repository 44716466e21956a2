/**
 * The tree that is being built: files are written or carried over here, and only a whole tree leaves. Files are many
 * and small: one synchronous call after the other takes a fraction of what the thread pool takes.
 */
import { linkSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { PublishedFile } from '../format/manifest.ts';
import type { OutputFile } from '../memory/build-state.ts';
import { digestText } from '../slice/file-digest.ts';
import { type KnownFile, type PreviousTree, utcTime } from './previous-tree.ts';

/** So many files are carried over between two looks at what else waits. */
const AT_ONCE = 32;

export class Staging {
  readonly folder: string;
  readonly files = new Map<string, KnownFile>();
  readonly #previous: readonly PreviousTree[];
  readonly #released: string;
  readonly #documents: string[] = [];
  readonly #folders = new Set<string>();
  /** Files of the tree that stay in another tree's folder. */
  readonly #elsewhere = new Map<string, string>();

  /** `released` is the release date at midnight UTC: since when files have their bytes that no tree had before. */
  constructor(folder: string, previous: readonly PreviousTree[], released: Date) {
    this.folder = folder;
    this.#previous = previous;
    this.#released = utcTime(released);
  }

  /** Takes note of a file that was written into the folder, and dates it. */
  add<File extends { readonly bytes: number; readonly sha256: string }>(
    name: string,
    file: File,
  ): File & { readonly modified: string } {
    const modified = this.#date(name, file.sha256);
    this.files.set(name, { bytes: file.bytes, sha256: file.sha256, modified });
    this.#elsewhere.delete(name);
    return { ...file, modified };
  }

  /**
   * Since when a file has its bytes. Whoever copied the tree, or asks whether a file was modified, goes by times: those
   * of other bytes are later than any that the name had, however many releases a day has.
   */
  #date(name: string, sha256: string): string {
    let after = this.#released;
    for (const { published, manifest } of this.#previous) {
      const known = published.get(name);
      if (known?.sha256 === sha256) return known.modified;
      // What has no manifest is the whole of a part, and no release before it.
      if (known === undefined || manifest === null) continue;
      const next = utcTime(new Date(Date.parse(known.modified) + 1000));
      if (next > after) after = next;
    }
    return after;
  }

  /** Writes a document. */
  async write(name: string, content: string | Uint8Array): Promise<Omit<PublishedFile, 'path'>> {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    const written = { bytes: bytes.length, sha256: digestText(bytes) };
    const kept = await this.keep(name, written);
    if (kept !== null) return kept;
    const file = path.join(this.folder, name);
    this.#makeFolder(file);
    // A tree that is put together twice may have a link to a published file here, whose bytes are not ours to change.
    replacing(file, () => writeFileSync(file, bytes, { flag: 'wx' }));
    this.#documents.push(name);
    return this.add(name, written);
  }

  /** Carries a file over that an earlier tree has with these bytes; null where none has it. */
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

  /** Takes a file of another tree in, which stays where it is. */
  refer(name: string, file: KnownFile, where: string): void {
    this.files.set(name, file);
    this.#elsewhere.set(name, where);
  }

  /** Where a file of the tree is on the disk. */
  locate(name: string): string {
    return this.#elsewhere.get(name) ?? path.join(this.folder, name);
  }

  /** Carries a file over from the published tree, bytes and time, as a link where the disk knows links. */
  async carry(name: string, from: PreviousTree): Promise<KnownFile> {
    const known = from.files.get(name);
    if (known === undefined || from.folder === null) throw new Error(`${name} is not in the previous tree.`);
    if (this.files.get(name) === known) return known;
    const source = path.join(from.folder, name);
    const target = path.join(this.folder, name);
    this.#makeFolder(target);
    // A link shares its time with the published file, which stays as it is until the trees are switched.
    const linked = from.dated.has(name) && tryLink(source, target);
    if (!linked) {
      rmSync(target, { force: true });
      await copyFile(source, target);
    }
    this.#elsewhere.delete(name);
    this.files.set(name, known);
    return known;
  }

  /** Carries many files over, and lets what runs beside go on in between. */
  async carryAll(names: readonly string[], from: PreviousTree): Promise<void> {
    for (let at = 0; at < names.length; at += AT_ONCE) {
      await Promise.all(names.slice(at, at + AT_ONCE).map(name => this.carry(name, from)));
      await setImmediate();
    }
  }

  #makeFolder(file: string): void {
    const folder = path.dirname(file);
    if (this.#folders.has(folder)) return;
    mkdirSync(folder, { recursive: true });
    this.#folders.add(folder);
  }

  /**
   * Sets every file's time and holds sizes, and documents' bytes, against what is about to be published. Rows
   * were read back when they were written. Returns what the disk has then.
   */
  async seal(): Promise<readonly OutputFile[]> {
    for (const name of this.#documents) {
      if (digestText(readFileSync(this.locate(name))) !== this.files.get(name)?.sha256)
        throw new Error(`${name} is not on the disk as it was written.`);
    }
    return [...this.files].map(([name, { bytes, modified }]) => {
      const file = path.join(this.folder, name);
      const { size, mtimeMs } = statSync(file);
      if (size !== bytes) throw new Error(`${name} has ${size} bytes on the disk instead of ${bytes}.`);
      const time = new Date(modified);
      if (mtimeMs === time.getTime()) return { path: name, bytes, modified: mtimeMs };
      utimesSync(file, time, time);
      return { path: name, bytes, modified: statSync(file).mtimeMs };
    });
  }
}

/** Makes a file that may be there already, which is seldom: to look first would be one call more for each. */
function replacing(file: string, make: () => void): void {
  try {
    make();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    rmSync(file);
    make();
  }
}

/** False where the disk, or the way between two disks, knows no links. */
function tryLink(source: string, target: string): boolean {
  try {
    replacing(target, () => linkSync(source, target));
    return true;
  } catch {
    return false;
  }
}
