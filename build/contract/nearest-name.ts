import { editDistance } from '../format/edit-distance.ts';
import { quote } from './quoting.ts';

/** A longer text is not a mistyped name, and the cost of a comparison is the product of the two lengths. */
const LONGEST = 64;

/** The candidate with the fewest single-character edits; null if none is close enough to be a typing error. */
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

/** ` (did you mean 'x'?)`, or an empty text. */
export function suggestion(name: string, candidates: Iterable<string>): string {
  const nearest = nearestName(name, candidates);
  return nearest === null ? '' : ` (did you mean ${quote(nearest)}?)`;
}
