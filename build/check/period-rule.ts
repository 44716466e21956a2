/** What the values of a time column must be, so that each names one period. Pure. */
import type { Column, DatasetTime } from '../contract/dataset.ts';
import { PERIOD_TEXTS } from '../contract/time.ts';
import { literal } from '../lake/sql.ts';

interface PeriodRule {
  readonly description: string;
  /** SQL that is true for a value that names no period. */
  readonly violation: (value: string) => string;
}

/** Null if every date or timestamp will do. */
export function periodRule({ name, type }: Column, unit: DatasetTime['unit']): PeriodRule | null {
  if (type === 'string' && (unit === 'quarter' || unit === 'month')) {
    const { pattern, example } = PERIOD_TEXTS[unit];
    return {
      description: `${name} is a ${unit} such as ${example}.`,
      violation: value => `NOT regexp_matches(${value}, ${literal(pattern)})`,
    };
  }
  if (type !== 'date' || unit === 'day') return null;
  return {
    description: `${name} is the first day of a ${unit}.`,
    violation: value => `${value} <> date_trunc(${literal(unit)}, ${value})`,
  };
}
