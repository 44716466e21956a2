/** Guesses the right name for a wrong one. */

/** The cost is the product of the lengths, so longer texts aren't compared. */
const LONGEST = 200;

/** Shorter beginnings fit too many names. */
const SHORTEST_BEGINNING = 3;

/**
 * The first candidate with the fewest edits (insertions, deletions, substitutions, swaps of neighbours); null
 * if none is near enough. A plural counts as one edit, the beginning of a name as two.
 */
export function nearest<Name extends string>(text: string, candidates: Iterable<Name>): Name | null {
  if (text.length > LONGEST) return null;
  const wanted = text.toLowerCase();
  let best: Name | null = null;
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

/**
 * Counts insertions, deletions, substitutions and swaps of neighbours (optimal string alignment distance).
 * The time is the product of the lengths, so callers limit the lengths.
 */
export function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let edits = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        edits = Math.min(edits, before[j - 2]! + 1);
      }
      row.push(edits);
    }
    before = last;
    last = row;
  }
  return last[b.length]!;
}
