/** The page of a figure, which its address names after `#`. */
import { PAGES } from '../../../build/format/paths.ts';
import { t } from '../messages/messages.ts';
import { renderPage, type Site } from './layout.tsx';

export function renderFigurePage(site: Site): string {
  return renderPage(
    site,
    { folder: `${PAGES.figure}/`, section: 'data', title: t.nouns.figure, description: t.figure.described },
    <div id="figure">
      <h1>{t.nouns.figure}</h1>
      <p class="lead">{t.figure.described}</p>
    </div>,
  );
}
