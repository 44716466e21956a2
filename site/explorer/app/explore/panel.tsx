/** The view of a dataset's page, with its rows, notices, table and saved files. */

import { useEffect, useRef, useState } from 'preact/hooks';
import type { Engine, Progress } from '../../engine/engine.ts';
import { inTime } from '../../engine/patience.ts';
import { t } from '../../messages/messages.ts';
import { DatasetView, NoticeList } from '../../panel/dataset-view.tsx';
import { drawView } from '../../panel/pictures.ts';
import type { ExploredDataset } from '../../view/dataset.ts';
import { composeNotices, describeAbsent, describeLeftOut, describeLosses } from '../../view/notices.ts';
import { type Question, settleState, toParameters, type ViewState } from '../../view/question.ts';
import type { Sort } from '../../view/rows.ts';
import { textOfSentence } from '../../view/sentence.ts';
import type { ParsedState } from '../../view/state.ts';
import { describeQuestion } from '../../view/wording.ts';
import { ErrorNotice, explain, Later, ProgressLine } from '../explanation.tsx';
import { type Asking, ROWS_OF, useAnswer } from './answer.ts';
import { usePlaceNames, useShapes, useStatistics } from './dataset-reading.ts';
import {
  type Begun,
  type MountedView,
  mountView,
  nameDocument,
  useUrlState,
  useViewTitle,
} from './mount.tsx';
import { SaveTools } from './save-tools.tsx';

export function startExplore(element: HTMLElement, root: URL): Promise<void> {
  return mountView(element, root, view => <Panel {...view} />, t.explore.failed);
}

function Panel(mounted: MountedView) {
  const { engine, root } = mounted;
  const { show, correct, ...parsed } = useUrlState(mounted.dataset, mounted.first);
  const { state, untouched } = parsed;
  const { question, view } = state;
  const shown = useView(mounted, parsed, sort => show({ ...state, sort }));
  const { dataset, title, answer, drawn, shapes, status, table } = shown;
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
  const [searched, setSearched] = useState(false);
  const empty = untouched && answer.complete && answer.progress === null && answer.rows?.rows === 0;
  useEffect(() => {
    if (!empty) return;
    const controller = new AbortController();
    const giveUp = () => !controller.signal.aborted && setSearched(true);
    const { signal } = controller;
    const read = async (asked: Question) => {
      const parameters = toParameters(dataset, asked);
      return (await engine.first(dataset.key, parameters, ROWS_OF.figure, { signal })).table;
    };
    settleState(dataset, state, read).then(
      found => (found && !signal.aborted ? correct(found) : giveUp()),
      giveUp,
    );
    return () => controller.abort();
  }, [empty]);
  return (
    <>
      <DatasetView
        dataset={dataset}
        state={state}
        // A notice that rows soon replace would move the page twice.
        drawn={empty && !searched ? null : drawn}
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
        dataset={dataset}
        engine={engine}
        state={state}
        root={root}
        answer={answer}
        drawn={drawn}
        shapes={shapes}
      />
    </>
  );
}

/** What a page or a frame shows of a state: its drawing or its table, and its status. */
export function useView(
  { dataset: published, engine, root, begun }: MountedView,
  { state, problems }: Pick<ParsedState, 'state' | 'problems'>,
  onSort: (sort: Sort | null) => void,
) {
  const dataset = usePlaceNames(engine, published, state);
  const title = useViewTitle(dataset, state);
  const { answer, drawn, error: undrawn } = useDrawn(engine, dataset, state, begun);
  const { shapes, error: unshaped } = useShapes(root, drawn?.drawing ?? null, answer.attempt);
  const isTable = state.view === 'table';
  const named = isTable || !drawn || drawn.drawing.empty ? title : drawn.drawing.title;
  useEffect(() => nameDocument(named), [drawn, isTable]);
  const status = <Status answer={answer} problems={problems} errors={[answer.error, undrawn, unshaped]} />;
  const table = isTable && (
    <Later
      load={() => import('./table-view.tsx')}
      show={({ TableView }) => (
        <TableView
          dataset={dataset}
          question={state.question}
          answer={answer}
          sort={state.sort}
          onSort={onSort}
        />
      )}
    />
  );
  return { dataset, title: named, answer, drawn: isTable ? null : drawn, shapes, status, table };
}

/** The rows of a state, and their drawing. */
function useDrawn(engine: Engine, dataset: ExploredDataset, state: ViewState, begun: Begun | null) {
  const answer = useAnswer(engine, dataset, state, begun?.shown ?? null);
  const { rows, beside, complete } = answer;
  const isReady = answer.isCurrent && rows !== null;
  const [drawn, setDrawn] = useState(begun?.drawn ?? null);
  const [error, setError] = useState<string | null>(null);
  const isBegun = useRef(begun !== null);
  // Keeps the last drawing until the next one is ready.
  useEffect(() => {
    if (!isReady) return;
    // The first state was drawn before the page took over the view.
    if (isBegun.current) {
      isBegun.current = false;
      return;
    }
    let isStale = false;
    setError(null);
    inTime(drawView(dataset, { state, rows, beside, complete })).then(
      next => !isStale && setDrawn(next),
      (reason: unknown) => !isStale && setError(explain(reason)),
    );
    return () => {
      isStale = true;
    };
  }, [isReady, dataset, state, rows, beside, complete, answer.attempt]);
  return { answer, drawn, error };
}

interface StatusProps extends Pick<ParsedState, 'problems'> {
  readonly answer: Asking;
  readonly errors: readonly (string | null)[];
}

/** Problems with the address, progress, and errors. */
function Status({ answer, problems, errors }: StatusProps) {
  return (
    <>
      <Problems problems={problems} />
      <ProgressBar progress={answer.progress} onCancel={answer.cancel} />
      {[...new Set(errors)].map(
        error => error !== null && <ErrorNotice key={error} message={error} onRetry={answer.retry} />,
      )}
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
      <ProgressLine progress={progress} />
      <button type="button" class="button quiet small" onClick={onCancel}>
        {t.progress.cancel}
      </button>
    </div>
  );
}
