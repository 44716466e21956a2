/** Finds places of all levels by the words of their names, of their kind, of what they lie in, and by their codes. */
import type { Place } from './place-address.ts';
import type { SearchDocument } from './search-document.ts';
import type { ReadWord, Vocabulary } from './search-words.ts';
import { stemWord, wordsOf } from './word-stems.ts';

export interface FoundPlace {
  readonly place: Place;
  /** How much of the place's name the words are, 0 to 1: a rare word of a name is more of it than a common one. */
  readonly share: number;
}

interface PlaceEntry {
  readonly place: Place;
  /** In the order of the name. */
  readonly name: ReadonlySet<string>;
  /** Words of its kind, its code and what it lies in. */
  readonly others: ReadonlySet<string>;
  readonly code: ReadonlySet<string>;
  /** By the stem, how rare it is among the names of its kind; 0 for what the kind is called. */
  readonly weights: ReadonlyMap<string, number>;
}

/** What lies in the place with this name is part of an answer, after all that bears the name. */
const WITHIN = 0.2;

/** Readers begin with the first word of a name: North Atlanta High isn't Atlanta. */
const BEGINNING = 0.2;

/** The weight of a word that at most half of the names have. */
const RARE = Math.log(3);

export class PlaceIndex {
  private readonly entries: PlaceEntry[] = [];
  private readonly byStem = new Map<string, number[]>();

  constructor({ dimensions }: SearchDocument, vocabulary: Vocabulary) {
    for (const dimension of dimensions) {
      const kind = new Set(wordsOf(`${dimension.name} ${dimension.title} ${dimension.kind}`));
      vocabulary.add([...kind]);
      const counts = new Map<string, number>();
      const weights = new Map<string, number>();
      for (const [name = '', within = '', ...key] of dimension.places) {
        const words = wordsOf(name);
        const code = key.flatMap(wordsOf);
        vocabulary.add(words);
        vocabulary.add(code);
        const own = new Set(words.map(stemWord));
        for (const stem of own) counts.set(stem, (counts.get(stem) ?? 0) + 1);
        const others = new Set([...code, ...kind, ...wordsOf(within)].map(stemWord));
        const at = this.entries.length;
        for (const stem of new Set([...own, ...others])) {
          const known = this.byStem.get(stem);
          if (known) known.push(at);
          else this.byStem.set(stem, [at]);
        }
        const place: Place = { dimension, name, within, key };
        this.entries.push({ place, name: own, others, code: new Set(code), weights });
      }
      const nouns = new Set([...kind].map(stemWord));
      for (const [stem, count] of counts)
        weights.set(stem, nouns.has(stem) ? 0 : Math.log(1 + dimension.places.length / count));
    }
  }

  /** Places that all words fit, the best first; of equals, those of the larger kind. */
  find(words: readonly ReadWord[]): FoundPlace[] {
    const [first, ...rest] = words.map(word => this.placesWith(word)).sort((a, b) => a.size - b.size);
    if (first === undefined) return [];
    const found: FoundPlace[] = [];
    for (const at of first) {
      if (!rest.every(one => one.has(at))) continue;
      const entry = this.entries[at]!;
      const share = shareOf(entry, words);
      if (share > 0) found.push({ place: entry.place, share });
    }
    return found.sort((a, b) => b.share - a.share);
  }

  private placesWith(word: ReadWord): ReadonlySet<number> {
    const all = new Set<number>();
    for (const stem of word.keys()) for (const at of this.byStem.get(stem) ?? []) all.add(at);
    return all;
  }
}

function shareOf({ name, others, code, weights }: PlaceEntry, words: readonly ReadWord[]): number {
  const parts = [...code].filter(part => words.some(word => word.has(part)));
  if (parts.length === code.size) return 1;
  let [matched, all, isNamed] = [0, 0, false];
  for (const stem of name) {
    const weight = weights.get(stem) ?? 0;
    const sure = Math.max(0, ...words.map(word => word.get(stem) ?? 0));
    all += weight;
    matched += weight * sure;
    isNamed ||= sure > 0 && weight >= RARE;
  }
  // A word that most names have, such as "school", names no place.
  if (isNamed) {
    const [first = ''] = name;
    const share = matched / all;
    return words.some(word => word.has(first)) ? share + BEGINNING * (1 - share) : share;
  }
  if (parts.length > 0) return 2 * WITHIN;
  return words.length > 1 && words.some(word => [...word.keys()].some(stem => others.has(stem))) ? WITHIN : 0;
}
