/** The URLs of a tree to open first. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { UnableError } from '../failure.ts';
import type { DatasetsDocument } from '../format/documents.ts';
import { pageFolderOf, ROOT } from '../format/paths.ts';
import { readJson } from './previous-tree.ts';

interface ExampleUrl {
  /** Absolute path. */
  readonly url: string;
  readonly what: string;
}

const EXAMPLE_ROWS = 20;

/** The front page, the dataset with the most years, and an API request for its rows. */
export function exampleUrls(folder: string): ExampleUrl[] {
  const list = readJson<DatasetsDocument>(path.join(folder, ROOT.datasets));
  if (list === null) {
    throw new UnableError(
      'not-a-tree',
      `${folder} has no ${ROOT.datasets}. Name the root folder of a tree; civic build writes one.`,
    );
  }
  const [best] = [...list.datasets].sort((a, b) => b.available_years.length - a.available_years.length);
  if (best === undefined) return [{ url: '/', what: 'browse everything' }];
  const { main_topic, topic, title, endpoint, year_max, default_detail } = best;
  const page = pageFolderOf(`${main_topic}/${topic}`);
  return [
    { url: '/', what: 'the site: find datasets and places' },
    existsSync(path.join(folder, page, 'index.html'))
      ? { url: `/${page}`, what: `${title}: figures, charts, downloads` }
      : { url: '/api/v1/datasets', what: 'every dataset, as JSON' },
    {
      url: `${endpoint}?${year_max === null ? '' : `year=${year_max}&`}detail=${default_detail}&limit=${EXAMPLE_ROWS}`,
      what: `the API: ${title}, ${year_max ?? default_detail}, as JSON`,
    },
  ];
}
