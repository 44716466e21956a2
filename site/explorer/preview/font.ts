/** Reads from a TrueType font how wide a text is, and whether the font has its letters. */

export interface Font {
  /** Width in pixels at a size; null if the font lacks a letter, which would show as a box. */
  widthOf(text: string, size: number): number | null;
}

/** Throws if the bytes are no TrueType font with a map of all of Unicode. */
export function readFont(bytes: Uint8Array): Font {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tables = new Map<string, number>();
  for (let i = 0; i < view.getUint16(4); i++) {
    const at = 12 + 16 * i;
    tables.set(String.fromCharCode(...bytes.subarray(at, at + 4)), view.getUint32(at + 8));
  }
  const table = (name: string) => {
    const at = tables.get(name);
    if (at === undefined) throw new Error(`The font has no table ${name}.`);
    return at;
  };
  const unitsPerEm = view.getUint16(table('head') + 18);
  const metrics = view.getUint16(table('hhea') + 34);
  const widths = table('hmtx');
  const groups = readGroups(view, table('cmap'));
  const advance = (code: number): number | null => {
    const group = groups.find(([first, last]) => code >= first && code <= last);
    if (group === undefined) return null;
    const glyph = Math.min(group[2] + code - group[0], metrics - 1);
    return view.getUint16(widths + 4 * glyph);
  };
  return {
    widthOf: (text, size) => {
      let sum = 0;
      for (const letter of text) {
        const width = advance(letter.codePointAt(0) ?? 0);
        if (width === null) return null;
        sum += width;
      }
      return (sum * size) / unitsPerEm;
    },
  };
}

/** Ranges of code points: first, last, glyph of the first. */
type Group = readonly [first: number, last: number, glyph: number];

/** The map in format 12, which holds all of Unicode. */
function readGroups(view: DataView, cmap: number): Group[] {
  for (let i = 0; i < view.getUint16(cmap + 2); i++) {
    const at = cmap + view.getUint32(cmap + 8 + 8 * i);
    if (view.getUint16(at) !== 12) continue;
    return Array.from({ length: view.getUint32(at + 12) }, (_, group): Group => {
      const from = at + 16 + 12 * group;
      return [view.getUint32(from), view.getUint32(from + 4), view.getUint32(from + 8)];
    });
  }
  throw new Error('The font has no map of all of Unicode.');
}
