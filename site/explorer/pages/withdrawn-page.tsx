/** The page of a withdrawn dataset says when and why it was withdrawn, and what to use instead. */
import type { WithdrawnSummary } from '../../../build/format/documents.ts';
import { contractPath, pageFolder, ROOT, schemaPath } from '../../../build/format/paths.ts';
import { t } from '../messages/messages.ts';
import type { Documents } from './documents.ts';
import { type Bundle, renderPage, rootFrom } from './layout.tsx';
import { Breadcrumb, Line, Link, Paragraphs } from './text.tsx';

export function renderWithdrawnPage(
  documents: Documents,
  withdrawn: WithdrawnSummary,
  bundle: Bundle,
): string {
  const { key, title, reason, withdrawn: date } = withdrawn;
  const [domain = '', topic = ''] = key.split('/');
  const folder = pageFolder(domain, topic);
  const root = rootFrom(folder);
  return renderPage(
    documents,
    bundle,
    {
      folder,
      section: 'data',
      title: t.withdrawn.title(title),
      description: t.withdrawn.described(title, date, reason),
    },
    <>
      <Breadcrumb root={root} section="withdrawn" label={t.front.withdrawn} />
      <h1>{title}</h1>
      <div class="notice warn">
        <p>
          <strong>{t.withdrawn.on(date)}</strong> {t.withdrawn.gone}
        </p>
      </div>
      <h2 id="why">{t.withdrawn.why}</h2>
      <Paragraphs text={reason} />
      <h2 id="instead">{t.withdrawn.instead}</h2>
      <Replacement documents={documents} withdrawn={withdrawn} root={root} />
      <h2 id="stays">{t.withdrawn.stays}</h2>
      <p>{t.withdrawn.contract}</p>
      <ul>
        <li>
          <a href={root + contractPath(domain, topic, 'yaml')}>{t.source.contractYaml}</a>,{' '}
          <a href={root + contractPath(domain, topic, 'json')}>{t.withdrawn.asJson}</a>
        </li>
        <li>
          <Line
            text={t.withdrawn.notice}
            parts={{ link: <a href={root + schemaPath(domain, topic)}>{t.withdrawn.withdrawal}</a> }}
          />
        </li>
        <li>
          <a href={root + ROOT.notes}>{t.withdrawn.eachRelease}</a>
        </li>
      </ul>
    </>,
  );
}

function Replacement(props: {
  readonly documents: Documents;
  readonly withdrawn: WithdrawnSummary;
  readonly root: string;
}) {
  const { documents, root } = props;
  const { replacement } = props.withdrawn;
  if (replacement === null) return <p>{t.withdrawn.noReplacement}</p>;
  const dataset = documents.datasets.find(one => one.key === replacement);
  if (dataset === undefined) {
    return (
      <p>
        <Link to={replacement} text={replacement} />
      </p>
    );
  }
  const { main_topic, topic, title, summary } = dataset.schema;
  return (
    <>
      <p>
        <a href={root + pageFolder(main_topic, topic)}>{title}</a>
      </p>
      {summary && <p>{summary}</p>}
    </>
  );
}
