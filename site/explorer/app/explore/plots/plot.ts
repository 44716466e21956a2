/** Draws charts as SVG with Observable Plot. The page loads it only for a chart. */
import { type PlotOptions, plot } from '@observablehq/plot';
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

/** The page's policy refuses Plot's style element, so attributes replace it. */
function toSvg(options: PlotOptions, theme: Theme): SVGSVGElement {
  const drawn = plot(options);
  const svg = drawn instanceof SVGSVGElement ? drawn : drawn.querySelector('svg');
  if (!(svg instanceof SVGSVGElement)) throw new Error('The page could not draw the chart.');
  for (const style of svg.querySelectorAll('style')) style.remove();
  // Plot labels its groups by their kind, which helps no reader; the figure has its own words.
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
