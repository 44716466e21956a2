/** The page that checks in the browser whether figures are those that were published, and tells how to check elsewhere. */
import { PAGES, ROOT } from '../../../build/format/paths.ts';
import { t } from '../messages/messages.ts';
import type { Documents } from './documents.ts';
import { type Bundle, renderPage, rootFrom } from './layout.tsx';
import { Code, Line } from './text.tsx';

export function renderCheckPage(documents: Documents, bundle: Bundle): string {
  const folder = `${PAGES.check}/`;
  const root = rootFrom(folder);
  return renderPage(
    documents,
    bundle,
    {
      folder,
      section: 'data',
      hasTools: true,
      title: t.check.title,
      description: t.check.described,
    },
    <div id="check">
      <h1>{t.check.title}</h1>
      <p class="lead">{t.check.lead}</p>
      <h2>{t.check.here}</h2>
      <div id="check-form" class="needs-script" />
      <p class="without-script">{t.check.withoutScript}</p>
      <h2>{t.check.elsewhere}</h2>
      <p>
        <Line text={t.check.mirror} parts={{ file: <a href={root + ROOT.mirror}>{ROOT.mirror}</a> }} />
      </p>
      <Code label={t.check.hashes} code="sha256sum -c SHA256SUMS" address={null} kind="text" />
      <p>{t.check.program}</p>
      <Code
        label={t.check.tree}
        code={'npx civic-data-service verify COPY --key PUBLIC_KEY --against OTHER_COPY'}
        address={null}
        kind="text"
      />
      <h2>{t.check.limits}</h2>
      <ul>
        {t.check.limitsOf.map(limit => (
          <li key={limit}>{limit}</li>
        ))}
      </ul>
      <h2>{t.check.datasets}</h2>
      <ul id="check-datasets">
        {documents.datasets.map(({ key, schema }) => (
          <li key={key}>
            <a data-key={key} href={`${root}${PAGES.datasets}/${key}/`}>
              {schema.title}
            </a>
          </li>
        ))}
      </ul>
    </div>,
  );
}
