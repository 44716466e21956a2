/** The publisher's words for words that the data uses: `ESOL` for English learners. */
import type { Vocabulary } from './search-words.ts';
import { isSilent, stemWord, wordsOf } from './word-stems.ts';

type Synonyms = Readonly<Record<string, readonly string[]>>;

/** More readings of one line than these are left out. */
const MOST_VARIANTS = 8;

/**
 * Spells a line as the data does, in each way that the synonyms allow. A phrase whose words are all known here is kept as
 * one of the ways.
 */
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

/** Says which synonyms lead to words that nothing is called. */
export function describeDeadSynonyms(synonyms: Synonyms, vocabulary: Vocabulary): string[] {
  return Object.entries(synonyms).flatMap(([synonym, targets]) =>
    targets.flatMap(target => {
      const unknown = wordsOf(target).filter(word => !isSilent(word) && !vocabulary.has(word));
      if (unknown.length === 0) return [];
      const words = unknown.map(word => `“${word}”`).join(', ');
      return [
        `synonyms: “${synonym}” leads to “${target}”, but nothing published here is called ${words}. Correct the words, or remove the entry.`,
      ];
    }),
  );
}
