/**
 * A document as text: two spaces of indentation, what fits on a line on one line, a final line feed. The same
 * value gives the same bytes everywhere. Pure.
 */
const WIDTH = 110;

/** Texts that JSON has as they are, in quotes. */
const PLAIN = /^[ !#-[\]-~]*$/;

type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [name: string]: Json | undefined };

export function documentText(value: object): string {
  return `${new Rendering().render(value as Json, 0)}\n`;
}

class Rendering {
  /** Characters of what was rendered last, without any spaces; infinite where it has several lines. */
  #length = 0;
  /** Lists without lists or objects: many entries may have the same one. */
  readonly #lists = new Map<object, string>();
  /** Names of members, with what stands before the value. */
  readonly #names = new Map<string, string>();

  /** What has no value is left out of an object, and is null elsewhere, as JSON.stringify does. */
  render(value: Json | undefined, depth: number): string {
    if (value === null || typeof value !== 'object') {
      const text = scalarText(value ?? null);
      this.#length = text.length;
      return text;
    }
    return isList(value) ? this.#list(value, depth) : this.#object(value, depth);
  }

  /** A list without lists or objects is one line, however long. */
  #list(list: readonly (Json | undefined)[], depth: number): string {
    const known = this.#lists.get(list);
    if (known !== undefined) return this.#line(known, Math.max(0, list.length - 1));
    const texts: string[] = [];
    let length = 0;
    let nested = false;
    for (const item of list) {
      nested ||= item !== null && typeof item === 'object';
      texts.push(this.render(item, depth + 1));
      length += this.#length;
    }
    if (nested) return this.#enclosed('[', ']', texts, length, depth);
    const line = `[${texts.join(', ')}]`;
    this.#lists.set(list, line);
    return this.#line(line, Math.max(0, texts.length - 1));
  }

  #object(object: { readonly [name: string]: Json | undefined }, depth: number): string {
    const texts: string[] = [];
    let length = 0;
    for (const name of Object.keys(object)) {
      const value = object[name];
      if (value === undefined) continue;
      const key = this.#name(name);
      texts.push(key + this.render(value, depth + 1));
      length += key.length - 1 + this.#length;
    }
    if (texts.length === 0) return this.#line('{}', 0);
    return this.#enclosed('{ ', ' }', texts, length, depth);
  }

  #name(name: string): string {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const text = `${JSON.stringify(name)}: `;
    this.#names.set(name, text);
    return text;
  }

  #line(text: string, spaces: number): string {
    this.#length = text.length - spaces;
    return text;
  }

  /** On one line where there is room for it without spaces, else a line for each. Outermost, always the latter. */
  #enclosed(open: string, close: string, texts: readonly string[], inner: number, depth: number): string {
    // With both brackets, and a comma between each two.
    this.#length = inner + 1 + texts.length;
    if (depth > 0 && this.#length <= WIDTH - depth * 2) return open + texts.join(', ') + close;
    this.#length = Number.POSITIVE_INFINITY;
    const indent = `\n${'  '.repeat(depth + 1)}`;
    return `${open.trim()}${indent}${texts.join(`,${indent}`)}\n${'  '.repeat(depth)}${close.trim()}`;
  }
}

/** What JSON.stringify gives, which takes longer to call than most values take to write. */
function scalarText(value: string | number | boolean | null): string {
  if (typeof value === 'string' && PLAIN.test(value)) return `"${value}"`;
  return Number.isFinite(value) ? String(value) : JSON.stringify(value);
}

function isList(value: object): value is readonly (Json | undefined)[] {
  return Array.isArray(value);
}
