/**
 * A document as text: two spaces of indentation, what fits on a line on one line, a final line feed. The same
 * value gives the same bytes everywhere. Pure.
 */
const WIDTH = 110;

type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [name: string]: Json | undefined };

export function documentText(value: object): string {
  return `${render(value as Json, 0)}\n`;
}

/** What has no value is left out of an object, and is null elsewhere, as JSON.stringify does. */
function render(value: Json | undefined, depth: number): string {
  if (value === null || typeof value !== 'object') return scalar(value);
  if (depth > 0 && roomAfter(value, WIDTH - depth * 2) >= 0) return spaced(value);
  const indent = '  '.repeat(depth + 1);
  const end = '  '.repeat(depth);
  if (isList(value)) {
    if (value.every(item => item === null || typeof item !== 'object')) return spaced(value);
    return `[\n${value.map(item => indent + render(item, depth + 1)).join(',\n')}\n${end}]`;
  }
  const entries = entriesOf(value).map(
    ([name, item]) => `${indent}${JSON.stringify(name)}: ${render(item, depth + 1)}`,
  );
  return entries.length === 0 ? '{}' : `{\n${entries.join(',\n')}\n${end}}`;
}

/** What is left of so many characters behind a value without any spaces; negative where it does not fit. */
function roomAfter(value: Json | undefined, room: number): number {
  // A long text does not fit, whatever has to be escaped in it.
  if (room < 0 || (typeof value === 'string' && value.length > room)) return -1;
  if (value === null || typeof value !== 'object') return room - scalar(value).length;
  const parts = isList(value)
    ? value.map(item => ['', item] as const)
    : entriesOf(value).map(([name, item]) => [`${JSON.stringify(name)}:`, item] as const);
  let left = room - 2 - Math.max(0, parts.length - 1);
  for (const [name, item] of parts) left = roomAfter(item, left - name.length);
  return left;
}

/** One line, a space after each comma and colon. */
function spaced(value: Json | undefined): string {
  if (value === null || typeof value !== 'object') return scalar(value);
  if (isList(value)) return `[${value.map(spaced).join(', ')}]`;
  const entries = entriesOf(value).map(([name, item]) => `${JSON.stringify(name)}: ${spaced(item)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

function scalar(value: null | boolean | number | string | undefined): string {
  return JSON.stringify(value ?? null);
}

function isList(value: object): value is readonly (Json | undefined)[] {
  return Array.isArray(value);
}

function entriesOf(value: object): [string, Json][] {
  return Object.entries(value).filter(([, item]) => item !== undefined);
}
