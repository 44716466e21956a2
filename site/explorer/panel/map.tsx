/** A map of one period: content, classes of figures, drawing, and reading the areas off. */
import {
  type GeoProjection,
  geoAlbersUsa,
  geoAzimuthalEqualArea,
  geoBounds,
  geoEqualEarth,
  geoPath,
} from 'd3-geo';
import { useMemo } from 'preact/hooks';
import { feature } from 'topojson-client';
import { t } from '../messages/messages.ts';
import { type DrawInput, describeUnmapped, type MapDrawing } from '../view/drawing.ts';
import { formatTick } from '../view/format.ts';
import { columnAt } from '../view/rows.ts';
import { type Bar, deriveBars, describeFigure, isUnreliable } from '../view/series.ts';
import { mapOf } from '../view/views.ts';
import { describeNull, describePeriod, titleView } from '../view/wording.ts';
import {
  COLORS,
  HATCHES,
  heightAt,
  LETTER,
  Pattern,
  PictureFrame,
  type PictureOf,
  ReadOff,
  type Topology,
} from './picture-parts.tsx';

export const map = { draw: drawMap, Picture: MapPicture };

function drawMap({ state, metric, rows }: DrawInput): MapDrawing {
  const column = columnAt(rows, mapOf(state)?.column ?? '');
  const codeOf = (row: number) => (column < 0 ? null : rows.cell(row, column));
  const bars = deriveBars(state, metric, rows).map((bar, row) => ({ ...bar, code: codeOf(row) }));
  const coded = bars.flatMap(({ code, ...bar }): [string, Bar][] =>
    code === null ? [] : [[String(code), bar]],
  );
  const areas = new Map(coded);
  const sorted = coded.sort(([, a], [, b]) => (b.value ?? -Infinity) - (a.value ?? -Infinity));
  return {
    kind: 'map',
    state,
    metric,
    title: titleView(state),
    areas,
    period: describePeriod(state),
    notes: [
      t.drawing.classes,
      ...(bars.some(({ value }) => value === null)
        ? [t.drawing.hatched(describeNull(state.dataset, metric.column.name))]
        : []),
      ...(bars.some(isUnreliable) ? [t.drawing.unreliablePlace] : []),
    ],
    figures: sorted.map(([key, bar]) => ({ ...bar, key, year: null })),
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

/** Limits that split the places about evenly: each as round as a quarter of a class's places to its sides allows. */
function roundCuts(sorted: readonly number[]): number[] {
  const count = Math.min(MOST_CLASSES, new Set(sorted).size);
  const spare = Math.floor(sorted.length / count / 4);
  return Array.from({ length: count - 1 }, (_, i) => {
    const at = Math.ceil(((i + 1) * sorted.length) / count);
    return roundestAbove(sorted[at - 1 - spare]!, sorted[at + spare]!);
  }).filter(cut => cut !== null);
}

/** The roundest number above `low`, up to `high`; null between equal figures. */
function roundestAbove(low: number, high: number): number | null {
  if (low === high) return null;
  const greatest = Math.ceil(Math.log10(high - low));
  for (let power = greatest; power > greatest - 12; power--)
    for (const factor of [5, 2, 1]) {
      const step = factor * 10 ** power;
      const cut = Number((Math.floor(high / step) * step).toPrecision(12));
      if (cut > low && cut <= high) return cut;
    }
  return high;
}

/** The position of a figure's colour. A class includes its lower limit; the last one also its upper limit. */
export function classOf({ bounds, colors }: Classes, value: number): number {
  const at = bounds.findLastIndex(bound => bound <= value);
  return colors[Math.min(Math.max(0, at), colors.length - 1)] ?? 0;
}

type MapLayout = NonNullable<ReturnType<typeof layOutMap>>;

/** The object of a dimension's own places; other objects are from the atlas. */
const OWN = 'places';
/** The height of the key. */
const KEY = 60;
/** Room for half of a point. */
const EDGE = 8;

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

/** Null if no place with rows has a shape. */
function layOutMap({ areas, metric, period }: MapDrawing, topology: Topology, width: number) {
  const { unit } = metric.column;
  const states = new Set([...areas.keys()].map(stateOf));
  const shown = featuresOf(topology).filter(({ id, isOwn }) => isOwn || states.has(stateOf(id)));
  if (!shown.some(({ id }) => areas.has(id))) return null;
  const points = shown.filter(({ geometry }) => geometry.type === 'Point').length;
  const positions = shown.flatMap(({ geometry }) =>
    'coordinates' in geometry ? positionsIn(geometry.coordinates) : [],
  );
  const room: [number, number] = [width - EDGE, KEY + heightAt('map', width) - EDGE];
  const path = geoPath(projectionOf(positions, [[EDGE, KEY + EDGE], room], shown[0]?.isOwn === false))
    .pointRadius(pointRadius(points))
    .digits(1);
  const classes = deriveClasses([...areas.values()].flatMap(({ value }) => value ?? []));
  const drawn = shown.map(({ id, name, geometry }) => {
    const bar = areas.get(id);
    const [[left, top], [right, bottom]] = path.bounds(geometry);
    return {
      id,
      d: path(geometry) ?? '',
      /** Null without a row. */
      bar: bar ?? null,
      words: bar ? describeFigure(bar, unit, period) : `${name || id}: ${t.words.noRow}`,
      left,
      top,
      width: right - left,
      height: bottom - top,
    };
  });
  // The projection of the nation has no room for some areas.
  const inside = drawn.filter(({ d }) => d !== '');
  // The keys go from the highest figure down.
  drawn.sort((a, b) => (b.bar?.value ?? -Infinity) - (a.bar?.value ?? -Infinity));
  const bottom = Math.max(KEY, ...inside.map(({ top, height }) => top + height));
  const ids = new Set(shown.map(({ id }) => id));
  return {
    width,
    height: Math.ceil(bottom + 8),
    areas: drawn,
    classes,
    unit,
    /** Keys of places with rows but no shape. */
    unmapped: [...areas.keys()].filter(key => !ids.has(key)),
  };
}

/** Of many points, each is smaller. */
function pointRadius(points: number): number {
  return points <= 60 ? 6.5 : points <= 400 ? 5 : points <= 2_000 ? 3.5 : 2.5;
}

type Positions = readonly (number | Positions)[];

/** The longitudes and latitudes of a shape. */
function positionsIn(list: Positions): Position[] {
  const [x, y] = list;
  if (typeof x === 'number' && typeof y === 'number') return [[x, y]];
  return list.flatMap(one => (typeof one === 'number' ? [] : positionsIn(one)));
}

export type Position = [longitude: number, latitude: number];

/** If the atlas's shapes span more degrees of longitude, they are the whole nation. */
const NATION = 70;
/** From so many degrees of longitude on, a map of a part of the globe bends too much at its edges. */
const WORLD = 100;
/** The least degrees that a map shows, so that a single place has surroundings. */
const LEAST = 0.02;

/** Fits all positions into the box, in pixels. `isAtlas`: the shapes are from the atlas. */
export function projectionOf(
  positions: readonly Position[],
  box: [corner: [number, number], opposite: [number, number]],
  isAtlas: boolean,
): GeoProjection {
  const pointsOf = (list: readonly Position[]) => ({ type: 'MultiPoint' as const, coordinates: [...list] });
  const [[west, south], [end, north]] = geoBounds(pointsOf(positions));
  // An area across the antimeridian ends west of where it begins.
  const width = end < west ? end - west + 360 : end - west;
  if (isAtlas && width > NATION) return geoAlbersUsa().fitExtent(box, { type: 'Sphere' });
  const [x, y] = [west + width / 2, (south + north) / 2];
  const projection =
    width > WORLD ? geoEqualEarth().rotate([-x, 0]) : geoAzimuthalEqualArea().rotate([-x, -y]);
  const around = [-LEAST, LEAST].map((away): Position => [x + away / 2, y + away / 2]);
  return projection.fitExtent(box, pointsOf([...positions, ...around]));
}

function fillOf(bar: Bar | null, classes: Classes): string | undefined {
  if (bar === null) return COLORS.missing;
  return bar.value === null ? 'url(#withheld)' : COLORS.classes[classOf(classes, bar.value)];
}

interface MapFigureProps {
  readonly layout: MapLayout;
  /** The position of the area that is read off; null if none is. */
  readonly at: number | null;
}

function MapFigure({ layout, at }: MapFigureProps) {
  const { width, height, areas, classes } = layout;
  const chosen = at === null ? undefined : areas[at];
  return (
    <PictureFrame width={width} height={height} fill={COLORS.soft}>
      <defs>
        <Pattern id="withheld" d={HATCHES} paper={COLORS.paper} stroke={COLORS.soft} />
        <Pattern id="unreliable" d="M2,3h2M3,2v2" paper="none" stroke={COLORS.ink} />
      </defs>
      <Key layout={layout} />
      <g stroke={COLORS.soft} stroke-width="0.5">
        {areas.map(({ id, d, bar, words }, i) => (
          <path key={id} d={d} fill={fillOf(bar, classes)} data-stop={i} data-words={words} />
        ))}
        {areas.map(({ id, d, bar }) =>
          bar && isUnreliable(bar) ? (
            <path key={id} d={d} fill="url(#unreliable)" pointer-events="none" />
          ) : null,
        )}
      </g>
      {chosen && (
        <path d={chosen.d} fill="none" stroke={COLORS.ink} stroke-width="2.5" pointer-events="none" />
      )}
    </PictureFrame>
  );
}

/** The colours with the limits of their classes, and the other fills. */
function Key({ layout: { classes, unit, width, areas } }: Pick<MapFigureProps, 'layout'>) {
  const { bounds, colors } = classes;
  const labels = bounds.map(bound => formatTick(bound, unit, bounds));
  const longest = LETTER * Math.max(...labels.map(({ length }) => length));
  // Half of a label is outside the colours at each end.
  const start = 8 + longest / 2;
  const step = Math.min(Math.max(52, longest + 12), (width - 2 * start) / colors.length);
  const others = [
    ['url(#withheld)', t.words.noFigure, areas.some(({ bar }) => bar !== null && bar.value === null)],
    [COLORS.missing, t.words.noRow, areas.some(({ bar }) => bar === null)],
    ['url(#unreliable)', t.words.unreliable, areas.some(({ bar }) => bar !== null && isUnreliable(bar))],
  ] as const;
  let x = 8;
  return (
    <g>
      {colors.map((color, i) => (
        <rect
          key={color}
          x={start + i * step}
          y={2}
          width={step}
          height={14}
          fill={COLORS.classes[color]}
          stroke={COLORS.soft}
        />
      ))}
      {labels.map((label, i) => (
        <text key={label} x={start + i * step} y={30} fill={COLORS.ink} text-anchor="middle">
          {label}
        </text>
      ))}
      {others.map(([fill, text, isUsed]) => {
        if (!isUsed) return null;
        const left = x;
        x += 40 + text.length * LETTER;
        return (
          <g key={text}>
            <rect x={left} y={38} width={18} height={12} fill={fill} stroke={COLORS.soft} />
            <text x={left + 24} y={48} fill={COLORS.ink}>
              {text}
            </text>
          </g>
        );
      })}
    </g>
  );
}

function MapPicture({ drawing, width, isLive, shapes, at: id, onAt, addressOf }: PictureOf<MapDrawing>) {
  const layout = useMemo(() => shapes && layOutMap(drawing, shapes, width), [drawing, shapes, width]);
  if (!layout) return <p class="hint">{isLive ? shapes && t.drawing.noShapes : t.panel.readingShapes}</p>;
  const { areas, unmapped } = layout;
  const found = areas.findIndex(area => area.id === id);
  const at = found < 0 ? null : found;
  const note = describeUnmapped(drawing, unmapped);
  const say = (area: number) => areas[area]!.words;
  return (
    <>
      <ReadOff
        isLive={isLive}
        width={width}
        label={t.panel.readMap(drawing.title)}
        stops={areas}
        start={0}
        isDown
        at={at}
        onAt={area => onAt(area === null ? null : areas[area]!.id)}
        say={say}
        readout={area => [areas[area]!.left + areas[area]!.width / 2, say(area)]}
        onOpen={area => {
          const address = areas[area]!.bar && addressOf(areas[area]!.id);
          if (address !== null) location.assign(address);
        }}
      >
        <MapFigure layout={layout} at={at} />
      </ReadOff>
      {isLive && note !== null && <p class="explore-note">{note}</p>}
    </>
  );
}
