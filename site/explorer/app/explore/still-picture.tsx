/** A drawing as an SVG element of its own, to be saved. */
import { render } from 'preact';
import { BarFigure, layOutBars } from '../../view/bar-figure.tsx';
import type { Drawing } from '../../view/drawing-parts.ts';
import { LineFigure } from '../../view/line-figure.tsx';
import { layOutLines } from '../../view/line-layout.ts';
import type { Theme } from '../../view/theme.ts';

const SIZE = { width: 900, height: 440 };
const MAP_HEIGHT = 720;

export async function drawStill(drawing: Drawing, theme: Theme): Promise<SVGSVGElement> {
  switch (drawing.kind) {
    case 'lines':
      return toElement(<LineFigure drawing={drawing} layout={layOutLines(drawing, SIZE)} theme={theme} />);
    case 'bars':
      return toElement(<BarFigure layout={layOutBars(drawing, SIZE.width)} theme={theme} id="saved" />);
    case 'map': {
      const { drawMapFigure } = await import('./plots/map.ts');
      const room = { width: SIZE.width, height: MAP_HEIGHT, theme, addressOf: () => null };
      return (await drawMapFigure(drawing, room)).svg;
    }
    default:
      return drawing satisfies never;
  }
}

function toElement(content: preact.ComponentChild): SVGSVGElement {
  const host = document.createElement('div');
  render(content, host);
  const svg = host.querySelector('svg');
  if (!svg) throw new Error('The page could not draw the chart.');
  return svg;
}
