/** A tree's manifests, release by release. */
import type { SchemaDocument } from '../../build/format/documents.ts';
import {
  type DatasetManifest,
  type DimensionManifest,
  listedFiles,
  type ManifestEntry,
  type PublishedFile,
  type TreeManifest,
  type WithdrawnEntry,
} from '../../build/format/manifest.ts';
import { API_ROOT, ROOT, schemaPath } from '../../build/format/paths.ts';
import { describeTable, prepareTable, type Table } from '../query/table.ts';
import { type Checksums, readChecksums } from './files/checksums.ts';
import { type FileBytes, type Files, TreeMismatch } from './files/files.ts';
import { Kept } from './files/kept.ts';
import { readListed } from './files/proof.ts';
import { sha256 } from './files/sha256.ts';

export interface Subject {
  readonly table: Table;
  /** By path from the tree's root. */
  readonly files: ReadonlyMap<string, PublishedFile>;
}

/** Documents in memory, as bytes of their files. */
const DOCUMENT_BYTES = 16 << 20;

/** What releases share: an unchanged dataset isn't read again. */
interface Known {
  readonly files: Files;
  /** By key, with the hash of the manifest that describes it. */
  readonly subjects: Map<string, { readonly sha256: string; readonly subject: Subject }>;
  /** By hash. */
  readonly documents: Kept<unknown>;
}

/** Knows which release of a tree is current. */
export class Catalog {
  private readonly known: Known;
  private readonly refreshAfter: number;
  private tree: Tree | null = null;
  private checked = 0;

  /** `refreshAfter`: milliseconds after which another release can have become current. */
  constructor(files: Files, refreshAfter = Number.POSITIVE_INFINITY) {
    this.known = { files, subjects: new Map(), documents: new Kept(DOCUMENT_BYTES) };
    this.refreshAfter = refreshAfter;
  }

  async current(): Promise<Tree> {
    const now = Date.now();
    const { tree } = this;
    if (tree && now - this.checked < this.refreshAfter) return tree;
    // Requests that arrive meanwhile are answered from the previous release.
    this.checked = now;
    try {
      const found = await readManifest(this.known.files);
      if (found.sha256 === tree?.sha256) return tree;
      this.tree = new Tree(this.known, found);
      return this.tree;
    } catch (error) {
      this.tree = null;
      throw error;
    }
  }

  /** Reads the root manifest again. */
  async reload(): Promise<Tree> {
    this.tree = null;
    return this.current();
  }
}

/** One release. Reads each manifest when it is first needed, prepares it once, and checks its release. */
export class Tree {
  readonly manifest: TreeManifest;
  /** Of the root manifest. */
  readonly sha256: string;
  /** By key: `domain/topic`, `domain/_dimensions/name`. */
  readonly entries: ReadonlyMap<string, ManifestEntry>;
  /** By the same keys. */
  readonly withdrawn: ReadonlyMap<string, WithdrawnEntry>;
  /** Root documents and manifests, by path. */
  readonly files: ReadonlyMap<string, PublishedFile>;
  private readonly known: Known;
  private listed: Checksums | null | undefined;

  constructor(known: Known, { manifest, sha256 }: RootManifest) {
    const { datasets, dimensions, documents, withdrawn = [] } = manifest;
    const entries = [...datasets, ...dimensions];
    const remains = withdrawn.flatMap(one => one.documents);
    this.known = known;
    this.manifest = manifest;
    this.sha256 = sha256;
    this.entries = new Map(entries.map(entry => [entry.key, entry]));
    this.withdrawn = new Map(withdrawn.map(entry => [entry.key, entry]));
    this.files = new Map([...documents, ...entries, ...remains].map(file => [file.path, file]));
  }

  /** Null if the tree has no such key. */
  async subject(key: string): Promise<Subject | null> {
    const { files, subjects } = this.known;
    const entry = this.entries.get(key);
    if (!entry) return null;
    const { sha256 } = entry;
    const known = subjects.get(key);
    if (known?.sha256 === sha256) return known.subject;
    const subject = await readSubject(files, key, entry);
    subjects.set(key, { sha256, subject });
    return subject;
  }

  /** Hashes of all files; null if the tree has no list of them. Throws TreeMismatch. */
  async checksums(): Promise<Checksums | null> {
    this.listed ??= await readChecksums(this.known.files, this.sha256);
    return this.listed;
  }

