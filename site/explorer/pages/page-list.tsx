/** Every page of the explorer. */
import { jsonLdPath, PAGES, pageFolder } from '../../../build/format/paths.ts';
import { renderCatalogPage } from './catalog-page.tsx';
import { renderDatasetPage } from './dataset-page.tsx';
import type { Documents } from './documents.ts';
import type { Bundle } from './layout.tsx';
import { renderSqlPage } from './sql-page.tsx';

export interface Page {
  /** From the tree's root. */
  readonly path: string;
  readonly html: string;
}

export async function* renderPages(documents: Documents, bundle: Bundle): AsyncGenerator<Page> {
  yield { path: 'index.html', html: renderCatalogPage(documents, bundle) };
  yield { path: `${PAGES.sql}/index.html`, html: renderSqlPage(documents, bundle) };
  for (const dataset of documents.datasets) {
    const { main_topic: domain, topic } = dataset.schema;
    const jsonLd = (await documents.source.readText(jsonLdPath(domain, topic))) ?? '{}';
    yield {
      path: `${pageFolder(domain, topic)}index.html`,
      html: renderDatasetPage(documents, dataset, bundle, jsonLd),
    };
  }
}
