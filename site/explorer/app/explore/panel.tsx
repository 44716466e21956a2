/** Takes over the view that the build has rendered, with its rows, notices, table and saved files. */
import { render, type VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { formatQuery } from '../../../query/query-string.ts';
import type { Engine } from '../../engine/engine.ts';
import { openEngine } from '../../engine/open-engine.ts';
import { t } from '../../messages/messages.ts';
import { DatasetView, NoticeList } from '../../panel/dataset-view.tsx';
import { deriveDataset, type ExploredDataset, readDataset } from '../../view/dataset.ts';
import { composeNotices, describeLosses } from '../../view/notices.ts';
import type { ViewState } from '../../view/question.ts';
import type { Sort } from '../../view/rows.ts';
import { textOfSentence } from '../../view/sentence.ts';
import { formatState, type ParsedState, readAddress } from '../../view/state.ts';
import { root } from '../../view/tree-root.ts';
import { titleView } from '../../view/wording.ts';
import { ErrorNotice, explain, Later, ProgressLine } from '../explanation.tsx';
import { readDocument, requireDocument } from '../tree-documents.ts';
import { type LoadedView, type Loading, loadView, useLoadedView } from './loaded-view.ts';
import { SaveTools } from './save-tools.tsx';

export function startExplore(element: HTMLElement): Promise<void> {
  return mountView(element, view => <Panel {...view} />, t.explore.failed);
}

/** The address has the state; a change of it is added to the browser's history. */
function Panel(mounted: MountedView) {
  const { engine, first } = mounted;
  const [parsed, setParsed] = useState(mounted.parsed);
  const { state } = parsed;
  useEffect(() => {
    const follow = () => setParsed(readAddress(mounted.dataset, location.search, first));
    addEventListener('popstate', follow);
    return () => removeEventListener('popstate', follow);
  }, []);
  const show = (next: ViewState) => {
    history.pushState(null, '', formatQuery(formatState(next)) + location.hash);
    setParsed({ state: next, problems: [], free: [] });
  };
  const { loaded, title, drawn, status, table } = useView(mounted, parsed, setParsed, sort =>
    show({ ...state, sort }),
  );
  const [losses, setLosses] = useState<readonly string[]>([]);
  const change = (next: ViewState) => {
    setLosses(next.view === state.view ? [] : describeLosses(state, next));
    show(next);
  };
  useEffect(() => () => void engine.close(), [engine]);
  return (
    <>
      <DatasetView state={state} drawn={drawn} isLive onState={change} status={status}>
        {table && (
          <>
            <h3>{title}</h3>
            {table}
          </>
        )}
        <p class="visually-hidden" role="status">
          {drawn && !drawn.drawing.empty
            ? t.explore.drawn(t.view.names[state.view], drawn.drawing.title, textOfSentence(drawn.sentence))
            : ''}
        </p>
        <NoticeList notices={[...losses, ...composeNotices(state)]} />
      </DatasetView>
      <SaveTools engine={engine} state={state} loaded={loaded} />
    </>
  );
}

export interface MountedView {
  readonly dataset: ExploredDataset;
  readonly engine: Engine;
  /** The address of the page's first view. */
  readonly first: string;
  /** What the page's address says. */
  readonly parsed: ParsedState;
  /** Its view; null if the rows can't be read. */
  readonly begun: LoadedView | null;
}

/**
 * The section's `data-key` is `domain/topic`, `data-view` the address of the first view. Resolves when the
 * view is there or the page says why not, in the words of `failed`.
 */
export async function mountView(
  element: HTMLElement,
  show: (view: MountedView) => VNode,
  failed: (why: string) => string,
): Promise<void> {
  const { key = '', view: first = '' } = element.dataset;
  // The address has another view than the one that the build has rendered.
  const isOther = location.search !== '';
  if (isOther) element.dataset['viewing'] = '';
  element.setAttribute('aria-busy', 'true');
  const engine = openEngine(root);
  try {
    const documents = await readDataset(key, {
      read: requireDocument,
      readIfThere: path => readDocument<never>(path).catch(() => null),
    });
    const dataset = deriveDataset(documents);
    const parsed = readAddress(dataset, location.search, first);
    // If this fails, the view reads the rows again and says why they don't arrive.
    const begun = await loadView(engine, parsed).catch(() => null);
    // Preact would otherwise try to reuse the elements of the rendered view.
    if (isOther || begun === null) element.replaceChildren();
    element.removeAttribute('data-viewing');
    const { state } = begun ?? parsed;
    render(show({ dataset, engine, first, parsed: { ...parsed, state }, begun }), element);
  } catch (error) {
    void engine.close();
    const notice = document.createElement('div');
    notice.className = 'explore-failed';
    element.prepend(notice);
    const retry = () => {
      notice.remove();
      void mountView(element, show, failed);
    };
    render(<ErrorNotice message={failed(explain(error))} onRetry={retry} />, notice);
  } finally {
    element.removeAttribute('aria-busy');
  }
}

/** The page's title without that of a view. */
const page = document.title;

/** What a page or a frame shows of a state: its drawing or its table, and its status. */
export function useView(
  { engine, begun }: MountedView,
  parsed: ParsedState,
  setParsed: (parsed: ParsedState) => void,
  onSort: (sort: Sort | null) => void,
) {
  const { state, problems } = parsed;
  const loading = useLoadedView(engine, begun, parsed, next =>
    setParsed({ ...parsed, state: next, free: [] }),
  );
  const { loaded } = loading;
  const title = loaded?.drawn?.drawing.title ?? titleView(loaded?.state ?? state);
  useEffect(() => {
    document.title = `${title} — ${page}`;
  }, [title]);
  const table = loaded?.state.view === 'table' && (
    <Later
      load={() => import('./table-view.tsx')}
      show={({ TableView }) => <TableView view={loaded} loading={loading} onSort={onSort} />}
    />
  );
  const status = <Status loading={loading} problems={problems} />;
  return { title, loaded, drawn: loaded?.drawn ?? null, status, table };
}

interface StatusProps extends Pick<ParsedState, 'problems'> {
  readonly loading: Loading;
}

/** Problems with the address, progress, and errors. */
function Status({ loading: { loaded, progress, error, cancel, retry }, problems }: StatusProps) {
  const message = error ?? loaded?.error ?? null;
  return (
    <>
      <Problems problems={problems} />
      {progress !== null && (
        <div class="toolbar explore-progress">
          <ProgressLine progress={progress} onCancel={cancel} />
        </div>
      )}
      {message !== null && <ErrorNotice message={message} onRetry={retry} />}
    </>
  );
}

function Problems({ problems }: Pick<StatusProps, 'problems'>) {
  if (problems.length === 0) return null;
  return (
    <div class="notice warn" role="alert">
      <p>{t.explore.problems}</p>
      <ul>
        {problems.map(({ param, msg }) => (
          <li key={param + msg}>
            <code>{param}</code>: {msg}
          </li>
        ))}
      </ul>
    </div>
  );
}
