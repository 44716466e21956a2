/** A projection that suits the places of a map, and lines of longitude and latitude around them. */
import { type GeoProjection, geoAlbersUsa, geoBounds, geoConicEqualArea, geoEqualEarth } from 'd3-geo';
import { t } from '../messages/messages.ts';
import { niceTicks } from './curve.tsx';
import { formatDecimal } from './format.ts';

/** An area of the globe in degrees. East is greater than west: beyond 180 if the area crosses the antimeridian. */
interface Extent {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** The least degrees that a map shows, so that a single place has surroundings. */
const LEAST = 0.02;
/** Degrees of longitude beyond which a conic projection bends too much. */
const WIDEST = 100;

/** The smallest area with all positions; it may cross the antimeridian. */
export function extentOf(positions: [longitude: number, latitude: number][]): Extent {
  const [[left, bottom], [right, top]] = geoBounds({ type: 'MultiPoint', coordinates: positions });
  const [west, east] = widen(left, right < left ? right + 360 : right);
  const [south, north] = widen(bottom, top);
  return { west, south: Math.max(-90, south), east, north: Math.min(90, north) };
}

function widen(from: number, to: number): [number, number] {
  const margin = Math.max((LEAST - (to - from)) / 2, (to - from) * 0.03);
  return [from - margin, to + margin];
}

/** Pixels. */
interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** `isNation`: the shapes are from the atlas and span its whole country. */
export function projectionOf(
  { west, south, east, north }: Extent,
  box: Box,
  isNation: boolean,
): GeoProjection {
  const domain = {
    type: 'MultiPoint' as const,
    coordinates: along(west, east, 8).flatMap(x => [
      [x, south],
      [x, (south + north) / 2],
      [x, north],
    ]),
  };
  const room: [[number, number], [number, number]] = [
    [box.left, box.top],
    [box.right, box.bottom],
  ];
  if (isNation) return geoAlbersUsa().fitExtent(room, { type: 'Sphere' });
  const rotation: [number, number] = [-(west + east) / 2, 0];
  if (east - west > WIDEST || south < -75 || north > 84)
    return geoEqualEarth().rotate(rotation).fitExtent(room, domain);
  const inset = (north - south) / 6;
  return geoConicEqualArea()
    .parallels([south + inset, north - inset])
    .rotate(rotation)
    .fitExtent(room, domain);
}

/** Several positions, since a line bends between its ends. */
function along(from: number, to: number, parts = 32): number[] {
  return Array.from({ length: parts + 1 }, (_, i) => from + ((to - from) * i) / parts);
}

/** Lines at round degrees within the extent. */
export function graticuleOf({ west, south, east, north }: Extent) {
  const meridians = niceTicks(west, east).filter(x => x > west && x < east);
  const parallels = niceTicks(south, north).filter(y => y > south && y < north);
  return {
    lines: {
      type: 'MultiLineString' as const,
      coordinates: [
        ...meridians.map(x => along(south, north).map(y => [x, y])),
        ...parallels.map(y => along(west, east).map(x => [x, y])),
      ],
    },
    labels: [
      ...meridians.map(x => ({
        at: [x, south] as const,
        text: degrees(inRange(x), t.map.east, t.map.west),
        isEast: false,
      })),
      ...parallels.map(y => ({
        at: [west, y] as const,
        text: degrees(y, t.map.north, t.map.south),
        isEast: true,
      })),
    ],
  };
}

function inRange(longitude: number): number {
  return longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude;
}

/** `12.5° E` */
function degrees(value: number, above: string, below: string): string {
  const size = Number(Math.abs(value).toFixed(4));
  return size === 0 ? '0°' : `${formatDecimal(size, 4)}° ${value > 0 ? above : below}`;
}
