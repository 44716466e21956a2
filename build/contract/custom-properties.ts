import type { RawCustomProperty } from './contract-profile.ts';
import type { Problems } from './problems.ts';
import { quote } from './quoting.ts';
import { checkShape } from './shape.ts';
import type { Shape } from './validator.ts';
import type { Path } from './yaml-document.ts';

/** A `customProperties` list by name. */
export interface CustomProperties<T> {
  /** Properties that have a value of the right type. */
  readonly values: Partial<T>;
  /** Whether the contract states the property at all, so that one of a wrong type is not also reported as missing. */
  states(name: keyof T & string): boolean;
  /** Path of a property's value or of a part of it. If the property is absent, the path of the list's owner. */
  pathOf(name: keyof T & string, ...inside: Path): Path;
}

/**
 * Properties that describe for people. Another tool may state one of the same name as something else, even in a
 * contract that is written for this service.
 */
const PROSE = new Set([
  ...[
    'title',
    'summary',
    'source',
    'source_url',
    'update_frequency',
    'sub_topic',
    'label',
    'short_description',
  ],
]);

/**
 * Reads the list at `owner`/customProperties. Reports properties stated twice. A value that does not fit the shape is an
 * error in a contract written for this service; in any other, and for prose, it is ignored with a note.
 */
export function readCustomProperties<T>(
  list: readonly (RawCustomProperty | null)[] | undefined,
  owner: Path,
  shape: Shape,
  problems: Problems,
): CustomProperties<T> {
  const indices = new Map<string, number>();
  const stated: [name: string, value: unknown][] = [];
  for (const [index, entry] of (list ?? []).entries()) {
    if (entry?.property === undefined) continue;
    const path = [...owner, 'customProperties', index, 'property'];
    const first = indices.get(entry.property);
    if (first !== undefined) {
      const { line } = problems.placeOf([...owner, 'customProperties', first]);
      const message = `the custom property ${quote(entry.property)} is already stated on line ${line}: remove one`;
      problems.doubt(path, 'custom-property-duplicate', message);
      continue;
    }
    indices.set(entry.property, index);
    if (entry.value !== undefined && entry.value !== null) stated.push([entry.property, entry.value]);
  }
  const pathOf = (name: string, ...inside: Path): Path => {
    const index = indices.get(name);
    return index === undefined ? owner : [...owner, 'customProperties', index, 'value', ...inside];
  };
  // fromEntries defines keys, so that a property named __proto__ stays an ordinary key.
  const values = Object.fromEntries(stated);
  const isTheirs = ([name]: Path) => !problems.native || PROSE.has(String(name));
  const wrong = checkShape(
    shape,
    values,
    ([name, ...inside]) => pathOf(String(name), ...inside),
    {
      ...problems,
      note: (path, _, message) => problems.note(path, 'custom-property-ignored', ignored(message)),
    },
    path => (isTheirs(path) ? 'note' : 'error'),
  );
  for (const { path } of wrong) delete values[String(path[0])];
  return { values: values as Partial<T>, states: name => indices.has(name), pathOf };
}

function ignored(message: string): string {
  return `${message.replace(/: (?:correct it or leave it out|write it in quotes)$/, '')}, so the build takes it for another tool’s and ignores it`;
}
