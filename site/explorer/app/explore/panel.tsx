/** The form, views and tools for one question. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type Engine, MOST_FIRST_ROWS } from '../../engine/engine.ts';
import type { ExploredDataset } from '../../view/dataset.ts';
import { describeAbsent, describeLeftOut, describeLosses } from '../../view/lost-choices.ts';
import { composeNotices } from '../../view/notices.ts';
import { type Question, toParameters, type ViewName, type ViewState } from '../../view/question.ts';
import { pinToRows, relaxPins } from '../../view/start.ts';
import { possibleViews, withView } from '../../view/views.ts';
import { describeQuestion } from '../../view/wording.ts';
import { useAnswer } from './answer.ts';
import { useBesideRows } from './beside-rows.ts';
import { EmbedTools } from './embed-tools.tsx';
import { ErrorNotice } from './error-notice.tsx';
import { ExportTools } from './export-tools.tsx';
import { FigureView, type FigureViewProps } from './figure-view.tsx';
import { usePlaceNames } from './place-names.ts';
import { ProgressBar } from './progress.tsx';
import { QuestionForm } from './question-form.tsx';
import { ShareTools } from './share-tools.tsx';
import { TableView } from './table-view.tsx';
import { useUrlState } from './url-state.ts';
import { useViewTitle } from './view-title.ts';
import { YearSlider } from './year-slider.tsx';

interface PanelProps {
  readonly dataset: ExploredDataset;
  readonly engine: Engine;
  readonly root: URL;
}

const VIEW_NAMES: Readonly<Record<ViewName, string>> = {
  table: 'Table',
  chart: 'Lines',
  bars: 'Bars',
  map: 'Map',
};

/** Rows that a table reads before it loads DuckDB, and the most that a chart draws. */
export const ROWS_OF = { table: 500, figure: MOST_FIRST_ROWS } as const;

export function Panel({ dataset: published, engine, root }: PanelProps) {
  const { state, problems, untouched, show, correct } = useUrlState(published);
  const dataset = usePlaceNames(engine, published, state);
  const { question, view } = state;
  const parameters = useMemo(() => toParameters(dataset, question), [dataset, question]);
  const limit = view === 'table' ? ROWS_OF.table : ROWS_OF.figure;
  const title = useViewTitle(dataset, state);
  const sort = view === 'table' ? state.sort : null;
  const answer = useAnswer(engine, dataset.key, parameters, limit, sort);
  const beside = useBesideRows(engine, dataset, state, answer.attempt);
  const [losses, setLosses] = useState<readonly string[]>([]);
  const [changing, setChanging] = useState(false);
  const [drawn, setDrawn] = useState('');
  const opener = useRef<HTMLButtonElement>(null);
  const sheet = useRef<HTMLDivElement>(null);
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
  const open = (on: boolean) => {
    setChanging(on);
    // The sheet takes the focus and gives it back.
    setTimeout(() =>
      (on ? sheet.current?.querySelector<HTMLElement>('select, input') : opener.current)?.focus(),
    );
  };
  useEffect(() => () => void engine.close(), [engine]);
  const [searched, setSearched] = useState(false);
  const empty = untouched && answer.complete && answer.progress === null && answer.rows?.rows === 0;
  useEffect(() => {
    if (!empty) return;
    const controller = new AbortController();
    const giveUp = () => !controller.signal.aborted && setSearched(true);
    findRows(engine, dataset, state, controller.signal).then(
      found => (found && !controller.signal.aborted ? correct({ ...state, question: found }) : giveUp()),
      giveUp,
    );
    return () => controller.abort();
  }, [empty]);
  return (
    <>
      <h2 id="explore-title" class="visually-hidden">
        Explore the data
      </h2>
      <div class="explore-panel">
        <div class="explore-stage">
          <div class="toolbar explore-views">
            <div class="toolbar" role="group" aria-label="Show the answer as">
              {possibleViews(dataset).map(name => (
                <button
                  key={name}
                  type="button"
                  class="chip"
                  aria-pressed={name === view}
                  onClick={() => change(withView(dataset, state, name))}
                >
                  {name === 'chart' && dataset.timeline?.unit !== 'year'
                    ? 'Lines over time'
                    : VIEW_NAMES[name]}
                </button>
              ))}
            </div>
            <button
              type="button"
              class="button small explore-change"
              aria-expanded={changing}
              aria-controls="explore-controls"
              ref={opener}
              onClick={() => open(true)}
            >
              Change
            </button>
          </div>
          <Problems problems={problems} />
          {view === 'table' && (
            <>
              <h3>{title}</h3>
              <p class="hint explore-shown">{describeQuestion(dataset, question)}</p>
            </>
          )}
          {(view === 'bars' || view === 'map') && (
            <YearSlider
              dataset={dataset}
              question={question}
              onQuestion={next => change({ ...state, question: next })}
            />
          )}
          <ProgressBar progress={answer.progress} onCancel={answer.cancel} />
          {[...new Set([answer.error, beside.error])].map(
            error => error !== null && <ErrorNotice key={error} message={error} onRetry={answer.retry} />,
          )}
          <ViewOf
            state={state}
            dataset={dataset}
            root={root}
            // What is soon replaced by rows would move the page twice.
            answer={empty && !searched ? { ...answer, rows: null } : answer}
            beside={beside.rows}
            onState={show}
            onDrawn={setDrawn}
          />
          {view === 'table' && <EmbedTools dataset={dataset} state={state} root={root} />}
          <p class="visually-hidden" role="status">
            {view === 'table' ? '' : drawn}
          </p>
          <div role="status">
            {notices.map(notice => (
              <p key={notice} class="notice warn">
                {notice}
              </p>
            ))}
          </div>
        </div>
        <div
          id="explore-controls"
          class="explore-controls"
          role="group"
          aria-label="What the view shows"
          data-open={changing ? '' : undefined}
          ref={sheet}
          onKeyDown={event => changing && event.key === 'Escape' && open(false)}
        >
          <QuestionForm dataset={dataset} state={state} root={root} onState={change} />
          <button type="button" class="button explore-done" onClick={() => open(false)}>
            Show the result
          </button>
        </div>
      </div>
      <ExportTools dataset={dataset} engine={engine} question={question} sort={sort} answer={answer} />
      <ShareTools dataset={dataset} question={question} root={root} />
    </>
  );
}

