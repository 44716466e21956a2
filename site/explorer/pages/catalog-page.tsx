/** The front page: what is published here. */
import type { Documents } from './documents.ts';
import { type Bundle, renderPage } from './layout.tsx';

export function renderCatalogPage(documents: Documents, bundle: Bundle): string {
  const { service, list, manifest } = documents;
  return renderPage(
    documents,
    bundle,
    { folder: '', title: service.service, description: service.description, entry: 'app/explorer.ts' },
    <>
      <h1>{service.service}</h1>
      {manifest.sample && <p class="notice">All figures here are invented: they are a sample.</p>}
      <p>{service.description}</p>
      <ul>
        {list.datasets.map(dataset => (
          <li key={dataset.endpoint}>
            <a href={`datasets/${dataset.main_topic}/${dataset.topic}/`}>{dataset.title}</a>
            <p>{dataset.summary}</p>
          </li>
        ))}
      </ul>
    </>,
  );
}
