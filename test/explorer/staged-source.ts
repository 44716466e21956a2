/** A tree on the disk, as the build gives it to the pages. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readStagedRows } from '../../site/explorer/engine/rows-answer.ts';
import type { DocumentSource } from '../../site/explorer/pages/documents.ts';

export function stagedSource(tree: string): DocumentSource {
  const readBytes = (name: string) => {
    try {
      return readFileSync(path.join(tree, name));
    } catch {
      return null;
    }
  };
  return {
    baseUrl: null,
    readText: async name => readBytes(name)?.toString('utf8') ?? null,
    readRows: ({ key, table }, parameters) => readStagedRows(readBytes, key, table, parameters),
  };
}
