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
      title: t.layout.howToCheck,
      description: t.checkPage.described,
    },
    <div id="check">
      <h1>{t.layout.howToCheck}</h1>
      <p class="lead">{t.checkPage.lead}</p>
      <h2>{t.checkPage.here}</h2>
      <div id="check-form" class="needs-script" />
      <p class="without-script">{t.checkPage.withoutScript}</p>
      <h2>{t.checkPage.elsewhere}</h2>
      <p>
        <Line text={t.checkPage.mirror} parts={{ file: <a href={root + ROOT.mirror}>{ROOT.mirror}</a> }} />
      </p>
      <Code label={t.checkPage.hashes} code="sha256sum -c SHA256SUMS" address={null} kind="text" />
      <p>{t.checkPage.program}</p>
      <Code
        label={t.checkPage.tree}
        code={'npx civic-data-service verify COPY --key PUBLIC_KEY --against OTHER_COPY'}
        address={null}
        kind="text"
      />
      <h2>{t.checkPage.limits}</h2>
      <ul>
        {t.checkPage.limitsOf.map(limit => (
          <li key={limit}>{limit}</li>
        ))}
      </ul>
      <h2>{t.checkPage.datasets}</h2>
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
