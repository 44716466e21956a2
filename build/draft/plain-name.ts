/** Names for URLs and files, from any text. */

/** Names that a route, a device or the layout of a lake has taken. */
const TAKEN = /^(con|prn|aux|nul|com[0-9]|lpt[0-9]|datasets|_.*)$/;

/** Lower-case letters, digits and `_`, without accents; `table` if nothing is left. */
export function plainName(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/ß/g, 'ss')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 50)
    .replace(/_+$/, '');
  if (plain === '') return 'table';
  return TAKEN.test(plain) ? `${plain}_data` : plain;
}

/** Adds a number to a name that is taken. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let i = 2; taken.has(free); i++) free = `${name}_${i}`;
  return free;
}

/** A title for people: `air_quality` is `Air quality`. */
export function titleOf(name: string): string {
  const words = name.replace(/[_\s]+/gu, ' ').trim();
  return words === '' ? name : words[0]!.toLocaleUpperCase() + words.slice(1);
}
