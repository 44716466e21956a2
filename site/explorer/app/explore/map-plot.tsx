/** A map whose areas can be read off and lead to their pages. The arrow keys move to the next area in their direction. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { inTime } from '../../engine/patience.ts';
import { describeUnmapped } from '../../view/drawing.ts';
import type { MapDrawing } from '../../view/drawing-parts.ts';
import type { Theme } from '../../view/theme.ts';
import { explain } from '../explanation.ts';
import { Readout } from './readout.tsx';

interface MapPlotProps {
  readonly drawing: MapDrawing;
  readonly width: number;
  readonly height: number;
  readonly theme: Theme;
  addressOf(code: string): string | null;
  onError(message: string | null): void;
}

interface Shown {
  readonly words: string;
  readonly x: number;
  readonly y: number;
}

const DIRECTIONS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export function MapPlot({ drawing, width, height, theme, addressOf, onError }: MapPlotProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<Shown | null>(null);
  const [note, setNote] = useState<string | null>(null);
  useEffect(() => {
    let stale = false;
    inTime(import('./plots/map.ts'))
      .then(({ drawMapFigure }) => drawMapFigure(drawing, { width, height, theme, addressOf }))
      .then(({ svg, unmapped }) => {
        if (stale || !frame.current) return;
        setNote(describeUnmapped(drawing, unmapped));
        for (const [i, link] of linksOf(svg).entries()) link.setAttribute('tabindex', i === 0 ? '0' : '-1');
        frame.current.replaceChildren(svg);
        onError(null);
      })
      .catch((reason: unknown) => {
        if (!stale) onError(explain(reason));
      });
    return () => {
      stale = true;
    };
  }, [drawing, width, height, theme]);
  const show = (target: EventTarget | null) => {
    const found = target instanceof Element ? target : null;
    const area = found?.closest('[data-words]') ?? found?.querySelector(':scope > [data-words]');
    const words = area?.getAttribute('data-words');
    if (!area || !frame.current || !words) return setShown(null);
    const corner = frame.current.getBoundingClientRect();
    const { left, top, width: wide, height: tall } = area.getBoundingClientRect();
    setShown({ words, x: left - corner.left + wide / 2, y: top - corner.top + tall / 2 });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const direction = DIRECTIONS[event.key];
    if (!direction || !frame.current || !document.activeElement) return;
    const next = nextArea(linksOf(frame.current), document.activeElement, direction);
    if (!next) return;
    event.preventDefault();
    document.activeElement.setAttribute('tabindex', '-1');
    next.setAttribute('tabindex', '0');
    next.focus();
  };
  return (
    <>
      <div
        class="explore-plot explore-map"
        role="group"
        aria-label={drawing.title}
        onPointerMove={event => show(event.target)}
        onPointerDown={event => show(event.target)}
        onPointerLeave={() => setShown(null)}
        onFocusIn={event => show(event.target)}
        onFocusOut={() => setShown(null)}
        onKeyDown={onKeyDown}
      >
        <div ref={frame} style={{ minHeight: `${height}px` }} />
        {shown && (
          <Readout x={shown.x} y={shown.y}>
            {shown.words}
          </Readout>
        )}
      </div>
      {note !== null && <p class="explore-note">{note}</p>}
    </>
  );
}

/** The areas that lead to a page. */
function linksOf(element: Element): SVGAElement[] {
  return [...element.querySelectorAll<SVGAElement>('a')];
}

/** The nearest area whose middle lies in the direction: sideways counts twice. */
function nextArea(
  areas: readonly SVGAElement[],
  from: Element,
  [right, down]: readonly [number, number],
): SVGAElement | undefined {
  const middle = (element: Element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return [left + width / 2, top + height / 2] as const;
  };
  const [x, y] = middle(from);
  let nearest: SVGAElement | undefined;
  let least = Infinity;
  for (const area of areas) {
    const [toX, toY] = middle(area);
    const ahead = (toX - x) * right + (toY - y) * down;
    const aside = Math.abs((toX - x) * down) + Math.abs((toY - y) * right);
    const distance = ahead + 2 * aside;
    if (area !== from && ahead > 0.5 && distance < least) {
      nearest = area;
      least = distance;
    }
  }
  return nearest;
}
