/**
 * The manifests of a tree. The catalog reads each when it is first needed, prepares it once, and checks that all are of
 * one release.
 */

import type {
  DatasetManifest,
  DimensionManifest,
  ManifestEntry,
  PublishedFile,
  TreeManifest,
  WithdrawnEntry,
} from '../../build/format/manifest.ts';
import { API_ROOT, ROOT, schemaPath } from '../../build/format/paths.ts';
import type { SchemaDocument } from '../../build/format/schema.ts';
import type { DescribedTable } from '../query/past.ts';
import { describeTable, prepareTable } from '../query/preparation.ts';
import { type Checksums, readChecksums } from './files/checksums.ts';
import { type FileBytes, type FileStat, type Files, TreeMismatch } from './files/files.ts';
import { Kept } from './files/kept.ts';
import { readListed } from './files/proof.ts';
import { sha256 } from './files/sha256.ts';

/** A dataset or a dimension of a tree. */
export interface Subject extends DescribedTable {
  /** Its files, by path from the tree's root. */
  readonly files: ReadonlyMap<string, PublishedFile>;
}

/** One release of a tree. */
export interface Tree {
  readonly manifest: TreeManifest;
  /** By key: `domain/topic`, `domain/_dimensions/name`. */
  readonly entries: ReadonlyMap<string, ManifestEntry>;
  /** Datasets and dimensions that were withdrawn, by the same keys. */
  readonly withdrawn: ReadonlyMap<string, WithdrawnEntry>;
  /** Root documents and the manifests themselves, by path. */
  readonly files: ReadonlyMap<string, PublishedFile>;
  /** Of the root manifest's bytes. */
  readonly sha256: string;
}

export interface CatalogOptions {
  /**
   * Milliseconds after which the catalog looks at the root manifest again; Infinity where no other release can take its
   * place.
   */
  readonly refreshAfter: number;
  readonly now: () => number;
  /**
   * Whether requests that need the same manifest at once share one read of it. On some hosts a request cannot wait for
   * another's reads.
   */
  readonly sharesReads?: boolean;
}

/** Memory for documents, as bytes of their files. */
const DOCUMENT_BYTES = 16 << 20;

/** Keeps manifests once they are read, and other documents on which answers depend. */
export class Catalog {
  private readonly files: Files;
  private readonly options: CatalogOptions;
  private tree: Tree | null = null;
  private stat: FileStat | null = null;
  private checked = 0;
  private listed: { readonly tree: Tree; readonly checksums: Checksums | null } | null = null;
  /** By key, each with the hash of the manifest that describes it. */
  private readonly subjects = new Map<string, { readonly sha256: string; readonly subject: Subject }>();
  /** By the hashes of their files. */
  private readonly documents = new Kept<unknown>(DOCUMENT_BYTES);
  /** Reads under way, by the hash of the manifest. */
  private readonly reads = new Map<string, Promise<Subject>>();

  constructor(files: Files, options: CatalogOptions) {
    this.files = files;
    this.options = options;
  }

  /** Whether no other release can take the tree's place, so that its files stay as listed. */
  get isFixed(): boolean {
    return !Number.isFinite(this.options.refreshAfter);
  }

  /** The release that the tree holds now. */
  async current(): Promise<Tree> {
    const now = this.options.now();
    if (this.tree && now - this.checked < this.options.refreshAfter) return this.tree;
    // A manifest that is never looked at again needs no stat to compare with.
    const stat = this.isFixed ? null : await this.files.stat(ROOT.manifest);
    if (!this.tree || !stat || !sameStat(stat, this.stat)) await this.reload();
    this.stat = stat;
    this.checked = now;
    return this.tree ?? this.reload();
  }

  /** Reads the root manifest again. Datasets whose manifests did not change are not read again. */
  async reload(): Promise<Tree> {
    this.tree = null;
    const tree = await readTree(this.files);
    this.tree = tree;
    return tree;
  }

  /** A dataset (`domain/topic`) or dimension (`domain/_dimensions/name`); null where the tree has none of that key. */
  async subject(tree: Tree, key: string): Promise<Subject | null> {
    const entry = tree.entries.get(key);
    if (!entry) return null;
    const known = this.subjects.get(key);
    if (known?.sha256 === entry.sha256) return known.subject;
    const { sha256 } = entry;
    const read = this.reads.get(sha256) ?? readSubject(this.files, key, entry);
    if (this.options.sharesReads) this.reads.set(sha256, read);
    const subject = await read.finally(() => this.reads.delete(sha256));
    this.subjects.set(key, { sha256, subject });
    return subject;
  }

  /** The hashes of all files of the tree; null where it has no list of them. Throws TreeMismatch. */
  async checksums(tree: Tree): Promise<Checksums | null> {
    if (this.listed?.tree !== tree)
      this.listed = { tree, checksums: await readChecksums(this.files, tree.sha256) };
    return this.listed.checksums;
  }

  /** The manifest's entry of a file; null where no manifest lists the file. */
  async find(tree: Tree, path: string): Promise<PublishedFile | null> {
    const listed = tree.files.get(path);
    if (listed) return listed;
    const key = subjectKey(path);
    const subject = key === null ? null : await this.subject(tree, key);
    return subject?.files.get(path) ?? null;
  }

