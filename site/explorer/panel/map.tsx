/** A map of one period: content, classes of figures, drawing, and reading the areas off. */
import { type GeoStream, geoPath, geoStream } from 'd3-geo';
import { useMemo, useRef, useState } from 'preact/hooks';
import { feature } from 'topojson-client';
import { t } from '../messages/messages.ts';
import { type DrawInput, describeUnmapped, type MapDrawing } from '../view/drawing.ts';
import { formatNumber, formatTick } from '../view/format.ts';
import { type Extent, extentOf, graticuleOf, projectionOf } from '../view/map-projection.ts';
import { oneYear } from '../view/question.ts';
import { columnAt } from '../view/rows.ts';
import { type Bar, deriveBars, describeFigure, isUnreliable } from '../view/series.ts';
import { mappedField, shapesPath } from '../view/views.ts';
import { describePeriod } from '../view/wording.ts';
import {
  HATCHES,
  heightAt,
  LETTER,
  PAGE,
  Pattern,
  PictureFrame,
  type PlotProps,
  Readout,
  type StillProps,
  type Theme,
  type Topology,
} from './picture-parts.tsx';

export const map = { draw: drawMap, Still: MapStill, Plot: MapPlot };

function drawMap({ dataset, state: { question }, metric, rows, words }: DrawInput): MapDrawing {
  const bars = deriveBars(dataset, question, metric, rows);
  const field = mappedField(dataset, question.detail);
  const column = field ? columnAt(rows, field.column) : -1;
  const areas = new Map(
    bars.flatMap((bar, row): [string, Bar][] => {
      const code = column < 0 ? null : rows.cell(row, column);
      return code === null ? [] : [[String(code), bar]];
    }),
  );
  const sorted = [...bars].sort((a, b) => (b.value ?? -Infinity) - (a.value ?? -Infinity));
  return {
    ...words,
    kind: 'map',
    areas,
    shapes: shapesPath(dataset, question.detail) ?? '',
    period: describePeriod(dataset, question) ?? oneYear(question.years),
    notes: [
      t.drawing.classes,
      ...(bars.some(({ value }) => value === null) ? [t.drawing.hatched(words.nullMeaning)] : []),
      ...(bars.some(isUnreliable) ? [t.drawing.unreliablePlace] : []),
    ],
    figures: sorted.map(bar => ({ ...bar, year: null })),
    empty: bars.every(({ value }) => value === null) || areas.size === 0,
  };
}

export interface Classes {
  /** The least figure, the limits between the classes, the greatest figure. */
  readonly bounds: readonly number[];
  /** Each class's position among the theme's colours. */
  readonly colors: readonly number[];
}

const MOST_CLASSES = 5;

/** A class may have this many times its even share of places if that makes the limits round. */
const MOST_SHARE = 1.5;

/** `values` isn't empty. */
export function deriveClasses(values: readonly number[]): Classes {
  const sorted = [...values].sort((a, b) => a - b);
  const [least, most] = [sorted[0] ?? 0, sorted.at(-1) ?? 0];
  const cuts = roundCuts(sorted);
  const count = cuts.length + 1;
  // A single class has the middle colour.
  const colors = Array.from({ length: count }, (_, i) =>
    count === 1 ? 2 : Math.round((i * (MOST_CLASSES - 1)) / (count - 1)),
  );
  return { bounds: [least, ...cuts, most], colors };
}

/** The limits with the fewest digits that still split the places about evenly. */
function roundCuts(sorted: readonly number[]): number[] {
  const count = Math.min(MOST_CLASSES, new Set(sorted).size);
  const exact = Array.from(
    { length: count - 1 },
    (_, i) => sorted[Math.ceil(((i + 1) * sorted.length) / count)] ?? 0,
  );
  const span = (sorted.at(-1) ?? 0) - (sorted[0] ?? 0);
  for (let power = Math.floor(Math.log10(span || 1)); power > Math.log10(span || 1) - 5; power--) {
    for (const factor of [5, 2, 1]) {
      const step = factor * 10 ** power;
      const cuts = exact.map(cut => Number((Math.round(cut / step) * step).toPrecision(12)));
      if (isEven(sorted, cuts)) return cuts;
    }
  }
  // With many equal figures, no classes are even.
  return [...new Set(exact)].filter(cut => cut > (sorted[0] ?? 0));
}

