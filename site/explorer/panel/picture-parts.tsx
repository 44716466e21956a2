/** What lines, bars and maps share: sizes, frame, colours, patterns, and the box for reading off. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { feature } from 'topojson-client';
import type { Drawing } from '../view/drawing.ts';

export type Topology = Parameters<typeof feature>[0];

/** A drawing in a page before its script runs, and in a saved file. */
export interface StillProps<One extends Drawing> {
  readonly drawing: One;
  readonly width: number;
  readonly theme: Theme;
  /** Distinguishes the patterns of two drawings in one page. */
  readonly id: string;
  /** Null until they are read, and without a map. */
  readonly shapes: Topology | null;
}

/** A drawing that is read off with the pointer, a finger or the arrow keys. */
export interface PlotProps<One extends Drawing> {
  readonly drawing: One;
  readonly width: number;
  /** Null until they are read, and without a map. */
  readonly shapes: Topology | null;
  /** The page of a map's place; null for no link. */
  addressOf(code: string): string | null;
}

/** Pixels. Below this width, a drawing has its layout for phones. */
export const NARROW = 520;

/** Estimated width of a letter of 12 pixels. */
export const LETTER = 6.5;

/** Height of a row of text. */
export const ROW = 15;

/** The height of lines, or of a map's areas. */
export function heightAt(kind: 'lines' | 'map', width: number): number {
  if (kind === 'lines') return width < NARROW ? 280 : 370;
  return Math.max(330, Math.min(width < NARROW ? 410 : 560, width));
}

interface PictureFrameProps {
  readonly width: number;
  readonly height: number;
  /** The default colour of texts and marks. */
  readonly fill: string;
  /** Whether parts of it can be read or focused. If not, the element around it has the words. */
  readonly isRead?: boolean;
  readonly children: ComponentChildren;
}

export function PictureFrame({ width, height, fill, isRead = false, children }: PictureFrameProps) {
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: what is around it, or the saved file, has the words.
    <svg
      xmlns="http://www.w3.org/2000/svg"
      aria-hidden={isRead ? undefined : 'true'}
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      fill={fill}
      font-family="system-ui, sans-serif"
      font-size="12"
    >
      {children}
    </svg>
  );
}

interface ReadoutProps {
  /** Pixels from the corner of the drawing. */
  readonly x: number;
  readonly y: number;
  readonly children: ComponentChildren;
}

const GAP = 14;

/** Placed beside the point, within the drawing. Screen readers get the words from the drawing. */
export function Readout({ x, y, children }: ReadoutProps) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = box.current;
    const frame = element?.parentElement;
    if (!element || !frame) return;
    const { offsetWidth: width, offsetHeight: height } = element;
    const left = x + GAP + width <= frame.clientWidth ? x + GAP : Math.max(0, x - GAP - width);
    element.style.left = `${left}px`;
    element.style.top = `${Math.max(0, Math.min(y - height / 2, frame.clientHeight - height))}px`;
  });
  return (
    <div class="explore-readout" aria-hidden="true" ref={box}>
      {children}
    </div>
  );
}

