/**
 * A view of a dataset with its sentence, form and tabs. The build renders it, then the script takes it over.
 */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../messages/messages.ts';
import { DataTable } from '../pages/text.tsx';
import { type Drawing, describeEmpty } from '../view/drawing.ts';
import { formatFigure, titleName } from '../view/format.ts';
import { placeAddress } from '../view/places.ts';
import { leafPlace, type ViewState } from '../view/question.ts';
import { textOfSentence } from '../view/sentence.ts';
import { isUnreliable } from '../view/series.ts';
import { nameUnit } from '../view/timeline.ts';
import { comparedAxis, mapOf, possibleViews, VIEWS, withView } from '../view/views.ts';
import { describeNull, describeSource, metricName } from '../view/wording.ts';
import type { PictureProps } from './picture-parts.tsx';
import type { DrawnView } from './pictures.ts';
import { QuestionForm } from './question-form.tsx';

interface DatasetViewProps {
  readonly state: ViewState;
  /** Null for a table, and until the first rows are read. */
  readonly drawn: DrawnView | null;
  /** False in the page as the build renders it, before its script runs. */
  readonly isLive: boolean;
  /** Progress and errors, above the view. */
  readonly status?: ComponentChildren;
  /** The table, and notices. */
  readonly children?: ComponentChildren;
  onState(state: ViewState): void;
}

export function DatasetView(props: DatasetViewProps) {
  const { state, drawn, isLive, status, children, onState } = props;
  const { drawing = null, sentence: [before, figure, after] = [] } = drawn ?? {};
  const isRanked = VIEWS[state.view].isRanked && drawing?.kind === 'bars' && drawing.yearBefore !== null;
  return (
    <>
      <h2 id="explore-title" class="visually-hidden">
        {t.nouns.explore}
      </h2>
      {figure !== undefined && (
        <p class="explore-sentence">
          {before}
          <strong>{figure}</strong>
          {after}
        </p>
      )}
      <QuestionForm state={state} isLive={isLive} onState={onState} />
      <div class="explore-tabs needs-script">
        <div role="group" aria-label={t.panel.showAs}>
          {possibleViews(state.dataset).map(name => (
            <button
              key={name}
              type="button"
              class="explore-tab"
              disabled={!isLive}
              aria-pressed={name === state.view}
              onClick={() => onState(withView(state, name))}
            >
              {t.view.names[name]}
            </button>
          ))}
        </div>
        {isRanked && (
          <div role="group" aria-label={t.panel.rankBy} class="hint">
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
                {t.panel.ranks[rank === 'value' && comparedAxis(state) !== null ? 'listed' : rank]}
              </button>
            ))}
          </div>
        )}
      </div>
      {status}
      {drawn && <Figure drawn={drawn} />}
      {children}
    </>
  );
}

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
  readonly drawn: DrawnView;
  /** In a frame: the page has the title and the source, only screen readers get the sentence, and nothing is linked. */
  readonly isEmbedded?: boolean;
}

/** Widths for which the build renders a drawing: of a large window and of a phone. */
const WIDTHS = [
  ['wide', 1088],
  ['narrow', 358],
] as const;