function isEven(sorted: readonly number[], cuts: readonly number[]): boolean {
  const sizes = [...cuts, Infinity].map((cut, i) => {
    const from = i === 0 ? -Infinity : (cuts[i - 1] ?? 0);
    return sorted.filter(value => value >= from && value < cut).length;
  });
  const share = sorted.length / sizes.length;
  return sizes.every(size => size > 0 && size <= Math.max(share * MOST_SHARE, 1));
}

/** The position of a figure's colour. A class includes its lower limit; the last one also its upper limit. */
export function classOf({ bounds, colors }: Classes, value: number): number {
  const at = bounds.findLastIndex(bound => bound <= value);
  return colors[Math.min(Math.max(0, at), colors.length - 1)] ?? 0;
}

type Feature = ReturnType<typeof featuresOf>[number];

/** A figure, a row without a figure, or no row. */
type AreaKind = 'figure' | 'withheld' | 'absent';

interface MapArea {
  readonly id: string;
  readonly d: string;
  readonly kind: AreaKind;
  /** Position among the theme's classes. */
  readonly color: number;
  readonly isUnreliable: boolean;
  /** Name, figure, margin and period. */
  readonly words: string;
}

interface MapLayout {
  readonly width: number;
  readonly height: number;
  readonly areas: readonly MapArea[];
  readonly classes: Classes;
  readonly unit: string | null;
  readonly graticule: {
    readonly d: string;
    readonly labels: readonly {
      readonly x: number;
      readonly y: number;
      readonly text: string;
      readonly isEast: boolean;
    }[];
  } | null;
  /** Keys of places with rows but no shape. */
  readonly unmapped: readonly string[];
}

/** The object of a dimension's own places; other objects are from the atlas. */
const OWN = 'places';
/** The height of the key. */
const KEY = 60;
/** If the atlas's shapes span more degrees of longitude, they are the whole nation. */
const NATION = 70;

function featuresOf(topology: Topology) {
  return Object.entries(topology.objects).flatMap(([name, object]) => {
    const found = feature(topology, object);
    const features = 'features' in found ? found.features : [found];
    return features.flatMap(({ id, properties, geometry }) =>
      // Codes of the nation and of states are shorter.
      name === OWN || String(id).length === 5
        ? [{ id: String(id), name: String(properties?.['name'] ?? ''), geometry, isOwn: name === OWN }]
        : [],
    );
  });
}

const stateOf = (code: string) => code.slice(0, 2);

/** Null if no place with rows has a shape. `tallest`: the most pixels of the areas. */
function layOutMap(
  drawing: MapDrawing,
  topology: Topology,
  width: number,
  tallest: number,
): MapLayout | null {
  const { areas, unit, period } = drawing;
  const states = new Set([...areas.keys()].map(stateOf));
  const all = featuresOf(topology);
  const shown = all.filter(({ id, isOwn }) => isOwn || states.has(stateOf(id)));
  if (!shown.some(({ id }) => areas.has(id))) return null;
  const points = shown.filter(({ geometry }) => geometry.type === 'Point').length;
  // Points show no familiar outline, so lines of longitude and latitude are drawn around them.
  const isPlain = points === shown.length;
  const extent = extentOf(positionsOf(shown));
  const isNation = shown[0]?.isOwn === false && extent.east - extent.west > NATION;
  const box = {
    left: isPlain ? 56 : 4,
    top: KEY,
    right: width - 4,
    bottom: KEY + tallest - (isPlain ? 24 : 4),
  };
  const projection = projectionOf(extent, box, isNation);
  const path = geoPath(projection).pointRadius(pointRadius(points)).digits(1);
  const known = [...areas.values()].flatMap(({ value }) => (value === null ? [] : [value]));
  const classes = deriveClasses(known);
  const drawn = shown.map((shape): MapArea => {
    const bar = areas.get(shape.id);
    const name = bar?.label ?? (shape.name === '' ? shape.id : shape.name);
    return {
      id: shape.id,
      d: path(shape.geometry) ?? '',
      kind: bar === undefined ? 'absent' : bar.value === null ? 'withheld' : 'figure',
      color: classOf(classes, bar?.value ?? 0),
      isUnreliable: bar !== undefined && isUnreliable(bar),
      words: bar ? describeFigure(bar, unit, period) : `${name}: ${t.words.noRow}`,
    };
  });
  const bottom = shown.reduce((low, { geometry }) => Math.max(low, path.bounds(geometry)[1][1]), KEY);
  const ids = new Set(shown.map(({ id }) => id));
  return {
    width,
    height: Math.ceil(isPlain ? box.bottom + 24 : bottom + 4),
    areas: drawn,
    classes,
    unit,
    graticule: isPlain ? layOutGraticule(extent, path, projection) : null,
    unmapped: [...areas.keys()].filter(key => !ids.has(key)),
  };
}

