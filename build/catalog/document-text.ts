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
  if (value === null || typeof value !== 'object') return JSON.stringify(value ?? null);
  const list = isList(value);
  if (depth > 0 && fits(value, WIDTH - depth * 2)) return spaced(value);
  if (list && value.every(item => item === null || typeof item !== 'object')) return spaced(value);
  const indent = '  '.repeat(depth + 1);
  const lines = list
    ? value.map(item => indent + render(item, depth + 1))
    : Object.keys(value).flatMap(name => {
        const item = value[name];
        return item === undefined ? [] : [`${indent}${JSON.stringify(name)}: ${render(item, depth + 1)}`];
      });
  const [open, close] = list ? '[]' : '{}';
  return lines.length === 0
    ? `${open}${close}`
    : `${open}\n${lines.join(',\n')}\n${'  '.repeat(depth)}${close}`;
}

/** Whether so many characters are enough for a value without any spaces. */
function fits(value: object, room: number): boolean {
  return !(isList(value) && 2 * value.length > room) && JSON.stringify(value).length <= room;
}

/** One line, a space after each comma and colon, and within braces. Texts have no line feeds that are not escaped. */
function spaced(value: object): string {
  return JSON.stringify(value, null, 1)
    .replace(/\[\n */g, '[')
    .replace(/\n *\]/g, ']')
    .replace(/\n */g, ' ');
}

function isList(value: object): value is readonly (Json | undefined)[] {
  return Array.isArray(value);
}
