/** A map whose areas can be read off and lead to their pages. The arrow keys move to the next area in their direction. */
import { useMemo, useRef, useState } from 'preact/hooks';
import { t } from '../messages/messages.ts';
import { describeUnmapped } from '../view/drawing.ts';
import type { MapDrawing } from '../view/drawing-parts.ts';
import { formatNumber } from '../view/format.ts';
import { layOutMap, MapFigure, type Topology } from '../view/map-figure.tsx';
import { PAGE } from '../view/theme.ts';
import { Readout } from './readout.tsx';

interface MapPlotProps {
  readonly drawing: MapDrawing;
  readonly shapes: Topology;
  readonly width: number;
  readonly height: number;
  addressOf(code: string): string | null;
}

interface Shown {
  readonly id: string;
  readonly words: string;
  readonly x: number;
  readonly y: number;
}

/** Below it, the list stands under the map. */
const BESIDE = 760;
const LIST = 280;

const DIRECTIONS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export function MapPlot({ drawing, shapes, width, height, addressOf }: MapPlotProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<Shown | null>(null);
  // The one area that the tab key reaches; the arrow keys lead on.
  const [stop, setStop] = useState<string | null>(null);
  const room = width < BESIDE ? width : width - LIST - 16;
  const layout = useMemo(() => layOutMap(drawing, shapes, room, height), [drawing, shapes, room, height]);
  const note = describeUnmapped(drawing, layout.unmapped);
  const show = (target: EventTarget | null) => {
    const found = target instanceof Element ? target : null;
    showArea(found?.closest('[data-id]') ?? found?.querySelector(':scope > [data-id]') ?? null);
  };
  const showArea = (area: Element | null) => {
    const id = area?.getAttribute('data-id');
    const words = area?.getAttribute('data-words');
    if (!area || !frame.current || !id || !words) return setShown(null);
    const corner = frame.current.getBoundingClientRect();
    const { left, top, width: wide, height: tall } = area.getBoundingClientRect();
    setShown({ id, words, x: left - corner.left + wide / 2, y: top - corner.top + tall / 2 });
  };
  const areaOf = (id: string) => frame.current?.querySelector(`path[data-id="${CSS.escape(id)}"]`) ?? null;
  const onKeyDown = (event: KeyboardEvent) => {
    const direction = DIRECTIONS[event.key];
    if (!direction || !frame.current || !document.activeElement) return;
    const next = nextArea(linksOf(frame.current), document.activeElement, direction);
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  return (
    <>
      <div class="explore-map-and-list">
        <div
          class="explore-plot explore-map"
          role="group"
          aria-label={drawing.title}
          ref={frame}
          onPointerMove={event => show(event.target)}
          onPointerDown={event => show(event.target)}
          onPointerLeave={() => setShown(null)}
          onFocusIn={event => {
            setStop((event.target as Element).querySelector('[data-id]')?.getAttribute('data-id') ?? null);
            show(event.target);
          }}
          onFocusOut={() => setShown(null)}
          onKeyDown={onKeyDown}
        >
          <MapFigure layout={layout} theme={PAGE} at={shown?.id ?? null} stop={stop} addressOf={addressOf} />
          {shown && (
            <Readout x={shown.x} y={shown.y}>
              {shown.words}
            </Readout>
          )}
        </div>
        <RankedList
          drawing={drawing}
          height={width < BESIDE ? null : layout.height}
          at={shown?.id ?? null}
          onAt={id => showArea(id === null ? null : areaOf(id))}
        />
      </div>
      {note !== null && <p class="explore-note">{note}</p>}
    </>
  );
}

interface RankedListProps {
  readonly drawing: MapDrawing;
  /** As high as the map beside it; null below the map. */
  readonly height: number | null;
  readonly at: string | null;
  onAt(id: string | null): void;
}

/** The places from the highest figure down. The one that is read off is marked here and on the map. */
function RankedList({ drawing: { areas, unit }, height, at, onAt }: RankedListProps) {
  const ranked = [...areas].sort(([, a], [, b]) => (b.value ?? -Infinity) - (a.value ?? -Infinity));
  return (
    <div
      class="explore-ranked"
      role="region"
      tabIndex={0}
      aria-label={t.panel.ranked}
      style={height === null ? undefined : { maxHeight: `${height}px` }}
      onPointerLeave={() => onAt(null)}
    >
      <ol>
        {ranked.map(([id, { label, value }]) => (
          <li key={id} data-at={id === at ? '' : undefined} onPointerEnter={() => onAt(id)}>
            <span>{label}</span> <span>{value === null ? t.words.noFigure : formatNumber(value, unit)}</span>
          </li>
        ))}
      </ol>
    </div>
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