/** The drawing with its notes and a table of its figures, or why there is nothing to draw. */
export function Figure({ drawn, isEmbedded = false }: FigureProps) {
  const { drawing, sentence, complete } = drawn;
  const { dataset } = drawing.state;
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [at, onAt] = useState<string | null>(null);
  useEffect(() => {
    const observer = new ResizeObserver(entries => setWidth(Math.floor(entries[0]?.contentRect.width ?? 0)));
    if (frame.current) observer.observe(frame.current);
    return () => observer.disconnect();
  }, [complete && !drawing.empty, drawing.kind]);
  if (!complete) return <p class="notice warn">{t.panel.tooMany}</p>;
  if (drawing.empty)
    return (
      <p class="notice" role="status">
        {describeEmpty(drawing)} {t.panel.chooseAnother}
      </p>
    );
  const isLive = width > 0;
  // The table of a map is there before its shapes.
  const words = `${drawing.title}. ${textOfSentence(sentence)}`;
  const image = drawing.kind === 'map' ? {} : { role: 'img' as const, 'aria-label': words };
  const dimension = mapOf(drawing.state)?.dimension;
  const addressOf = (code: string) =>
    isLive && drawing.kind === 'map' && dimension && !isEmbedded ? placeAddress(dimension, [code]) : null;
  const reading = { at, onAt, addressOf, isLinked: isLive && !isEmbedded };
  const table = <FigureTable drawing={drawing} {...reading} />;
  const picture = (
    <div
      class={drawing.kind === 'map' ? 'explore-map needs-script' : undefined}
      ref={frame}
      key={drawing.kind}
    >
      {isLive
        ? drawn.show({ width, id: 'shown', isLive, ...reading })
        : WIDTHS.map(([name, reference]) => (
            <div key={name} class={`explore-still ${name}`} {...image}>
              {drawn.show({ width: reference, id: name, isLive, ...reading })}
            </div>
          ))}
    </div>
  );
  return (
    <figure class="explore-figure">
      {!isEmbedded && <h3 id="explore-figure-title">{drawing.title}</h3>}
      <div class="explore-drawing">
        {drawing.kind === 'map' ? (
          <div class="explore-map-and-list">
            {picture}
            <div class="explore-ranked">{table}</div>
          </div>
        ) : (
          picture
        )}
      </div>
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
            {dataset.manifest.sample === true && <strong>{t.frame.sample} </strong>}
            {describeSource(dataset)}
          </p>
        )}
      </figcaption>
      {drawing.kind !== 'map' && (
        <details>
          <summary>{t.panel.asTable}</summary>
          {table}
        </details>
      )}
    </figure>
  );
}

const MOST_LISTED = 500;

interface FigureTableProps extends Pick<PictureProps, 'at' | 'onAt' | 'addressOf' | 'isLinked'> {
  readonly drawing: Drawing;
}

/** The place of a map that is read off is marked here and on the map. */
function FigureTable({ drawing, isLinked, at, onAt, addressOf }: FigureTableProps) {
  const { state, metric } = drawing;
  const { column } = metric;
  const { unit } = column;
  const compared = comparedAxis(state) ?? leafPlace(state);
  const timeline = drawing.kind === 'lines' ? drawing.timeline : null;
  const titles = [
    compared?.label ?? t.nouns.figure,
    timeline && titleName(nameUnit(timeline)),
    column.label,
  ].filter(title => title != null);
  const shown = drawing.figures.slice(0, MOST_LISTED);
  return (
    <>
      <DataTable
        label={t.panel.figures}
        titles={titles}
        numbers={[timeline === null ? 1 : 2]}
        kind="explore-figures"
        rows={shown.map(({ key, label, year, value, margin, address: pageOf }) => {
          const address = addressOf(key);
          const name = label || metricName(metric);
          const unreliable = isUnreliable({ value, margin }) ? ` (${t.words.unreliable})` : '';
          const known = formatFigure({ value, margin }, unit) + unreliable;
          const said = value === null ? describeNull(state.dataset, column.name) : known;
          const figure = isLinked && pageOf ? <a href={pageOf()}>{said}</a> : said;
          return [
            address === null ? name : <a href={address}>{name}</a>,
            ...(timeline ? [year === null ? '' : timeline.label(year)] : []),
            value === null ? { absent: figure } : figure,
          ];
        })}
        rowProps={row => {
          const { key } = shown[row]!;
          const onRow = drawing.kind === 'map' && {
            onPointerEnter: () => onAt(key),
            onPointerLeave: () => onAt(null),
          };
          return { ...onRow, 'data-at': key === at ? '' : undefined };
        }}
      />
      {drawing.figures.length > MOST_LISTED && <p class="hint">{t.panel.firstFigures(MOST_LISTED)}</p>}
    </>
  );
}
