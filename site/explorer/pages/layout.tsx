/** The frame of every page. */
import type { ComponentChildren } from 'preact';
import { renderToStaticMarkup } from 'preact-render-to-string';
import { OEMBED_TYPE } from '../../../build/format/o-embed.ts';
import { DIGEST_SLOT, LISTING_SLOT, PAGES, ROOT } from '../../../build/format/paths.ts';
import { showReordering } from '../../../build/format/shown-text.ts';
import { type Language, languageOf } from '../messages/languages.ts';
import { locale, t } from '../messages/messages.ts';
import type { DrawnView } from '../panel/pictures.ts';
import type { Documents } from './documents.ts';
import { Facts, Link } from './text.tsx';

/** The bundled files that every page loads. */
export interface Bundle {
  readonly script: string;
  /** The script with the texts that scripts show. */
  messages(language: Language): string;
  /** The main script, the scripts of the parts, and all that they import. */
  filesOf(parts: readonly Part[]): readonly string[];
  readonly styles: readonly string[];
  readonly icon: string;
  /** Bytes of DuckDB's module. */
  readonly databaseBytes: number;
}

/** A script of a page that loads on demand. */
export type Part = 'search' | 'place' | 'dataset' | 'embed' | DrawnView['drawing']['kind'];

type Section = 'data' | 'places' | 'sql' | 'api';

interface PageText {
  /** Folder of the page: '' or ending in a slash, such as `datasets/weather/rain/`. */
  readonly folder: string;
  readonly section: Section;
  readonly title: string;
  readonly description: string;
  /** Links for machines (Signposting), relative to the page. */
  readonly links?: readonly { readonly rel: string; readonly href: string; readonly type?: string }[];
  /** Path of the document that says how to embed the page, from the tree's root. */
  readonly oEmbed?: string;
  /** JSON-LD for search engines. */
  readonly jsonLd?: string;
  /** Path of the picture for link previews, from the tree's root. */
  readonly picture?: string | null;
  /** Scripts, and paths of JSON from the tree's root, that the browser can fetch at once. */
  readonly parts?: readonly Part[];
  readonly documents?: readonly string[];
  /** Whether it is for frames of other sites: without header and footer. */
  readonly isFramed?: boolean;
}

/** Nothing from other hosts, no inline script or style, and no eval except WebAssembly. */
const POLICY =
  "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; connect-src 'self' blob:; " +
  "img-src 'self' data: blob:; style-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'";

/** The size that social networks ask for. */
export const PREVIEW_SIZE = { width: 1200, height: 630 } as const;

/** Search engines cut a longer description. */
const LONGEST_DESCRIPTION = 300;

/** The path from a page's folder to the tree's root, ending in a slash. */
export function rootFrom(folder: string): string {
  return folder === '' ? './' : '../'.repeat(folder.split('/').length - 1);
}

/** What every page is rendered from. */
export interface Site extends Documents {
  readonly bundle: Bundle;
}

/** Renders a page as HTML, with the listing of its folder at the end. */
export function renderPage(site: Site, page: PageText, content: ComponentChildren): string {
  const { service, source, manifest, bundle } = site;
  const root = rootFrom(page.folder);
  const { script, styles, icon } = bundle;
  const title = page.title === service.service ? page.title : `${page.title} · ${service.service}`;
  const description = page.description.slice(0, LONGEST_DESCRIPTION);
  const address = source.baseUrl && source.baseUrl + page.folder;
  const markup = renderToStaticMarkup(
    <html
      lang={locale}
      data-root={root}
      data-release={manifest.release}
      data-sample={manifest.sample ? 'true' : undefined}
    >
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={POLICY} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <meta name="description" content={description} />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" type="image/svg+xml" href={root + icon} />
        {address && <link rel="canonical" href={address} />}
        <meta property="og:title" content={title} />
        <meta property="og:description" content={description} />
        <meta property="og:site_name" content={service.service} />
        {address && <meta property="og:url" content={address} />}
        {source.baseUrl && page.picture && (
          <>
            <meta property="og:image" content={source.baseUrl + page.picture} />
            <meta property="og:image:width" content={String(PREVIEW_SIZE.width)} />
            <meta property="og:image:height" content={String(PREVIEW_SIZE.height)} />
            <meta property="og:image:alt" content={description} />
            <meta name="twitter:card" content="summary_large_image" />
          </>
        )}
        {/* Some programs don't resolve an address. */}
        {source.baseUrl && page.oEmbed && (
          <link rel="alternate" type={OEMBED_TYPE} title={title} href={source.baseUrl + page.oEmbed} />
        )}
        <link rel="alternate" type="application/atom+xml" title={t.layout.releases} href={root + ROOT.feed} />
        {page.links?.map(link => (
          <link key={link.rel + link.href} {...link} />
        ))}
        {styles.map(file => (
          <link key={file} rel="stylesheet" href={root + file} />
        ))}
        <script type="module" src={root + bundle.messages(languageOf(locale))} />
        <script type="module" src={root + script} />
        {bundle
          .filesOf(page.parts ?? [])
          .map(file => file !== script && <link key={file} rel="modulepreload" href={root + file} />)}
        {page.documents?.map(path => (
          <link key={path} rel="preload" as="fetch" crossorigin="anonymous" href={root + path} />
        ))}
        {page.jsonLd && (
          <script
            type="application/ld+json"
            // Safe: every < is escaped.
            dangerouslySetInnerHTML={{ __html: page.jsonLd.replaceAll('<', '\\u003c') }}
          />
        )}
        {!page.isFramed && <meta name="digest" />}
      </head>
      <body class={page.isFramed ? 'framed' : undefined}>
        {!page.isFramed && (
          <a class="skip" href="#main">
            {t.layout.skip}
          </a>
        )}
        {!page.isFramed && <Header documents={site} root={root} page={page} />}
        <main id="main" class="wrap" tabindex={-1}>
          {content}
        </main>
        {!page.isFramed && <Footer documents={site} root={root} />}
      </body>
    </html>,
  );
  const slotted = markup
    .replace(/<meta name="digest"\s*\/?>/, () => DIGEST_SLOT)
    .replace('<div id="listing"></div>', () => LISTING_SLOT);
  return `<!doctype html>\n${showReordering(slotted)}\n`;
}

