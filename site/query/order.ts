/** The order of rows: column by column ascending, NULL first. FORMAT.md section 3. */
import type { Scalar } from '../../build/format/documents.ts';

export type Value = Scalar | null;

/** NULL first, texts by UTF-8 bytes, numbers by size, false before true. */
export function compareValues(a: Value, b: Value): number {
  if (a === b) return 0;
  if (a === null) return -1;
  if (b === null) return 1;
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  return a < b ? -1 : 1;
}

/**
 * By code point, which is also UTF-8 order. JavaScript's `<` compares UTF-16 units and puts U+10000 and above
 * before U+E000 to U+FFFF.
 */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) {
      if (x >= 0xd800 && y >= 0xd800)
        return isSurrogate(x) === isSurrogate(y) ? x - y : isSurrogate(x) ? 1 : -1;
      return x - y;
    }
  }
  return a.length - b.length;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

export function compareRows(
  positions: readonly number[],
): (a: readonly Value[], b: readonly Value[]) => number {
  return (a, b) => {
    for (const position of positions) {
      const sign = compareValues(a[position] ?? null, b[position] ?? null);
      if (sign !== 0) return sign;
    }
    return 0;
  };
}

/** The first index from `low` to below `high` from which on `holds` is true. */
export function firstWhere(low: number, high: number, holds: (index: number) => boolean): number {
  let [from, to] = [low, high];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (holds(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}