/** A part of a drawing that is read off at once, as pixels from the drawing's corner. */
export interface Stop {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

const DIRECTIONS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The position of the nearest stop in the direction of an arrow key; distance to the side counts twice. Undefined if none is there. */
export function stopTowards(stops: readonly Stop[], from: Stop | undefined, key: string): number | undefined {
  const direction = DIRECTIONS[key];
  if (!direction || !from) return undefined;
  const [right, down] = direction;
  const distances = stops.map(stop => {
    const x = stop.left + stop.width / 2 - from.left - from.width / 2;
    const y = stop.top + stop.height / 2 - from.top - from.height / 2;
    const ahead = x * right + y * down;
    return stop !== from && ahead > 0.5 ? ahead + 2 * Math.abs(x * down + y * right) : Infinity;
  });
  const least = Math.min(...distances);
  return least === Infinity ? undefined : distances.indexOf(least);
}

interface ReadOffProps {
  readonly label: string;
  readonly isVertical?: boolean;
  readonly stops: readonly Stop[];
  /** Where the arrow keys begin. */
  readonly start: number;
  /** The words of a stop, for screen readers. */
  say(at: number): string;
  /** The readout of a stop, and its pixels from the left. */
  readout(at: number): readonly [left: number, content: ComponentChildren];
  /** The drawing; null while no stop is read off. */
  draw(at: number | null): ComponentChildren;
}

/** A drawing that is read off stop by stop: with the pointer, a finger or the arrow keys. */
export function ReadOff({ label, isVertical = false, stops, start, say, readout, draw }: ReadOffProps) {
  const [chosen, setAt] = useState<number | null>(null);
  const at = chosen !== null && chosen < stops.length ? chosen : null;
  const stop = at === null ? undefined : stops[at];
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event;
    const ends: Readonly<Record<string, number | null>> = { Home: 0, End: stops.length - 1, Escape: null };
    const next =
      key in ends ? ends[key] : key in DIRECTIONS && at === null ? start : stopTowards(stops, stop, key);
    if (next === undefined) return;
    event.preventDefault();
    setAt(next);
  };
  const onPointer = (event: PointerEvent & { readonly currentTarget: HTMLElement }) => {
    const corner = event.currentTarget.getBoundingClientRect();
    const [x, y] = [event.clientX - corner.left, event.clientY - corner.top];
    const away = (value: number, from: number, size: number) =>
      Math.max(from - value, value - from - size, 0);
    const distances = stops.map(one => away(x, one.left, one.width) + away(y, one.top, one.height));
    setAt(distances.indexOf(Math.min(...distances)));
  };
  const [left, content] = at === null ? [0, null] : readout(at);
  return (
    <div
      class="explore-plot"
      role="slider"
      tabIndex={0}
      aria-orientation={isVertical ? 'vertical' : 'horizontal'}
      aria-label={label}
      aria-valuemin={1}
      aria-valuemax={stops.length}
      aria-valuenow={(at ?? start) + 1}
      aria-valuetext={say(at ?? start)}
      onKeyDown={onKeyDown}
      onPointerMove={onPointer}
      onPointerDown={onPointer}
      // After a touch, the readout stays.
      onPointerLeave={event => event.pointerType === 'mouse' && setAt(null)}
      onBlur={() => setAt(null)}
    >
      {draw(at)}
      {stop && (
        <Readout x={left} y={stop.top + stop.height / 2}>
          {content}
        </Readout>
      )}
    </div>
  );
}

/** The strokes of figures that are unreliable or missing. */
export const HATCHES = 'M-1,1l2,-2M0,6l6,-6M5,7l2,-2';

interface PatternProps extends Readonly<Record<'id' | 'd' | 'paper' | 'stroke', string>> {
  readonly strokeWidth?: number;
}

export function Pattern({ id, d, paper, stroke, strokeWidth = 1 }: PatternProps) {
  return (
    <pattern id={id} width="6" height="6" patternUnits="userSpaceOnUse">
      <rect width="6" height="6" fill={paper} stroke="none" />
      <path d={d} fill="none" stroke={stroke} stroke-width={strokeWidth} />
    </pattern>
  );
}

export type Theme = Readonly<typeof LIGHT>;

export const LIGHT = {
  paper: '#ffffff',
  ink: '#17202a',
  soft: '#51606e',
  line: '#d3dae1',
  /** The most different first. */
  series: ['#0b5394', '#b3470b', '#1d7a54', '#7a3e9d', '#8a6d00', '#b0245f'],
  /** From the lowest to the highest. */
  classes: ['#dceaf7', '#a7bed4', '#7292b1', '#3d658e', '#08396b'],
  missing: '#eceff2',
};

/** The colours of the page's style sheet, which follow it from light to dark. */
export const PAGE: Theme = {
  paper: 'var(--paper)',
  ink: 'var(--ink)',
  soft: 'var(--soft)',
  line: 'var(--line)',
  series: LIGHT.series.map((_, i) => `var(--series-${i + 1})`),
  classes: LIGHT.classes.map((_, i) => `var(--class-${i + 1})`),
  missing: 'var(--missing)',
};
