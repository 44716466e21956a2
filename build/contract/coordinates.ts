/** Finds the columns of a table that hold the latitude and the longitude of places. */
import type { ReadColumn } from './base-columns.ts';
import type { Coordinates } from './dataset.ts';
import type { Problems } from './problems.ts';
import { quote } from './quoting.ts';

/** Names of coordinates, in several languages. */
const NAMES: Readonly<Record<keyof Coordinates, RegExp>> = {
  latitude: /^(lat|latitude|latitud|breite(ngrad)?)$/iu,
  longitude: /^(lon|lng|long|longitude|longitud|länge(ngrad)?)$/iu,
};

export function isCoordinateName(which: keyof Coordinates, name: string): boolean {
  return NAMES[which].test(name);
}

/** Null unless the dimension has both. A stated coordinate takes precedence over a name. */
export function readCoordinates(read: readonly ReadColumn[], problems: Problems): Coordinates | null {
  const found = (which: keyof Coordinates): string | null => {
    const stated = read.filter(({ custom }) => custom.values.coordinate === which);
    const [first, second] = stated;
    if (second !== undefined) {
      const message = `${quote(first!.base.name)} is the ${which} already: a place has one, so remove this property`;
      problems.doubt(second.custom.pathOf('coordinate'), 'coordinate', message);
    }
    const wrong = stated.find(({ base }) => !isNumber(base.type));
    if (wrong !== undefined) {
      const message = `${quote(wrong.base.name)} is a ${wrong.base.type}, and a ${which} is a number of degrees: make it a number`;
      problems.doubt(wrong.custom.pathOf('coordinate'), 'coordinate', message);
      return null;
    }
    const named = read.find(
      ({ base, custom }) =>
        custom.values.coordinate === undefined && isNumber(base.type) && isCoordinateName(which, base.name),
    );
    return (first ?? named)?.base.name ?? null;
  };
  const [latitude, longitude] = [found('latitude'), found('longitude')];
  const lone = read.find(({ custom }) => custom.values.coordinate !== undefined);
  if (lone !== undefined && (latitude === null) !== (longitude === null)) {
    const lacking = latitude === null ? 'latitude' : 'longitude';
    const message = `a point needs both coordinates, and no column is the ${lacking}: name it with coordinate: ${lacking}`;
    problems.doubt(lone.custom.pathOf('coordinate'), 'coordinate', message);
  }
  return latitude === null || longitude === null ? null : { latitude, longitude };
}

function isNumber(type: string): boolean {
  return type === 'number' || type === 'integer';
}
