/** The page of one dataset. It reads without JavaScript; a script adds the explorer. */
import { renderToStaticMarkup } from 'preact-render-to-string';
import { jsonLdPath, LINKSET_TYPE, linksetPath, PAGES, pageFolder } from '../../../build/format/paths.ts';
import type { NullSemantics } from '../../../build/format/schema.ts';
import { countOf, spanOf, spellName, titleName } from '../view/format.ts';
import { levelName } from '../view/levels.ts';
import { coveredSummary } from '../view/wording.ts';
import { Changes } from './changes.tsx';
import { ColumnList } from './column-list.tsx';
import { CoverageTable, Downloads } from './coverage.tsx';
import type { DatasetDocuments, Documents, OpenDataset } from './documents.ts';
import { Errata } from './errata.tsx';
import { type Headline, readHeadline } from './headline.ts';
import { HeadlineFigure } from './headline-figure.tsx';
import { type Bundle, renderPage, rootFrom } from './layout.tsx';
import { CitationSection, Provenance } from './provenance.tsx';
import { type Publication, publicationOf } from './publication.ts';
import { QualityReport } from './quality-report.tsx';
import { renderSnippets } from './snippets.ts';
import { Breadcrumb, Code, Paragraphs, UNKNOWN_ADDRESS } from './text.tsx';

const PARTS: readonly (readonly [string, string])[] = [
  ['about', 'About'],
  ['limitations', 'Limitations'],
  ['errata', 'Corrections'],
  ['changes', 'What changed'],
  ['coverage', 'Coverage'],
  ['columns', 'Columns'],
  ['downloads', 'Downloads'],
  ['code', 'Code'],
  ['quality', 'Quality'],
  ['provenance', 'Source and licence'],
  ['cite', 'How to cite'],
];

export async function renderDatasetPage(
  documents: Documents,
  dataset: DatasetDocuments,
  bundle: Bundle,
): Promise<string> {
  const { schema } = dataset;
  const { source } = documents;
  const publication = publicationOf(documents, dataset);
  const opened = await dataset.open();
  const content = renderContent(publication, opened, await readHeadline(source, opened.explored));
  return renderPage(
    documents,
    bundle,
    {
      folder: pageFolder(schema.main_topic, schema.topic),
      section: 'data',
      title: schema.title,
      description:
        coveredSummary(schema) ||
        schema.description ||
        `${schema.title}: ${[...spanOf(schema), `by ${schema.detail_levels.map(spellName).join(', ')}`].join(', ')}.`,
      entry: 'app/explorer.ts',
      picture: pageFolder(schema.main_topic, schema.topic) + PAGES.preview,
      links: await readSignposts(source, schema.main_topic, schema.topic),
      jsonLd: await readJsonLd(source, schema.main_topic, schema.topic),
    },
    { markup: content },
  );
}

/** The dataset for search engines. Its relative links lead on from the page. */
async function readJsonLd(source: Documents['source'], domain: string, topic: string): Promise<string> {
  const from = jsonLdPath(domain, topic);
  const text = (await source.readText(from)) ?? '{}';
  if (source.baseUrl !== null) return text;
  const linked = (key: string, value: unknown) =>
    typeof value === 'string' && /^(url|contentUrl)$/.test(key)
      ? relinked(value, from, pageFolder(domain, topic), null)
      : value;
  return JSON.stringify(JSON.parse(text), linked, 2);
}

/** The links of the page itself, and the list of all. */
async function readSignposts(source: Documents['source'], domain: string, topic: string) {
  const folder = pageFolder(domain, topic);
  const from = linksetPath(domain, topic);
  const text = await source.readText(from);
  const [own = {}] = text === null ? [] : (JSON.parse(text) as Linkset).linkset;
  const links = Object.entries(own).flatMap(([rel, targets]) =>
    typeof targets === 'string'
      ? []
      : targets.map(({ href, type }) => ({ rel, href, ...(type && { type }) })),
  );
  const local = links.map(link => ({ ...link, href: relinked(link.href, from, folder, source.baseUrl) }));
  return [{ rel: 'linkset', href: rootFrom(folder) + from, type: LINKSET_TYPE }, ...local];
}

interface Linkset {
  readonly linkset: readonly Readonly<
    Record<string, string | readonly { readonly href: string; readonly type?: string }[]>
  >[];
}

