/** The page of one dataset. It reads without JavaScript; a script adds the explorer. */

import type { ComponentChildren } from 'preact';
import { jsonLdPath, LINKSET_TYPE, linksetPath, PAGES, pageFolder } from '../../../build/format/paths.ts';
import type { NullSemantics } from '../../../build/format/schema.ts';
import { formatQuery } from '../../query/query-string.ts';
import { t } from '../messages/messages.ts';
import { DatasetView, NoticeList } from '../panel/dataset-view.tsx';
import { SaveBar, savesOf } from '../panel/save-bar.tsx';
import { type ExploredDataset, levelName } from '../view/dataset.ts';
import { formatCount, spanOf, spellName, titleName } from '../view/format.ts';
import { composeNotices } from '../view/notices.ts';
import { formatState } from '../view/state.ts';
import { coveredSummary } from '../view/wording.ts';
import { Changes, Errata } from './changes.tsx';
import { ColumnList, CoverageTable, Downloads, QualityReport } from './dataset-tables.tsx';
import type { DatasetDocuments, Documents, OpenDataset } from './documents.ts';
import { drawingOf, type FirstView, readFirstView } from './first-view.ts';
import { type Bundle, renderPage, rootFrom } from './layout.tsx';
import { CitationSection, Provenance } from './provenance.tsx';
import { renderSnippets } from './snippets.ts';
import { Breadcrumb, Code, Line, Paragraphs, UNKNOWN_ADDRESS } from './text.tsx';

export async function renderDatasetPage(
  documents: Documents,
  dataset: DatasetDocuments,
  bundle: Bundle,
): Promise<string> {
  const { schema } = dataset;
  const { source } = documents;
  const opened = await dataset.open();
  const first = await readFirstView(source, opened.explored);
  return renderPage(
    documents,
    bundle,
    {
      folder: pageFolder(schema.main_topic, schema.topic),
      section: 'data',
      parts: ['dataset', ...drawingOf(first)],
      title: schema.title,
      description:
        coveredSummary(schema) ||
        schema.description ||
        t.dataset.described(
          schema.title,
          spanOf(schema)[0] ?? null,
          schema.detail_levels.map(spellName).join(', '),
        ),
      picture: pageFolder(schema.main_topic, schema.topic) + PAGES.preview,
      links: await readSignposts(source, schema.main_topic, schema.topic),
      jsonLd: await readJsonLd(source, schema.main_topic, schema.topic),
    },
    <Content documents={documents} dataset={opened} first={first} />,
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

interface ContentProps {
  readonly documents: Documents;
  readonly dataset: OpenDataset;
  readonly first: FirstView;
}

/** Everything between header and footer. */
function Content({ documents, dataset, first }: ContentProps) {
  const { schema, manifest, explored, errata, changes } = dataset;
  const root = rootFrom(pageFolder(schema.main_topic, schema.topic));
  const { baseUrl: address } = documents.source;
  const summary = coveredSummary(schema);
  const questions = schema.questions ?? [];
  return (
    <>
      <Breadcrumb root={root} section={`domain-${schema.main_topic}`} label={titleName(schema.main_topic)} />
      <h1>{schema.title}</h1>
      <p class="hint">
        {[
          ...spanOf(schema),
          schema.detail_levels.map(level => levelName(explored, level)).join(', '),
          t.counts.rows(manifest.rows),
        ].join(' · ')}
      </p>
      <FirstViewSection dataset={explored} first={first} />
      {questions.length > 0 && (
        <ul class="questions">
          {questions.map(({ question, view }) => (
            <li key={question}>
              {/* A script adds the view to the address: a copy of the site keeps each page once. */}
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
          <Errata dataset={dataset} root={root} />
        </>
      )}
      <Folded id="coverage" title={t.dataset.coverage}>
        <CoverageTable dataset={dataset} />
      </Folded>
      <Folded id="columns" title={t.dataset.columns(formatCount(schema.columns.length))}>
        <ColumnList dataset={dataset} />
      </Folded>
      <Folded id="downloads" title={t.dataset.downloads}>
        <Downloads dataset={dataset} root={root} />
      </Folded>
      <Folded id="quality" title={t.dataset.quality}>
        <QualityReport dataset={dataset} />
      </Folded>
      {changes !== null && (
        <Folded id="changes" title={t.dataset.changes}>
          <Changes dataset={dataset} root={root} />
        </Folded>
      )}
      <Folded id="code" title={t.dataset.code}>
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
      </Folded>
      <Folded id="provenance" title={t.dataset.provenance}>
        <Provenance documents={documents} dataset={dataset} root={root} />
      </Folded>
      <Folded id="cite" title={t.layout.howToCite}>
        <CitationSection documents={documents} dataset={dataset} />
      </Folded>
    </>
  );
}

/** A part that a reader opens; a link to it does too. */
function Folded(props: {
  readonly id: string;
  readonly title: string;
  readonly children: ComponentChildren;
}) {
  return (
    <details class="folded">
      <summary>
        <h2 id={props.id}>{props.title}</h2>
      </summary>
      {props.children}
    </details>
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

interface FirstViewProps {
  readonly dataset: ExploredDataset;
  readonly first: FirstView;
}

const nothing = () => undefined;

function FirstViewSection({ dataset, first: { state, drawn } }: FirstViewProps) {
  return (
    <section
      id="explore"
      data-key={dataset.key}
      data-view={addressOf(dataset, { state, drawn })}
      aria-label={t.dataset.explore}
    >
      <DatasetView
        dataset={dataset}
        state={state}
        drawn={drawn}
        shapes={null}
        statistics={null}
        root={null}
        isLive={false}
        onState={nothing}
      >
        {drawn === null && <p class="hint">{t.dataset.onlyFiles}</p>}
        <p class="visually-hidden" role="status" />
        <NoticeList notices={composeNotices(dataset, state.question, state.view)} />
      </DatasetView>
      <SaveBar offered={savesOf(drawn !== null)} isDisabled open={null} onSave={nothing}>
        <p role="status" class="hint" />
      </SaveBar>
    </section>
  );
}

/** The address of the first view, for the script. */
export function addressOf(dataset: ExploredDataset, { state }: FirstView): string {
  return formatQuery(formatState(dataset, state));
}
