/** Characters that would break a line, hide text or reverse its direction in a terminal or an editor. */
const UNPRINTABLE =
  /[\u0000-\u001f\u007f-\u009f\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]/g;

const LONGEST = 80;

/** Puts a text on one line and escapes unprintable characters, so that any text is safe in a terminal. */
export function inert(text: string): string {
  const escaped = (match: string) => `\\u${match.charCodeAt(0).toString(16).padStart(4, '0')}`;
  // A pair of surrogates is one character and stays; half a pair is escaped.
  return [...text].map(c => (c.length === 2 ? c : c.replace(UNPRINTABLE, escaped))).join('');
}

/** Prepares a contract's value for a message: a text in quotes, on one line, escaped, cut to 80 characters. */
export function quote(value: unknown): string {
  const whole = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  const characters = [...whole.slice(0, 2 * LONGEST + 1)];
  const shown = inert(characters.length > LONGEST ? `${characters.slice(0, LONGEST).join('')}…` : whole);
  return typeof value === 'string' ? `'${shown}'` : shown;
}

/** `'a', 'b' and 'c'`, at most twelve of them. */
export function quoteList(items: readonly unknown[]): string {
  const shown = items.slice(0, 12).map(quote);
  if (items.length > shown.length) return `${shown.join(', ')} and ${items.length - shown.length} more`;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}
