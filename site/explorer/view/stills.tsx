/** Every kind of drawing as SVG, for pages, for saved files and for what a reader touches. */
import type { ComponentChild } from 'preact';
import { BarFigure, layOutBars } from './bar-figure.tsx';
import type { Drawing } from './drawing-parts.ts';
import { LineFigure } from './line-figure.tsx';
import { layOutLines } from './line-layout.ts';
import { layOutMap, MapFigure, type Topology } from './map-figure.tsx';
import type { Theme } from './theme.ts';

/** Below it, a drawing is that of a phone. */
export const NARROW = 520;

/** The height of lines and of a map's areas at a width. */
export function heightAt(kind: 'lines' | 'map', width: number): number {
  if (kind === 'lines') return width < NARROW ? 280 : 370;
  return Math.max(330, Math.min(width < NARROW ? 410 : 560, width));
}

/** `shapes`: those of a map, by which it is drawn. `id` tells the patterns of two drawings on one page apart. */
export function drawStill(
  drawing: Drawing,
  {
    width,
    theme,
    id,
    shapes,
  }: { readonly width: number; readonly theme: Theme; readonly id: string; readonly shapes: Topology | null },
): ComponentChild {
  switch (drawing.kind) {
    case 'lines': {
      const layout = layOutLines(drawing, { width, height: heightAt('lines', width) });
      return <LineFigure drawing={drawing} layout={layout} theme={theme} />;
    }
    case 'bars':
      return <BarFigure layout={layOutBars(drawing, width, false)} theme={theme} id={id} />;
    case 'map':
      return shapes === null ? null : (
        <MapFigure layout={layOutMap(drawing, shapes, width, heightAt('map', width))} theme={theme} />
      );
    default:
      return drawing satisfies never;
  }
}
