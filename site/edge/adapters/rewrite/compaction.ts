/** A script as few bytes: no comments, no space that separates nothing, and short names. */

const TOKEN =
  /(?<space>\s+|\/\/[^\n]*|\/\*.*?\*\/)|(?<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(?<word>[A-Za-z_$][\w$]*)|(?<number>\d[\w.]*)|(?<other>\+\+|--|.)/gsu;

const PATTERN = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/uy;

/** An end and a beginning that would be read as one. */
const JOINED = /^([\w$]{2}|\+\+|--)$/;

/** What an operand ends with: a slash after it divides, and begins a regular expression after all else. */
const OPERAND_END = /[\w$)\]}'"]$/;
const OPERATOR_WORD = /^(return|typeof|case|in|of)$/;

/**
 * Gives every name that is not among `kept` a short one, the same everywhere, be it a variable's or a property's; so
 * all that the language, the host and the answers name must be kept, and no name may be in a string. The script has
 * all its semicolons and no templates.
 */
export function compactScript(script: string, kept: ReadonlySet<string>): string {
  const tokens = readTokens(script);
  const names = shortenNames(tokens, kept);
  let text = '';
  for (const [index, token] of tokens.entries()) {
    const next = tokens[index + 1] ?? '';
    if ((token === ';' && next === '}') || (token === ',' && /^[)\]}]/.test(next))) continue;
    const word = token === 'const' ? 'let' : (names.get(token) ?? token);
    text += JOINED.test((text.at(-1) ?? '') + word[0]) ? ` ${word}` : word;
  }
  return text;
}

function readTokens(script: string): string[] {
  const tokens: string[] = [];
  let at = 0;
  while (at < script.length) {
    const before = tokens.at(-1) ?? '';
    if (script[at] === '/' && (!OPERAND_END.test(before) || OPERATOR_WORD.test(before))) {
      PATTERN.lastIndex = at;
      const pattern = PATTERN.exec(script)?.[0];
      if (pattern !== undefined && !/^\/[/*]/.test(pattern)) {
        tokens.push(pattern);
        at += pattern.length;
        continue;
      }
    }
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(script)!;
    if (found.groups!.space === undefined) tokens.push(found[0]);
    at += found[0].length;
  }
  return tokens;
}

/** The more often a name stands, the shorter it becomes; of equals the one that sorts first. */
function shortenNames(tokens: readonly string[], kept: ReadonlySet<string>): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  for (const token of tokens) {
    if (/^[A-Za-z_$]/.test(token) && !kept.has(token)) counts.set(token, (counts.get(token) ?? 0) + 1);
  }
  const names = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([name]) => name);
  const free = freeNames(new Set([...kept, ...names]));
  return new Map(names.map(name => [name, name.length > 1 ? free.next().value! : name]));
}

/** `a`, `b`, …, `Z`, `aa`, `ba`, …, but those that are taken. */
function* freeNames(taken: ReadonlySet<string>): Generator<string, never> {
  const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
  for (let round = letters.split(''); ; ) {
    for (const name of round) if (!taken.has(name)) yield name;
    round = round.flatMap(end => letters.split('').map(letter => letter + end));
  }
}
