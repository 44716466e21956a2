/** A view of a dataset with its sentence, choices and tabs. The build renders it, and the script takes it over. */
import type { ComponentChildren } from 'preact';
import type { StatisticsDocument } from '../../../build/format/statistics.ts';
import { t } from '../messages/messages.ts';
import { besideQuestions } from '../view/chosen-places.ts';
import type { ExploredDataset, Metric } from '../view/dataset.ts';
import { type BesideRows, describeEmpty } from '../view/drawing.ts';
import type { Question, ViewState } from '../view/question.ts';
import type { Rows } from '../view/rows.ts';
import { possibleViews, withView } from '../view/views.ts';
import { Figure } from './figure.tsx';
import type { Topology } from './picture-parts.tsx';
import { drawPicture, type Picture } from './pictures.ts';
import { QuestionForm } from './question-form.tsx';

/** Rows, and the state whose question they answer. */
export interface Shown {
  readonly state: ViewState;
  readonly rows: Rows;
  /** Rows of places of other levels, and of the year before. */
  readonly beside: readonly BesideRows[];
  /** Whether `rows` are all rows of the answer. */
  readonly complete: boolean;
  /** Rows of the whole answer; null if that takes more reading. */
  readonly total: number | null;
}

/** Reads all that a state shows. `read` gives the rows of a question, and how many its whole answer has if that is known. */
export async function readShown(
  dataset: ExploredDataset,
  state: ViewState,
  read: (question: Question) => Promise<{ readonly table: Rows; readonly total: number | null }>,
): Promise<Shown> {
  const [{ table: rows, total }, beside] = await Promise.all([
    read(state.question),
    Promise.all(
      besideQuestions(dataset, state).map(async one => ({ ...one, rows: (await read(one.question)).table })),
    ),
  ]);
  return { state, rows, beside, complete: total === rows.rows, total };
}

export interface DrawnView extends Omit<Shown, 'total'>, Picture {
  readonly metric: Metric;
}

/** Null if the view shows the rows themselves. */
export async function drawView(
  dataset: ExploredDataset,
  shown: Omit<Shown, 'total'>,
): Promise<DrawnView | null> {
  const { state, rows, beside } = shown;
  const metric = dataset.metrics.find(({ column }) => column.name === state.metric);
  const picture = metric && (await drawPicture(dataset, state, metric, rows, beside));
  return metric && picture ? { ...shown, ...picture, metric } : null;
}

interface DatasetViewProps {
  readonly dataset: ExploredDataset;
  readonly state: ViewState;
  /** What is drawn; null for a table, and until the first rows are there. */
  readonly drawn: DrawnView | null;
  readonly shapes: Topology | null;
  readonly statistics: StatisticsDocument | null;
  readonly root: URL | null;
  /** Whether the script answers. */
  readonly isLive: boolean;
  /** Says what happens, above the view. */
  readonly status?: ComponentChildren;
  /** The table, or what stands in for a view. */
  readonly children?: ComponentChildren;
  onState(state: ViewState): void;
}

export function DatasetView(props: DatasetViewProps) {
  const { dataset, state, drawn, shapes, statistics, root, isLive, status, children, onState } = props;
  const { drawing = null } = drawn ?? {};
  const { sentence = [] } = drawing ?? {};
  const isRanked = state.view === 'bars' && drawing?.kind === 'bars' && drawing.yearBefore !== null;
  return (
    <>
      <h2 id="explore-title" class="visually-hidden">
        {t.panel.explore}
      </h2>
      {sentence.length > 0 && (
        <p class="explore-sentence">
          {sentence.map(({ text, isStrong }, i) => (isStrong ? <strong key={i}>{text}</strong> : text))}
        </p>
      )}
      <QuestionForm
        dataset={dataset}
        state={state}
        statistics={statistics}
        isLive={isLive}
        onState={onState}
      />
      <div class="explore-tabs needs-script">
        <div role="group" aria-label={t.panel.showAs}>
          {possibleViews(dataset).map(name => (
            <button
              key={name}
              type="button"
              class="explore-tab"
              disabled={!isLive}
              aria-pressed={name === state.view}
              onClick={() => onState(withView(dataset, state, name))}
            >
              {t.view.names[name]}
            </button>
          ))}
        </div>
        {isRanked && (
          <div role="group" aria-label={t.panel.rankBy} class="explore-rank">
            <span aria-hidden="true">{t.panel.rankBy}</span>
            {(['value', 'change'] as const).map(rank => (
              <button
                key={rank}
                type="button"
                class="explore-tab"
                disabled={!isLive}
                aria-pressed={rank === state.rank}
                onClick={() => onState({ ...state, rank })}
              >
                {t.panel.ranks[rank]}
              </button>
            ))}
          </div>
        )}
      </div>
      {status}
      {drawn && <FigureOf dataset={dataset} drawn={drawn} shapes={shapes} root={root} />}
      {children}
    </>
  );
}

/** What to mind about a view. */
export function NoticeList({ notices }: { readonly notices: readonly string[] }) {
  return (
    <div role="status">
      {notices.map(notice => (
        <p key={notice} class="notice warn">
          {notice}
        </p>
      ))}
    </div>
  );
}

interface FigureOfProps {
  readonly dataset: ExploredDataset;
  readonly drawn: DrawnView;
  readonly shapes: Topology | null;
  readonly root: URL | null;
  readonly isEmbedded?: boolean;
}

/** The drawing, or why there is none. */
export function FigureOf({ dataset, drawn, shapes, root, isEmbedded = false }: FigureOfProps) {
  const { drawing, metric, complete, state } = drawn;
  if (!complete) return <p class="notice warn">{t.panel.tooMany}</p>;
  if (drawing.empty)
    return (
      <p class="notice" role="status">
        {describeEmpty(dataset, state.question, drawing)} {t.panel.chooseAnother}
      </p>
    );
  return (
    <Figure
      dataset={dataset}
      detail={state.question.detail}
      metric={metric}
      picture={drawn}
      shapes={shapes}
      root={root}
      isEmbedded={isEmbedded}
    />
  );
}
