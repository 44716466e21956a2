/** A view in a frame of another site: its drawing or table, and its source. */

import { useEffect, useState } from 'preact/hooks';
import { pageFolderOf } from '../../../../build/format/paths.ts';
import { t } from '../../messages/messages.ts';
import { Figure } from '../../panel/dataset-view.tsx';
import { type News, readNews } from './release-root.ts';
import { type MountedView, mountView, Status, tableOf, titleOf } from './view-mount.tsx';

export function startEmbed(element: HTMLElement): Promise<void> {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a.embed-open'))
    link.search = location.search;
  return mountView(element, view => <Embedded {...view} />, '');
}

function Embedded(view: MountedView) {
  const { state } = view.parsed;
  const drawn = view.loaded?.drawn;
  return (
    <>
      <h1>{titleOf(view)}</h1>
      <NewsOf dataset={state.dataset.key} />
      <Status {...view} />
      {tableOf(view, sort => view.show({ ...state, sort }))}
      {drawn && <Figure drawn={drawn} isEmbedded />}
    </>
  );
}

/** Says if a fixed release isn't the current one any more, and links to the current figures. */
function NewsOf({ dataset: key }: { readonly dataset: string }) {
  const [news, setNews] = useState<News | null>(null);
  useEffect(() => {
    // Without a network, the frame shows what it has.
    readNews(key).then(setNews, () => undefined);
  }, [key]);
  if (news === null) return null;
  const page = new URL(pageFolderOf(key), news.current);
  page.search = location.search;
  return (
    <div class="notice warn" role="status">
      {news.lines.map(line => (
        <p key={line}>{line}</p>
      ))}
      <p>
        <a href={page.href} target="_blank" rel="noopener">
          {t.embed.current}
        </a>
      </p>
    </div>
  );
}
