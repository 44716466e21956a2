/** A drawing with its title, its words and its figures as a table. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../messages/messages.ts';
import type { ExploredDataset, Metric } from '../view/dataset.ts';
import type { Drawing } from '../view/drawing-parts.ts';
import type { Topology } from '../view/map-figure.tsx';
import { placeAddress } from '../view/place-address.ts';
import { drawStill, heightAt } from '../view/stills.tsx';
import { PAGE } from '../view/theme.ts';
import { mappedField } from '../view/view-questions.ts';
import { BarPlot } from './bar-plot.tsx';
import { FigureTable } from './figure-table.tsx';
import { LinePlot } from './line-plot.tsx';
import { MapPlot } from './map-plot.tsx';

interface FigureProps {
  readonly dataset: ExploredDataset;
  /** The level of a map's places. */
  readonly detail: string;
  readonly metric: Metric;
  readonly drawing: Drawing;
  /** Shapes of a map; null until they are there. */
  readonly shapes: Topology | null;
  /** Null if nothing leads to the pages of places. */
  readonly root: URL | null;
  /** Whether title and source stand elsewhere. */
  readonly isEmbedded?: boolean;
  readonly children?: ComponentChildren;
}

export function Figure(props: FigureProps) {
  const { metric, drawing, isEmbedded = false, children } = props;
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

/** The room that waits for a map: its areas and its key. */
const mapRoom = (width: number) => heightAt('map', width) + 60;

function Drawn({ dataset, detail, drawing, shapes, root }: FigureProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const observer = new ResizeObserver(entries => setWidth(Math.floor(entries[0]?.contentRect.width ?? 0)));
    if (frame.current) observer.observe(frame.current);
    return () => observer.disconnect();
  }, []);
  return (
    <div class="explore-drawing" ref={frame}>
      {width > 0 ? (
        <Plot dataset={dataset} detail={detail} drawing={drawing} shapes={shapes} root={root} width={width} />
      ) : (
        WIDTHS.map(([name, reference]) => (
          <div
            key={name}
            class={`explore-still ${name}`}
            style={drawing.kind === 'map' ? { minHeight: `${mapRoom(reference)}px` } : undefined}
            role="img"
            aria-label={`${drawing.title}. ${drawing.summary}`}
          >
            {drawStill(drawing, { width: reference, theme: PAGE, id: name, shapes })}
          </div>
        ))
      )}
    </div>
  );
}

function Plot({
  dataset,
  detail,
  drawing,
  shapes,
  root,
  width,
}: Omit<FigureProps, 'metric'> & { readonly width: number }) {
  switch (drawing.kind) {
    case 'lines':
      return <LinePlot drawing={drawing} width={width} height={heightAt('lines', width)} />;
    case 'bars':
      return <BarPlot drawing={drawing} width={width} />;
    case 'map': {
      if (shapes === null)
        return (
          <p class="hint" style={{ minHeight: `${mapRoom(width)}px` }}>
            {t.panel.readingShapes}
          </p>
        );
      const field = mappedField(dataset, detail);
      return (
        <MapPlot
          drawing={drawing}
          shapes={shapes}
          width={width}
          height={heightAt('map', width)}
          addressOf={code => root && field && placeAddress(root, dataset.schema, field.column, code)}
        />
      );
    }
    default:
      return drawing satisfies never;
  }
}
