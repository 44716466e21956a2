/** The page of a withdrawn dataset: when and why it was withdrawn, and what to use instead. */
import type { WithdrawnSummary } from '../../../build/format/documents.ts';
import { contractPath, pageFolderOf, ROOT, schemaPath } from '../../../build/format/paths.ts';
import { t } from '../messages/messages.ts';
import { renderPage, rootFrom, type Site } from './layout.tsx';
import { Link } from './text.tsx';

/** `isFramed`: instead of a dataset's view in a frame of another site. */
export function renderWithdrawnPage(site: Site, withdrawn: WithdrawnSummary, isFramed = false): string {
  const { key, title, reason, withdrawn: date } = withdrawn;
  const [domain = '', topic = ''] = key.split('/');
  const folder = pageFolderOf(key);
  const root = rootFrom(folder);
  return renderPage(
    site,
    {
      folder,
      section: 'data',
      title: t.withdrawn.title(title),
      description: `${title}. ${t.words.withdrawn(date, reason)}`,
      isFramed,
    },
    <>
      <h1>{title}</h1>
      <p class="notice warn">
        {t.words.withdrawn(date, reason)} {t.withdrawn.gone}
      </p>
      <h2 id="instead">{t.withdrawn.instead}</h2>
      <Replacement site={site} replacement={withdrawn.replacement} root={root} />
      <h2 id="stays">{t.withdrawn.stays}</h2>
      <p>{t.withdrawn.contract}</p>
      <ul>
        <li>
          <a href={root + contractPath(domain, topic, 'yaml')}>{t.source.contractYaml}</a>,{' '}
          <a href={root + contractPath(domain, topic, 'json')}>{t.source.contractJson}</a>
        </li>
        <li>
          <a href={root + schemaPath(domain, topic)}>{t.withdrawn.notice}</a>
        </li>
        <li>
          <a href={root + ROOT.notes}>{t.layout.whatChanged}</a>
        </li>
      </ul>
    </>,
  );
}

function Replacement(props: {
  readonly site: Site;
  /** A dataset's key or an address. */
  readonly replacement: string | null;
  readonly root: string;
}) {
  const { site, replacement, root } = props;
  if (replacement === null) return <p>{t.withdrawn.noReplacement}</p>;
  const dataset = site.datasets.find(one => one.key === replacement);
  if (dataset === undefined) {
    return (
      <p>
        <Link to={replacement} text={replacement} />
      </p>
    );
  }
  const { title, summary } = dataset.schema;
  return (
    <>
      <p>
        <a href={root + dataset.folder}>{title}</a>
      </p>
      {summary && <p>{summary}</p>}
    </>
  );
}
