/**
 * Renders a document as JSON text: indented by two spaces, on one line what fits, with a final line feed. The same
 * value gives the same bytes everywhere. Pure.
 */
import { createHash } from 'node:crypto';
import type { Fields, Json } from '../format/json.ts';

const WIDTH = 110;

/** Matches texts that JSON writes unchanged, in quotes. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** `deepest`: what is nested deeper has one line for each value, however long. */
export function documentText(value: object, deepest = Number.POSITIVE_INFINITY): string {
  return `${new Rendering(deepest).render(value as Json, 0)}\n`;
}

/** The same of a document that ends with a seal: the sha256 of all bytes before the seal's line. */
export function sealedText(value: object): string {
  const text = documentText(value);
  const before = `${text.slice(0, text.lastIndexOf('\n}'))},\n`;
  return `${before}  "seal": "${createHash('sha256').update(before).digest('hex')}"\n}\n`;
}

class Rendering {
  readonly #deepest: number;
  /** Length of the last rendered value without spaces; infinite if it has several lines. */
  #length = 0;
  /** Rendered flat lists, because many entries may share one. */
  readonly #lists = new Map<object, string>();
  /** Rendered names of members, with quotes and colon. */
  readonly #names = new Map<string, string>();

  constructor(deepest: number) {
    this.#deepest = deepest;
  }

  /** Like JSON.stringify, leaves members without a value out of objects and writes null for them elsewhere. */
  render(value: Json | undefined, depth: number): string {
    if (value === null || typeof value !== 'object') {
      const text = scalarText(value ?? null);
      this.#length = text.length;
      return text;
    }
    return isList(value) ? this.#list(value, depth) : this.#object(value, depth);
  }

  /** A list without lists or objects stands on one line, however long. */
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

  #object(object: Fields, depth: number): string {
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

  /**
   * Puts everything on one line if it fits without spaces, otherwise each item on its own. The outermost value always
   * has several lines.
   */
  #enclosed(open: string, close: string, texts: readonly string[], inner: number, depth: number): string {
    // Includes both brackets and the commas.
    this.#length = inner + 1 + texts.length;
    if (depth > this.#deepest || (depth > 0 && this.#length <= WIDTH - depth * 2))
      return open + texts.join(', ') + close;
    this.#length = Number.POSITIVE_INFINITY;
    const indent = `\n${'  '.repeat(depth + 1)}`;
    return `${open.trim()}${indent}${texts.join(`,${indent}`)}\n${'  '.repeat(depth)}${close.trim()}`;
  }
}

/** Writes what JSON.stringify would, but faster for most values. */
function scalarText(value: string | number | boolean | null): string {
  if (typeof value === 'string' && PLAIN.test(value)) return `"${value}"`;
  return Number.isFinite(value) ? String(value) : JSON.stringify(value);
}

function isList(value: object): value is readonly (Json | undefined)[] {
  return Array.isArray(value);
}
