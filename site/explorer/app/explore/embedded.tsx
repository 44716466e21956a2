/** A view in a frame of another site: the drawing or the table of its address, and its source. */

import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { TreeManifest } from '../../../../build/format/manifest.ts';
import { pageFolder, ROOT } from '../../../../build/format/paths.ts';
import type { Engine } from '../../engine/engine.ts';
import { openEngine } from '../../engine/open-engine.ts';
import { t } from '../../messages/messages.ts';
import { FigureOf } from '../../panel/dataset-view.tsx';
import type { ExploredDataset } from '../../view/dataset.ts';
import { type ParsedState, readAddress } from '../../view/state.ts';
import { ErrorNotice, explain } from '../explanation.tsx';
import { readDocument } from '../tree-documents.ts';
import { readDataset, usePlaceNames, useShapes } from './dataset-reading.ts';
import { Later } from './later.tsx';
import { readFirst } from './mount.tsx';
import { type Begun, Status, useDrawn } from './panel.tsx';
import { FRESH, type News, readNews } from './release-root.ts';
import { nameDocument, useViewTitle } from './url-state.ts';

/** Fills the page's section. Its `data-key` is `domain/topic`. */
export function startEmbed(element: HTMLElement, root: URL): void {
  const { key = '' } = element.dataset;
  element.setAttribute('aria-busy', 'true');
  // The headline is another view than the one in the address.
  if (location.search !== '') element.dataset['viewing'] = '';
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a.embed-open'))
    link.search = location.search;
  start(element, root, key)
    .catch((error: unknown) => {
      // What the build rendered is another view than the one that the address asks for.
      if (location.search !== '') element.replaceChildren();
      element.removeAttribute('data-viewing');
      render(
        <ErrorNotice
          message={t.embed.failed(explain(error))}
          onRetry={() => {
            render(null, element);
            startEmbed(element, root);
          }}
        />,
        element,
      );
    })
    .finally(() => element.removeAttribute('aria-busy'));
}

async function start(element: HTMLElement, root: URL, key: string): Promise<void> {
  const dataset = await readDataset(root, key);
  const engine = openEngine(root);
  const parsed = readAddress(dataset, location.search, element.dataset['view'] ?? '');
  const begun = await readFirst(engine, dataset, parsed.state).catch(() => null);
  element.replaceChildren();
  element.removeAttribute('data-viewing');
  render(<Embedded dataset={dataset} engine={engine} root={root} parsed={parsed} begun={begun} />, element);
}

interface EmbeddedProps {
  readonly dataset: ExploredDataset;
  readonly engine: Engine;
  readonly root: URL;
  readonly parsed: ParsedState;
  readonly begun: Begun | null;
}

function Embedded({ dataset: published, engine, root, parsed, begun }: EmbeddedProps) {
  const [{ state, problems }, setParsed] = useState(parsed);
  const dataset = usePlaceNames(engine, published, state);
  const title = useViewTitle(dataset, state);
  const { answer, beside, drawn, error: undrawn } = useDrawn(engine, dataset, state, begun);
  const { shapes, error: unshaped } = useShapes(root, drawn?.drawing ?? null, answer.attempt);
  const isTable = state.view === 'table';
  const named = isTable || !drawn || drawn.drawing.empty ? title : drawn.drawing.title;
  useEffect(() => nameDocument(named), [named]);
  return (
    <>
      <h1>{named}</h1>
      <NewsOf dataset={dataset} root={root} />
      <Status answer={answer} problems={problems} errors={[answer.error, beside.error, undrawn, unshaped]} />
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
        drawn && <FigureOf dataset={dataset} drawn={drawn} shapes={shapes} root={null} isEmbedded />
      )}
    </>
  );
}

interface NewsProps {
  readonly dataset: ExploredDataset;
  readonly root: URL;
}

/** Says whether there are newer figures than those of a fixed release, and where. */
function NewsOf({ dataset: { key, schema }, root }: NewsProps) {
  const [news, setNews] = useState<News | null>(null);
  useEffect(() => {
    readDocument<TreeManifest>(root, ROOT.manifest, FRESH)
      .then(tree => tree && readNews(root, key, tree))
      // Without the network, the frame shows what it has.
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
