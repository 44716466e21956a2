/** The rank of a figure among those of its peers, as far as margins of error allow it to be told. */
import { t } from '../messages/messages.ts';

export interface RankedFigure {
  readonly value: number;
  /** Null if the figure has none. */
  readonly margin: number | null;
}

export interface Rank {
  /** 1 is the highest; equal figures share a rank. */
  readonly position: number;
  /** The highest and the lowest rank that the margins allow. */
  readonly best: number;
  readonly worst: number;
  /** The figure and its peers. */
  readonly of: number;
}

/** Null without peers. `figures` includes `own`, once. */
export function deriveRank(own: RankedFigure, figures: readonly RankedFigure[]): Rank | null {
  if (figures.length < 2) return null;
  const low = ({ value, margin }: RankedFigure) => value - (margin ?? 0);
  const high = ({ value, margin }: RankedFigure) => value + (margin ?? 0);
  const count = (test: (one: RankedFigure) => boolean) => figures.filter(test).length;
  return {
    position: 1 + count(one => one.value > own.value),
    best: 1 + count(one => low(one) > high(own)),
    worst: figures.length - count(one => high(one) < low(own)),
    of: figures.length,
  };
}

/** Writes `7th of 17`; `5th to 9th of 17` if the margins of error allow no more. */
export function describeRank({ position, best, worst, of }: Rank, margins: boolean): string {
  return margins && worst > best ? t.rank.between(best, worst, of) : t.rank.at(position, of);
}
