/** Bins of a map's figures with round bounds, so that a reader can tell the colours apart. */
import { niceTicks } from '../../../view/line-path.ts';

export interface Bins {
  /** Bounds, ascending: one more than there are bins. */
  readonly bounds: readonly number[];
  readonly colors: readonly string[];
}

export function deriveBins(values: readonly number[], ramp: readonly [string, string]): Bins {
  const bounds = niceTicks(Math.min(...values), Math.max(...values));
  const count = bounds.length - 1;
  const colors = Array.from({ length: count }, (_, i) => mix(ramp, count === 1 ? 1 : i / (count - 1)));
  return { bounds, colors };
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
