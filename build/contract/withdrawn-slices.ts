/** Removes withdrawn years and levels from what a contract promises. Pure. */
import { isWithin } from '../format/changes.ts';
import type { WithdrawnSlices } from '../format/documents.ts';
import type { Problems } from './problems.ts';
import { quote } from './quoting.ts';
import type { Path } from './yaml-document.ts';

interface Promised {
  readonly years: readonly number[];
  readonly levels: readonly string[];
  readonly defaultLevel: string;
  readonly levelYears: ReadonlyMap<string, readonly number[]>;
}

/** Whether a contract withdraws a slice. */
export function isWithdrawnSlice(
  withdrawals: readonly WithdrawnSlices[],
  year: number,
  detail: string,
): boolean {
  return withdrawals.some(one => isWithin(one, { year, detail }));
}

/** Returns what the contract still promises. `places`: the paths of the properties `withdrawn` and `default_detail`. */
export function withoutWithdrawn<Stated extends Promised>(
  stated: Stated,
  withdrawals: readonly WithdrawnSlices[],
  places: { readonly withdrawn: Path; readonly defaultLevel: Path; readonly statesDefault: boolean },
  problems: Problems,
): Stated {
  if (withdrawals.length === 0) return stated;
  const left = new Map<string, readonly number[]>();
  for (const level of stated.levels) {
    const promised = stated.levelYears.get(level) ?? stated.years;
    const kept = promised.filter(year => !isWithdrawnSlice(withdrawals, year, level));
    if (kept.length > 0 || promised.length === 0) left.set(level, kept);
  }
  const levels = [...left.keys()];
  const years = stated.years.filter(year => [...left.values()].some(kept => kept.includes(year)));
  const [first] = levels;
  if (first === undefined) {
    const message =
      'the contract withdraws all years of all levels: withdraw the dataset instead, with status: retired and without years or levels here';
    problems.doubt(places.withdrawn, 'withdrawn-all', message);
    return stated;
  }
  const isDefaultGone = !left.has(stated.defaultLevel);
  if (isDefaultGone && places.statesDefault) {
    const message = `the level ${quote(stated.defaultLevel)} is withdrawn and cannot be the default: name another, such as ${first}`;
    problems.doubt(places.defaultLevel, 'withdrawn-default', message);
  }
  return {
    ...stated,
    years,
    levels,
    defaultLevel: isDefaultGone ? first : stated.defaultLevel,
    levelYears: new Map([...left].filter(([, kept]) => kept.length < years.length)),
  };
}
