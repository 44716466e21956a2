/** The page that other sites show in a frame: a view of a dataset, without navigation. */
import type { OEmbedDocument } from '../../../build/format/o-embed.ts';
import { PAGES } from '../../../build/format/paths.ts';
import { formatQuery } from '../../query/query-string.ts';
import { t } from '../messages/messages.ts';
import { Figure } from '../panel/dataset-view.tsx';
import { documentPaths } from '../view/dataset.ts';
import { writeFrame } from '../view/frame.ts';
import { formatState } from '../view/state.ts';
import { VIEWS } from '../view/views.ts';
import type { DatasetDocuments } from './documents.ts';
import { drawingOf } from './first-view.ts';
import { PREVIEW_SIZE, renderPage, rootFrom, type Site } from './layout.tsx';
import { Line, Link } from './text.tsx';

/** Without JavaScript, it shows the dataset's first view; with it, the view in its address. */
export function renderEmbedPage(site: Site, dataset: DatasetDocuments): string {
  const { schema, manifest, folder, first } = dataset;
  const { service, license, license_url } = site.service;
  return renderPage(
    site,
    {
      folder,
      section: 'data',
      title: titleOf(dataset),
      picture: folder + PAGES.preview,
      description: schema.summary || schema.title,
      parts: ['embed', ...drawingOf(first)],
      documents: documentPaths(schema),
      isFramed: true,
    },
    <>
      <section
        id="embed"
        data-key={dataset.key}
        data-view={formatQuery(formatState(first.state))}
        aria-label={t.embed.figures}
      >
        <h1>{titleOf(dataset)}</h1>
        {first.drawn && <Figure drawn={first.drawn} isEmbedded />}
      </section>
      <p class="hint embed-source">
        {site.manifest.sample && <strong>{t.frame.sample} </strong>}
        {schema.source && `${t.words.source(schema.source.replace(/\.$/, ''))} `}
        <Line
          text={t.embed.published(service, site.manifest.release, manifest.version)}
          parts={{
            dataset: (
              <a class="embed-open" href={`${rootFrom(folder)}${folder}`} target="_blank" rel="noopener">
                {schema.title}
              </a>
            ),
          }}
        />
        {license && (
          <Line
            text={` ${t.words.licence('{licence}')}`}
            parts={{ licence: <Link to={license_url} text={license} /> }}
          />
        )}
      </p>
    </>,
  );
}

/** Pixels of the frame; its height has room for every view. */
const FRAME = { width: 800, height: Math.max(...Object.values(VIEWS).map(({ frame }) => frame)) } as const;

/** How another site shows the page where somebody pastes its address. An edge adapts it to a view. */
export function oEmbedDocument(
  { service: { service } }: Site,
  { folder, schema: { title } }: DatasetDocuments,
  baseUrl: string,
): OEmbedDocument {
  return {
    version: '1.0',
    type: 'rich',
    title,
    provider_name: service,
    provider_url: baseUrl,
    thumbnail_url: baseUrl + folder + PAGES.preview,
    thumbnail_width: PREVIEW_SIZE.width,
    thumbnail_height: PREVIEW_SIZE.height,
    ...FRAME,
    html: writeFrame(baseUrl + folder + PAGES.embed, title, String(FRAME.width), FRAME.height),
  };
}

/** Of the first view. */
function titleOf({ schema, first }: DatasetDocuments): string {
  return first.drawn?.drawing.title ?? schema.title;
}
