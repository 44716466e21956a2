/** Published documents → the files that a host needs to answer the API by rewriting. Pure. */
import type { DatasetManifest, DimensionManifest, TreeManifest } from '../../../../build/format/manifest.ts';
import { ROOT } from '../../../../build/format/paths.ts';
import type { SchemaDocument } from '../../../../build/format/schema.ts';
import { prepareDataset, prepareDimension } from '../../../query/preparation.ts';
import { type CloudFrontScripts, renderCloudFront } from './cloudfront-script.ts';
import { type Entries, renderEntry } from './entry.ts';
import type { HostFile } from './host-file.ts';
import { renderConfiguration } from './nginx-configuration.ts';

/** A tree's documents, of one release; by the keys that the root manifest has. */
export interface RewriteInput {
  readonly manifest: TreeManifest;
  readonly datasets: ReadonlyMap<string, DatasetDocuments>;
  readonly dimensions: ReadonlyMap<string, DimensionManifest>;
}

export interface DatasetDocuments {
  readonly manifest: DatasetManifest;
  readonly schema: SchemaDocument;
}

/** Paths of all files of a tree. */
export type TreePaths = Iterable<string>;

export type { CloudFrontScripts, HostFile };

/**
 * cloudfront-function.js, of at most 10,240 bytes; and keyvaluestore.json where the table does not fit into it. Throws
 * where a dataset of the root manifest is not among the documents.
 */
export function renderCloudFrontFiles(
  tree: RewriteInput,
  paths: TreePaths,
  scripts: CloudFrontScripts,
): readonly HostFile[] {
  const entries = renderEntries(tree);
  const folders = findFolders(paths, new Set(entries.map(([key]) => key)));
  const listed = folders.map((folder): Entries[number] => [folder, '-']);
  return renderCloudFront([...entries, ...listed], tree.manifest.release, scripts);
}

/**
 * What stands in the tree for nginx's script: a line for each dataset and dimension, its key and its entry, after one that
 * says so.
 */
export function renderTable(tree: RewriteInput): HostFile {
  const lines = renderEntries(tree).map(([key, entry]) => `${key} ${entry}\n`);
  return { path: ROOT.rewriting, text: `# What nginx answers from.\n${lines.join('')}` };
}

/** nginx.conf and civic-njs.js, the same for every tree. `script` is the compiled nginx.ts, as `civic`. */
export function renderNginxFiles(script: string): readonly HostFile[] {
  return [
    // njs knows no other export than this one.
    { path: 'civic-njs.js', text: `import fs from 'fs';\n${script.trim()}\nexport default civic;\n` },
    { path: 'nginx.conf', text: renderConfiguration() },
  ];
}

function renderEntries({ manifest, datasets, dimensions }: RewriteInput): Entries {
  return [...manifest.datasets, ...manifest.dimensions]
    .map(({ key, path }): Entries[number] => {
      const folder = path.slice(0, path.lastIndexOf('/'));
      const dataset = datasets.get(key);
      const dimension = dimensions.get(key);
      if (dataset) return [key, renderEntry(prepareDataset(folder, dataset.manifest, dataset.schema))];
      if (dimension) return [key, renderEntry(prepareDimension(folder, dimension))];
      throw new Error(`The documents of ${key} are missing.`);
    })
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Folders of a tree but those that a dataset's or dimension's entry tells of; with a slash before and none after. */
function findFolders(paths: TreePaths, keys: ReadonlySet<string>): string[] {
  const folders = new Set<string>();
  for (const path of paths) {
    const names = path.split('/').slice(0, -1);
    for (let depth = 0; depth <= names.length; depth++) folders.add(`/${names.slice(0, depth).join('/')}`);
  }
  const told = (folder: string) => {
    const [, key = ''] =
      /^\/(?:api\/v1\/)?(?:datasets\/)?(.+?)(?:\/year=\d+|\/_copies|\/statistics|\/_changes|\/_past(?:\/year=\d+)?)?$/.exec(
        folder,
      ) ?? [];
    return keys.has(key);
  };
  return [...folders].filter(folder => !told(folder)).sort();
}
