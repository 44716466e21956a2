/** Reads a query string as pairs, decoded once, and writes pairs as a query string. */

/** Stay unencoded in values, so that people can read a list. */
const READABLE = /%(2C|3A|2F|40|24)/g;

export interface Pair {
  readonly name: string;
  readonly value: string;
}

/** Accepts a leading `?`. `+` is a space. Null if the percent-encoding isn't UTF-8. */
export function parseQuery(query: string): readonly Pair[] | null {
  const text = query.startsWith('?') ? query.slice(1) : query;
  const pairs: Pair[] = [];
  for (const part of text.split('&')) {
    if (part === '') continue;
    const at = part.indexOf('=');
    const name = decode(at < 0 ? part : part.slice(0, at));
    const value = at < 0 ? '' : decode(part.slice(at + 1));
    if (name === null || value === null) return null;
    pairs.push({ name, value });
  }
  return pairs;
}

/** Leaves out pairs that aren't UTF-8, for routes that ignore most parameters. */
export function parseReadable(query: string): readonly Pair[] {
  return query.split('&').flatMap((part, index) => parseQuery(index === 0 ? part : `?${part}`) ?? []);
}

/** Starts with `?`; empty without pairs. */
export function formatQuery(pairs: readonly Pair[]): string {
  if (pairs.length === 0) return '';
  return `?${pairs.map(({ name, value }) => `${encode(name)}=${encode(value)}`).join('&')}`;
}

/** Replaces a value in its place, or adds the pair at the end. */
export function withPair(pairs: readonly Pair[], name: string, value: string): readonly Pair[] {
  const pair = { name, value };
  return pairs.some(given => given.name === name)
    ? pairs.map(given => (given.name === name ? pair : given))
    : [...pairs, pair];
}

/** Values as a list's text. */
export function joinItems(values: readonly string[]): string {
  return values.map(value => value.replaceAll(',', '%2C')).join(',');
}

function decode(text: string): string | null {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return null;
  }
}

/** A lone surrogate can't be in a URL, so it becomes U+FFFD. */
function encode(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd')).replace(READABLE, decodeURIComponent);
}
