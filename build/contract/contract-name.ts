import { isName, isReservedDomain } from '../format/paths.ts';
import type { Problems } from './problems.ts';
import { quote } from './quoting.ts';
import type { Path } from './yaml-document.ts';

export type NameOf = 'domain' | 'topic' | 'dimension' | 'detail level';

/** Windows keeps these names for devices, whatever ending follows them: no copy of a tree there could hold such a file. */
const DEVICES = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/;

/** Whether a text can be part of URLs and of paths on any disk; reported as `name-invalid` where it cannot. */
export function checkName(name: string, of: NameOf, path: Path, problems: Problems): boolean {
  if (!isName(name)) {
    const rule = 'use 1 to 63 lower-case letters, digits, _ or -, beginning with a letter or a digit';
    problems.error(path, 'name-invalid', `${quote(name)} cannot be the name of a ${of}: ${rule}`);
    return false;
  }
  if (DEVICES.test(name)) {
    const message = `${quote(name)} cannot be the name of a ${of}: Windows keeps it for a device and cannot hold a file or folder of that name; choose another name, such as ${name}_data`;
    problems.error(path, 'name-invalid', message);
    return false;
  }
  if (of === 'domain' && isReservedDomain(name)) {
    const message = `${quote(name)} is a route of the API and cannot be a domain: choose another name`;
    problems.error(path, 'name-invalid', message);
    return false;
  }
  return true;
}

/** Parameters of every fact route; a column that is a filter cannot share their names. `year` is the year column's. */
const PARAMETERS = new Set(['year', 'year_min', 'year_max', 'detail', 'limit', 'offset', 'format']);

export function isParameter(column: string): boolean {
  return PARAMETERS.has(column.toLowerCase());
}