function layOutGraticule(
  extent: Extent,
  path: ReturnType<typeof geoPath>,
  projection: ReturnType<typeof projectionOf>,
): MapLayout['graticule'] {
  const { lines, labels } = graticuleOf(extent);
  return {
    d: path(lines) ?? '',
    labels: labels.flatMap(({ at: [longitude, latitude], text, isEast }) => {
      const at = projection([longitude, latitude]);
      return at === null ? [] : [{ x: at[0], y: at[1], text, isEast }];
    }),
  };
}

/** Of many points, each is smaller. */
function pointRadius(points: number): number {
  return points <= 60 ? 6.5 : points <= 400 ? 5 : points <= 2_000 ? 3.5 : 2.5;
}

function positionsOf(shapes: readonly Feature[]): [number, number][] {
  const found: [number, number][] = [];
  const nothing = () => undefined;
  const collector: GeoStream = {
    point: (x, y) => found.push([x, y]),
    lineStart: nothing,
    lineEnd: nothing,
    polygonStart: nothing,
    polygonEnd: nothing,
  };
  for (const { geometry } of shapes) geoStream(geometry, collector);
  return found;
}

interface MapFigureProps {
  readonly layout: MapLayout;
  readonly theme: Theme;
  /** Key of the area that is read off; null if none is. */
  readonly at?: string | null;
  /** Key of the area that the tab key reaches; null for the first one. */
  readonly stop?: string | null;
  /** The page of an area; null for no link. */
  addressOf?(id: string): string | null;
}

function MapFigure({ layout, theme, at = null, stop = null, addressOf = () => null }: MapFigureProps) {
  const { width, height, areas, graticule } = layout;
  const chosen = areas.find(({ id }) => id === at);
  const first = areas.find(({ kind }) => kind !== 'absent');
  return (
    <PictureFrame width={width} height={height} fill={theme.soft} isRead>
      <defs>
        <Pattern id="withheld" d={HATCHES} paper={theme.paper} stroke={theme.soft} />
        <Pattern id="unreliable" d="M2,3h2M3,2v2" paper="none" stroke={theme.ink} />
      </defs>
      <Key layout={layout} theme={theme} />
      {graticule && (
        <g>
          <path d={graticule.d} fill="none" stroke={theme.line} />
          {graticule.labels.map(({ x, y, text, isEast }) => (
            <text
              key={text}
              x={isEast ? x - 4 : x}
              y={isEast ? y + 4 : y + 14}
              text-anchor={isEast ? 'end' : 'middle'}
            >
              {text}
            </text>
          ))}
        </g>
      )}
      <g stroke={theme.soft} stroke-width="0.5">
        {areas.map(area => {
          const { id, d, kind, color, words } = area;
          const fill =
            kind === 'figure' ? theme.classes[color] : kind === 'withheld' ? 'url(#withheld)' : theme.missing;
          const href = kind === 'absent' ? null : addressOf(id);
          const shape = <path d={d} fill={fill} data-id={id} data-words={words} />;
          return href === null ? (
            <g key={id}>{shape}</g>
          ) : (
            <a key={id} href={href} aria-label={words} tabIndex={id === (stop ?? first?.id) ? 0 : -1}>
              {shape}
            </a>
          );
        })}
        {areas.map(({ id, d, isUnreliable: unsure }) =>
          unsure ? <path key={id} d={d} fill="url(#unreliable)" pointer-events="none" /> : null,
        )}
      </g>
      {chosen && (
        <path d={chosen.d} fill="none" stroke={theme.ink} stroke-width="2.5" pointer-events="none" />
      )}
    </PictureFrame>
  );
}

