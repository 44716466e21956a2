/** The release before of a dataset or dimension: its manifest, schema document, changes and files. */
import { RefusedError } from '../failure.ts';
import type { ChangesDocument } from '../format/changes.ts';
import type { ErrataDocument, Erratum, SchemaDocument } from '../format/documents.ts';
import type { DatasetManifest, DimensionManifest, PublishedFile } from '../format/manifest.ts';
import { API_ROOT, changesPath, errataPath, schemaPath } from '../format/paths.ts';
import { digestText } from '../slice/file-digest.ts';
import type { OpenedTree } from './diff-trees.ts';
import { parseJson } from './tree-source.ts';

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
  const found = async <Found>(
    file: PublishedFile,
    read: (path: string) => Promise<Found | null>,
  ): Promise<Found> => {
    const name = resolveLink(folder, file.path);
    const value = await read(name).catch((error: unknown) => {
      if (strict || !(error instanceof RefusedError)) throw error;
      return null;
    });
    if (value === null) throw missing(name);
    return value;
  };
  const local = (file: PublishedFile) => found(file, name => source.local(name, file.sha256));
  const document = async <Document>(name: string): Promise<Document | null> => {
    const listed = manifest.documents.find(file => resolveLink(folder, file.path) === name);
    if (listed === undefined) return null;
    const bytes = await found(listed, async file => {
      const content = await source.bytes(file);
      return content !== null && digestText(content) === listed.sha256 ? content : null;
    });
    return parseJson<Document>(bytes.toString('utf8'));
  };
  const isDataset = 'dataset' in manifest;
  const schema = isDataset ? await document<SchemaDocument>(schemaPath(domain, topic)) : null;
  if (isDataset && schema === null) throw missing(schemaPath(domain, topic));
  const changes = await document<ChangesDocument>(changesPath(folder));
  const errata = async () => (await document<ErrataDocument>(errataPath(domain, topic)))?.errata ?? [];
  return { manifest, schema, changes, errata, local };
}

function resolveLink(folder: string, link: string): string {
  return new URL(link, `tree:///${folder}/`).pathname.slice(1);
}
