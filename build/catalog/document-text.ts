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
  return `${render(JSON.parse(JSON.stringify(value)) as Json, 0)}\n`;
}

function render(value: Json, depth: number): string {
  const compact = JSON.stringify(value);
  if (value === null || typeof value !== 'object') return compact;
  if (depth > 0 && depth * 2 + compact.length <= WIDTH) return spaced(value);
  const indent = '  '.repeat(depth + 1);
  const end = '  '.repeat(depth);
  if (Array.isArray(value)) {
    if (value.every(item => item === null || typeof item !== 'object')) return spaced(value);
    return `[\n${value.map(item => indent + render(item, depth + 1)).join(',\n')}\n${end}]`;
  }
  const entries = Object.entries(value).map(
    ([name, item]) => `${indent}${JSON.stringify(name)}: ${render(item ?? null, depth + 1)}`,
  );
  return entries.length === 0 ? '{}' : `{\n${entries.join(',\n')}\n${end}}`;
}

/** One line, a space after each comma and colon. */
function spaced(value: Json): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  const entries = Object.entries(value).map(
    ([name, item]) => `${JSON.stringify(name)}: ${spaced(item ?? null)}`,
  );
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}
