/** The URLs of a tree to open first. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { UnableError } from '../failure.ts';
import type { DatasetSummary, DatasetsDocument } from '../format/documents.ts';
import { pageFolder, ROOT } from '../format/paths.ts';
import { readJson } from './previous-tree.ts';

interface ExampleUrl {
  /** Absolute path. */
  readonly url: string;
  readonly what: string;
}

const EXAMPLE_ROWS = 20;

/** The front page, the dataset with the longest chart, and an API request for its rows. */
export async function exampleUrls(folder: string): Promise<ExampleUrl[]> {
  const list = readJson<DatasetsDocument>(path.join(folder, ROOT.datasets));
  if (list === null) {
    throw new UnableError(
      'not-a-tree',
      `${folder} has no ${ROOT.datasets}. Name the root folder of a tree; civic build writes one.`,
    );
  }
  const shown = await Promise.all(list.datasets.map(dataset => showing(folder, dataset)));
  const [best] = shown.sort(
    (a, b) => b.points - a.points || b.dataset.available_years.length - a.dataset.available_years.length,
  );
  if (best === undefined) return [{ url: '/', what: 'browse everything' }];
  const { main_topic, topic, title, endpoint, year_max, default_detail } = best.dataset;
  return [
    { url: '/', what: 'the site: find datasets and places' },
    best.page
      ? { url: `/${pageFolder(main_topic, topic)}`, what: `${title}: figures, charts, downloads` }
      : { url: '/api/v1/datasets', what: 'every dataset, as JSON' },
    {
      url: `${endpoint}?${year_max === null ? '' : `year=${year_max}&`}detail=${default_detail}&limit=${EXAMPLE_ROWS}`,
      what: `the API: ${title}, ${year_max ?? default_detail}, as JSON`,
    },
  ];
}

/** `points`: of the chart at the top of the dataset's page. */
async function showing(folder: string, dataset: DatasetSummary) {
  const file = path.join(folder, pageFolder(dataset.main_topic, dataset.topic), 'index.html');
  const html = await readFile(file, 'utf8').catch(() => null);
  return { dataset, page: html !== null, points: html?.match(/<circle\b/g)?.length ?? 0 };
}