/** The colours with the limits of their classes, and the other fills. */
function Key({ layout: { classes, unit, width, areas }, theme }: Pick<MapFigureProps, 'layout' | 'theme'>) {
  const { bounds, colors } = classes;
  const labels = bounds.map(bound => formatTick(bound, unit, bounds));
  const longest = Math.max(...labels.map(({ length }) => length));
  const step = Math.min(Math.max(52, longest * LETTER + 12), (width - 40) / colors.length);
  const others = [
    ['url(#withheld)', t.words.noFigure, areas.some(({ kind }) => kind === 'withheld')],
    [theme.missing, t.words.noRow, areas.some(({ kind }) => kind === 'absent')],
    ['url(#unreliable)', t.words.unreliable, areas.some(one => one.isUnreliable)],
  ] as const;
  let x = 8;
  return (
    <g>
      {colors.map((color, i) => (
        <rect
          key={color}
          x={8 + i * step}
          y={2}
          width={step}
          height={14}
          fill={theme.classes[color]}
          stroke={theme.soft}
        />
      ))}
      {labels.map((label, i) => (
        <text key={label} x={8 + i * step} y={30} fill={theme.ink} text-anchor={i === 0 ? 'start' : 'middle'}>
          {label}
        </text>
      ))}
      {others.map(([fill, text, isUsed]) => {
        if (!isUsed) return null;
        const left = x;
        x += 40 + text.length * LETTER;
        return (
          <g key={text}>
            <rect x={left} y={38} width={18} height={12} fill={fill} stroke={theme.soft} />
            <text x={left + 24} y={48} fill={theme.ink}>
              {text}
            </text>
          </g>
        );
      })}
    </g>
  );
}

interface Shown {
  readonly id: string;
  readonly words: string;
  readonly x: number;
  readonly y: number;
}

/** Pixels. Below this width, the list is under the map. */
const BESIDE = 760;
const LIST = 280;
/** Places in the list before the script draws the map. */
const MOST_WAITING = 100;

const DIRECTIONS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

function MapStill({ drawing, shapes, width, theme }: StillProps<MapDrawing>) {
  if (shapes === null)
    return <MapPlot drawing={drawing} shapes={null} width={width} addressOf={() => null} />;
  const layout = layOutMap(drawing, shapes, width, heightAt('map', width));
  return layout && <MapFigure layout={layout} theme={theme} />;
}

/** Until the shapes are read, only the list has the places. */
function MapPlot({ drawing, shapes, width, addressOf }: PlotProps<MapDrawing>) {
  const frame = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<Shown | null>(null);
  // The tab key reaches only one area; from there, the arrow keys move on.
  const [stop, setStop] = useState<string | null>(null);
  const room = width < BESIDE ? width : width - LIST - 16;
  const layout = useMemo(
    () => shapes && layOutMap(drawing, shapes, room, heightAt('map', room)),
    [drawing, shapes, room],
  );
  const note = layout && describeUnmapped(drawing, layout.unmapped);
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
          {layout ? (
            <MapFigure
              layout={layout}
              theme={PAGE}
              at={shown?.id ?? null}
              stop={stop}
              addressOf={addressOf}
            />
          ) : (
            <p class="hint">{shapes === null ? t.panel.readingShapes : t.drawing.noShapes}</p>
          )}
          {shown && (
            <Readout x={shown.x} y={shown.y}>
              {shown.words}
            </Readout>
          )}
        </div>
        <RankedList
          drawing={drawing}
          most={shapes ? Infinity : MOST_WAITING}
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
  readonly most: number;
  readonly at: string | null;
  onAt(id: string | null): void;
}

/** The places, the highest figure first. The place that is read off is marked here and on the map. */
function RankedList({ drawing: { areas, unit }, most, at, onAt }: RankedListProps) {
  const ranked = [...areas].sort(([, a], [, b]) => (b.value ?? -Infinity) - (a.value ?? -Infinity));
  return (
    <div
      class="explore-ranked"
      role="region"
      tabIndex={0}
      aria-label={t.panel.ranked}
      onPointerLeave={() => onAt(null)}
    >
      <ol>
        {ranked.slice(0, most).map(([id, { label, value }]) => (
          <li key={id} data-at={id === at ? '' : undefined} onPointerEnter={() => onAt(id)}>
            <span>{label}</span> <span>{value === null ? t.words.noFigure : formatNumber(value, unit)}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}

function linksOf(element: Element): SVGAElement[] {
  return [...element.querySelectorAll<SVGAElement>('a')];
}

/** The nearest area in the direction; distance to the side counts twice. */
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
