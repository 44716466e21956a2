/** The release before of a dataset or dimension: its manifest, schema document, changes and files. */
import path from 'node:path';
import { RefusedError } from '../failure.ts';
import type { ChangesDocument } from '../format/changes.ts';
import type { ErrataDocument, Erratum, SchemaDocument } from '../format/documents.ts';
import type { DatasetManifest, DimensionManifest, PublishedFile } from '../format/manifest.ts';
import { API_ROOT, changesPath, errataPath, schemaPath } from '../format/paths.ts';
import type { OpenedTree } from './diff-trees.ts';
import { readJson } from './previous-tree.ts';

export interface EarlierTable {
  readonly manifest: DatasetManifest | DimensionManifest;
  /** Null for a dimension. */
  readonly schema: SchemaDocument | null;
  /** Null if its tree has no changes.json. */
  readonly changes: ChangesDocument | null;
  /** Throws Unreadable. */
  readonly errata: () => Promise<readonly Erratum[]>;
  /** The path of a file of the table on this machine. Throws Unreadable. */
  readonly local: (file: PublishedFile) => Promise<string>;
}

/** A needed file of the release before is missing or damaged. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

/**
 * `strict`: refuse a damaged file, as builds do with --previous. Otherwise it counts as missing, because a
 * build repairs the tree in place. Throws Unreadable.
 */
export async function readEarlierTable(
  { source, manifest: { release } }: OpenedTree,
  key: string,
  manifest: DatasetManifest | DimensionManifest,
  strict: boolean,
): Promise<EarlierTable> {
  const folder = `${API_ROOT}/${key}`;
  const [domain = '', topic = ''] = key.split('/');
  const missing = (name: string) => new Unreadable(`${name} of release ${release} was missing or damaged.`);
  // No link leads out of the tree.
  const nameOf = (file: PublishedFile) => path.posix.join('/', folder, file.path).slice(1);
  const local = async (file: PublishedFile): Promise<string> => {
    const name = nameOf(file);
    const found = await source.local(name, file.sha256).catch((error: unknown) => {
      if (strict || !(error instanceof RefusedError)) throw error;
      return null;
    });
    if (found === null) throw missing(name);
    return found;
  };
  const document = async <Document>(name: string): Promise<Document | null> => {
    const listed = manifest.documents.find(file => nameOf(file) === name);
    return listed ? readJson<Document>(await local(listed)) : null;
  };
  const isDataset = 'dataset' in manifest;
  const schema = isDataset ? await document<SchemaDocument>(schemaPath(domain, topic)) : null;
  if (isDataset && schema === null) throw missing(schemaPath(domain, topic));
  const changes = await document<ChangesDocument>(changesPath(folder));
  const errata = async () => (await document<ErrataDocument>(errataPath(domain, topic)))?.errata ?? [];
  return { manifest, schema, changes, errata, local };
}
