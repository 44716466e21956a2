/** What lines, bars and maps share: sizes, frame, colours, patterns, and the box for reading off. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { feature } from 'topojson-client';
import type { Figure } from '../view/curve.tsx';
import type { Drawing } from '../view/drawing.ts';

export type Topology = Parameters<typeof feature>[0];

/** Where and how a drawing is shown. */
export interface PictureProps {
  readonly width: number;
  /** Distinguishes the patterns of two drawings in one page. */
  readonly id: string;
  /** Whether it is read off. In the page as the build renders it, and in a saved file, it isn't. */
  readonly isLive: boolean;
  /** Null until they are read, and without a map. */
  readonly shapes: Topology | null;
  /** The key of a map's place that is read off here or in the table beside it; null if none is. */
  readonly at: string | null;
  onAt(code: string | null): void;
  /** The page of a map's place; null for no link. */
  addressOf(code: string): string | null;
  /** Whether figures lead to their pages. */
  readonly isLinked: boolean;
}

export type PictureOf<One extends Drawing> = PictureProps & { readonly drawing: One };

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
  readonly children: ComponentChildren;
}

/** The element around it, or the saved file, has the words. */
export function PictureFrame({ width, height, fill, children }: PictureFrameProps) {
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      aria-hidden="true"
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

/** A part of a drawing that is read off at once, as pixels from the drawing's corner. */
export interface Stop {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The position of the stop that is read off, null if none is, and its setter. */
export function useStop(stops: readonly Stop[]) {
  const [chosen, setAt] = useState<number | null>(null);
  return [chosen !== null && stops[chosen] ? chosen : null, setAt] as const;
}

/** Pixels between a stop and its readout. */
const GAP = 14;

interface ReadOffProps {
  readonly isLive: boolean;
  readonly label: string;
  /** Of the drawing. */
  readonly width: number;
  readonly stops: readonly Stop[];
  /** Where the keys begin. */
  readonly start: number;
  /** Whether the stops go down, so the arrow down leads to the next one. */
  readonly isDown?: boolean;
  readonly at: number | null;
  onAt(at: number | null): void;
  /** The words of a stop, for screen readers. */
  say(at: number): string;
  /** The readout of a stop, and its pixels from the left. */
  readout(at: number): readonly [left: number, content: ComponentChildren];
  /** Opens a stop's page, by a click or the enter key. Areas are then hit by their shapes, which have `data-stop`. */
  readonly onOpen?: ((at: number) => void) | undefined;
  /** Opens the page of a stop's figure, by a click of the mouse or the enter key. A finger only reads it off. */
  readonly onFigure?: ((at: number) => void) | undefined;
  /** The drawing. */
  readonly children: ComponentChildren;
}

/** A drawing that is read off stop by stop: with the pointer, a finger, or the keys of a slider. */
export function ReadOff(props: ReadOffProps) {
  const { isLive, label, width, stops, start, isDown = false, at } = props;
  const { onAt, say, readout, onOpen, onFigure, children } = props;
  if (!isLive) return <>{children}</>;
  const stop = at === null ? undefined : stops[at];
  const last = stops.length - 1;
  const sliderValue = (position: number) => (isDown ? last - position : position);
  const onPointer = (event: PointerEvent & { readonly currentTarget: HTMLElement }) => {
    if (onOpen) return onAt(stopOf(event.target));
    const corner = event.currentTarget.getBoundingClientRect();
    const [x, y] = [event.clientX - corner.left, event.clientY - corner.top];
    const away = (value: number, from: number, size: number) =>
      Math.max(from - value, value - from - size, 0);
    const distances = stops.map(one => away(x, one.left, one.width) + away(y, one.top, one.height));
    onAt(distances.indexOf(Math.min(...distances)));
  };
  const [left, content] = at === null ? [0, null] : readout(at);
  return (
    <div
      class="explore-plot"
      role="group"
      onClick={(event: MouseEvent & { readonly pointerType?: string }) => {
        const open = stopOf(event.target);
        if (open !== null) onOpen?.(open);
        else if (at !== null && event.pointerType === 'mouse') onFigure?.(at);
      }}
      onPointerMove={onPointer}
      onPointerDown={onPointer}
      // After a touch, the readout stays.
      onPointerLeave={event => event.pointerType === 'mouse' && onAt(null)}
    >
      {children}
      <input
        type="range"
        aria-label={label}
        aria-valuetext={say(at ?? start)}
        max={last}
        value={sliderValue(at ?? start)}
        onInput={event => onAt(sliderValue(Number(event.currentTarget.value)))}
        onFocus={() => onAt(at ?? start)}
        onBlur={() => onAt(null)}
        onKeyDown={({ key }) => {
          if (key === 'Enter') (onOpen ?? onFigure)?.(at ?? start);
        }}
      />
      {/* Beside the stop, on the side with more room. Screen readers get the words from the slider. */}
      {stop && (
        <div
          class="explore-readout"
          aria-hidden="true"
          style={{
            ...(left > width / 2 ? { right: `${width - left + GAP}px` } : { left: `${left + GAP}px` }),
            maxWidth: `min(20rem, ${Math.max(left, width - left) - GAP}px)`,
            top: `${stop.top + stop.height / 2}px`,
            translate: '0 -50%',
          }}
        >
          {content}
        </div>
      )}
    </div>
  );
}

export function openFigure({ address }: Figure): void {
  if (address) location.assign(address());
}

/** The stop that an element draws. */
function stopOf(target: EventTarget | null): number | null {
  const at = target instanceof Element ? target.getAttribute('data-stop') : null;
  return at === null ? null : Number(at);
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

/** The colours of the light page, for files that have no style sheet. */
export const LIGHT = {
  paper: '#ffffff',
  ink: '#17202a',
  soft: '#51606e',
  line: '#d3dae1',
  missing: '#eceff2',
  // The most different first.
  'series-1': '#0b5394',
  'series-2': '#b3470b',
  'series-3': '#1d7a54',
  'series-4': '#7a3e9d',
  'series-5': '#8a6d00',
  'series-6': '#b0245f',
  // From the lowest to the highest.
  'class-1': '#dceaf7',
  'class-2': '#a7bed4',
  'class-3': '#7292b1',
  'class-4': '#3d658e',
  'class-5': '#08396b',
};

const named = (name: keyof typeof LIGHT) => `var(--${name})`;

/** The colours of the page's style sheet, which follow it from light to dark. */
export const COLORS = {
  paper: named('paper'),
  ink: named('ink'),
  soft: named('soft'),
  line: named('line'),
  missing: named('missing'),
  series: ([1, 2, 3, 4, 5, 6] as const).map(at => named(`series-${at}`)),
  classes: ([1, 2, 3, 4, 5] as const).map(at => named(`class-${at}`)),
};

/** The same drawing in the light page's own colours. */
export function fixColors(svg: string): string {
  return svg.replace(/var\(--([\w-]+)\)/g, (_, name: keyof typeof LIGHT) => LIGHT[name]);
}
