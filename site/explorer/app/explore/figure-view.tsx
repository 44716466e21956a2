/** A chart of the rows: title, drawing, summary, the figures as a table, and files to save. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { SAMPLE_NOTICE } from '../../../../build/format/envelope.ts';
import { inTime } from '../../engine/patience.ts';
import type { ExploredDataset, Metric } from '../../view/dataset.ts';
import { deriveDrawing, describeEmpty } from '../../view/drawing.ts';
import type { BesideRows, Drawing } from '../../view/drawing-parts.ts';
import { placeAddress } from '../../view/place-address.ts';
import type { ViewState } from '../../view/question.ts';
import type { Rows } from '../../view/rows.ts';
import { LIGHT } from '../../view/theme.ts';
import { mappedField } from '../../view/views.ts';
import { explain } from '../explanation.ts';
import { BarPlot } from './bar-plot.tsx';
import { EmbedTools } from './embed-tools.tsx';
import { ErrorNotice } from './error-notice.tsx';
import { FigureTable } from './figure-table.tsx';
import { LinePlot } from './line-plot.tsx';
import { MapPlot } from './map-plot.tsx';
import { readTheme } from './theme.ts';
import { nameDocument } from './view-title.ts';

export interface FigureViewProps {
  readonly dataset: ExploredDataset;
  readonly state: ViewState;
  readonly root: URL;
  readonly rows: Rows;
  /** Rows of places of other levels. */
  readonly beside: readonly BesideRows[];
  /** Whether `rows` are all rows of the answer. */
  readonly complete: boolean;
  /** Whether the page around it has the title and the source, and leads nowhere. */
  readonly isEmbedded?: boolean;
  /** Receives the title of what is drawn, with its years. */
  onTitle?(title: string): void;
  /** Receives the chart in words, for readers who cannot see that it has changed. */
  onDrawn?(words: string): void;
}

export function FigureView(props: FigureViewProps) {
  const { dataset, state, rows, beside, complete, onDrawn, onTitle } = props;
  const metric = dataset.metrics.find(({ column }) => column.name === state.metric);
  const drawing = useMemo(
    () => (metric ? deriveDrawing(dataset, state, metric, rows, beside) : null),
    [dataset, state, metric, rows, beside],
  );
  useEffect(() => {
    if (!complete || drawing === null || drawing.empty) return;
    nameDocument(drawing.title);
    onTitle?.(drawing.title);
    onDrawn?.(`${KINDS[drawing.kind]}: ${drawing.title}. ${drawing.summary}`);
  }, [drawing, complete]);
  if (!complete) {
    return (
      <p class="notice warn">
        A chart cannot show this many rows. Choose places, fewer years or single values, or open the table,
        which shows them all.
      </p>
    );
  }
  if (!metric || !drawing) return null;
  if (drawing.empty) {
    return (
      <p class="notice" role="status">
        {describeEmpty(dataset, state.question, drawing)} Choose another level, year, place or value.
      </p>
    );
  }
  return <Figure {...props} metric={metric} drawing={drawing} />;
}

const KINDS: Readonly<Record<Drawing['kind'], string>> = { lines: 'Lines', bars: 'Bars', map: 'Map' };

interface FigureProps {
  readonly dataset: ExploredDataset;
  /** Null for rows that no request gives: they cannot be embedded. */
  readonly state: ViewState | null;
  readonly root: URL;
  readonly isEmbedded?: boolean;
  readonly metric: Metric;
  readonly drawing: Drawing;
}

/** Heights of a chart, which fills the first screen beside its controls. */
const TALL = 370;
const SHORT = 280;

export function Figure({ dataset, state, metric, drawing, root, isEmbedded = false }: FigureProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [error, setError] = useState<string | null>(null);
  const [width, setWidth] = useState(0);
  const theme = usePageTheme();
  useEffect(() => {
    const observer = new ResizeObserver(entries => setWidth(Math.floor(entries[0]?.contentRect.width ?? 0)));
    if (frame.current) observer.observe(frame.current);
    return () => observer.disconnect();
  }, []);
  const save = async (kind: 'svg' | 'png') => {
    try {
      const [{ drawStill }, { saveDrawing }] = await inTime(
        Promise.all([import('./still-picture.tsx'), import('./picture.ts')]),
      );
      const svg = await drawStill(drawing, LIGHT);
      await saveDrawing(svg, drawing, LIGHT, kind, `${dataset.schema.topic}-${metric.column.name}`);
    } catch (reason) {
      setError(explain(reason));
    }
  };
  const height = width < 520 ? SHORT : TALL;
  return (
    <figure class="explore-figure">
      {!isEmbedded && <h3 id="explore-figure-title">{drawing.title}</h3>}
      <p class="hint explore-subtitle">{drawing.subtitle}</p>
      {error !== null && (
        // The address holds the view, so that a page with a part that did not arrive can be loaded again.
        <ErrorNotice message={error} onRetry={() => location.reload()} />
      )}
      <div class="explore-drawing" ref={frame}>
        {width > 0 && (
          <Plot
            dataset={dataset}
            detail={state?.question.detail ?? ''}
            drawing={drawing}
            root={isEmbedded ? null : root}
            width={width}
            height={height}
            theme={theme}
            onError={setError}
          />
        )}
      </div>
      <figcaption>
        {drawing.notes.map(note => (
          <p key={note} class="explore-note">
            {note}
          </p>
        ))}
        <p id="explore-figure-summary" class="explore-note">
          {drawing.summary}
        </p>
        {!isEmbedded && (
          <p class="hint">
            {drawing.sample && <strong>{SAMPLE_NOTICE} </strong>}
            {drawing.source}
          </p>
        )}
      </figcaption>
      {!isEmbedded && (
        <>
          <div class="toolbar">
            <button type="button" class="button quiet small" onClick={() => save('svg')}>
              Save as SVG
            </button>
            <button type="button" class="button quiet small" onClick={() => save('png')}>
              Save as PNG
            </button>
          </div>
          {state !== null && <EmbedTools dataset={dataset} state={state} root={root} />}
        </>
      )}
      <FigureTable drawing={drawing} metric={metric} />
    </figure>
  );
}

interface PlotProps {
  readonly dataset: ExploredDataset;
  readonly detail: string;
  readonly drawing: Drawing;
  /** Null if the drawing leads to no page. */
  readonly root: URL | null;
  readonly width: number;
  readonly height: number;
  readonly theme: ReturnType<typeof readTheme>;
  onError(message: string | null): void;
}

function Plot({ dataset, detail, drawing, root, width, height, theme, onError }: PlotProps) {
  switch (drawing.kind) {
    case 'lines':
      return <LinePlot drawing={drawing} width={width} height={height} theme={theme} />;
    case 'bars':
      return <BarPlot drawing={drawing} width={width} height={height} theme={theme} />;
    case 'map': {
      const field = mappedField(dataset, detail);
      return (
        <MapPlot
          drawing={drawing}
          width={width}
          height={Math.max(330, Math.min(410, width))}
          theme={theme}
          addressOf={code => root && field && placeAddress(root, dataset.schema, field.column, code)}
          onError={onError}
        />
      );
    }
    default:
      return drawing satisfies never;
  }
}

/** The colours of the page, which may change from light to dark. */
function usePageTheme() {
  const [theme, setTheme] = useState(readTheme);
  useEffect(() => {
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    const follow = () => setTheme(readTheme());
    scheme.addEventListener('change', follow);
    return () => scheme.removeEventListener('change', follow);
  }, []);
  return theme;
}
