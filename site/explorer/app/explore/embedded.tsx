/** A view in a frame of another site: its drawing or table, and its source. */

import { useEffect, useState } from 'preact/hooks';
import type { TreeManifest } from '../../../../build/format/manifest.ts';
import { pageFolder, ROOT } from '../../../../build/format/paths.ts';
import { t } from '../../messages/messages.ts';
import { Figure } from '../../panel/dataset-view.tsx';
import type { ExploredDataset } from '../../view/dataset.ts';
import { readAddress } from '../../view/state.ts';
import { Later } from '../explanation.tsx';
import { readDocument } from '../tree-documents.ts';
import { usePlaceNames, useShapes } from './dataset-reading.ts';
import { type MountedView, mountView, nameDocument, useViewTitle } from './mount.tsx';
import { Status, useDrawn } from './panel.tsx';
import { FRESH, type News, readNews } from './release-root.ts';

export function startEmbed(element: HTMLElement, root: URL): Promise<void> {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a.embed-open'))
    link.search = location.search;
  return mountView(element, root, view => <Embedded {...view} />, t.embed.failed);
}

function Embedded({ dataset: published, engine, root, first, begun }: MountedView) {
  const [{ state, problems }, setParsed] = useState(() => readAddress(published, location.search, first));
  const dataset = usePlaceNames(engine, published, state);
  const title = useViewTitle(dataset, state);
  const { answer, drawn, error: undrawn } = useDrawn(engine, dataset, state, begun);
  const { shapes, error: unshaped } = useShapes(root, drawn?.drawing ?? null, answer.attempt);
  const isTable = state.view === 'table';
  const named = isTable || !drawn || drawn.drawing.empty ? title : drawn.drawing.title;
  useEffect(() => nameDocument(named), [named]);
  return (
    <>
      <h1>{named}</h1>
      <NewsOf dataset={dataset} root={root} />
      <Status answer={answer} problems={problems} errors={[answer.error, undrawn, unshaped]} />
      {isTable ? (
        <Later
          load={() => import('./table-view.tsx')}
          show={({ TableView }) => (
            <TableView
              dataset={dataset}
              question={state.question}
              answer={answer}
              sort={state.sort}
              onSort={sort => setParsed({ state: { ...state, sort }, problems, untouched: false })}
            />
          )}
        />
      ) : (
        drawn && <Figure dataset={dataset} drawn={drawn} shapes={shapes} root={null} isEmbedded />
      )}
    </>
  );
}

interface NewsProps {
  readonly dataset: ExploredDataset;
  readonly root: URL;
}

/** Says if a fixed release isn't the current one any more, and links to the current figures. */
function NewsOf({ dataset: { key, schema }, root }: NewsProps) {
  const [news, setNews] = useState<News | null>(null);
  useEffect(() => {
    readDocument<TreeManifest>(root, ROOT.manifest, FRESH)
      .then(tree => tree && readNews(root, key, tree))
      // Without a network, the frame shows what it has.
      .then(setNews, () => undefined);
  }, [root, key]);
  if (news === null || news.lines.length === 0) return null;
  const page = new URL(pageFolder(schema.main_topic, schema.topic), news.current);
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
