import { quote } from './quoting.ts';

/** Longer texts are not typing errors of a name, and comparing them costs the product of their lengths. */
const LONGEST = 64;

/** The candidate with the fewest single-character edits, where that is few enough to be a typing error. */
export function nearestName(name: string, candidates: Iterable<string>): string | null {
  if (name.length > LONGEST) return null;
  let best: string | null = null;
  let least = Math.max(1, Math.floor(name.length / 3)) + 0.5;
  for (const candidate of candidates) {
    if (candidate.length > LONGEST) continue;
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

/** ` (did you mean 'x'?)`, or nothing. */
export function suggestion(name: string, candidates: Iterable<string>): string {
  const nearest = nearestName(name, candidates);
  return nearest === null ? '' : ` (did you mean ${quote(nearest)}?)`;
}

/** Levenshtein distance, one row of the table at a time. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
