/** A view of a dataset with its sentence, choices and tabs. The build renders it, and the script takes it over. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { SchemaDocument, StatisticsDocument } from '../../../build/format/documents.ts';
import { PAGES } from '../../../build/format/paths.ts';
import { t } from '../messages/messages.ts';
import type { ExploredDataset, Metric } from '../view/dataset.ts';
import { type Drawing, describeEmpty } from '../view/drawing.ts';
import { formatMargin, formatNumber, NULL_MARK, titleName } from '../view/format.ts';
import type { ViewState } from '../view/question.ts';
import { textOfSentence } from '../view/sentence.ts';
import { isUnreliable } from '../view/series.ts';
import { nameUnit } from '../view/timeline.ts';
import { mappedField, possibleViews, withView } from '../view/views.ts';
import { PAGE, type Topology } from './picture-parts.tsx';
import type { DrawnView } from './pictures.ts';
import { QuestionForm } from './question-form.tsx';

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
  const { drawing = null, sentence = [] } = drawn ?? {};
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
      {drawn && <Figure dataset={dataset} drawn={drawn} shapes={shapes} root={root} />}
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

interface FigureProps {
  readonly dataset: ExploredDataset;
  readonly drawn: DrawnView;
  /** Shapes of a map; null until they are there. */
  readonly shapes: Topology | null;
  /** Null if nothing leads to the pages of places. */
  readonly root: URL | null;
  /** Whether title and source stand elsewhere, and the sentence nowhere. */
  readonly isEmbedded?: boolean;
}

/** The drawing with its words and its figures as a table, or why there is none. */
export function Figure(props: FigureProps) {
  const { dataset, drawn, isEmbedded = false } = props;
  const { drawing, sentence, metric, complete, state } = drawn;
  if (!complete) return <p class="notice warn">{t.panel.tooMany}</p>;
  if (drawing.empty)
    return (
      <p class="notice" role="status">
        {describeEmpty(dataset, state.question, drawing)} {t.panel.chooseAnother}
      </p>
    );
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
        {isEmbedded ? (
          <p class="visually-hidden">{textOfSentence(sentence)}</p>
        ) : (
          <p class="hint">
            {drawing.sample && <strong>{t.frame.sample} </strong>}
            {drawing.source}
          </p>
        )}
      </figcaption>
      <FigureTable drawing={drawing} metric={metric} />
    </figure>
  );
}

/** The widths for which a page is rendered before a script measures it: a large window's, and a phone's. */
const WIDTHS = [
  ['wide', 1088],
  ['narrow', 358],
] as const;

function Drawn({ dataset, drawn, shapes, root }: FigureProps) {
  const { drawing, sentence, state } = drawn;
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const observer = new ResizeObserver(entries => setWidth(Math.floor(entries[0]?.contentRect.width ?? 0)));
    if (frame.current) observer.observe(frame.current);
    return () => observer.disconnect();
  }, []);
  // A map waits as a list of its places, which has words of its own.
  const words = `${drawing.title}. ${textOfSentence(sentence)}`;
  const image = drawing.kind === 'map' ? {} : { role: 'img' as const, 'aria-label': words };
  const field = mappedField(dataset, state.question.detail);
  return (
    <div class="explore-drawing" ref={frame}>
      {width > 0
        ? drawn.plot({
            width,
            shapes,
            addressOf: code => root && field && placeAddress(root, dataset.schema, field.column, code),
          })
        : WIDTHS.map(([name, reference]) => (
            <div key={name} class={`explore-still ${name}`} {...image}>
              {drawn.still({ width: reference, theme: PAGE, id: name, shapes: null })}
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
                {dated && <td>{year === null ? '' : drawing.timeline.label(year)}</td>}
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
