/** The page of a dataset. It can be read without JavaScript; a script takes over the view. */
import type { ComponentChildren } from 'preact';
import type { NullSemantics } from '../../../build/format/documents.ts';
import { jsonLdPath, LINKSET_TYPE, linksetPath, PAGES } from '../../../build/format/paths.ts';
import { formatQuery } from '../../query/query-string.ts';
import { t } from '../messages/messages.ts';
import { DatasetView, NoticeList } from '../panel/dataset-view.tsx';
import { SaveBar, savesOf } from '../panel/save-bar.tsx';
import { documentPaths, hasNamedLevels, levelName } from '../view/dataset.ts';
import { formatCount, spanOf, titleName } from '../view/format.ts';
import { composeNotices } from '../view/notices.ts';
import { formatState } from '../view/state.ts';
import { coveredSummary } from '../view/wording.ts';
import { Changes, Errata } from './changes.tsx';
import { ColumnList, CoverageTable, Downloads, QualityReport } from './dataset-tables.tsx';
import type { DatasetDocuments, Documents } from './documents.ts';
import { drawingOf, type FirstView } from './first-view.ts';
import { renderPage, rootFrom, type Site } from './layout.tsx';
import { CitationSection, Provenance } from './provenance.tsx';
import { renderSnippets } from './snippets.ts';
import { Code, Line, Paragraphs, UNKNOWN_ADDRESS } from './text.tsx';

export async function renderDatasetPage(site: Site, dataset: DatasetDocuments): Promise<string> {
  const { schema, folder, first } = dataset;
  return renderPage(
    site,
    {
      folder,
      section: 'data',
      parts: ['dataset', ...drawingOf(first)],
      documents: documentPaths(schema),
      title: schema.title,
      description:
        coveredSummary(schema) ||
        schema.description ||
        [schema.title, ...describeCoverage(dataset)].join(' · '),
      picture: folder + PAGES.preview,
      oEmbed: folder + PAGES.oEmbed,
      links: await readSignposts(site.source, dataset),
      jsonLd: await readJsonLd(site.source, dataset),
    },
    <Content documents={site} dataset={dataset} />,
  );
}

/** Years, levels and rows. */
function describeCoverage({ schema, manifest, explored }: DatasetDocuments): string[] {
  const levels = schema.detail_levels.map(level => levelName(explored, level));
  return [
    ...spanOf(schema),
    ...(hasNamedLevels(explored) ? [levels.join(', ')] : []),
    t.counts.rows(manifest.rows),
  ];
}

/** The dataset for search engines, with links relative to the page. */
async function readJsonLd(
  source: Documents['source'],
  { folder, schema }: DatasetDocuments,
): Promise<string> {
  const from = jsonLdPath(schema.main_topic, schema.topic);
  const text = (await source.readText(from)) ?? '{}';
  if (source.baseUrl !== null) return text;
  const linked = (key: string, value: unknown) =>
    typeof value === 'string' && /^(url|contentUrl)$/.test(key) ? relinked(value, from, folder, null) : value;
  return JSON.stringify(JSON.parse(text), linked, 2);
}

