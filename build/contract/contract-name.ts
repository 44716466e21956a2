import { GRAMMAR } from '../format/grammar.ts';
import { isName, isReservedDomain } from '../format/paths.ts';
import type { Problems } from './problems.ts';
import { quote } from './quoting.ts';
import type { Path } from './yaml-document.ts';

type NameOf = 'domain' | 'topic' | 'dimension' | 'detail level';

/**
 * Windows reserves these names, with any extension, for devices: a copy of a tree there could not contain such a file.
 */
const DEVICES = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/;

export function isDevice(name: string): boolean {
  return DEVICES.test(name);
}

/** Whether a text can be part of a URL and of a path on any disk. Reports `name-invalid` if it cannot. */
export function checkName(name: string, of: NameOf, path: Path, problems: Problems): boolean {
  if (!isName(name)) {
    const rule = 'use 1 to 63 lower-case letters, digits, _ or -, beginning with a letter or a digit';
    problems.doubt(path, 'name-invalid', `${quote(name)} cannot be the name of a ${of}: ${rule}`);
    return false;
  }
  if (isDevice(name)) {
    const message = `${quote(name)} cannot be the name of a ${of}: Windows reserves it for a device, so no file or folder there can have that name; choose another name, such as ${name}_data`;
    problems.doubt(path, 'name-invalid', message);
    return false;
  }
  if (of === 'domain' && isReservedDomain(name)) {
    const message = `${quote(name)} is a route of the API and cannot be a domain: choose another name`;
    problems.doubt(path, 'name-invalid', message);
    return false;
  }
  return true;
}

/** Parameters of every fact route. A filter of a column with such a name has another parameter: see `datasetFilters`. */
const PARAMETERS = new Set(GRAMMAR.map(rule => rule.name));

export function isParameter(name: string): boolean {
  return PARAMETERS.has(name.toLowerCase());
}
