/**
 * Whole keys of places as text: the codes of a place from the largest part to the smallest, joined by `:`. In a code,
 * `%`, `:` and `,` are percent-encoded. An empty part means NULL. FORMAT.md, section 3.
 */
import type { Value } from './order.ts';
import { emptyItem, orList } from './problems.ts';
import type { Level, Table } from './table.ts';
import { type Reading, readScalar } from './value.ts';

const RESERVED = /[%:,]/g;

/** Writes a key. An empty text and NULL look alike: no key column holds an empty text that a reader could ask for. */
export function formatPlaceKey(codes: readonly Value[]): string {
  return codes.map(code => String(code ?? '').replace(RESERVED, encodeURIComponent)).join(':');
}

/** Splits a key into its codes; null for an empty part. Returns null if the percent-encoding is not UTF-8. */
export function splitPlaceKey(text: string): readonly (string | null)[] | null {
  try {
    return text.split(':').map(part => (part === '' ? null : decodeURIComponent(part)));
  } catch {
    return null;
  }
}

/** Reads one key of a level. `index` counts the items of the list from 0. */
export function readPlace(
  table: Table,
  level: Level,
  param: string,
  item: string,
  index: number,
): Reading<readonly Value[]> {
  const fail = (type: string, msg: string, repaired: string | null, ctx = {}): Reading<never> => ({
    problem: { type, param, msg, input: item, ctx },
    repaired,
  });
  const codes = splitPlaceKey(item);
  if (codes === null) {
    const msg = `'${item}' is not a key: in a code, write % as %25, : as %3A and , as %2C`;
    const encoded = item.replaceAll('%', '%25');
    const again = readPlace(table, level, param, encoded, index);
    return fail('string_unicode', msg, 'problem' in again ? again.repaired : encoded);
  }
  if (codes.every(code => code === null)) return { problem: emptyItem(param, item, index), repaired: null };
  const { places: parts } = level;
  if (codes.length !== parts.length)
    return fail('place_parts', explainParts(table, level, item, codes.length), null, { expected: parts });
  const values: Value[] = [];
  for (const [at, code] of codes.entries()) {
    const reading = code === null ? { value: null } : readCode(table, parts[at]!, param, code);
    if ('problem' in reading) {
      const { problem, repaired } = reading;
      const right = repaired && formatPlaceKey(codes.map((one, i) => (i === at ? repaired : one)));
      return { problem: { ...problem, input: item }, repaired: right };
    }
    values.push(reading.value);
  }
  return { value: values };
}

/** A code has the values of its column's own filter. */
function readCode({ columns, parameters }: Table, column: string, param: string, code: string) {
  for (const parameter of parameters.values()) {
    if (parameter.kind === 'column' && parameter.bound === 'key' && parameter.column === column)
      return readScalar(param, code, parameter);
  }
  const { type = 'string', utc = false } = columns.find(({ name }) => name === column) ?? {};
  return readScalar(param, code, { type, utc, bound: 'key', choices: null });
}

/** The first other level at which all items may be keys; null where there is none. */
export function findLevel(table: Table, { name }: Level, items: readonly string[]): string | null {
  const others = [...table.levels.values()].filter(level => level.name !== name);
  const fits = (level: Level) =>
    items.every((item, index) => !('problem' in readPlace(table, level, '', item, index)));
  return others.find(fits)?.name ?? null;
}

function explainParts({ levels }: Table, { name, places }: Level, item: string, parts: number): string {
  const columns = places.join(':');
  const has =
    places.length === 0
      ? `The level '${name}' is the whole: it has no places`
      : `A place of the level '${name}' has ${count(places.length)}, ${columns}, and '${item}' has ${parts}`;
  const others = [...levels.values()].filter(one => one.places.length === parts).map(one => one.name);
  return others.length === 0 ? has : `${has}. Places of ${count(parts)} are of the level ${orList(others)}`;
}

function count(parts: number): string {
  return parts === 1 ? 'one part' : `${parts} parts`;
}
