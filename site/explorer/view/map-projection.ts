/** A projection that suits the places of a map. */
import { type GeoProjection, geoAlbersUsa, geoAzimuthalEqualArea, geoBounds, geoEqualEarth } from 'd3-geo';

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
