/** The view of a dataset's page, with its rows, notices, table and saved files. */
import { useEffect, useState } from 'preact/hooks';
import { formatQuery } from '../../../query/query-string.ts';
import type { Progress } from '../../engine/engine.ts';
import { t } from '../../messages/messages.ts';
import { DatasetView, NoticeList } from '../../panel/dataset-view.tsx';
import { composeNotices, describeAbsent, describeLeftOut, describeLosses } from '../../view/notices.ts';
import type { ViewState } from '../../view/question.ts';
import type { Sort } from '../../view/rows.ts';
import { textOfSentence } from '../../view/sentence.ts';
import { formatState, type ParsedState, readAddress } from '../../view/state.ts';
import { titleView, describeQuestion } from '../../view/wording.ts';
import { ErrorNotice, explain, Later, ProgressLine } from '../explanation.tsx';
import { useShapes, useStatistics } from './dataset-reading.ts';
import { type Loading, useLoadedView } from './loaded-view.ts';
import { type MountedView, mountView } from './mount.tsx';
import { SaveTools } from './save-tools.tsx';

export function startExplore(element: HTMLElement, root: URL): Promise<void> {
  return mountView(element, root, view => <Panel {...view} />, t.explore.failed);
}

/** The address has the state; a change of it is added to the browser's history. */
function Panel(mounted: MountedView) {
  const { engine, root, first } = mounted;
  const [parsed, setParsed] = useState(mounted.parsed);
  const { state } = parsed;
  const { question, view } = state;
  useEffect(() => {
    const follow = () => setParsed(readAddress(mounted.dataset, location.search, first));
    addEventListener('popstate', follow);
    return () => removeEventListener('popstate', follow);
  }, []);
  const show = (next: ViewState) => {
    history.pushState(null, '', formatQuery(formatState(mounted.dataset, next)) + location.hash);
    setParsed({ state: next, problems: [], untouched: false });
  };
  const shown = useView(mounted, parsed, setParsed, sort => show({ ...state, sort }));
  const { dataset, title, drawn, shapes, status, table } = shown;
  const statistics = useStatistics(dataset, question.detail, root);
  const [losses, setLosses] = useState<readonly string[]>([]);
  const leftOut = [describeAbsent(dataset, state), describeLeftOut(dataset, state)];
  const notices = [
    ...losses,
    ...leftOut.filter(said => said !== null),
    ...composeNotices(dataset, question, view),
  ];
  const change = (next: ViewState) => {
    setLosses(next.view === view ? [] : describeLosses(dataset, state, next));
    show(next);
  };
  useEffect(() => () => void engine.close(), [engine]);
  return (
    <>
      <DatasetView
        dataset={dataset}
        state={state}
        drawn={drawn}
        shapes={shapes}
        statistics={statistics}
        root={root}
        isLive
        onState={change}
        status={status}
      >
        {table && (
          <>
            <h3>{title}</h3>
            <p class="hint explore-shown">{describeQuestion(dataset, question)}</p>
            {table}
          </>
        )}
        <p class="visually-hidden" role="status">
          {drawn && !drawn.drawing.empty
            ? t.explore.drawn(t.view.names[view], drawn.drawing.title, textOfSentence(drawn.sentence))
            : ''}
        </p>
        <NoticeList notices={notices} />
      </DatasetView>
      <SaveTools
        engine={engine}
        dataset={dataset}
        state={state}
        root={root}
        loaded={shown.loaded}
        shapes={shapes}
      />
    </>
  );
}

/** The page's title without that of a view. */
const page = document.title;

/** What a page or a frame shows of a state: its drawing or its table, and its status. */
export function useView(
  mounted: MountedView,
  parsed: ParsedState,
  setParsed: (parsed: ParsedState) => void,
  onSort: (sort: Sort | null) => void,
) {
  const { state, problems } = parsed;
  const loading = useLoadedView(mounted, mounted.begun, parsed, next =>
    setParsed({ ...parsed, state: next, untouched: false }),
  );
  const { loaded } = loading;
  const drawing = loaded?.drawn?.drawing;
  const map = useShapes(mounted.root, drawing?.kind === 'map' && !drawing.empty ? drawing.shapes : null);
  const dataset = loaded?.dataset ?? mounted.dataset;
  const title = loaded?.title ?? titleView(dataset, state);
  useEffect(() => {
    document.title = `${title} — ${page}`;
  }, [title]);
  const table = loaded?.state.view === 'table' && (
    <Later
      load={() => import('./table-view.tsx')}
      show={({ TableView }) => <TableView view={loaded} loading={loading} onSort={onSort} />}
    />
  );
  const status = (
    <>
      <Status loading={loading} problems={problems} />
      {map.error !== null && <ErrorNotice message={explain(map.error)} onRetry={map.retry} />}
    </>
  );
  return {
    dataset,
    title,
    loaded,
    drawn: loaded?.drawn ?? null,
    shapes: map.shapes,
    status,
    table,
  };
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
      <ProgressBar progress={progress} onCancel={cancel} />
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

/** Milliseconds before progress appears. */
const PATIENCE = 600;

interface ProgressBarProps {
  readonly progress: Progress | null;
  onCancel(): void;
}

function ProgressBar({ progress, onCancel }: ProgressBarProps) {
  const busy = progress !== null;
  const [shown, setShown] = useState(false);
  useEffect(() => {
    setShown(false);
    if (!busy) return;
    const timer = setTimeout(() => setShown(true), PATIENCE);
    return () => clearTimeout(timer);
  }, [busy]);
  if (!shown || progress === null) return null;
  return (
    <div class="toolbar explore-progress">
      <ProgressLine progress={progress} onCancel={onCancel} />
    </div>
  );
}
