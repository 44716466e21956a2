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
  return `${render(value as Json, 0, deepest).text}\n`;
}

/** Ends the document with a seal: the sha256 of all bytes before the seal's line. */
export function sealedText(value: object): string {
  const text = documentText(value);
  const before = `${text.slice(0, text.lastIndexOf('\n}'))},\n`;
  return `${before}  "seal": "${digestText(before)}"\n}\n`;
}

interface Rendered {
  readonly text: string;
  /** Without spaces; infinite if it has several lines. */
  readonly length: number;
}

/** The outermost value always has several lines. A list of scalars is always on one line. */
function render(value: Json | undefined, depth: number, deepest: number): Rendered {
  if (!isNested(value)) {
    const text = JSON.stringify(value ?? null);
    return { text, length: text.length };
  }
  const parts = isList(value)
    ? value.map(one => render(one, depth + 1, deepest))
    : Object.keys(value).flatMap(name => {
        // JSON.stringify leaves these members out too.
        if (value[name] === undefined) return [];
        const key = JSON.stringify(name);
        const { text, length } = render(value[name], depth + 1, deepest);
        return { text: `${key}: ${text}`, length: key.length + 1 + length };
      });
  const [open, close] = isList(value) ? ['[', ']'] : parts.length === 0 ? ['{', '}'] : ['{ ', ' }'];
  const texts = parts.map(one => one.text);
  // With both brackets and the commas.
  const length = parts.reduce((sum, one) => sum + one.length, Math.max(2, parts.length + 1));
  const isFlat = parts.length === 0 || (isList(value) && !value.some(isNested));
  if (isFlat || depth > deepest || (depth > 0 && length <= WIDTH - depth * 2))
    return { text: open + texts.join(', ') + close, length };
  const indent = `\n${'  '.repeat(depth + 1)}`;
  const end = `\n${'  '.repeat(depth)}${close.trim()}`;
  return { text: open.trim() + indent + texts.join(`,${indent}`) + end, length: Number.POSITIVE_INFINITY };
}

function isNested(value: Json | undefined): value is readonly Json[] | Fields {
  return value !== null && typeof value === 'object';
}

function isList(value: object): value is readonly Json[] {
  return Array.isArray(value);
}
