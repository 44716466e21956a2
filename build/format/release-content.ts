/** What a release says, whatever address, pages and documents for other tools a tree of it has. FORMAT.md, `log/`. */
import type { TreeManifest } from './manifest.ts';
import { ROOT } from './paths.ts';

/**
 * The lines that SHA256SUMS has for `index.json`, for the manifest of each dataset and dimension, and for the documents of
 * withdrawn ones. The log states the SHA-256 of this text.
 */
export function contentLines({ datasets, dimensions, documents, withdrawn = [] }: TreeManifest): string {
  const service = documents.filter(({ path }) => path === ROOT.service);
  return [...service, ...datasets, ...dimensions, ...withdrawn.flatMap(one => one.documents)]
    .map(({ path, sha256 }) => ({ path, line: `${sha256}  ${path}\n` }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ line }) => line)
    .join('');
}