  /** Null if no manifest lists the file. */
  async find(path: string): Promise<PublishedFile | null> {
    const listed = this.files.get(path);
    if (listed) return listed;
    const key = subjectKey(path);
    const subject = key === null ? null : await this.subject(key);
    return subject?.files.get(path) ?? null;
  }

  /** Null if no manifest lists it. Throws TreeMismatch. */
  async document<Document>(path: string): Promise<Document | null> {
    const entry = await this.find(path);
    if (entry === null) return null;
    const { files, documents } = this.known;
    const known = documents.get(entry.sha256);
    if (known !== undefined) return known as Document;
    const bytes = await readListed(files, entry, { start: 0, end: entry.bytes });
    const document = parse<Document>(path, bytes);
    documents.keep(entry.sha256, document, entry.bytes);
    return document;
  }
}

/** The dataset or dimension whose folder has the file. */
export function subjectKey(path: string): string | null {
  if (!path.startsWith(`${API_ROOT}/`)) return null;
  const [first, second, third] = path.slice(API_ROOT.length + 1).split('/');
  if (first === 'datasets') return `${second}/${third}`;
  return second === '_dimensions' ? `${first}/${second}/${third}` : `${first}/${second}`;
}

interface RootManifest {
  readonly manifest: TreeManifest;
  readonly sha256: string;
}

async function readManifest(files: Files): Promise<RootManifest> {
  const found = await files.read(ROOT.manifest, null);
  if (!found) throw new TreeMismatch(ROOT.manifest, 'is missing: this is not a published tree');
  await expectSealed(found.bytes);
  return { manifest: parse<TreeManifest>(ROOT.manifest, found.bytes), sha256: await sha256(found.bytes) };
}

/**
 * The manifest proves all other files, and only its seal proves it. Manifests of older programs have none.
 */
async function expectSealed(bytes: Uint8Array): Promise<void> {
  const text = new TextDecoder('latin1').decode(bytes);
  const at = text.lastIndexOf('\n  "seal": "') + 1;
  const seal = at > 0 ? /^ {2}"seal": "([0-9a-f]{64})"\n}\n$/.exec(text.slice(at))?.[1] : null;
  if (seal !== null && (await sha256(bytes.subarray(0, at))) !== seal)
    throw new TreeMismatch(ROOT.manifest, 'has other bytes than its seal says');
}

async function readSubject(files: Files, key: string, entry: ManifestEntry): Promise<Subject> {
  const [domain = '', topic = ''] = key.split('/');
  // Requesting both documents together saves a round trip to a distant host.
  const schemaFile = topic === '_dimensions' ? null : files.read(schemaPath(domain, topic), null);
  schemaFile?.catch(() => undefined);
  const bytes = await readListed(files, entry, { start: 0, end: entry.bytes });
  const folder = entry.path.slice(0, entry.path.lastIndexOf('/'));
  const document = parse<DatasetManifest | DimensionManifest>(entry.path, bytes);
  try {
    const own = listedFiles(document).map(file => ({ ...file, path: resolvePath(folder, file.path) }));
    const listed = new Map(own.map(file => [file.path, file]));
    const path = schemaPath(domain, topic);
    const schema =
      'dimension' in document ? null : await readSchema(path, await schemaFile, document, listed.get(path));
    return { table: prepareTable(folder, describeTable({ manifest: document, schema })), files: listed };
  } catch (error) {
    if (error instanceof TreeMismatch) throw error;
    throw new TreeMismatch(entry.path, 'is not a manifest in this format');
  }
}

async function readSchema(
  path: string,
  found: FileBytes | null,
  { release }: DatasetManifest,
  listed: PublishedFile | undefined,
): Promise<SchemaDocument> {
  if (!found) throw new TreeMismatch(path, 'is missing');
  const schema = parse<SchemaDocument>(path, found.bytes);
  if (schema.release !== release) throw new TreeMismatch(path, 'is of another release than its manifest');
  if (listed && (await sha256(found.bytes)) !== listed.sha256)
    throw new TreeMismatch(path, 'has other bytes than the manifest says');
  return schema;
}

/** The path from the tree's root. */
function resolvePath(folder: string, path: string): string {
  return new URL(path, `https://tree.local/${folder}/`).pathname.slice(1);
}

function parse<Document>(path: string, bytes: Uint8Array): Document {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as Document;
  } catch {
    throw new TreeMismatch(path, 'is not JSON');
  }
}
