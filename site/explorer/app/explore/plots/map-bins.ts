/** Bins of a map's figures with round bounds, so that a reader can tell the colours apart. */
export interface Bins {
  /** Bounds, ascending: one more than there are bins. */
  readonly bounds: readonly number[];
  readonly colors: readonly string[];
}

export function deriveBins(values: readonly number[], ramp: readonly [string, string]): Bins {
  const bounds = roundBounds(Math.min(...values), Math.max(...values));
  const count = bounds.length - 1;
  const colors = Array.from({ length: count }, (_, i) => mix(ramp, count === 1 ? 1 : i / (count - 1)));
  return { bounds, colors };
}

const MOST_BINS = 6;

/** Bounds of four to six bins, if the figures differ enough. */
function roundBounds(least: number, most: number): number[] {
  const span = most - least || Math.abs(most) || 1;
  const power = 10 ** Math.floor(Math.log10(span / MOST_BINS));
  const step =
    [1, 2, 2.5, 5, 10, 20].map(factor => factor * power).find(size => span / size <= MOST_BINS - 1) ?? span;
  const start = Math.floor(least / step + 1e-9);
  const end = Math.max(start + 1, Math.ceil(most / step - 1e-9));
  return Array.from({ length: end - start + 1 }, (_, i) => Number(((start + i) * step).toPrecision(12)));
}

/** A bin has its lower bound; the last one its upper bound too. */
export function colorAt({ bounds, colors }: Bins, value: number): string {
  const bin = bounds.findLastIndex(bound => bound <= value);
  return colors[Math.min(Math.max(0, bin), colors.length - 1)]!;
}

/** Mixes two colours (`#rrggbb`) linearly in RGB. */
function mix([from, to]: readonly [string, string], share: number): string {
  const part = (at: number) => {
    const [a, b] = [Number.parseInt(from.slice(at, at + 2), 16), Number.parseInt(to.slice(at, at + 2), 16)];
    return Math.round(a + (b - a) * share)
      .toString(16)
      .padStart(2, '0');
  };
  return `#${part(1)}${part(3)}${part(5)}`;
}