/** The links about the page itself, and a link to the list of all links. */
async function readSignposts(source: Documents['source'], { folder, schema }: DatasetDocuments) {
  const from = linksetPath(schema.main_topic, schema.topic);
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

/** A link of the document `from` as the page writes it: relative if it leads to the tree. */
function relinked(href: string, from: string, folder: string, baseUrl: string | null): string {
  const base = baseUrl ?? 'https://tree.invalid/';
  const address = new URL(href, new URL(from, base)).href;
  return address.startsWith(base) ? rootFrom(folder) + address.slice(base.length) : address;
}

interface ContentProps {
  readonly documents: Documents;
  readonly dataset: DatasetDocuments;
}

/** Everything between header and footer. */
function Content({ documents, dataset }: ContentProps) {
  const { schema, errata, changes, folder, first } = dataset;
  const { baseUrl: address } = documents.source;
  const summary = coveredSummary(schema);
  const questions = schema.questions ?? [];
  /** Parts that the reader unfolds; a link to one unfolds it too. */
  const folded: readonly (readonly [id: string, title: string, content: ComponentChildren])[] = [
    ['coverage', t.dataset.coverage, <CoverageTable dataset={dataset} />],
    ['columns', t.dataset.columns(formatCount(schema.columns.length)), <ColumnList dataset={dataset} />],
    ['downloads', t.dataset.downloads, <Downloads dataset={dataset} />],
    ['quality', t.nouns.quality, <QualityReport dataset={dataset} />],
    ['changes', t.dataset.changes, changes && <Changes dataset={dataset} />],
    ['code', t.dataset.code, <Snippets dataset={dataset} address={address} />],
    ['provenance', t.dataset.provenance, <Provenance documents={documents} dataset={dataset} />],
    ['cite', t.layout.howToCite, <CitationSection documents={documents} dataset={dataset} />],
  ];
  return (
    <>
      <h1>{schema.title}</h1>
      <p class="hint">
        <a href={`${rootFrom(folder)}index.html#${schema.main_topic}`}>{titleName(schema.main_topic)}</a>
        {[' ', ...describeCoverage(dataset)].join(' · ')}
      </p>
      <FirstViewSection {...first} />
      {questions.length > 0 && (
        <ul class="questions">
          {questions.map(({ question, view }) => (
            <li key={question}>
              {/* A script adds the view to the address. With it here, a copy of the site would store the page again. */}
              <a href="./" data-view={view}>
                {question}
              </a>
            </li>
          ))}
        </ul>
      )}
      <div class="says-and-minds">
        <section aria-labelledby="about">
          <h2 id="about">{t.dataset.about}</h2>
          {summary && <p class="lead">{summary}</p>}
          <Paragraphs text={schema.description || t.dataset.noDescription} />
          {schema.granularity_description && (
            <>
              <h3>{t.dataset.rowMeaning}</h3>
              <p>{schema.granularity_description}</p>
            </>
          )}
          {schema.usage && (
            <>
              <h3>{t.dataset.usage}</h3>
              <Paragraphs text={schema.usage} />
            </>
          )}
        </section>
        <section aria-labelledby="limitations">
          <h2 id="limitations">{t.dataset.limitations}</h2>
          {schema.limitations ? <Paragraphs text={schema.limitations} /> : <p>{t.dataset.noLimitations}</p>}
          <Nulls semantics={schema.null_semantics} />
        </section>
      </div>
      {errata.length > 0 && (
        <>
          <h2 id="errata">{t.dataset.corrections}</h2>
          <Errata dataset={dataset} />
        </>
      )}
      {folded.map(
        ([id, title, content]) =>
          content && (
            <details key={id} class="folded">
              <summary>
                <h2 id={id}>{title}</h2>
              </summary>
              {content}
            </details>
          ),
      )}
    </>
  );
}

function Snippets(props: Pick<ContentProps, 'dataset'> & { readonly address: string | null }) {
  const { dataset, address } = props;
  return (
    <>
      {address === null && (
        <p class="without-script">
          <Line text={t.dataset.unknownAddress(UNKNOWN_ADDRESS)} />
        </p>
      )}
      {renderSnippets(dataset).map(({ name, text, code, kind }) => (
        <section key={name} aria-label={name}>
          <h3>{name}</h3>
          <p>{text}</p>
          <Code label={t.dataset.codeFor(name)} code={code} address={address} kind={kind} />
        </section>
      ))}
    </>
  );
}

function Nulls({ semantics }: { readonly semantics: NullSemantics }) {
  const { suppressed_to_null: withheld, zero_is_real: real } = semantics;
  return (
    <p>
      {withheld === true ? t.dataset.nullWithheld : t.dataset.nullMissing}
      {real === true && ` ${t.dataset.zeroIsReal}`}
      {real === false && ` ${t.dataset.zeroIsUnsure}`}
    </p>
  );
}

const nothing = () => undefined;

function FirstViewSection({ state, drawn }: FirstView) {
  return (
    <section
      id="explore"
      data-key={state.dataset.key}
      data-view={formatQuery(formatState(state))}
      aria-label={t.nouns.explore}
    >
      <DatasetView state={state} drawn={drawn} isLive={false} onState={nothing}>
        {drawn === null && <p class="hint">{t.dataset.onlyFiles}</p>}
        <p class="visually-hidden" role="status" />
        <NoticeList notices={composeNotices(state)} />
      </DatasetView>
      <SaveBar offered={savesOf(drawn !== null)} />
    </section>
  );
}
