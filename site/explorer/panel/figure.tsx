/** A drawing with its title, its words and its figures as a table. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { PAGES } from '../../../build/format/paths.ts';
import type { SchemaDocument } from '../../../build/format/schema.ts';
import { t } from '../messages/messages.ts';
import type { ExploredDataset, Metric } from '../view/dataset.ts';
import type { Drawing } from '../view/drawing.ts';
import { formatMargin, formatNumber, NULL_MARK, titleName } from '../view/format.ts';
import { isUnreliable } from '../view/series.ts';
import { PAGE } from '../view/theme.ts';
import { nameUnit } from '../view/timeline.ts';
import { mappedField } from '../view/views.ts';
import type { Topology } from './picture-parts.tsx';
import type { Picture } from './pictures.ts';

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
