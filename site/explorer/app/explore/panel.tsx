/** The form, views and tools for one question. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Engine } from '../../engine/engine.ts';
import type { ExploredDataset } from '../../view/dataset.ts';
import { composeNotices } from '../../view/notices.ts';
import { type Question, toParameters, type ViewName, type ViewState } from '../../view/question.ts';
import { pinToRows, relaxPins } from '../../view/start.ts';
import { possibleViews, withView } from '../../view/views.ts';
import { describeQuestion } from '../../view/wording.ts';
import { useAnswer } from './answer.ts';
import { ExportTools } from './export-tools.tsx';
import { FigureView } from './figure-view.tsx';
import { ProgressBar } from './progress.tsx';
import { QuestionForm } from './question-form.tsx';
import { ShareTools } from './share-tools.tsx';
import { TableView } from './table-view.tsx';
import { useUrlState } from './url-state.ts';

export interface PanelProps {
  readonly dataset: ExploredDataset;
  readonly engine: Engine;
  readonly root: URL;
}

const VIEW_NAMES: Readonly<Record<ViewName, string>> = {
  table: 'Table',
  chart: 'Lines over years',
  bars: 'Bars',
  map: 'Map',
};

/** Rows that the page reads before it loads DuckDB; a chart draws at most `FIGURE_ROWS`. */
const FIRST_ROWS = 500;
const FIGURE_ROWS = 10_000;

export function Panel({ dataset, engine, root }: PanelProps) {
  const { state, problems, untouched, show, correct } = useUrlState(dataset);
  const { question, view } = state;
  const parameters = useMemo(() => toParameters(dataset, question), [dataset, question]);
  const limit = view === 'table' ? FIRST_ROWS : FIGURE_ROWS;
  const sort = view === 'table' ? state.sort : null;
  const answer = useAnswer(engine, dataset.key, parameters, limit, sort);
  const notices = composeNotices(dataset, question, view);
  const ask = (next: Question) => show({ ...state, question: next });
  useEffect(() => () => void engine.close(), [engine]);
  const empty = untouched && answer.complete && answer.progress === null && answer.rows?.rows === 0;
  useEffect(() => {
    if (!empty) return;
    const controller = new AbortController();
    findRows(engine, dataset, state, controller.signal).then(
      found => found && !controller.signal.aborted && correct({ ...state, question: found }),
      () => undefined,
    );
    return () => controller.abort();
  }, [empty]);
  return (
    <>
      <h2 id="explore-title">Explore the data</h2>
      {problems.length > 0 && (
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
      )}
      <QuestionForm
        dataset={dataset}
        state={state}
        onQuestion={ask}
        onMetric={metric => show({ ...state, metric })}
      />
      <div class="toolbar" role="group" aria-label="Show the answer as">
        {possibleViews(dataset).map(name => (
          <button
            key={name}
            type="button"
            class="chip"
            aria-pressed={name === view}
            onClick={() => show(withView(dataset, state, name))}
          >
            {name === 'chart' && dataset.timeline?.unit !== 'year' ? 'Lines over time' : VIEW_NAMES[name]}
          </button>
        ))}
      </div>
      {view === 'table' && <p class="explore-shown">{describeQuestion(dataset, question)}</p>}
      <div role="status">
        {notices.map(notice => (
          <p key={notice} class="notice warn">
            {notice}
          </p>
        ))}
      </div>
      <ProgressBar progress={answer.progress} onCancel={answer.cancel} />
      {answer.error !== null && (
        <p class="notice warn" role="alert">
          {answer.error}
        </p>
      )}
      <ViewOf state={state} dataset={dataset} answer={answer} onState={show} />
      <ExportTools dataset={dataset} engine={engine} question={question} sort={sort} answer={answer} />
      <ShareTools dataset={dataset} question={question} root={root} />
    </>
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
    const { table } = await engine.first(dataset.key, parameters, FIGURE_ROWS, { signal });
    const found = pinToRows(dataset, question, metric, table);
    if (found) return found;
  }
  return null;
}

interface ViewOfProps {
  readonly state: ViewState;
  readonly dataset: ExploredDataset;
  readonly answer: ReturnType<typeof useAnswer>;
  onState(state: ViewState): void;
}

function ViewOf({ state, dataset, answer, onState }: ViewOfProps) {
  const { rows } = answer;
  const [waiting, setWaiting] = useState(true);
  useEffect(() => setWaiting(rows === null), [rows]);
  if (rows === null)
    return waiting && answer.error === null ? <p class="hint">Reading the first rows…</p> : null;
  if (state.view === 'table') {
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
  return <FigureView dataset={dataset} state={state} rows={rows} complete={answer.complete} />;
}
