/**
 * Renders a document as JSON text, with two spaces of indentation and short values on one line. The same
 * value gives the same bytes everywhere. Pure.
 */
import type { Fields, Json } from '../format/documents.ts';
import { digestText } from '../slice/file-digest.ts';

/** Longest line, not counting spaces after commas and colons. */
const WIDTH = 110;

/** `deepest`: anything nested deeper is on one line, however long. */
export function documentText(value: object, deepest = Number.POSITIVE_INFINITY): string {
  return `${render(value as Json, 0, deepest)}\n`;
}

/** Ends the document with a seal: the sha256 of all bytes before the seal's line. */
export function sealedText(value: object): string {
  const text = documentText(value);
  const before = `${text.slice(0, text.lastIndexOf('\n}'))},\n`;
  return `${before}  "seal": "${digestText(before)}"\n}\n`;
}

/** The outermost value always has several lines. A list of scalars is always on one line. */
function render(value: Json | undefined, depth: number, deepest: number): string {
  if (!isNested(value)) return JSON.stringify(value ?? null);
  const parts = isList(value)
    ? value.map(one => render(one, depth + 1, deepest))
    : Object.keys(value).flatMap(name => {
        // JSON.stringify leaves these members out too.
        if (value[name] === undefined) return [];
        return [`${JSON.stringify(name)}: ${render(value[name], depth + 1, deepest)}`];
      });
  const [open, close] = isList(value) ? ['[', ']'] : parts.length === 0 ? ['{', '}'] : ['{ ', ' }'];
  const isFlat = parts.length === 0 || depth > deepest || (isList(value) && !value.some(isNested));
  if (isFlat || (depth > 0 && JSON.stringify(value).length <= WIDTH - depth * 2))
    return open + parts.join(', ') + close;
  const indent = `\n${'  '.repeat(depth + 1)}`;
  return `${open.trim()}${indent}${parts.join(`,${indent}`)}\n${'  '.repeat(depth)}${close.trim()}`;
}

function isNested(value: Json | undefined): value is readonly Json[] | Fields {
  return value !== null && typeof value === 'object';
}

function isList(value: object): value is readonly Json[] {
  return Array.isArray(value);
}
