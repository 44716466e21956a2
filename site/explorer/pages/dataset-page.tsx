/** The page of one dataset. */
import { pageFolder } from '../../../build/format/paths.ts';
import type { DatasetDocuments, Documents } from './documents.ts';
import { type Bundle, renderPage } from './layout.tsx';

export function renderDatasetPage(
  documents: Documents,
  { schema }: DatasetDocuments,
  bundle: Bundle,
  jsonLd: string,
): string {
  return renderPage(
    documents,
    bundle,
    {
      folder: pageFolder(schema.main_topic, schema.topic),
      title: schema.title,
      description: schema.summary,
      entry: 'app/explorer.ts',
      jsonLd,
    },
    <>
      <h1>{schema.title}</h1>
      <p>{schema.description}</p>
    </>,
  );
}
