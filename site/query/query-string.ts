/** Reads a query string as pairs, decoded once, and writes pairs as a query string. */

/** Characters that stay unencoded in values, so that people can read a comma-separated list. */
const READABLE = /%(2C|3A|2F|40|24)/g;

export interface Pair {
  readonly name: string;
  readonly value: string;
}

/** Reads `a=1&b=2`, with or without a leading `?`. `+` is a space. Null where the percent-encoding is not UTF-8. */
export function parseQuery(query: string): readonly Pair[] | null {
  const text = query.startsWith('?') ? query.slice(1) : query;
  const pairs: Pair[] = [];
  if (text === '') return pairs;
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

/** Reads the pairs that are UTF-8 and leaves out the others, for routes that ignore most parameters. */
export function parseReadable(query: string): readonly Pair[] {
  const text = query.startsWith('?') ? query.slice(1) : query;
  return text.split('&').flatMap(part => parseQuery(`?${part}`) ?? []);
}

/** Writes pairs as a query string with its `?`; an empty text where there are none. */
export function formatQuery(pairs: readonly Pair[]): string {
  if (pairs.length === 0) return '';
  return `?${pairs.map(({ name, value }) => `${encode(name)}=${encode(value)}`).join('&')}`;
}

/** The same pairs with one value replaced where it stands, or added at the end. */
export function withPair(pairs: readonly Pair[], name: string, value: string): readonly Pair[] {
  const pair = { name, value };
  return pairs.some(given => given.name === name)
    ? pairs.map(given => (given.name === name ? pair : given))
    : [...pairs, pair];
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

/** Writes a lone surrogate, which no URL can hold, as U+FFFD. */
function encode(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd')).replace(READABLE, decodeURIComponent);
}
