/** A map as SVG: classes of figures, hatched places without one, and the key above. */
import { geoPath } from 'd3-geo';
import { feature } from 'topojson-client';
import { t } from '../messages/messages.ts';
import type { MapDrawing } from './drawing-parts.ts';
import { formatTick } from './format.ts';
import { LETTER } from './line-layout.ts';
import { type Classes, classOf, deriveClasses } from './map-classes.ts';
import { type Extent, extentOf, graticuleOf, projectionOf } from './map-projection.ts';
import { PictureFrame } from './picture-frame.tsx';
import { describeFigure, isUnreliable } from './series.ts';
import type { Theme } from './theme.ts';

export type Topology = Parameters<typeof feature>[0];

type Feature = ReturnType<typeof featuresOf>[number];

/** What an area has: a figure, a row without one, or no row. */
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

export interface MapLayout {
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
  /** Keys of the rows' places that have no shape. */
  readonly unmapped: readonly string[];
}

/** An object of this name holds a dimension's own places; others belong to the atlas. */
const OWN = 'places';
/** Height of the key. */
const KEY = 60;
/** Degrees of longitude beyond which shapes of the atlas are those of the whole nation. */
const NATION = 70;

function featuresOf(topology: Topology) {
  return Object.entries(topology.objects).flatMap(([name, object]) => {
    const found = feature(topology, object);
    const features = 'features' in found ? found.features : [found];
    return features.flatMap(({ id, properties, geometry }) =>
      // Codes of the nation and the states are shorter.
      name === OWN || String(id).length === 5
        ? [{ id: String(id), name: String(properties?.['name'] ?? ''), geometry, isOwn: name === OWN }]
        : [],
    );
  });
}

const stateOf = (code: string) => code.slice(0, 2);

/** Throws if no row's place has a shape. `tallest` limits the height of the areas. */
export function layOutMap(
  drawing: MapDrawing,
  topology: Topology,
  width: number,
  tallest: number,
): MapLayout {
  const { areas, unit, period } = drawing;
  const states = new Set([...areas.keys()].map(stateOf));
  const all = featuresOf(topology);
  const shown = all.filter(({ id, isOwn }) => isOwn || states.has(stateOf(id)));
  if (!shown.some(({ id }) => areas.has(id))) throw new Error('The map has no shape for any of these rows.');
  const points = shown.filter(({ geometry }) => geometry.type === 'Point').length;
  // Points have no outline to recognise a country by: lines with degrees stand around them.
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

/** Many points leave each other room. */
function pointRadius(points: number): number {
  return points <= 60 ? 6.5 : points <= 400 ? 5 : points <= 2_000 ? 3.5 : 2.5;
}

/** Every longitude and latitude of the shapes. */
function positionsOf(shapes: readonly Feature[]): [number, number][] {
  const found: [number, number][] = [];
  const visit = (part: unknown): void => {
    if (!Array.isArray(part)) return;
    const [x, y] = part;
    if (typeof x === 'number' && typeof y === 'number') found.push([x, y]);
    else for (const inner of part) visit(inner);
  };
  for (const { geometry } of shapes) if ('coordinates' in geometry) visit(geometry.coordinates);
  return found;
}

interface MapFigureProps {
  readonly layout: MapLayout;
  readonly theme: Theme;
  /** Key of the area that is read off; null if none. */
  readonly at?: string | null;
  /** Key of the area that the tab key reaches; null for the first. */
  readonly stop?: string | null;
  /** The page of an area; null draws no link. */
  addressOf?(id: string): string | null;
}

export function MapFigure({ layout, theme, at = null, stop = null, addressOf = () => null }: MapFigureProps) {
  const { width, height, areas, graticule } = layout;
  const chosen = areas.find(({ id }) => id === at);
  const first = areas.find(({ kind }) => kind !== 'absent');
  return (
    <PictureFrame width={width} height={height} fill={theme.soft} isRead>
      <defs>
        <Pattern id="withheld" d="M-1,1l2,-2M0,6l6,-6M5,7l2,-2" paper={theme.paper} stroke={theme.soft} />
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

/** Colours with the limits of their classes, and what other areas mean. */
function Key({ layout: { classes, unit, width, areas }, theme }: Pick<MapFigureProps, 'layout' | 'theme'>) {
  const { bounds, colors } = classes;
  const labels = bounds.map(bound => formatTick(bound, unit));
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

function Pattern({ id, d, paper, stroke }: Readonly<Record<'id' | 'd' | 'paper' | 'stroke', string>>) {
  return (
    <pattern id={id} width="6" height="6" patternUnits="userSpaceOnUse">
      <rect width="6" height="6" fill={paper} stroke="none" />
      <path d={d} fill="none" stroke={stroke} />
    </pattern>
  );
}