/** A link of one document as it is written in another: relative within the tree. */
function relinked(href: string, from: string, folder: string, baseUrl: string | null): string {
  const base = baseUrl ?? 'https://tree.invalid/';
  const address = new URL(href, new URL(from, base)).href;
  return address.startsWith(base) ? rootFrom(folder) + address.slice(base.length) : address;
}

/** Renders everything between header and footer as HTML. */
function renderContent(publication: Publication, dataset: OpenDataset, headline: Headline | null): string {
  const { schema, manifest, explored, errata, changes } = dataset;
  const root = rootFrom(pageFolder(schema.main_topic, schema.topic));
  const { sample, baseUrl: address } = publication;
  const summary = coveredSummary(schema);
  return renderToStaticMarkup(
    <>
      <Breadcrumb root={root} section={`domain-${schema.main_topic}`} label={titleName(schema.main_topic)} />
      <h1>{schema.title}</h1>
      <p class="hint">
        {[
          ...spanOf(schema),
          schema.detail_levels.map(level => levelName(explored, level)).join(', '),
          countOf(manifest.rows, 'row'),
        ].join(' · ')}
      </p>
      <section
        id="explore"
        class={headline ? undefined : 'needs-script'}
        data-key={dataset.key}
        aria-label="Explore the data"
      >
        {headline ? (
          <HeadlineFigure headline={headline} explored={explored} sample={sample} />
        ) : (
          <p class="hint">The table, charts and filters appear here.</p>
        )}
      </section>
      {summary && <p class="lead">{summary}</p>}
      <nav aria-label="On this page">
        <ul class="on-page">
          {PARTS.filter(([id]) =>
            id === 'errata' ? errata.length > 0 : id !== 'changes' || changes !== null,
          ).map(([id, label]) => (
            <li key={id}>
              <a href={`#${id}`}>{label}</a>
            </li>
          ))}
        </ul>
      </nav>

      <h2 id="about">About</h2>
      <Paragraphs text={schema.description || 'The contract gives no description.'} />
      {schema.granularity_description && (
        <>
          <h3>What a row is</h3>
          <p>{schema.granularity_description}</p>
        </>
      )}
      {schema.usage && (
        <>
          <h3>How to use it</h3>
          <Paragraphs text={schema.usage} />
        </>
      )}

      <h2 id="limitations">Limitations</h2>
      {schema.limitations ? (
        <div class="notice warn">
          <Paragraphs text={schema.limitations} />
        </div>
      ) : (
        <p>The contract states no limitations.</p>
      )}
      <Nulls semantics={schema.null_semantics} />

      {errata.length > 0 && (
        <>
          <h2 id="errata">Corrections</h2>
          <Errata dataset={dataset} root={root} />
        </>
      )}

      {changes !== null && (
        <>
          <h2 id="changes">What changed</h2>
          <Changes dataset={dataset} root={root} />
        </>
      )}

      <h2 id="coverage">Coverage</h2>
      <CoverageTable dataset={dataset} />

      <h2 id="columns">Columns</h2>
      <ColumnList dataset={dataset} />

      <h2 id="downloads">Downloads</h2>
      <Downloads dataset={dataset} root={root} />

      <h2 id="code">Code</h2>
      {address === null && (
        <p class="without-script">
          In this code, <code>{UNKNOWN_ADDRESS}</code> stands for the address of this site. Replace it with
          the address that your browser shows. With JavaScript on, the page does this for you.
        </p>
      )}
      {renderSnippets(dataset).map(({ name, text, code, kind }) => (
        <section key={name} aria-label={name}>
          <h3>{name}</h3>
          <p>{text}</p>
          <Code label={`Code for ${name}`} code={code} address={address} kind={kind} />
        </section>
      ))}

      <h2 id="quality">Quality</h2>
      <QualityReport dataset={dataset} />

      <h2 id="provenance">Source and licence</h2>
      <Provenance publication={publication} dataset={dataset} root={root} />

      <h2 id="cite">How to cite</h2>
      <CitationSection publication={publication} dataset={dataset} />
    </>,
  );
}

function Nulls({ semantics }: { readonly semantics: NullSemantics }) {
  const { suppressed_to_null: withheld, zero_is_real: real } = semantics;
  return (
    <p>
      {withheld === true
        ? 'NULL marks a figure that the source withheld: an empty field in CSV, null in JSON.'
        : 'NULL marks a missing figure: an empty field in CSV, null in JSON.'}
      {real === true && ' A zero is a real zero.'}
      {real === false && ' A zero can also stand for an unknown figure.'}
    </p>
  );
}
