import type { RawRule } from './contract-profile.ts';
import type { Rule } from './dataset.ts';
import type { Path } from './yaml-document.ts';

/** A rule with its column, table and place, as the readers of both kinds of measure need it. */
export interface RuleSource {
  readonly raw: RawRule;
  /** The column that the rule is written under; null for a rule of the table. */
  readonly column: string | null;
  /** All columns of the table. */
  readonly columns: readonly string[];
  readonly path: Path;
}

/** A measure, with defaults for the rule's name, dimension and column. */
export interface ReadMeasure {
  readonly measure: Rule['measure'];
  readonly name: string | null;
  readonly dimension: string;
  readonly column: string | null;
}
