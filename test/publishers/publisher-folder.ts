/** A publisher's contracts and lake in a temporary folder, written with DuckDB. */

import { cp, link, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { RefusedError, UnableError } from '../../build/failure.ts';
import { build } from '../../build/pipeline/build.ts';
import type { BuildEvent } from '../../build/report.ts';
import { atEnd } from '../at-end.ts';
import {
  type Built,
  buildOptions,
  contents,
  type Overrides,
  type PublisherFolder,
  RELEASE_DATE,
  readTreeJson,
  snapshot,
  undated,
  verify,
} from './built-tree.ts';
import { CONTRACTS, LAKE } from './weather.ts';

export type { PublisherFolder };

const DATABASE = DuckDBInstance.create(':memory:', { threads: '1' });

/** Runs SQL text of the tests. */
export async function duckdb(sql: string): Promise<Record<string, unknown>[]> {
  const connection = await (await DATABASE).connect();
  try {
    return (await connection.runAndReadAll(sql)).getRowObjectsJS();
  } finally {
    connection.closeSync();
  }
}

export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** A new folder, removed at the end of the test, or of the file if no test made it. */
export async function temporaryFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'civic-build-')));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export async function writeTexts(
  folder: string,
  texts: Readonly<Record<string, string | Uint8Array>>,
): Promise<void> {
  for (const [name, text] of Object.entries(texts)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

/** Files as Parquet, each from a SELECT. */
export async function writeRows(folder: string, rows: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, select] of Object.entries(rows)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await duckdb(`COPY (${select}) TO ${quoted(file)} (FORMAT parquet)`);
  }
}

/** Changes bytes of a Parquet file's first pages. Its footer stays as it is. */
export async function damagePage(file: string): Promise<void> {
  const bytes = await readFile(file);
  bytes.fill(0x5a, 200, bytes.length >> 1);
  await writeFile(file, bytes);
}

/** Files of a lake by name: a SELECT for Parquet, with or without its ending, or the bytes. */
export type Lake = Readonly<Record<string, string | Buffer>>;

async function writeLake(folder: string, lake: Lake): Promise<void> {
  for (const [name, rows] of Object.entries(lake))
    if (/^(\.parquet)?$/.test(path.extname(name)) && typeof rows === 'string')
      await writeRows(folder, { [name]: rows });
    else await writeTexts(folder, { [name]: rows });
}

/** A publisher, and what tests do with it. */
export class Publisher implements PublisherFolder {
  readonly root: string;
  readonly contracts: string;
  readonly data: string;
  readonly out: string;

  constructor({ root, contracts, data, out }: PublisherFolder) {
    this.root = root;
    this.contracts = contracts;
    this.data = data;
    this.out = out;
  }

  /** The same with other places. */
  with(places: Partial<PublisherFolder>): Publisher {
    return new Publisher({ ...this, ...places });
  }

  writeContracts(texts: Readonly<Record<string, string>>) {
    return writeTexts(this.contracts, texts);
  }

  /** Files of the lake as Parquet, each from a SELECT. */
  writeRows(rows: Readonly<Record<string, string>>) {
    return writeRows(this.data, rows);
  }

  async build(overrides: Overrides = {}): Promise<Built> {
    const events: BuildEvent[] = [];
    const result = await build(buildOptions(this, overrides), event => events.push(event));
    return {
      ...{ result, events },
      notes: events.flatMap(event => (event.kind === 'note' ? [event.text] : [])),
      warnings: events.flatMap(event =>
        event.kind === 'warnings' ? event.diagnostics.map(one => `${one.code} ${one.message}`) : [],
      ),
    };
  }

  /** The error of a refused build. */
  refusal(overrides?: Overrides) {
    return this.#failure(RefusedError, overrides);
  }

  /** The error of a build that wasn't possible. */
  inability(overrides?: Overrides) {
    return this.#failure(UnableError, overrides);
  }

  async #failure<Kind extends Error>(
    kind: new (...args: never[]) => Kind,
    overrides?: Overrides,
  ): Promise<Kind> {
    const error: unknown = await this.build(overrides).then(
      () => new Error('The build was not refused.'),
      (reason: unknown) => reason,
    );
    if (error instanceof kind) return error;
    throw error;
  }

  /** Arguments of the program for a build. */
  arguments(...more: readonly string[]): string[] {
    const folders = ['--contracts', this.contracts, '--data', this.data, '--out', this.out];
    return ['build', ...folders, '--release-date', RELEASE_DATE, ...more];
  }

  verify() {
    return verify(this.out);
  }

  snapshot() {
    return snapshot(this.out);
  }

  contents() {
    return contents(this.out);
  }

  /** Names, hashes and times of the tree's files. */
  async dated() {
    return [...(await this.snapshot())].map(([name, file]) => [name, file.sha256, file.modified] as const);
  }

  undated() {
    return undated(this.out);
  }

  /** A text of the tree. */
  text(name: string) {
    return readFile(path.join(this.out, name), 'utf8');
  }

  json<T>(name: string) {
    return readTreeJson<T>(this.out, name);
  }

  /** A copy of contracts and lake without a tree, in a temporary folder by default. */
  async copy(root?: string): Promise<Publisher> {
    const folder = publisherAt(root ?? (await temporaryFolder()));
    await cp(this.contracts, folder.contracts, { recursive: true, preserveTimestamps: true });
    await cp(this.data, folder.data, { recursive: true, preserveTimestamps: true });
    return folder;
  }

  /** A copy with its tree and what its last build knew. */
  async copyBuilt(root?: string): Promise<Publisher> {
    const folder = await this.copy(root);
    await copyTree(this, folder.root);
    return folder;
  }
}

export function publisherAt(root: string): Publisher {
  const at = (name: string) => path.join(root, name);
  return new Publisher({ root, contracts: at('contracts'), data: at('lake'), out: at('dist') });
}

export async function writePublisher(
  root: string,
  contracts: Readonly<Record<string, string>> = CONTRACTS,
  lake: Lake = LAKE,
): Promise<Publisher> {
  const folder = publisherAt(root);
  await writeTexts(folder.contracts, contracts);
  await writeLake(folder.data, lake);
  return folder;
}

/** A publisher in a temporary folder. */
export async function newPublisher(
  contracts: Readonly<Record<string, string>> = CONTRACTS,
  lake: Lake = LAKE,
): Promise<Publisher> {
  return writePublisher(await temporaryFolder(), contracts, lake);
}

/** A copy of a publisher's tree, with the notes of its last build. */
export async function copyTree(from: PublisherFolder, root: string): Promise<{ root: string; out: string }> {
  const copied = new Map<number, string>();
  await copyLinked(from.out, path.join(root, 'dist'), copied);
  await copyLinked(path.join(from.root, '.dist.civic'), path.join(root, '.dist.civic'), copied);
  return { root, out: path.join(root, 'dist') };
}

/** A tree and its cache share files, and so do their copies. `copied`: the copies by inode. */
async function copyLinked(from: string, to: string, copied: Map<number, string>): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) {
      await copyLinked(source, target, copied);
      continue;
    }
    const { ino } = await stat(source);
    const known = copied.get(ino);
    if (known === undefined) await cp(source, target, { preserveTimestamps: true });
    else await link(known, target);
    copied.set(ino, target);
  }
}
