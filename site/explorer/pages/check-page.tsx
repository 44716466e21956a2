/** The page that checks in the browser whether figures are those that were published, and tells how to check elsewhere. */
import { PAGES, ROOT } from '../../../build/format/paths.ts';
import type { Documents } from './documents.ts';
import { type Bundle, renderPage, rootFrom } from './layout.tsx';
import { Code } from './text.tsx';

export function renderCheckPage(documents: Documents, bundle: Bundle): string {
  const folder = `${PAGES.check}/`;
  const root = rootFrom(folder);
  return renderPage(
    documents,
    bundle,
    {
      folder,
      section: 'data',
      title: 'How to check these figures',
      description: 'Check that the files are those that were published, and that no release was rewritten.',
    },
    <div id="check">
      <h1>How to check these figures</h1>
      <p class="lead">
        Each file here has a published hash, and each hash stands in a list with a hash of its own. So a
        changed figure shows.
      </p>
      <h2>In this browser</h2>
      <div id="check-form" class="needs-script" />
      <p class="without-script">This part needs JavaScript. The next one does not.</p>
      <h2>On your own machine</h2>
      <p>
        Copy the files, as <a href={root + ROOT.mirror}>{ROOT.mirror}</a> does, and compare their hashes.
        Every system has a program for it:
      </p>
      <Code label="Checking hashes" code="sha256sum -c SHA256SUMS" address={null} kind="text" />
      <p>
        The program that made this site checks more: that all formats of a table have the same rows, that the
        log is signed, and, against another copy, that no release was rewritten.
      </p>
      <Code
        label="Checking a tree"
        code={'npx civic-data-service verify COPY --key PUBLIC_KEY --against OTHER_COPY'}
        address={null}
        kind="text"
      />
      <h2>What this does not show</h2>
      <ul>
        <li>Whether the figures are true. It shows that they are the published ones.</li>
        <li>
          Whether this page is honest: it comes from the same host as the figures. Who can change the figures
          can change the page. A copy on your own machine, and a key from another place, do not depend on it.
        </li>
        <li>Whether others see the same log as you. Compare it with a witness or with an earlier copy.</li>
      </ul>
      <h2>Datasets</h2>
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
