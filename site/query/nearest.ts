/** Guesses the right name for a wrong one, and the datasets that a wrong address may mean. */
import { editDistance } from '../../build/format/edit-distance.ts';
import type { NamedDataset } from '../../build/format/plain-pages.ts';

/** The cost is the product of the lengths, so longer texts aren't compared. */
const LONGEST = 200;

/** Shorter beginnings fit too many names. */
const SHORTEST_BEGINNING = 3;

/**
 * The first candidate with the fewest edits (insertions, deletions, substitutions, swaps of neighbours); null
 * if none is near enough. A plural counts as one edit, the beginning of a name as two.
 */
export function nearest(text: string, candidates: Iterable<string>): string | null {
  if (text.length > LONGEST) return null;
  const wanted = text.toLowerCase();
  let best: string | null = null;
  let least = Math.max(2, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of candidates) {
    const edits = editsTo(wanted, candidate.toLowerCase(), least);
    if (edits < least && edits < Math.max(wanted.length, candidate.length)) {
      best = candidate;
      least = edits;
    }
  }
  return best;
}

/** At least `least` if the exact number doesn't matter. */
function editsTo(wanted: string, candidate: string, least: number): number {
  if (singular(wanted) === singular(candidate)) return wanted === candidate ? 0 : 1;
  const begun = wanted.length >= SHORTEST_BEGINNING && candidate.startsWith(wanted) ? 2 : least;
  if (Math.abs(candidate.length - wanted.length) >= Math.min(begun, least)) return begun;
  return Math.min(begun, editDistance(wanted, candidate));
}

/** For most English nouns. */
function singular(word: string): string {
  return word.replace(/ies$/, 'y').replace(/(?<!s)s$/, '');
}

/** Words that occur in every address. */
const COMMON = new Set('api v1 datasets index html htm php json csv parquet year embed www'.split(' '));
const SHORTEST_WORD = 3;
const LONGEST_WORD = 40;
const MOST_WORDS = 12;
const MOST_NEAR = 5;

/** The words of a percent-encoded path. */
export function wordsOf(path: string): string[] {
  const text = path.replace(/(?:%[\da-f]{2})+/gi, coded => {
    try {
      return decodeURIComponent(coded);
    } catch {
      return ' ';
    }
  });
  return splitWords(text)
    .filter(word => !COMMON.has(word))
    .slice(0, MOST_WORDS);
}

function splitWords(text: string): string[] {
  const words = text.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  return words.filter(({ length }) => length >= SHORTEST_WORD && length <= LONGEST_WORD);
}

/** The likeliest first; none if no dataset shares a word. */
export function nearDatasets(
  words: readonly string[],
  datasets: readonly NamedDataset[],
): readonly NamedDataset[] {
  return datasets
    .map(one => {
      const own = [...new Set(splitWords(`${one.key} ${one.title}`))];
      return {
        one,
        score: words.reduce((sum, word) => sum + Math.max(0, ...own.map(o => likeness(word, o))), 0),
      };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST_NEAR)
    .map(({ one }) => one);
}

/** 3 for the same word, 2 for a beginning, 1 for a typing error, else 0. */
function likeness(word: string, own: string): number {
  if (word === own) return 3;
  const least = Math.min(word.length, own.length);
  if (least > SHORTEST_WORD && (word.startsWith(own) || own.startsWith(word))) return 2;
  const allowed = Math.floor(word.length / 3);
  if (Math.abs(word.length - own.length) > allowed) return 0;
  return least > SHORTEST_WORD && editDistance(word, own) <= allowed ? 1 : 0;
}
