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

interface Rendered {
  readonly text: string;
  /** Characters without any spaces; infinite where the text has several lines. */
  readonly length: number;
}

export function documentText(value: object): string {
  return `${render(value as Json, 0, new Map()).text}\n`;
}

/** What has no value is left out of an object, and is null elsewhere, as JSON.stringify does. `lists` are those rendered. */
function render(value: Json | undefined, depth: number, lists: Map<object, Rendered>): Rendered {
  if (value === null || typeof value !== 'object') {
    const text = JSON.stringify(value ?? null);
    return { text, length: text.length };
  }
  return isList(value) ? renderList(value, depth, lists) : renderObject(value, depth, lists);
}

/** A list without lists or objects is one line, however long. Many entries may have the same one. */
function renderList(
  list: readonly (Json | undefined)[],
  depth: number,
  lists: Map<object, Rendered>,
): Rendered {
  const known = lists.get(list);
  if (known !== undefined) return known;
  const items = list.map(item => render(item, depth + 1, lists));
  const texts = items.map(item => item.text);
  const length = items.reduce((sum, item) => sum + item.length, 0);
  if (list.some(item => item !== null && typeof item === 'object'))
    return enclosed(['[', ']'], texts, length, depth);
  const line = { text: `[${texts.join(', ')}]`, length: withMarks(length, texts) };
  lists.set(list, line);
  return line;
}

function renderObject(
  object: { readonly [name: string]: Json | undefined },
  depth: number,
  lists: Map<object, Rendered>,
): Rendered {
  const texts: string[] = [];
  let length = 0;
  for (const name of Object.keys(object)) {
    const value = object[name];
    if (value === undefined) continue;
    const key = JSON.stringify(name);
    const item = render(value, depth + 1, lists);
    texts.push(`${key}: ${item.text}`);
    length += key.length + 1 + item.length;
  }
  return texts.length === 0 ? { text: '{}', length: 2 } : enclosed(['{ ', ' }'], texts, length, depth);
}

/** On one line where there is room for it without spaces, else a line for each. Outermost, always the latter. */
function enclosed(
  [open, close]: readonly [string, string],
  texts: readonly string[],
  inner: number,
  depth: number,
): Rendered {
  const length = withMarks(inner, texts);
  if (depth > 0 && length <= WIDTH - depth * 2) return { text: `${open}${texts.join(', ')}${close}`, length };
  const indent = `\n${'  '.repeat(depth + 1)}`;
  const text = `${open.trim()}${indent}${texts.join(`,${indent}`)}\n${'  '.repeat(depth)}${close.trim()}`;
  return { text, length: Number.POSITIVE_INFINITY };
}

/** With both brackets, and a comma between each two. */
function withMarks(length: number, texts: readonly string[]): number {
  return length + 2 + Math.max(0, texts.length - 1);
}

function isList(value: object): value is readonly (Json | undefined)[] {
  return Array.isArray(value);
}
