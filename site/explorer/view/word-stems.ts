/** Words as a search compares them: without case, accents and endings. */

/** Endings of one family of words: graduate, graduates, graduated, graduating, graduation. Longest first. */
const ENDINGS = [
  'ations',
  'ation',
  'ating',
  'ators',
  'ments',
  'ated',
  'ates',
  'ator',
  'ants',
  'ment',
  'ings',
  'ers',
  'ies',
  'ing',
  'ant',
  'ate',
  'ed',
  'er',
  'es',
  'y',
  'e',
  's',
];

/** The shortest beginning that is left of a word. */
const SHORTEST = 4;

/** Words that say nothing of a subject. */
const SILENT = new Set(
  'a an and are as at be by did do does for from had has have how i in is it its many me most much of on or per show tell that the their there these they this those to vs versus was were what when where which who whom why with'.split(
    ' ',
  ),
);

export function foldText(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

/** Splits a text into folded words: letters and digits, in any script. */
export function wordsOf(text: string): string[] {
  return foldText(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}

export function isSilent(word: string): boolean {
  return SILENT.has(word);
}

/** Cuts a folded word down to what its family shares. Codes and short words stay whole. */
export function stemWord(word: string): string {
  if (/\d/.test(word)) return word;
  const ending = ENDINGS.find(one => word.endsWith(one) && word.length - one.length >= SHORTEST);
  if (ending !== undefined) return word.slice(0, -ending.length);
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}
