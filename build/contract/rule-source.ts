import type { RawRule } from './contract-profile.ts';
import type { Rule } from './dataset.ts';
import type { Path } from './yaml-document.ts';

/** A rule, what it belongs to and where it stands: what the two kinds of measure are read from. */
export interface RuleSource {
  readonly raw: RawRule;
  /** The column that the rule is written under; null for a rule of the table. */
  readonly column: string | null;
  /** All columns of the table. */
  readonly columns: readonly string[];
  readonly path: Path;
}

/** A measure, and what a rule is called and is about where it does not say so itself. */
export interface ReadMeasure {
  readonly measure: Rule['measure'];
  readonly name: string | null;
  readonly dimension: string;
  readonly column: string | null;
}
