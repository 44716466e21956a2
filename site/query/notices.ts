/** The notices of an answer: sentences about the answer itself. */
import { SAMPLE_NOTICE } from '../../build/format/envelope.ts';
import { spellYears } from '../../build/format/year-runs.ts';
import type { YearRange } from './request.ts';
import type { Level, Table } from './table.ts';

/** The notices of an answer over `years`. The notice of a sample stands first. */
export function composeNotices(
  table: Table,
  level: Level,
  range: YearRange,
  years: readonly number[],
): readonly string[] {
  const notices = table.stamp.sample ? [SAMPLE_NOTICE] : [];
  if (table.year >= 0 && years.length === 0) notices.push(explainNoYears(table.name, level, range));
  return notices;
}

function explainNoYears(name: string, level: Level, { exact, min, max }: YearRange): string {
  if (min !== null && max !== null && min > max) {
    return `No year is in the range: year_min ${min} is after year_max ${max}.`;
  }
  if (exact !== null && ((min !== null && exact < min) || (max !== null && exact > max))) {
    return `No year is in the range: year ${exact} is outside ${describeRange(min, max)}.`;
  }
  const asked = exact ?? describeRange(min, max);
  if (level.years.length === 0) return `${name} has no data at the level ${level.name}.`;
  return `${name} has no data for ${asked} at the level ${level.name}: it has ${spellYears(level.years)}.`;
}

function describeRange(min: number | null, max: number | null): string {
  if (min === null) return max === null ? 'any year' : `years up to ${max}`;
  return max === null ? `years from ${min}` : min === max ? String(min) : `${min} to ${max}`;
}
