/** What lines, bars and maps share: sizes, frame, colours, patterns, and the box for reading off. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
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

interface ReadOffProps {
  readonly label: string;
  readonly isVertical?: boolean;
  /** The ends of the scale, and the present position. */
  readonly ends: readonly [number, number];
  readonly now: number;
  /** What the drawing shows at `now`. */
  readonly text: string;
  readonly children: ComponentChildren;
  /** Returns whether the key moves the cursor. */
  onKey(key: string): boolean;
  /** Pixels from the corner of the drawing. */
  onPoint(x: number, y: number): void;
  onLeave(): void;
}

/** A drawing that is read off step by step: with the pointer, a finger or the arrow keys. */
export function ReadOff(props: ReadOffProps) {
  const { label, isVertical = false, ends, now, text, children, onKey, onPoint, onLeave } = props;
  const onPointer = (event: PointerEvent & { readonly currentTarget: HTMLElement }) => {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    onPoint(event.clientX - left, event.clientY - top);
  };
  return (
    <div
      class="explore-plot"
      role="slider"
      tabIndex={0}
      aria-orientation={isVertical ? 'vertical' : 'horizontal'}
      aria-label={label}
      aria-valuemin={ends[0]}
      aria-valuemax={ends[1]}
      aria-valuenow={now}
      aria-valuetext={text}
      onKeyDown={event => onKey(event.key) && event.preventDefault()}
      onPointerMove={onPointer}
      onPointerDown={onPointer}
      // After a touch, the readout stays.
      onPointerLeave={event => event.pointerType === 'mouse' && onLeave()}
      onBlur={onLeave}
    >
      {children}
    </div>
  );
}

export function clampTo(count: number, position: number): number {
  return Math.min(count - 1, Math.max(0, position));
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

export interface Theme {
  readonly paper: string;
  readonly ink: string;
  readonly soft: string;
  readonly line: string;
  /** Colours of series, the most different first. */
  readonly series: readonly string[];
  /** Colours of a map's classes, from the lowest to the highest. */
  readonly classes: readonly string[];
  readonly missing: string;
}

export const LIGHT: Theme = {
  paper: '#ffffff',
  ink: '#17202a',
  soft: '#51606e',
  line: '#d3dae1',
  series: ['#0b5394', '#b3470b', '#1d7a54', '#7a3e9d', '#8a6d00', '#b0245f'],
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
