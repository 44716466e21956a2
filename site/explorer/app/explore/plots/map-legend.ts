/** The colour key above a map. */
import type { Markish } from '@observablehq/plot';
import { formatNumber } from '../../../view/format.ts';
import type { Theme } from '../theme.ts';

const SVG = 'http://www.w3.org/2000/svg';
const STEPS = 24;
const BAR = { x: 8, y: 12, height: 12 };

const PATTERN = 'hatched';

/** The fill of areas whose figure is NULL; the legend defines the pattern. */
export const HATCHED = `url(#${PATTERN})`;

/** The kinds of areas without a figure on the map. */
interface Missing {
  /** Some rows have no figure. */
  readonly hatched: boolean;
  /** Some areas have no row. */
  readonly plain: boolean;
}

/** A mark drawn in pixels, outside of the projection. */
export function legendMarks(
  [least, most]: readonly [number, number],
  unit: string | null,
  theme: Theme,
  width: number,
  { hatched, plain }: Missing,
): Markish[] {
  const length = Math.min(260, width * 0.5);
  const render = (): SVGGElement => {
    const group = document.createElementNS(SVG, 'g');
    for (let step = 0; step < STEPS; step++) {
      append(group, 'rect', {
        x: BAR.x + (step * length) / STEPS,
        y: BAR.y,
        width: length / STEPS + 0.5,
        height: BAR.height,
        fill: mix(theme.ramp, step / (STEPS - 1)),
      });
    }
    const y = BAR.y + BAR.height + 16;
    append(group, 'text', { x: BAR.x, y, fill: theme.ink }, formatNumber(least, unit));
    append(
      group,
      'text',
      { x: BAR.x + length, y, fill: theme.ink, 'text-anchor': 'end' },
      formatNumber(most, unit),
    );
    appendPattern(group, theme);
    const entries = [
      ...(hatched ? [[HATCHED, 'no figure'] as const] : []),
      ...(plain ? [[theme.missing, 'no row'] as const] : []),
    ];
    const x = BAR.x + length + 24;
    entries.forEach(([fill, text], at) => {
      const top = BAR.y + at * 18;
      append(group, 'rect', { x, y: top, width: 18, height: BAR.height, fill, stroke: theme.soft });
      append(group, 'text', { x: x + 24, y: top + 10, fill: theme.ink }, text);
    });
    return group;
  };
  return [render];
}

function appendPattern(parent: Element, theme: Theme): void {
  const pattern = document.createElementNS(SVG, 'pattern');
  const attributes = { id: PATTERN, width: 6, height: 6, patternUnits: 'userSpaceOnUse' };
  for (const [key, value] of Object.entries(attributes)) pattern.setAttribute(key, String(value));
  append(pattern, 'rect', { width: 6, height: 6, fill: theme.paper });
  append(pattern, 'path', { d: 'M-1,1 l2,-2 M0,6 l6,-6 M5,7 l2,-2', stroke: theme.soft, 'stroke-width': 1 });
  parent.append(pattern);
}

function append(
  parent: Element,
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  content?: string,
): void {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  if (name === 'text' && !('text-anchor' in attributes)) element.setAttribute('text-anchor', 'start');
  if (content !== undefined) element.textContent = content;
  parent.append(element);
}

/** Mixes two colours (`#rrggbb`) linearly in RGB. */
function mix([from, to]: readonly [string, string], share: number): string {
  const part = (at: number) => {
    const [a, b] = [Number.parseInt(from.slice(at, at + 2), 16), Number.parseInt(to.slice(at, at + 2), 16)];
    return Math.round(a + (b - a) * share)
      .toString(16)
      .padStart(2, '0');
  };
  return `#${part(1)}${part(3)}${part(5)}`;
}