export function Problems({ problems }: Pick<ReturnType<typeof useUrlState>, 'problems'>) {
  if (problems.length === 0) return null;
  return (
    <div class="notice warn" role="alert">
      <p>This page could not use part of its address:</p>
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

/** Returns the question with pins that have rows; null if there are none. */
async function findRows(
  engine: Engine,
  dataset: ExploredDataset,
  { question, metric }: ViewState,
  signal: AbortSignal,
): Promise<Question | null> {
  for (const relaxed of relaxPins(dataset, question)) {
    const parameters = toParameters(dataset, relaxed);
    const { table } = await engine.first(dataset.key, parameters, ROWS_OF.figure, { signal });
    const found = pinToRows(dataset, question, metric, table);
    if (found) return found;
  }
  return null;
}

/** What a chart shows. */
type Drawn = Pick<FigureViewProps, 'state' | 'rows' | 'beside' | 'complete'>;

interface ViewOfProps {
  readonly state: ViewState;
  readonly dataset: ExploredDataset;
  readonly root: URL;
  readonly answer: ReturnType<typeof useAnswer>;
  /** Null until the rows of other places have arrived. */
  readonly beside: ReturnType<typeof useBesideRows>['rows'];
  readonly isEmbedded?: boolean;
  onState(state: ViewState): void;
  onDrawn?(words: string): void;
  onTitle?(title: string): void;
}

export function ViewOf({
  state,
  dataset,
  root,
  answer,
  beside,
  onState,
  onDrawn,
  onTitle,
  isEmbedded,
}: ViewOfProps) {
  const { rows } = answer;
  // A chart keeps its state until the rows of the next one are there: no row is named by another question.
  const last = useRef<Drawn | null>(null);
  if (answer.isCurrent && rows !== null && beside !== null)
    last.current = { state, rows, beside, complete: answer.complete };
  const [waiting, setWaiting] = useState(true);
  useEffect(() => setWaiting(rows === null), [rows]);
  const isTable = state.view === 'table';
  if (rows === null)
    return (
      <p class="hint explore-waiting">{waiting && answer.error === null ? 'Reading the first rows…' : ''}</p>
    );
  if (isTable) {
    return (
      <TableView
        dataset={dataset}
        question={state.question}
        answer={answer}
        sort={state.sort}
        onSort={sort => onState({ ...state, sort })}
      />
    );
  }
  if (last.current === null || last.current.state.view === 'table')
    return <p class="hint explore-waiting">Reading the rows…</p>;
  return (
    <FigureView
      dataset={dataset}
      root={root}
      isEmbedded={isEmbedded === true}
      {...last.current}
      {...(onDrawn && { onDrawn })}
      {...(onTitle && { onTitle })}
    />
  );
}
