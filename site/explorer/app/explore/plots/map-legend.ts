/** The colour key above a map. */
import type { Markish } from '@observablehq/plot';
import { formatTick } from '../../../view/format.ts';
import type { Theme } from '../../../view/theme.ts';
import { append, SVG } from '../svg-element.ts';
import type { Bins } from './map-bins.ts';

const BAR = { x: 8, y: 10, height: 14 };
const LETTER = 6.6;

const CROSSED = 'crossed';
const HATCHED = 'hatched';

/** The fill of areas whose figure is NULL, and the strokes over unreliable ones; the legend defines both. */
export const CROSSED_FILL = `url(#${CROSSED})`;
export const HATCHED_FILL = `url(#${HATCHED})`;

/** What areas of the map have besides a figure that can be relied on. */
interface Kinds {
  /** Some rows have no figure. */
  readonly withheld: boolean;
  /** Some areas have no row. */
  readonly absent: boolean;
  /** The margin of some figures is more than half of them. */
  readonly unreliable: boolean;
}

/** A mark drawn in pixels, outside of the projection. */
export function legendMarks(
  { bounds, colors }: Bins,
  unit: string | null,
  theme: Theme,
  width: number,
  kinds: Kinds,
): Markish[] {
  const labels = bounds.map(bound => formatTick(bound, unit));
  const step = Math.min(
    Math.max(52, Math.max(...labels.map(label => label.length)) * LETTER + 12),
    (width - 24) / colors.length,
  );
  const render = (): SVGGElement => {
    const group = document.createElementNS(SVG, 'g');
    colors.forEach((fill, i) => {
      append(group, 'rect', {
        x: BAR.x + i * step,
        y: BAR.y,
        width: step,
        height: BAR.height,
        fill,
        stroke: theme.soft,
      });
    });
    labels.forEach((label, i) => {
      const anchor = i === 0 ? 'start' : i === colors.length ? 'end' : 'middle';
      const at = { x: BAR.x + i * step, y: BAR.y + BAR.height + 14, fill: theme.ink, 'text-anchor': anchor };
      append(group, 'text', at, label);
    });
    appendPatterns(group, theme);
    const entries = [
      ...(kinds.withheld ? [[CROSSED_FILL, 'no figure'] as const] : []),
      ...(kinds.absent ? [[theme.missing, 'no row'] as const] : []),
      ...(kinds.unreliable ? [[HATCHED_FILL, 'unreliable'] as const] : []),
    ];
    let x = BAR.x;
    for (const [fill, text] of entries) {
      const y = BAR.y + BAR.height + 24;
      append(group, 'rect', { x, y, width: 18, height: 12, fill, stroke: theme.soft });
      append(group, 'text', { x: x + 24, y: y + 10, fill: theme.ink, 'text-anchor': 'start' }, text);
      x += 40 + text.length * LETTER;
    }
    return group;
  };
  return [render];
}

function appendPatterns(parent: Element, theme: Theme): void {
  appendPattern(parent, CROSSED, theme.paper, 'M0,0l6,6M6,0l-6,6', theme.soft);
  appendPattern(parent, HATCHED, 'none', 'M-1,1l2,-2M0,6l6,-6M5,7l2,-2', theme.ink);
}

function appendPattern(parent: Element, id: string, paper: string, d: string, stroke: string): void {
  const pattern = document.createElementNS(SVG, 'pattern');
  const attributes = { id, width: 6, height: 6, patternUnits: 'userSpaceOnUse' };
  for (const [key, value] of Object.entries(attributes)) pattern.setAttribute(key, String(value));
  append(pattern, 'rect', { width: 6, height: 6, fill: paper });
  append(pattern, 'path', { d, stroke, 'stroke-width': 1, fill: 'none' });
  parent.append(pattern);
}
