import type { Scalar } from '../format/documents.ts';

/** The content of `col NOT IN ('a', 'b')`. `bare`: it is the condition alone, not a whole query. */
interface NotInRule {
  readonly column: string;
  readonly values: readonly Scalar[];
  readonly bare: boolean;
}

/** Matches one token. Each alternative begins with a different character, so matching is linear on any text. */
const TOKEN = /\s*(?:('(?:[^']|'')*')|("(?:[^"]|"")*")|(-?\d+(?:\.\d+)?)|([A-Za-z_{}][\w{}]*)|([(),;*.]))/y;

interface Token {
  readonly kind: 'text' | 'quoted' | 'number' | 'word' | 'mark';
  readonly text: string;
}

const MAX_LENGTH = 50_000;

/**
 * Reads the allowed-values form of a SQL rule: `col NOT IN ('a', 'b')`, alone or as the condition of
 * `SELECT COUNT(*) FROM {object} WHERE`, with `col IS NOT NULL AND` before or `AND col IS NOT NULL` behind.
 * Returns null for any other SQL: a rule that says more is not a list of allowed values.
 */
export function parseNotIn(query: string): NotInRule | null {
  const tokens = tokenize(query);
  if (tokens === null) return null;
  const count = ['select', 'count', '(', '*', ')', 'from', '{object}', 'where'];
  const whole = startsWith(tokens, count);
  let rest = tokens.slice(whole ? count.length : 0);
  if (rest.at(-1)?.text === ';') rest = rest.slice(0, -1);

  const guarded =
    rest.length > 5 && startsWith(rest.slice(1), ['is', 'not', 'null', 'and']) ? rest[0] : undefined;
  if (guarded !== undefined) rest = rest.slice(5);
  const [name, ...condition] = rest;
  if (name === undefined || (name.kind !== 'word' && name.kind !== 'quoted')) return null;
  if (!startsWith(condition, ['not', 'in', '('])) return null;
  const close = condition.findIndex(token => token.text === ')' && token.kind === 'mark');
  const values = close < 0 ? null : readList(condition.slice(3, close));
  const behind = condition.slice(close + 1);
  const trailing =
    behind.length === 5 &&
    behind[0]!.text.toLowerCase() === 'and' &&
    startsWith(behind.slice(2), ['is', 'not', 'null']);
  if (values === null || (behind.length > 0 && !trailing)) return null;
  const column = identifier(name);
  const guards = [guarded, trailing ? behind[1] : undefined].filter(token => token !== undefined);
  if (guards.some(token => identifier(token) !== column)) return null;
  return { column, values, bare: !whole };
}

function tokenize(query: string): readonly Token[] | null {
  const text = query.trim();
  if (text.length > MAX_LENGTH) return null;
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const match = TOKEN.exec(text);
    if (match === null) return null;
    const [, string, quoted, number, word, mark] = match;
    if (string !== undefined) tokens.push({ kind: 'text', text: string });
    else if (quoted !== undefined) tokens.push({ kind: 'quoted', text: quoted });
    else if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else if (word !== undefined) tokens.push({ kind: 'word', text: word });
    else tokens.push({ kind: 'mark', text: mark! });
  }
  return tokens;
}

function startsWith(tokens: readonly Token[], words: readonly string[]): boolean {
  return words.every(
    (word, i) => ['word', 'mark'].includes(tokens[i]?.kind ?? '') && tokens[i]!.text.toLowerCase() === word,
  );
}

function identifier(token: Token): string {
  return token.kind === 'quoted' ? token.text.slice(1, -1).replaceAll('""', '"') : token.text;
}

/**
 * Reads `'a', 'b', 3` as values. Returns null for any other list, and for one with NULL, which makes NOT IN never true.
 */
function readList(tokens: readonly Token[]): readonly Scalar[] | null {
  const values: Scalar[] = [];
  for (const [i, token] of tokens.entries()) {
    if (i % 2 === 1) {
      if (token.text !== ',') return null;
    } else if (token.kind === 'text') values.push(token.text.slice(1, -1).replaceAll("''", "'"));
    else if (token.kind === 'number') values.push(Number(token.text));
    else if (token.kind === 'word' && /^(true|false)$/i.test(token.text))
      values.push(token.text.toLowerCase() === 'true');
    else return null;
  }
  return tokens.length % 2 === 1 ? values : null;
}
