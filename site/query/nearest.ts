/** Which of the right names a wrong one was meant to be. */
import { editDistance } from '../../build/format/edit-distance.ts';

/** Longer texts are compared by no one: the cost is the product of the lengths. */
const LONGEST = 200;

/** Fewer letters begin too many names. */
const SHORTEST_BEGINNING = 3;

/**
 * The candidate with the fewest edits (insertions, deletions, substitutions, swaps of neighbours) from `text`,
 * the first of them where several are equally near; null where none is near enough to be worth proposing. A plural
 * for a singular counts as one edit, the beginning of a name as two.
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

/** `least` or more where it does not matter how many. */
function editsTo(wanted: string, candidate: string, least: number): number {
  if (singular(wanted) === singular(candidate)) return wanted === candidate ? 0 : 1;
  const begun = wanted.length >= SHORTEST_BEGINNING && candidate.startsWith(wanted) ? 2 : least;
  if (Math.abs(candidate.length - wanted.length) >= Math.min(begun, least)) return begun;
  return Math.min(begun, editDistance(wanted, candidate));
}

/** As English mostly has it. */
function singular(word: string): string {
  return word.replace(/ies$/, 'y').replace(/(?<!s)s$/, '');
}
