/** Matches the words of a search with words that occur in the tree: stems, corrections, synonyms. */
import { editDistance } from '../../../build/format/nearest.ts';
import { firstWhere } from '../../query/order.ts';

/** A word of a search: the stems that it may mean, each with a certainty of 0 to 1. */
export type ReadWord = ReadonlyMap<string, number>;

export interface ReadLine {
  readonly words: readonly ReadWord[];
  /** The words as typed, in the order of `words`. */
  readonly typed: readonly string[];
  /** Unknown words, each with the word that it was read as. */
  readonly corrections: readonly (readonly [from: string, to: string])[];
  /** Words that match nothing. */
  readonly unknown: readonly string[];
}

const PREFIX = 0.5;
const CORRECTED = 0.8;

/** Shorter words aren't completed or corrected. */
const SHORTEST = { completed: 3, corrected: 4 };

/** Longer words aren't corrected: the time grows with the square of the length. */
const LONGEST = 30;

export class Vocabulary {
  private readonly stems = new Set<string>();
  private readonly words = new Set<string>();
  private sorted: readonly string[] | null = null;

  add(words: readonly string[]): void {
    for (const word of words) {
      this.stems.add(stemWord(word));
      this.words.add(word);
    }
    this.sorted = null;
  }

  has(word: string): boolean {
    return this.stems.has(stemWord(word));
  }

  read(line: readonly string[]): ReadLine {
    const words: ReadWord[] = [];
    const typed: string[] = [];
    const corrections: [string, string][] = [];
    const unknown: string[] = [];
    for (let at = 0; at < line.length; at++) {
      let word = line[at]!;
      const stem = stemWord(word);
      const isLast = at === line.length - 1;
      const isKnown = this.stems.has(stem);
      if (isSilent(word)) continue;
      const joined = word + (line[at + 1] ?? '');
      let stems: ReadWord;
      if (isKnown) {
        // The reader may still be typing the last word.
        stems = new Map([...(isLast ? this.completions(word) : []), [stem, 1]]);
      } else if (!isLast && this.has(joined)) {
        stems = new Map([[stemWord(joined), 1]]);
        word = joined;
        at++;
      } else {
        stems = new Map(this.completions(word));
        const near = stems.size > 0 ? null : this.nearest(word);
        if (near !== null) {
          corrections.push([word, near]);
          stems = new Map([[stemWord(near), CORRECTED]]);
        } else if (stems.size === 0) unknown.push(word);
      }
      typed.push(word);
      words.push(stems);
    }
    return { words, typed, corrections, unknown };
  }

  /** The stems of longer words that begin so. */
  private completions(word: string): [string, number][] {
    if (word.length < SHORTEST.completed || /^\d+$/.test(word)) return [];
    this.sorted ??= [...this.words].sort();
    const { sorted } = this;
    const from = firstWhere(0, sorted.length, index => sorted[index]! >= word);
    const end = firstWhere(from, sorted.length, index => !sorted[index]!.startsWith(word));
    return sorted.slice(from, end).map(longer => [stemWord(longer), PREFIX]);
  }

  /**
   * The nearest word: one edit away, or two from nine letters on (spending is two from Spalding); or any number of
   * doubled letters (gwinet is Gwinnett). In a short word a changed letter makes another word (child, chile), so only an
   * added, missing or swapped letter counts. Null for codes, and if no word is near.
   */
  private nearest(word: string): string | null {
    if (word.length < SHORTEST.corrected || word.length > LONGEST || /\d/.test(word)) return null;
    const most = word.length < 9 ? 1 : 2;
    let [best, least]: [string | null, number] = [null, Infinity];
    for (const other of this.words) {
      if (/\d/.test(other) || other[0] !== word[0] || other.length < SHORTEST.corrected) continue;
      const isDoubled = withoutDoubles(other) === withoutDoubles(word);
      if (Math.abs(other.length - word.length) > most && !isDoubled) continue;
      const edits = isDoubled ? 1 : editDistance(word, other);
      if (edits > most || (word.length < 6 && isChanged(word, other))) continue;
      if (edits < least) [best, least] = [other, edits];
    }
    return best;
  }
}

function withoutDoubles(word: string): string {
  return word.replaceAll(/(.)\1+/gu, '$1');
}

/** Whether texts of one length differ by more than two swapped letters. */
function isChanged(a: string, b: string): boolean {
  return a.length === b.length && [...a].sort().join('') !== [...b].sort().join('');
}

export function stemsOf(text: string): string[] {
  return wordsOf(text)
    .filter(word => !isSilent(word))
    .map(stemWord);
}

type Synonyms = Readonly<Record<string, readonly string[]>>;

/** The most readings of one line. */
const MOST_VARIANTS = 8;

/** Replaces synonyms by the data's words, in each possible way. A phrase of known words is also kept as it is. */
export function spellVariants(
  synonyms: Synonyms,
  words: readonly string[],
  isKnown: (word: string) => boolean,
): readonly (readonly string[])[] {
  const phrases = Object.entries(synonyms)
    .map(([phrase, targets]) => ({ stems: wordsOf(phrase).map(stemWord), targets: targets.map(wordsOf) }))
    .sort((a, b) => b.stems.length - a.stems.length);
  let variants: (readonly string[])[] = [[]];
  for (let at = 0; at < words.length; ) {
    const found = phrases.find(
      ({ stems }) => stems.length > 0 && stems.every((stem, i) => stem === stemWord(words[at + i] ?? '')),
    );
    const own = words.slice(at, at + (found?.stems.length ?? 1));
    const ways = found ? [...(own.every(isKnown) ? [own] : []), ...found.targets] : [own];
    variants = variants.flatMap(before => ways.map(way => [...before, ...way])).slice(0, MOST_VARIANTS);
    at += own.length;
  }
  return variants;
}

/** Endings of related words: graduate, graduates, graduated, graduating, graduation. Longest first. */
const ENDINGS =
  'ations ation ating ators ments ated ates ator ants ment ings ers ies ing ant ate ed er es y e s'.split(
    ' ',
  );

/** A stem has at least so many letters. */
const SHORTEST_STEM = 4;

/** Words that the search ignores. */
const SILENT = new Set(
  'a an and are as at be by did do does for from had has have how i in is it its many me most much my of on or our per show tell that the their there these they this those to vs versus was were what when where which who whom why with you your'.split(
    ' ',
  ),
);

export function foldText(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

/** Splits a text into folded words: letters and digits, in any script. Mary's is mary, and O'Connor oconnor. */
export function wordsOf(text: string): string[] {
  const joined = foldText(text).replaceAll(/(?<=\p{L})['’](s(?!\p{L}))?/gu, '');
  return joined.match(/[\p{L}\p{N}]+/gu) ?? [];
}

function isSilent(word: string): boolean {
  return SILENT.has(word);
}

/** The stem of a folded word. Codes and short words aren't cut. */
export function stemWord(word: string): string {
  if (/\d/.test(word)) return word;
  const ending = ENDINGS.find(one => word.endsWith(one) && word.length - one.length >= SHORTEST_STEM);
  // Grades aren't Grady.
  const isY = ending === 'ies' || ending === 'y';
  if (ending !== undefined) return word.slice(0, -ending.length) + (isY ? 'i' : '');
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}
