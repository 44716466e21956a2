/** A view in a frame of another site: its drawing or table, and its source. */

import { useEffect, useState } from 'preact/hooks';
import type { TreeManifest } from '../../../../build/format/manifest.ts';
import { pageFolderOf, ROOT } from '../../../../build/format/paths.ts';
import { t } from '../../messages/messages.ts';
import { Figure } from '../../panel/dataset-view.tsx';
import { readDocument } from '../tree-documents.ts';
import { type MountedView, mountView, useView } from './panel.tsx';
import { FRESH, type News, readNews } from './release-root.ts';

export function startEmbed(element: HTMLElement): Promise<void> {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a.embed-open'))
    link.search = location.search;
  return mountView(element, view => <Embedded {...view} />, t.embed.failed);
}

function Embedded(mounted: MountedView) {
  const [parsed, setParsed] = useState(mounted.parsed);
  const { title, drawn, status, table } = useView(mounted, parsed, setParsed, sort =>
    setParsed({ ...parsed, state: { ...parsed.state, sort } }),
  );
  return (
    <>
      <h1>{title}</h1>
      <NewsOf dataset={mounted.dataset} />
      {status}
      {table}
      {drawn && <Figure drawn={drawn} isEmbedded />}
    </>
  );
}

/** Says if a fixed release isn't the current one any more, and links to the current figures. */
function NewsOf({ dataset: { key } }: Pick<MountedView, 'dataset'>) {
  const [news, setNews] = useState<News | null>(null);
  useEffect(() => {
    readDocument<TreeManifest>(ROOT.manifest, FRESH)
      .then(tree => tree && readNews(key, tree))
      // Without a network, the frame shows what it has.
      .then(setNews, () => undefined);
  }, [key]);
  if (news === null || news.lines.length === 0) return null;
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
