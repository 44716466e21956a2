/** Which datasets a wrong address may have meant, by the words in it. */
import { editDistance } from '../../build/format/edit-distance.ts';
import type { NamedDataset } from '../../build/format/not-found-page.ts';

/** Words of every address. */
const COMMON = new Set('api v1 datasets index html htm php json csv parquet year embed www'.split(' '));
const SHORTEST = 3;
const LONGEST = 40;
/** More words of an address count for nothing. */
const MOST_WORDS = 12;
const MOST_NEAR = 5;

/** The words of a path that is still percent-encoded. */
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
  return words.filter(({ length }) => length >= SHORTEST && length <= LONGEST);
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

/** 3 for the same word, 2 for one that begins with the other, 1 for a typing error, else 0. */
function likeness(word: string, own: string): number {
  if (word === own) return 3;
  const least = Math.min(word.length, own.length);
  if (least > SHORTEST && (word.startsWith(own) || own.startsWith(word))) return 2;
  const allowed = Math.floor(word.length / 3);
  if (Math.abs(word.length - own.length) > allowed) return 0;
  return least > SHORTEST && editDistance(word, own) <= allowed ? 1 : 0;
}
