/** A projection that suits the places of a map. */
import { type GeoProjection, geoAlbersUsa, geoBounds, geoConicEqualArea, geoEqualEarth } from 'd3-geo';

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
    coordinates: along(west, east).flatMap(x => [
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
function along(from: number, to: number): number[] {
  return Array.from({ length: 9 }, (_, i) => from + ((to - from) * i) / 8);
}
