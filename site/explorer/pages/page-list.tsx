/** Renders every page of the explorer, and the search's document. */
import { PAGES, pageFolderOf } from '../../../build/format/paths.ts';
import { renderApiPage } from './api-page.tsx';
import { renderCheckPage } from './check-page.tsx';
import { renderDatasetPage } from './dataset-page.tsx';
import type { Documents, PageFinding } from './documents.ts';
import { oEmbedDocument, renderEmbedPage } from './embed-page.tsx';
import { renderFigurePage } from './figure-page.tsx';
import { headlineOf } from './first-view.ts';
import { renderFrontPage, renderPlacesPage } from './front-page.tsx';
import type { Bundle } from './layout.tsx';
import { type Atlas, renderShapes } from './map-shapes.ts';
import type { PreviewInput } from './preview.tsx';
import { deriveSearchDocument } from './search-index.ts';
import { renderSqlPage } from './sql-page.tsx';
import { renderWithdrawnPage } from './withdrawn-page.tsx';

interface Page {
  /** Path from the tree's root. */
  readonly path: string;
  /** Bytes are a PNG. */
  readonly content: string | Uint8Array;
}

/** Prepares the pictures for link previews. */
export type Previewer = (input: PreviewInput) => {
  /** The SHA-256 of what it is drawn from, lower-case hexadecimal. */
  readonly source: string;
  draw(): Uint8Array;
};

/** `readAtlas` reads all shapes that the map can draw. */
export async function* renderPages(
  documents: Documents,
  bundle: Bundle,
  readAtlas: () => Atlas,
  openPreviewer: () => Promise<Previewer>,
): AsyncGenerator<Page | PageFinding> {
  const site = { ...documents, bundle };
  const search = await deriveSearchDocument(documents);
  yield { path: PAGES.search, content: `${JSON.stringify(search)}\n` };
  yield* renderShapes(documents, readAtlas);
  yield { path: 'index.html', content: renderFrontPage(site) };
  yield { path: `${PAGES.places}/index.html`, content: renderPlacesPage(site, search) };
  yield { path: `${PAGES.sql}/index.html`, content: renderSqlPage(site) };
  yield { path: `${PAGES.check}/index.html`, content: renderCheckPage(site) };
  yield { path: `${PAGES.figure}/index.html`, content: renderFigurePage(site) };
  yield { path: `${PAGES.api}/index.html`, content: renderApiPage(site) };
  for (const dataset of documents.datasets) {
    const { key, folder } = dataset;
    for (const question of dataset.unanswered)
      yield {
        code: 'question-without-answer',
        about: key,
        message: `No page asks “${question}”: the rows of ${key} can't answer it.`,
      };
    yield { path: `${folder}index.html`, content: await renderDatasetPage(site, dataset) };
    yield { path: folder + PAGES.embed, content: renderEmbedPage(site, dataset) };
  }
  // Networks find a preview only by its whole address.
  const { baseUrl } = documents.source;
  if (baseUrl !== null && documents.datasets.length > 0) {
    const preview = await openPreviewer();
    for (const dataset of documents.datasets) {
      const { folder, explored, first } = dataset;
      const headline = headlineOf(first);
      const { service } = documents.service;
      const sample = documents.manifest.sample === true;
      const { source, draw } = preview({ service, sample, explored, headline });
      const content = await documents.source.keep(['picture', source], async () => draw());
      yield { path: folder + PAGES.preview, content };
      const embedding = oEmbedDocument(site, dataset, baseUrl);
      yield { path: folder + PAGES.oEmbed, content: `${JSON.stringify(embedding)}\n` };
    }
  }
  for (const one of documents.withdrawn) {
    const folder = pageFolderOf(one.key);
    yield { path: `${folder}index.html`, content: renderWithdrawnPage(site, one) };
    yield { path: folder + PAGES.embed, content: renderWithdrawnPage(site, one, true) };
  }
}
