/**
 * Texts that repeat each other, made shorter: capital letters and some marks stand for phrases, which may hold letters of
 * earlier ones. For hosts that count bytes and have no decompression.
 */

export interface Packed {
  readonly texts: readonly string[];
  /** Of each letter in its order. A text is packed from the first to the last, and unpacked from the last to the first. */
  readonly phrases: readonly string[];
}

/** None of them is in a key or an entry of a table. */
export const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ#&()<>?{}[]^$`'@";

const WORDS = /[^,;/_ A-Z#&()<>?{}[\]^$`'@=*+]+|[,;/_ A-Z#&()<>?{}[\]^$`'@=*+]/g;

/** Words of a phrase at most; what divides words is one, and so is the letter of a phrase. */
const LONGEST = 24;

/**
 * Texts without letters of phrases. Takes, as often as there are letters, the phrase that saves most; of equals the one
 * that comes first.
 */
export function packTexts(texts: readonly string[]): Packed {
  const phrases: string[] = [];
  let packed = texts;
  for (const letter of LETTERS) {
    const phrase = findPhrase(packed);
    if (phrase === null) break;
    phrases.push(phrase);
    packed = packed.map(text => text.replaceAll(phrase, letter));
  }
  return { texts: packed, phrases };
}

function findPhrase(texts: readonly string[]): string | null {
  const counts = new Map<string, number>();
  for (const text of texts) {
    const words = text.match(WORDS) ?? [];
    for (let start = 0; start < words.length; start++) {
      let phrase = '';
      for (const word of words.slice(start, start + LONGEST)) {
        phrase += word;
        counts.set(phrase, (counts.get(phrase) ?? 0) + 1);
      }
    }
  }
  let best: string | null = null;
  let most = 0;
  for (const [phrase, count] of counts) {
    const saved = (count - 1) * (phrase.length - 1) - 2;
    if (saved > most) {
      best = phrase;
      most = saved;
    }
  }
  return best;
}