interface FrameProps {
  readonly documents: Documents;
  readonly root: string;
}

const SECTIONS: readonly (readonly [Section, string])[] = [
  // An edge answers programs with JSON at the root, so the link names the page.
  ['data', 'index.html'],
  ['places', `${PAGES.places}/`],
  ['sql', `${PAGES.sql}/`],
  ['api', `${PAGES.api}/`],
];

function Header({ documents: { service, manifest }, root, page }: FrameProps & { page: PageText }) {
  const { extract } = manifest;
  return (
    <header class="site-header">
      <div class="site-bar">
        <a class="site-name" href={`${root}index.html`}>
          {service.service}
        </a>
        <nav class="site-nav" aria-label={t.layout.main}>
          <ul>
            {SECTIONS.map(([name, path]) => (
              <li key={name}>
                <a href={root + path} aria-current={name === page.section ? 'true' : undefined}>
                  {t.layout[name]}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        {/* The front page has its own search. */}
        {page.folder !== '' && (
          <search class="site-search needs-script" aria-label={t.layout.site}>
            <form action={`${root}index.html`}>
              <input type="search" name="q" aria-label={t.layout.searchLabel} placeholder={t.search.form} />
              <button class="button quiet" type="submit">
                {t.layout.search}
              </button>
            </form>
          </search>
        )}
      </div>
      {manifest.sample && <p class="sample-band">{t.frame.sample}</p>}
      {extract && <p class="sample-band">{t.layout.extract(extract.only, extract.release)}</p>}
    </header>
  );
}

const FILES = [
  ['howToCheck', `${PAGES.check}/`],
  ['checksums', ROOT.checksums],
  ['allFiles', ROOT.urls],
  ['dataPackage', ROOT.dataPackage],
  ['openapi', ROOT.openapi],
  ['howToCite', ROOT.citation],
  ['whatChanged', ROOT.notes],
] as const;

function Footer({ documents: { service, manifest }, root }: FrameProps) {
  const { license, license_url, attribution, contact, documentation } = service;
  return (
    <footer class="site-footer">
      <div>
        <Facts
          facts={[
            [t.nouns.release, t.layout.releaseOf(manifest.release, manifest.date)],
            license ? [t.nouns.licence, <Link to={license_url} text={license} />] : null,
            attribution ? [t.nouns.attribution, attribution] : null,
            contact ? [t.layout.contact, <Link to={contact} text={contact} />] : null,
            documentation ? [t.layout.documentation, <Link to={documentation} text={documentation} />] : null,
          ]}
        />
        <ul class="on-page">
          {FILES.map(([name, path]) => (
            <li key={path}>
              <a href={root + path}>{t.layout[name]}</a>
            </li>
          ))}
        </ul>
        <details class="listing-box">
          <summary>{t.layout.filesHere}</summary>
          <section class="listing" aria-label={t.layout.filesHere} tabindex={0}>
            <div id="listing" />
          </section>
        </details>
      </div>
    </footer>
  );
}
