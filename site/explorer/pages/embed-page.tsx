/** The page that other sites show in a frame: one view of a dataset, without navigation. */
import type { WithdrawnSummary } from '../../../build/format/documents.ts';
import { pageFolder } from '../../../build/format/paths.ts';
import { t } from '../messages/messages.ts';
import { Figure } from '../panel/dataset-view.tsx';
import { addressOf } from './dataset-page.tsx';
import type { DatasetDocuments, Documents } from './documents.ts';
import { drawingOf, readFirstView } from './first-view.ts';
import { type Bundle, renderPage, rootFrom } from './layout.tsx';
import { Line, Link } from './text.tsx';

/** What a frame shows of a dataset that was withdrawn. */
export function renderWithdrawnEmbed(
  documents: Documents,
  withdrawn: WithdrawnSummary,
  bundle: Bundle,
): string {
  const { key, title, reason, withdrawn: date } = withdrawn;
  const [domain = '', topic = ''] = key.split('/');
  const folder = pageFolder(domain, topic);
  const words = `${t.withdrawn.on(date)} ${reason}`;
  return renderPage(
    documents,
    bundle,
    { folder, section: 'data', title, description: words, isFramed: true },
    <>
      <h1>{title}</h1>
      <p class="notice warn">{words}</p>
      <p>
        <a href={`${rootFrom(folder)}${folder}`} target="_blank" rel="noopener">
          {t.withdrawn.instead}
        </a>
      </p>
    </>,
  );
}

/** Without JavaScript it shows the first view of the dataset; with it, the view that its address names. */
export async function renderEmbedPage(
  documents: Documents,
  dataset: DatasetDocuments,
  bundle: Bundle,
): Promise<string> {
  const { schema, manifest, explored } = await dataset.open();
  const first = await readFirstView(documents.source, explored);
  const folder = pageFolder(schema.main_topic, schema.topic);
  const { service, license, license_url } = documents.service;
  const sample = documents.manifest.sample === true;
  return renderPage(
    documents,
    bundle,
    {
      folder,
      section: 'data',
      title: schema.title,
      description: schema.summary || schema.title,
      parts: ['embed', ...drawingOf(first)],
      isFramed: true,
    },
    <>
      <section
        id="embed"
        data-key={dataset.key}
        data-view={addressOf(explored, first)}
        aria-label={t.embed.figures}
      >
        <h1>{first.drawn?.drawing.title ?? schema.title}</h1>
        {first.drawn && (
          <Figure dataset={explored} drawn={first.drawn} shapes={null} root={null} isEmbedded />
        )}
      </section>
      <p class="hint embed-source">
        {sample && <strong>{t.frame.sample} </strong>}
        {schema.source && `${t.words.source(schema.source.replace(/\.$/, ''))} `}
        <Line
          text={t.embed.published(service, documents.manifest.release, manifest.version)}
          parts={{
            dataset: (
              <a class="embed-open" href={`${rootFrom(folder)}${folder}`} target="_blank" rel="noopener">
                {schema.title}
              </a>
            ),
          }}
        />
        {license && (
          <>
            {' '}
            <Line text={t.embed.licence} parts={{ licence: <Link to={license_url} text={license} /> }} />
          </>
        )}
      </p>
    </>,
  );
}
