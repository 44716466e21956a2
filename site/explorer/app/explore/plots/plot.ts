/** Drawings as SVG, by Observable Plot: loaded only when a reader asks for a chart. */
import { plot, type PlotOptions } from '@observablehq/plot';
import type { Drawing } from '../../../view/drawing.ts';
import type { Theme } from '../theme.ts';
import { barOptions } from './bars.ts';
import { lineOptions } from './lines.ts';

export interface DrawOptions {
  /** Pixels. */
  readonly width: number;
  readonly theme: Theme;
}

export async function drawFigure(drawing: Drawing, { width, theme }: DrawOptions): Promise<SVGSVGElement> {
  switch (drawing.kind) {
    case 'lines':
      return toSvg(lineOptions(drawing, width, theme), theme);
    case 'bars':
      return toSvg(barOptions(drawing, width, theme), theme);
    case 'map': {
      const { mapOptions, readShapes } = await import('./map.ts');
      return toSvg(mapOptions(drawing, await readShapes(), width, theme), theme);
    }
    default:
      return drawing satisfies never;
  }
}

/** Plot's own style element would be refused by the page's policy; what it says is said by attributes. */
function toSvg(options: PlotOptions, theme: Theme): SVGSVGElement {
  const drawn = plot(options);
  const svg = drawn instanceof SVGSVGElement ? drawn : drawn.querySelector('svg');
  if (!(svg instanceof SVGSVGElement)) throw new Error('The chart could not be drawn.');
  for (const style of svg.querySelectorAll('style')) style.remove();
  // Plot calls its groups by their kind, which names nothing to a reader: the figure's words do.
  for (const group of svg.querySelectorAll('[aria-label]')) {
    group.setAttribute('data-mark', group.getAttribute('aria-label') ?? '');
    group.removeAttribute('aria-label');
  }
  svg.removeAttribute('style');
  svg.setAttribute('fill', theme.soft);
  svg.setAttribute('font-family', 'system-ui, sans-serif');
  svg.setAttribute('font-size', '12');
  return svg;
}
