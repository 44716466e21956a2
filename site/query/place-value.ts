/** The text of a place's key → its codes, typed; or the problem with it and a guess at the right key. */
import type { Value } from './order.ts';
import { formatPlaceKey, splitPlaceKey } from './place-key.ts';
import { orList, type Problem } from './problems.ts';
import type { Level, Table } from './table.ts';
import { type Reading, readScalar } from './value.ts';

/** Reads one key of a level. `index` counts the items of the list from 0. */
export function readPlace(
  table: Table,
  level: Level,
  param: string,
  item: string,
  index: number,
): Reading<readonly Value[]> {
  const fail = (
    type: Problem['type'],
    msg: string,
    repaired: string | null,
    ctx: Problem['ctx'] = {},
  ): Reading<never> => ({ problem: { type, param, msg, input: item, ctx }, repaired });
  const codes = splitPlaceKey(item);
  if (codes === null) {
    const msg = `'${item}' is not a key: in a code, write % as %25, : as %3A and , as %2C`;
    const encoded = item.replaceAll('%', '%25');
    const again = readPlace(table, level, param, encoded, index);
    return fail('string_unicode', msg, 'problem' in again ? again.repaired : encoded);
  }
  if (codes.every(code => code === null))
    return fail('empty_list_item', `Item ${index + 1} of the list is empty`, null);
  const { places: parts } = level;
  if (codes.length !== parts.length) {
    return fail('place_parts', explainParts(table, level, item, codes.length), null, { expected: parts });
  }
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
    if (parameter.kind === 'column' && parameter.column === column)
      return readScalar(param, code, parameter, parameter.choices);
  }
  const { type = 'string', utc = false } = columns.find(({ name }) => name === column) ?? {};
  return readScalar(param, code, { type, utc }, null);
}

/** The first other level at which all items may be keys; null where there is none. */
export function findLevel(table: Table, { name }: Level, items: readonly string[]): string | null {
  const others = [...table.levels.values()].filter(level => level.name !== name);
  const fits = (level: Level) =>
    items.every((item, index) => !('problem' in readPlace(table, level, '', item, index)));
  return others.find(fits)?.name ?? null;
}

/** The levels whose places have so many parts, in the order of the table. */
function levelsOfParts({ levels }: Table, parts: number): readonly string[] {
  return [...levels.values()].filter(({ places }) => places.length === parts).map(({ name }) => name);
}

function explainParts(table: Table, { name, places }: Level, item: string, parts: number): string {
  const columns = places.join(':');
  const has =
    places.length === 0
      ? `The level '${name}' is the whole: it has no places`
      : `A place of the level '${name}' has ${count(places.length)}, ${columns}, and '${item}' has ${parts}`;
  const others = levelsOfParts(table, parts);
  return others.length === 0 ? has : `${has}. Places of ${count(parts)} are of the level ${orList(others)}`;
}

function count(parts: number): string {
  return parts === 1 ? 'one part' : `${parts} parts`;
}
