/** Every page of the explorer, and what its search reads. */
import { jsonLdPath, PAGES, pageFolder, ROOT } from '../../../build/format/paths.ts';
import { renderApiPage } from './api-page.tsx';
import { renderCatalogPage } from './catalog-page.tsx';
import { renderDatasetPage } from './dataset-page.tsx';
import type { DatasetDocuments, Documents } from './documents.ts';
import { readHeadline } from './headline.ts';
import type { Bundle } from './layout.tsx';
import { renderPlacesPage } from './places-page.tsx';
import { deriveSearchDocument } from './search-index.ts';
import { renderSqlPage } from './sql-page.tsx';
import { renderWithdrawnPage } from './withdrawn-page.tsx';

export interface Page {
  /** From the tree's root. */
  readonly path: string;
  readonly text: string;
}

export async function* renderPages(documents: Documents, bundle: Bundle): AsyncGenerator<Page> {
  const search = await deriveSearchDocument(documents);
  yield { path: PAGES.search, text: `${JSON.stringify(search)}\n` };
  yield { path: 'index.html', text: renderCatalogPage(documents, bundle) };
  yield { path: `${PAGES.places}/index.html`, text: renderPlacesPage(documents, search, bundle) };
  yield { path: `${PAGES.sql}/index.html`, text: renderSqlPage(documents, bundle) };
  const openapi = await documents.source.readText(ROOT.openapi);
  yield { path: `${PAGES.api}/index.html`, text: renderApiPage(documents, openapi ?? '{}', bundle) };
  for (const dataset of documents.datasets) {
    const { main_topic: domain, topic } = dataset.schema;
    const jsonLd = (await documents.source.readText(jsonLdPath(domain, topic))) ?? '{}';
    const headline = await documents.source.derive(
      `headline ${dataset.key}`,
      inputsOf(documents, dataset),
      () => readHeadline(documents.source, dataset.explored),
    );
    yield {
      path: `${pageFolder(domain, topic)}index.html`,
      text: renderDatasetPage(documents, { dataset, headline, jsonLd }, bundle),
    };
  }
  for (const one of documents.withdrawn) {
    const [domain = '', topic = ''] = one.key.split('/');
    const text = renderWithdrawnPage(documents, one, bundle);
    yield { path: `${pageFolder(domain, topic)}index.html`, text };
  }
}

/** Hashes of the manifests that name the rows of a dataset, its dimensions, and every document that explains them. */
function inputsOf({ manifest }: Documents, { key, schema }: DatasetDocuments): string {
  const own = manifest.datasets.filter(one => one.key === key);
  const joined = manifest.dimensions.filter(one => one.key.startsWith(`${schema.main_topic}/`));
  return [...own, ...joined].map(one => one.sha256).join(' ');
}
