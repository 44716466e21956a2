/** The frame of every page. */
import type { ComponentChildren } from 'preact';
import { renderToStaticMarkup } from 'preact-render-to-string';
import { DIGEST_SLOT, LISTING_SLOT } from '../../../build/format/paths.ts';
import type { Documents } from './documents.ts';

/** What a page loads, by the source that it starts from. */
export type Bundle = (entry: string) => {
  readonly script: string;
  readonly styles: readonly string[];
};

export interface PageText {
  /** Folder of the page, '' or ending in a slash: `datasets/weather/rain/`. */
  readonly folder: string;
  readonly title: string;
  readonly description: string;
  /** Source of its script. */
  readonly entry: string;
  /** For search engines; JSON-LD. */
  readonly jsonLd?: string;
}

/**
 * Nothing is loaded from another host, no script or style stands in the page, and nothing is evaluated but WebAssembly.
 */
const POLICY =
  "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; connect-src 'self' blob:; " +
  "img-src 'self' data: blob:; style-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'";

/** A page of its own folder, as HTML; the listing of the folder's files stands at its end. */
export function renderPage(
  { service, source, manifest }: Documents,
  bundle: Bundle,
  page: PageText,
  content: ComponentChildren,
): string {
  const root = '../'.repeat(page.folder.split('/').length - 1);
  const { script, styles } = bundle(page.entry);
  const markup = renderToStaticMarkup(
    <html lang="en" data-root={root === '' ? './' : root} data-release={manifest.release}>
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={POLICY} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="description" content={page.description} />
        <title>{page.title === service.service ? page.title : `${page.title} · ${service.service}`}</title>
        {source.baseUrl && <link rel="canonical" href={source.baseUrl + page.folder} />}
        {styles.map(file => (
          <link key={file} rel="stylesheet" href={root + file} />
        ))}
        <script type="module" src={root + script} />
        {page.jsonLd && (
          <script
            type="application/ld+json"
            // JSON whose every < is escaped.
            dangerouslySetInnerHTML={{ __html: page.jsonLd.replaceAll('<', '\\u003c') }}
          />
        )}
        <meta name="digest" />
      </head>
      <body>
        <main>{content}</main>
        <footer>
          <details>
            <summary>Files in this folder</summary>
            <div id="listing" />
          </details>
        </footer>
      </body>
    </html>,
  );
  const slotted = markup
    .replace(/<meta name="digest"\s*\/?>/, DIGEST_SLOT)
    .replace('<div id="listing"></div>', LISTING_SLOT);
  return `<!doctype html>\n${slotted}\n`;
}
