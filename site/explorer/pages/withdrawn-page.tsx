/** The page of a withdrawn dataset says when and why it was withdrawn, and what to use instead. */
import type { WithdrawnSummary } from '../../../build/format/documents.ts';
import { contractPath, pageFolder, ROOT, schemaPath } from '../../../build/format/paths.ts';
import type { Documents } from './documents.ts';
import { type Bundle, renderPage, rootFrom } from './layout.tsx';
import { Breadcrumb, Link, Paragraphs } from './text.tsx';

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
      title: `${title} (withdrawn)`,
      description: `${title} was withdrawn on ${date}. ${reason}`,
    },
    <>
      <Breadcrumb root={root} section="withdrawn" label="Withdrawn" />
      <h1>{title}</h1>
      <div class="notice warn">
        <p>
          <strong>Withdrawn on {date}.</strong> This site no longer publishes its rows.
        </p>
      </div>
      <h2 id="why">Why</h2>
      <Paragraphs text={reason} />
      <h2 id="instead">What to use instead</h2>
      <Replacement documents={documents} withdrawn={withdrawn} root={root} />
      <h2 id="stays">What stays</h2>
      <p>The contract still describes the rows: what a row was, its columns, its limitations.</p>
      <ul>
        <li>
          <a href={root + contractPath(domain, topic, 'yaml')}>Contract (YAML)</a>,{' '}
          <a href={root + contractPath(domain, topic, 'json')}>as JSON</a>
        </li>
        <li>
          <a href={root + schemaPath(domain, topic)}>Withdrawal</a>, for programs, as JSON
        </li>
        <li>
          <a href={root + ROOT.notes}>What each release changed</a>
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
  if (replacement === null) return <p>No dataset here replaces it.</p>;
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
