/** A chart of the rows: title, drawing, summary, the figures as a table, and files to save. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { SAMPLE_NOTICE } from '../../../../build/format/envelope.ts';
import type { ExploredDataset, Metric } from '../../view/dataset.ts';
import { type Drawing, deriveDrawing, describeEmpty } from '../../view/drawing.ts';
import { formatMargin, formatNumber, NULL_MARK, titleName } from '../../view/format.ts';
import type { ViewState } from '../../view/question.ts';
import type { Rows } from '../../view/rows.ts';
import { explain } from './answer.ts';
import { LIGHT, readTheme } from './theme.ts';

export interface FigureViewProps {
  readonly dataset: ExploredDataset;
  readonly state: ViewState;
  readonly rows: Rows;
  /** Whether `rows` are all rows of the answer. */
  readonly complete: boolean;
}

export function FigureView({ dataset, state, rows, complete }: FigureViewProps) {
  const metric = dataset.metrics.find(({ column }) => column.name === state.metric);
  const drawing = useMemo(
    () => (metric ? deriveDrawing(dataset, state, metric, rows) : null),
    [dataset, state, metric, rows],
  );
  if (!complete) {
    return (
      <p class="notice warn">
        A chart cannot show this many rows. Choose places, fewer years or single values above, or open the
        table, which shows them all.
      </p>
    );
  }
  if (!metric || !drawing) return null;
  if (drawing.empty) {
    return (
      <p class="notice" role="status">
        {describeEmpty(dataset, state.question, drawing)} Choose another level, year, place or value above.
      </p>
    );
  }
  return <Figure dataset={dataset} metric={metric} drawing={drawing} />;
}

interface FigureProps {
  readonly dataset: ExploredDataset;
  readonly metric: Metric;
  readonly drawing: Drawing;
}

function Figure({ dataset, metric, drawing }: FigureProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [error, setError] = useState<string | null>(null);
  const [width, setWidth] = useState(0);
  const [dark, setDark] = useState(() => matchMedia('(prefers-color-scheme: dark)').matches);
  useEffect(() => {
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    const follow = () => setDark(scheme.matches);
    scheme.addEventListener('change', follow);
    const observer = new ResizeObserver(entries => setWidth(Math.floor(entries[0]?.contentRect.width ?? 0)));
    if (frame.current) observer.observe(frame.current);
    return () => {
      scheme.removeEventListener('change', follow);
      observer.disconnect();
    };
  }, []);
  useEffect(() => {
    let stale = false;
    if (width === 0) return;
    import('./plots/plot.ts')
      .then(({ drawFigure }) => drawFigure(drawing, { width, theme: readTheme() }))
      .then(svg => {
        if (stale || !frame.current) return;
        svg.setAttribute('role', 'img');
        svg.setAttribute('aria-labelledby', 'explore-figure-title explore-figure-summary');
        frame.current.replaceChildren(svg);
        setError(null);
      })
      .catch((reason: unknown) => {
        if (!stale) setError(explain(reason));
      });
    return () => {
      stale = true;
    };
  }, [drawing, width, dark]);
  const save = async (kind: 'svg' | 'png') => {
    try {
      const [{ drawFigure }, { saveDrawing }] = await Promise.all([
        import('./plots/plot.ts'),
        import('./picture.ts'),
      ]);
      const svg = await drawFigure(drawing, { width: 860, theme: LIGHT });
      await saveDrawing(svg, drawing, LIGHT, kind, `${dataset.schema.topic}-${metric.column.name}`);
    } catch (reason) {
      setError(explain(reason));
    }
  };
  return (
    <figure class="explore-figure">
      <h3 id="explore-figure-title">{drawing.title}</h3>
      <p class="hint">{drawing.subtitle}</p>
      {drawing.notes.map(note => (
        <p key={note} class="explore-note">
          {note}
        </p>
      ))}
      {error !== null && (
        <p class="notice warn" role="alert">
          {error}
        </p>
      )}
      <div class="explore-drawing" ref={frame} />
      <figcaption>
        <p id="explore-figure-summary">{drawing.summary}</p>
        <p class="hint">
          {drawing.sample && <strong>{SAMPLE_NOTICE} </strong>}
          {drawing.source}
        </p>
      </figcaption>
      <div class="toolbar">
        <button type="button" class="button quiet small" onClick={() => save('svg')}>
          Save as SVG
        </button>
        <button type="button" class="button quiet small" onClick={() => save('png')}>
          Save as PNG
        </button>
      </div>
      <FigureTable drawing={drawing} metric={metric} />
    </figure>
  );
}

const MOST_LISTED = 500;

function FigureTable({ drawing, metric }: { readonly drawing: Drawing; readonly metric: Metric }) {
  const { unit } = metric.column;
  const cells = drawing.figures.slice(0, MOST_LISTED);
  const dated = drawing.kind === 'lines';
  return (
    <details>
      <summary>Show the figures as a table</summary>
      <div class="table-scroll explore-figures" role="region" tabIndex={0} aria-label="Figures of the chart">
        <table class="data">
          <thead>
            <tr>
              <th scope="col">{drawing.labelTitle}</th>
              {dated && <th scope="col">{titleName(drawing.timeline?.noun ?? 'year')}</th>}
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
                <th scope="row">{label || drawing.title}</th>
                {dated && <td>{year === null ? '' : (drawing.timeline?.label(year) ?? year)}</td>}
                <td class={value === null ? 'number null' : 'number'}>
                  {value === null ? `not published: ${drawing.nullMeaning}` : formatNumber(value, unit)}
                </td>
                {metric.margin && (
                  <td class="number">{margin === null ? NULL_MARK : formatMargin(margin, unit, 'points')}</td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {drawing.figures.length > cells.length && (
        <p class="hint">These are the first {MOST_LISTED} figures. The table view has all of them.</p>
      )}
    </details>
  );
}
