/** A view in a frame of another site: the drawing or the table of its address, and its source. */
import '../../style/explore.css';
import '../../style/panel.css';
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { TreeManifest } from '../../../../build/format/manifest.ts';
import { pageFolder, ROOT } from '../../../../build/format/paths.ts';
import { parseQuery } from '../../../query/query-string.ts';
import type { Engine } from '../../engine/engine.ts';
import { openEngine } from '../../engine/open-engine.ts';
import type { ExploredDataset } from '../../view/dataset.ts';
import { toParameters } from '../../view/question.ts';
import { type ParsedState, parseState } from '../../view/state.ts';
import { explain } from '../explanation.ts';
import { readDocument } from '../tree-documents.ts';
import { useAnswer } from './answer.ts';
import { useBesideRows } from './beside-rows.ts';
import { readDataset } from './documents.ts';
import { ErrorNotice } from './error-notice.tsx';
import { Problems, ROWS_OF, ViewOf } from './panel.tsx';
import { usePlaceNames } from './place-names.ts';
import { ProgressBar } from './progress.tsx';
import { FRESH, type News, readNews } from './release-root.ts';
import { useViewTitle } from './view-title.ts';

/** Fills the page's section. Its `data-key` is `domain/topic`. */
export function startEmbed(element: HTMLElement, root: URL): void {
  const { key = '' } = element.dataset;
  element.setAttribute('aria-busy', 'true');
  // The headline is another view than the one in the address.
  if (location.search !== '') element.dataset['viewing'] = '';
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a.embed-open'))
    link.search = location.search;
  readDataset(root, key)
    .then(dataset => {
      element.replaceChildren();
      render(<Embedded dataset={dataset} engine={openEngine(root)} root={root} />, element);
    })
    .catch((error: unknown) => {
      render(
        <ErrorNotice
          message={`The figures could not be loaded. ${explain(error)}`}
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

interface EmbeddedProps {
  readonly dataset: ExploredDataset;
  readonly engine: Engine;
  readonly root: URL;
}

function Embedded({ dataset: published, engine, root }: EmbeddedProps) {
  const [{ state, problems }, setParsed] = useState<ParsedState>(() =>
    parseState(published, parseQuery(location.search) ?? []),
  );
  const dataset = usePlaceNames(engine, published, state);
  const title = useViewTitle(dataset, state);
  const [drawn, setDrawn] = useState<string | null>(null);
  const isTable = state.view === 'table';
  const sort = isTable ? state.sort : null;
  const limit = isTable ? ROWS_OF.table : ROWS_OF.figure;
  const answer = useAnswer(engine, dataset.key, toParameters(dataset, state.question), limit, sort);
  const beside = useBesideRows(engine, dataset, state, answer.attempt);
  return (
    <>
      <h1>{isTable ? title : (drawn ?? title)}</h1>
      <NewsOf dataset={dataset} root={root} />
      <Problems problems={problems} />
      <ProgressBar progress={answer.progress} onCancel={answer.cancel} />
      {[...new Set([answer.error, beside.error])].map(
        error => error !== null && <ErrorNotice key={error} message={error} onRetry={answer.retry} />,
      )}
      <ViewOf
        state={state}
        dataset={dataset}
        root={root}
        answer={answer}
        beside={beside.rows}
        onState={next => setParsed({ state: next, problems, untouched: false })}
        onTitle={setDrawn}
        isEmbedded
      />
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
          See the current figures
        </a>
      </p>
    </div>
  );
}
