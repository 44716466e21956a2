/** Characters that would break a line, hide text or turn its direction in a terminal or an editor. */
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]/g;

const LONGEST = 80;

/** A text on one line, with everything that does not print escaped: safe in a terminal, whatever it is made of. */
export function inert(text: string): string {
  const escaped = (match: string) => `\\u${match.charCodeAt(0).toString(16).padStart(4, '0')}`;
  // By character: a pair of surrogates is one, and only halves are replaced.
  return [...text].map(c => (c.length === 2 ? c : c.replace(UNPRINTABLE, escaped))).join('');
}

/** A value of a contract as it may stand in a message: a text in quotes, on one line, cut to 80 characters, inert. */
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
