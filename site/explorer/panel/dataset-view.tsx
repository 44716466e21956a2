/** A view of a dataset with its sentence, choices and tabs. The build renders it, and the script takes it over. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { PAGES } from '../../../build/format/paths.ts';
import type { SchemaDocument } from '../../../build/format/schema.ts';
import type { StatisticsDocument } from '../../../build/format/statistics.ts';
import { t } from '../messages/messages.ts';
import { besideQuestions } from '../view/chosen-places.ts';
import type { ExploredDataset, Metric } from '../view/dataset.ts';
import { type BesideRows, type Drawing, describeEmpty } from '../view/drawing.ts';
import { formatMargin, formatNumber, NULL_MARK, titleName } from '../view/format.ts';
import type { Question, ViewState } from '../view/question.ts';
import type { Rows } from '../view/rows.ts';
import { isUnreliable } from '../view/series.ts';
import { nameUnit } from '../view/timeline.ts';
import { mappedField, possibleViews, withView } from '../view/views.ts';
import { PAGE, type Topology } from './picture-parts.tsx';
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

interface FigureProps {
  readonly dataset: ExploredDataset;
  /** The level of a map's places. */
  readonly detail: string;
  readonly metric: Metric;
  readonly picture: Picture;
  /** Shapes of a map; null until they are there. */
  readonly shapes: Topology | null;
  /** Null if nothing leads to the pages of places. */
  readonly root: URL | null;
  /** Whether title and source stand elsewhere. */
  readonly isEmbedded?: boolean;
  readonly children?: ComponentChildren;
}

export function Figure(props: FigureProps) {
  const { metric, picture, isEmbedded = false, children } = props;
  const { drawing } = picture;
  return (
    <figure class="explore-figure">
      {!isEmbedded && <h3 id="explore-figure-title">{drawing.title}</h3>}
      <Drawn {...props} />
      <figcaption>
        {drawing.notes.map(note => (
          <p key={note} class="explore-note">
            {note}
          </p>
        ))}
        <p id="explore-figure-summary" class="visually-hidden">
          {drawing.summary}
        </p>
        {!isEmbedded && (
          <p class="hint">
            {drawing.sample && <strong>{t.frame.sample} </strong>}
            {drawing.source}
          </p>
        )}
      </figcaption>
      {children}
      <FigureTable drawing={drawing} metric={metric} />
    </figure>
  );
}

/** The widths for which a page is rendered before a script measures it: a large window's, and a phone's. */
const WIDTHS = [
  ['wide', 1088],
  ['narrow', 358],
] as const;

function Drawn({ dataset, detail, picture, shapes, root }: FigureProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const observer = new ResizeObserver(entries => setWidth(Math.floor(entries[0]?.contentRect.width ?? 0)));
    if (frame.current) observer.observe(frame.current);
    return () => observer.disconnect();
  }, []);
  const { kind, title, summary } = picture.drawing;
  // A map waits as a list of its places, which has words of its own.
  const image = kind === 'map' ? {} : { role: 'img' as const, 'aria-label': `${title}. ${summary}` };
  const field = mappedField(dataset, detail);
  return (
    <div class="explore-drawing" ref={frame}>
      {width > 0
        ? picture.plot({
            width,
            shapes,
            addressOf: code => root && field && placeAddress(root, dataset.schema, field.column, code),
          })
        : WIDTHS.map(([name, reference]) => (
            <div key={name} class={`explore-still ${name}`} {...image}>
              {picture.still({ width: reference, theme: PAGE, id: name, shapes: null })}
            </div>
          ))}
    </div>
  );
}

/** The page of the place that a column's code names; null if no dimension of one key column describes it. */
function placeAddress(
  root: URL,
  { foreign_keys }: Pick<SchemaDocument, 'foreign_keys'>,
  column: string,
  code: string,
): string | null {
  const join = foreign_keys.find(key => key.column === column && key.target_columns.length === 1);
  if (!join) return null;
  const pairs = [
    ['dimension', join.target_object],
    [join.target_columns[0]!, code],
  ];
  return new URL(`${PAGES.places}/?${new URLSearchParams(pairs)}`, root).href;
}

const MOST_LISTED = 500;

function FigureTable({ drawing, metric }: { readonly drawing: Drawing; readonly metric: Metric }) {
  const { unit } = metric.column;
  const cells = drawing.figures.slice(0, MOST_LISTED);
  const dated = drawing.kind === 'lines';
  return (
    <details>
      <summary>{t.panel.asTable}</summary>
      <div class="table-scroll explore-figures" role="region" tabIndex={0} aria-label={t.panel.figures}>
        <table class="data">
          <thead>
            <tr>
              <th scope="col">{drawing.labelTitle}</th>
              {dated && <th scope="col">{titleName(nameUnit(drawing.timeline))}</th>}
              <th scope="col" class="number">
                {metric.column.label}
              </th>
              {metric.margin && (
                <th scope="col" class="number">
                  {metric.margin.label}
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {cells.map(({ key, label, year, value, margin }) => (
              <tr key={`${key} ${year}`}>
                <th scope="row">{label || drawing.figure}</th>
                {dated && <td>{year === null ? '' : (drawing.timeline?.label(year) ?? year)}</td>}
                <td class={value === null ? 'number null' : 'number'}>
                  {value === null ? drawing.nullMeaning : formatNumber(value, unit)}
                  {isUnreliable({ value, margin }) ? ` (${t.words.unreliable})` : ''}
                </td>
                {metric.margin && (
                  <td class="number">{margin === null ? NULL_MARK : formatMargin(margin, unit, 'points')}</td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {drawing.figures.length > cells.length && <p class="hint">{t.panel.firstFigures(MOST_LISTED)}</p>}
    </details>
  );
}
