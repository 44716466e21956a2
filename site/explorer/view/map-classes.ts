/** Classes of a map's figures: about as many places in each, with round limits between them. */
export interface Classes {
  /** The least figure, the limits between the classes, and the greatest figure. */
  readonly bounds: readonly number[];
  /** Positions among the colours of a theme, one for each class. */
  readonly colors: readonly number[];
}

const MOST_CLASSES = 5;

/** A class may have so many times its share of the places, so that its limits are round. */
const MOST_SHARE = 1.5;

/** `values` has at least one. */
export function deriveClasses(values: readonly number[]): Classes {
  const sorted = [...values].sort((a, b) => a - b);
  const [least, most] = [sorted[0] ?? 0, sorted.at(-1) ?? 0];
  const cuts = roundCuts(sorted);
  const count = cuts.length + 1;
  // One class alone has the middle colour.
  const colors = Array.from({ length: count }, (_, i) =>
    count === 1 ? 2 : Math.round((i * (MOST_CLASSES - 1)) / (count - 1)),
  );
  return { bounds: [least, ...cuts, most], colors };
}

/** The limits with the fewest digits that still split the places about evenly. */
function roundCuts(sorted: readonly number[]): number[] {
  const count = Math.min(MOST_CLASSES, new Set(sorted).size);
  const exact = Array.from(
    { length: count - 1 },
    (_, i) => sorted[Math.ceil(((i + 1) * sorted.length) / count)] ?? 0,
  );
  const span = (sorted.at(-1) ?? 0) - (sorted[0] ?? 0);
  for (let power = Math.floor(Math.log10(span || 1)); power > Math.log10(span || 1) - 5; power--) {
    for (const factor of [5, 2, 1]) {
      const step = factor * 10 ** power;
      const cuts = exact.map(cut => Number((Math.round(cut / step) * step).toPrecision(12)));
      if (isEven(sorted, cuts)) return cuts;
    }
  }
  // Many equal figures leave no even classes.
  return [...new Set(exact)].filter(cut => cut > (sorted[0] ?? 0));
}

function isEven(sorted: readonly number[], cuts: readonly number[]): boolean {
  const sizes = [...cuts, Infinity].map((cut, i) => {
    const from = i === 0 ? -Infinity : (cuts[i - 1] ?? 0);
    return sorted.filter(value => value >= from && value < cut).length;
  });
  const share = sorted.length / sizes.length;
  return sizes.every(size => size > 0 && size <= Math.max(share * MOST_SHARE, 1));
}

/** The position of a figure's colour. A class has its lower limit; the last one the greatest figure too. */
export function classOf({ bounds, colors }: Classes, value: number): number {
  const at = bounds.findLastIndex(bound => bound <= value);
  return colors[Math.min(Math.max(0, at), colors.length - 1)] ?? 0;
}
