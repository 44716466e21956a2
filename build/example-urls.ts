/** URLs of a tree that are worth opening first. */
import path from 'node:path';
import type { DatasetsDocument } from './format/documents.ts';
import { ROOT } from './format/paths.ts';
import { UnableError } from './publish/failure.ts';
import { readJson } from './publish/previous-tree.ts';

export interface ExampleUrl {
  /** Absolute path. */
  readonly url: string;
  readonly what: string;
}

export async function exampleUrls(folder: string): Promise<ExampleUrl[]> {
  const list = await readJson<DatasetsDocument>(path.join(folder, ROOT.datasets));
  if (list === null) {
    throw new UnableError(
      'not-a-tree',
      `${folder} has no ${ROOT.datasets}. Name the root folder of a tree; civic build makes one.`,
    );
  }
  const found: ExampleUrl[] = [
    { url: '/', what: 'browse everything' },
    { url: '/api/v1/datasets', what: 'every dataset, as JSON' },
  ];
  const [dataset] = [...list.datasets].sort((a, b) => a.rows - b.rows);
  if (dataset !== undefined) {
    found.push({
      url: `${dataset.endpoint}?year=${dataset.year_max}&detail=${dataset.default_detail}&format=csv`,
      what: `${dataset.title}, ${dataset.year_max}, as CSV`,
    });
  }
  return found;
}