  /** A JSON document; null where no manifest lists it. Throws TreeMismatch. */
  async document<Document>(tree: Tree, path: string): Promise<Document | null> {
    const entry = await this.find(tree, path);
    if (entry === null) return null;
    const known = this.documents.get(entry.sha256);
    if (known !== undefined) return known as Document;
    const bytes = await readListed(this.files, { path, entry }, { start: 0, end: entry.bytes });
    const document = parse<Document>(path, bytes);
    this.documents.keep(entry.sha256, document, entry.bytes);
    return document;
  }
}

/** The dataset or dimension in whose folders a file stands. */
export function subjectKey(path: string): string | null {
  if (!path.startsWith(`${API_ROOT}/`)) return null;
  const [first, second, third] = path.slice(API_ROOT.length + 1).split('/');
  if (first === 'datasets') return `${second}/${third}`;
  return second === '_dimensions' ? `${first}/${second}/${third}` : `${first}/${second}`;
}

async function readTree(files: Files): Promise<Tree> {
  const found = await files.read(ROOT.manifest, null);
  if (!found) throw new TreeMismatch(ROOT.manifest, 'is missing: this is not a published tree');
  await expectSealed(found.bytes);
  const manifest = parse<TreeManifest>(ROOT.manifest, found.bytes);
  const entries = [...manifest.datasets, ...manifest.dimensions];
  const { withdrawn = [] } = manifest;
  const remains = withdrawn.flatMap(({ documents }) => documents);
  return {
    manifest,
    entries: new Map(entries.map(entry => [entry.key, entry])),
    withdrawn: new Map(withdrawn.map(entry => [entry.key, entry])),
    files: new Map([...manifest.documents, ...entries, ...remains].map(file => [file.path, file])),
    sha256: await sha256(found.bytes),
  };
}

/** Nothing else proves the manifest that proves all other files. Manifests of older programs have no seal. */
async function expectSealed(bytes: Uint8Array): Promise<void> {
  const text = new TextDecoder('latin1').decode(bytes);
  const at = text.lastIndexOf('\n  "seal": "') + 1;
  const seal = at > 0 ? /^ {2}"seal": "([0-9a-f]{64})"\n}\n$/.exec(text.slice(at))?.[1] : null;
  if (seal !== null && (await sha256(bytes.subarray(0, at))) !== seal)
    throw new TreeMismatch(ROOT.manifest, 'has other bytes than its seal says');
}

async function readSubject(files: Files, key: string, entry: ManifestEntry): Promise<Subject> {
  const [domain = '', topic = ''] = key.split('/');
  // A dataset needs both documents. Asking for them together saves a round trip to a distant host.
  const schemaFile = topic === '_dimensions' ? null : files.read(schemaPath(domain, topic), null);
  schemaFile?.catch(() => undefined);
  const bytes = await readListed(files, { path: entry.path, entry }, { start: 0, end: entry.bytes });
  const folder = entry.path.slice(0, entry.path.lastIndexOf('/'));
  const document = parse<DatasetManifest | DimensionManifest>(entry.path, bytes);
  try {
    const schema =
      'dimension' in document
        ? null
        : await readSchema(schemaPath(domain, topic), await schemaFile, folder, document);
    const described = { manifest: document, schema };
    const table = prepareTable(folder, describeTable(described));
    return { table, described, files: listFiles(folder, document) };
  } catch (error) {
    if (error instanceof TreeMismatch) throw error;
    throw new TreeMismatch(entry.path, 'is not a manifest in this format');
  }
}

async function readSchema(
  path: string,
  found: FileBytes | null,
  folder: string,
  manifest: DatasetManifest,
): Promise<SchemaDocument> {
  if (!found) throw new TreeMismatch(path, 'is missing');
  const listed = manifest.documents.find(file => resolvePath(folder, file.path) === path);
  const schema = parse<SchemaDocument>(path, found.bytes);
  if (schema.release !== manifest.release)
    throw new TreeMismatch(path, 'is of another release than its manifest');
  if (listed && (await sha256(found.bytes)) !== listed.sha256)
    throw new TreeMismatch(path, 'has other bytes than the manifest says');
  return schema;
}

function listFiles(folder: string, manifest: DatasetManifest | DimensionManifest): Subject['files'] {
  const [slices, copies] =
    'dimension' in manifest
      ? [[manifest.files], []]
      : [manifest.slices.map(({ files }) => files), manifest.copies.map(({ file }) => file)];
  const rows = slices.flatMap(({ json, csv, parquet }) => [...json, ...csv, ...parquet]);
  const all: readonly PublishedFile[] = [...rows, ...manifest.documents, ...copies];
  return new Map(all.map(file => [resolvePath(folder, file.path), file]));
}

/** A manifest's relative path as one from the tree's root. */
function resolvePath(folder: string, path: string): string {
  const parts = folder.split('/');
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}

function parse<Document>(path: string, bytes: Uint8Array): Document {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as Document;
  } catch {
    throw new TreeMismatch(path, 'is not JSON');
  }
}

/** False where the host gives neither a time nor a tag, since nothing then shows that the file is the same. */
function sameStat(a: FileStat, b: FileStat | null): boolean {
  if (a.etag === null && a.modified === null) return false;
  return (
    b !== null && a.bytes === b.bytes && a.etag === b.etag && a.modified?.getTime() === b.modified?.getTime()
  );
}
