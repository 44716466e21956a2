/** The view of a dataset's page, with its rows, notices, table and saved files. */
import { useEffect, useState } from 'preact/hooks';
import { formatQuery } from '../../../query/query-string.ts';
import { t } from '../../messages/messages.ts';
import { DatasetView, NoticeList } from '../../panel/dataset-view.tsx';
import { composeNotices, describeLosses } from '../../view/notices.ts';
import type { ViewState } from '../../view/question.ts';
import type { Sort } from '../../view/rows.ts';
import { textOfSentence } from '../../view/sentence.ts';
import { formatState, type ParsedState, readAddress } from '../../view/state.ts';
import { titleView } from '../../view/wording.ts';
import { ErrorNotice, Later, ProgressLine } from '../explanation.tsx';
import { useStatistics } from './dataset-reading.ts';
import { type Loading, useLoadedView } from './loaded-view.ts';
import { type MountedView, mountView } from './mount.tsx';
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
    setParsed({ state: next, problems: [], untouched: false });
  };
  const { loaded, title, drawn, status, table } = useView(mounted, parsed, setParsed, sort =>
    show({ ...state, sort }),
  );
  const statistics = useStatistics(state);
  const [losses, setLosses] = useState<readonly string[]>([]);
  const change = (next: ViewState) => {
    setLosses(next.view === state.view ? [] : describeLosses(state, next));
    show(next);
  };
  useEffect(() => () => void engine.close(), [engine]);
  return (
    <>
      <DatasetView
        state={state}
        drawn={drawn}
        statistics={statistics}
        isLive
        onState={change}
        status={status}
      >
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
    setParsed({ ...parsed, state: next, untouched: false }),
  );
  const { loaded } = loading;
  const title = loaded?.title ?? titleView(state);
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
