import { editDistance } from '../format/edit-distance.ts';
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
