/** The page that checks in the browser that figures are the published ones, and says how to check them elsewhere. */
import { PAGES, ROOT } from '../../../build/format/paths.ts';
import { t } from '../messages/messages.ts';
import { renderPage, rootFrom, type Site } from './layout.tsx';
import { Code, Line } from './text.tsx';

export function renderCheckPage(site: Site): string {
  const folder = `${PAGES.check}/`;
  const root = rootFrom(folder);
  return renderPage(
    site,
    {
      folder,
      section: 'data',
      hasTools: true,
      title: t.layout.howToCheck,
      description: t.check.described,
    },
    <div id="check">
      <h1>{t.layout.howToCheck}</h1>
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
        {site.datasets.map(({ key, schema, folder: page }) => (
          <li key={key}>
            <a data-key={key} href={root + page}>
              {schema.title}
            </a>
          </li>
        ))}
      </ul>
    </div>,
  );
}
