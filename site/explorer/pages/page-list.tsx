/** Renders every page of the explorer, and the search's document. */
import { PAGES, pageFolder } from '../../../build/format/paths.ts';
import { describeDeadSynonyms } from '../view/search-words.ts';
import { openSearch } from '../view/tree-search.ts';
import { renderApiPage } from './api-page.tsx';
import { renderCheckPage } from './check-page.tsx';
import { renderDatasetPage } from './dataset-page.tsx';
import type { Documents, PageFinding } from './documents.ts';
import { renderEmbedPage, renderWithdrawnEmbed } from './embed-page.tsx';
import { headlineOf, readFirstView } from './first-view.ts';
import { renderFrontPage, renderPlacesPage } from './front-page.tsx';
import type { Bundle } from './layout.tsx';
import { renderShapes, type Topology } from './map-shapes.ts';
import type { PreviewInput } from './preview.tsx';
import { deriveSearchDocument, readKeys } from './search-index.ts';
import { renderSqlPage } from './sql-page.tsx';
import { renderWithdrawnPage } from './withdrawn-page.tsx';

interface Page {
  /** Path from the tree's root. */
  readonly path: string;
  readonly text: string;
}

/** A PNG. */
interface Picture {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Prepares the pictures for link previews. */
export type Previewer = (input: PreviewInput) => {
  /** What it is drawn from: SHA-256, lower-case hexadecimal. */
  readonly source: string;
  draw(): Uint8Array;
};

/** `readAtlas` reads the shapes of all places that the map can draw. */
export async function* renderPages(
  documents: Documents,
  bundle: Bundle,
  readAtlas: () => Topology,
  openPreviewer: () => Promise<Previewer>,
): AsyncGenerator<Page | Picture | PageFinding> {
  const search = await deriveSearchDocument(documents);
  yield { path: PAGES.search, text: `${JSON.stringify(search)}\n` };
  if (search.synonyms)
    for (const message of describeDeadSynonyms(search.synonyms, openSearch(search).vocabulary))
      yield { code: 'synonym-dead', about: null, message };
  yield* renderShapes(documents, one => readKeys(documents, one), readAtlas);
  yield { path: 'index.html', text: await renderFrontPage(documents, bundle) };
  yield { path: `${PAGES.places}/index.html`, text: renderPlacesPage(documents, search, bundle) };
  yield { path: `${PAGES.sql}/index.html`, text: renderSqlPage(documents, bundle) };
  yield { path: `${PAGES.check}/index.html`, text: renderCheckPage(documents, bundle) };
  yield { path: `${PAGES.api}/index.html`, text: renderApiPage(documents, bundle) };
  for (const dataset of documents.datasets) {
    const { main_topic: domain, topic } = dataset.schema;
    const asked = new Set((await dataset.open()).schema.questions?.map(one => one.question));
    for (const { question } of dataset.schema.questions ?? [])
      if (!asked.has(question))
        yield {
          code: 'question-without-answer',
          about: dataset.key,
          message: `No page asks “${question}”: the rows of ${dataset.key} can't answer it.`,
        };
    const text = await renderDatasetPage(documents, dataset, bundle);
    yield { path: `${pageFolder(domain, topic)}index.html`, text };
    const embed = await renderEmbedPage(documents, dataset, bundle);
    yield { path: pageFolder(domain, topic) + PAGES.embed, text: embed };
  }
  // A preview is found by its whole address alone.
  if (documents.source.baseUrl !== null && documents.datasets.length > 0) {
    const preview = await openPreviewer();
    for (const dataset of documents.datasets) {
      const { schema, explored } = await dataset.open();
      const headline = headlineOf(explored, await readFirstView(documents.source, explored));
      const { service } = documents.service;
      const sample = documents.manifest.sample === true;
      const { source, draw } = preview({ service, sample, explored, headline });
      const bytes = await documents.source.keep(['picture', source], async () => draw());
      yield { path: pageFolder(schema.main_topic, schema.topic) + PAGES.preview, bytes };
    }
  }
  for (const one of documents.withdrawn) {
    const [domain = '', topic = ''] = one.key.split('/');
    const text = renderWithdrawnPage(documents, one, bundle);
    yield { path: `${pageFolder(domain, topic)}index.html`, text };
    yield {
      path: pageFolder(domain, topic) + PAGES.embed,
      text: renderWithdrawnEmbed(documents, one, bundle),
    };
  }
}
