/** Columns that many datasets have. */
import { type ColumnFacts, names } from './facts.ts';

export const PROPORTION: ColumnFacts = { type: 'number', nullable: true, role: 'metric', unit: 'proportion' };
export const COUNT: ColumnFacts = { type: 'integer', nullable: true, role: 'metric', unit: 'count' };
export const NUMERATOR: ColumnFacts = { ...COUNT, component: 'numerator' };
export const DENOMINATOR: ColumnFacts = { ...COUNT, component: 'denominator' };
export const SCORE: ColumnFacts = { type: 'number', nullable: true, role: 'metric', unit: 'score' };
export const SCORE_TO_100: ColumnFacts = { ...SCORE, min: 0, max: 100 };
export const RATIO: ColumnFacts = { type: 'number', nullable: true, role: 'metric', unit: 'ratio' };
export const CURRENCY: ColumnFacts = { type: 'number', nullable: true, role: 'metric', unit: 'currency' };

/** A column of demographic groups that is never NULL; white space separates them. */
export function groups(values: string): ColumnFacts {
  return { type: 'string', nullable: false, role: 'fk_demographic', values: names(values) };
}

/** A categorical column that is never NULL; white space separates its values. */
export function category(values: string): ColumnFacts {
  return { type: 'string', nullable: false, role: 'categorical', values: names(values) };
}
