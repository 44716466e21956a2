import type { ColumnType, Scalar } from '../format/documents.ts';
import { isListable } from '../format/paths.ts';
import { isOfType } from './column-type.ts';
import type { RawProperty } from './contract-profile.ts';
import type { Place, Rule } from './dataset.ts';
import { expectsNone } from './expectation.ts';
import { parseNotIn } from './not-in-rule.ts';
import type { Problems } from './problems.ts';
import { quote, quoteList } from './quoting.ts';
import type { Path } from './yaml-document.ts';

/** One statement of a column's allowed values, and where it stands. */
interface Statement {
  readonly values: readonly Scalar[];
  readonly place: Place;
}

/**
 * A column's allowed values, from whichever of the three forms state them: `enum` on the property, a library rule
 * `invalidValues` with `validValues`, a SQL rule `col NOT IN (…)`. A rule counts if it allows no exception and its
 * severity is error. Two that differ are a problem; the order is the first's. Null where no form states any. `isFilter`:
 * whether requests can be for some of the values.
 */
export function resolveAllowedValues(
  raw: RawProperty,
  type: ColumnType,
  rules: readonly Rule[],
  path: Path,
  problems: Problems,
  isFilter: boolean,
): readonly Scalar[] | null {
  const statements = [...enumOf(raw, path, problems), ...rules.flatMap(rule => statementOf(rule, raw.name))];
  const typed = statements.filter(
    statement => checkTypes(statement, type, problems) && checkTexts(statement, problems),
  );
  for (const rule of rules.filter(one => one.column === raw.name && !statesList(one)))
    if (rule.measure.kind === 'invalidValues')
      checkTypes({ values: rule.measure.values, place: rule.place }, type, problems);
  const [first, ...others] = typed;
  if (first === undefined) return null;
  for (const other of others) {
    const missing = first.values.filter(value => !other.values.includes(value));
    const extra = other.values.filter(value => !first.values.includes(value));
    if (missing.length + extra.length === 0) continue;
    const parts = [
      ...(missing.length > 0 ? [`${quoteList(missing)} only there`] : []),
      ...(extra.length > 0 ? [`${quoteList(extra)} only here`] : []),
    ];
    const message = `the allowed values differ from those in line ${first.place.line} (${parts.join('; ')}): make them agree`;
    problems.errorAt(other.place, 'allowed-values-disagree', message);
  }
  if (isFilter) checkListable(first, problems);
  return first.values;
}

function enumOf(raw: RawProperty, path: Path, problems: Problems): Statement[] {
  const values = (raw.enum ?? [])
    .map(entry => (typeof entry === 'object' && entry !== null ? entry.value : entry))
    .filter(value => value !== null && value !== undefined);
  if (values.length === 0) return [];
  return [{ values: [...new Set(values)], place: problems.placeOf([...path, 'enum']) }];
}

/** Whether a rule lets no value pass but those that it names. */
function statesList({ severity, expectation }: Rule): boolean {
  return severity === 'error' && expectsNone(expectation);
}

function statementOf(rule: Rule, column: string | undefined): Statement[] {
  if (!statesList(rule)) return [];
  const { measure } = rule;
  const list = measure.kind === 'sql' ? parseNotIn(measure.query) : null;
  const about = list?.column ?? rule.column;
  const values = measure.kind === 'invalidValues' ? measure.values : list?.values;
  if (values === undefined || about !== column) return [];
  return [{ values: [...new Set(values)], place: rule.place }];
}

function checkTypes(statement: Statement, type: ColumnType, problems: Problems): boolean {
  const wrong = statement.values.find(value => !isOfType(value, type));
  if (wrong === undefined) return true;
  const remedy = type === 'string' ? 'write each in quotes' : 'write each as one';
  const message = `the allowed value ${quote(wrong)} is not of type ${type}: ${remedy}`;
  problems.errorAt(statement.place, 'allowed-values-type', message);
  return false;
}

/** What no published text may hold: control characters other than tab and line feed, U+FEFF at the beginning. */
const UNFIT = /[\0-\x08\x0b-\x1f]|^\ufeff/;

function checkTexts(statement: Statement, problems: Problems): boolean {
  const wrong = statement.values.find(value => UNFIT.test(String(value)));
  if (wrong === undefined) return true;
  const message = `the allowed value ${quote(wrong)} holds a control character or begins with U+FEFF, and no such text is published: remove it`;
  problems.errorAt(statement.place, 'allowed-values-text', message);
  return false;
}

/** A request's list is divided at commas, and has no empty item. */
function checkListable({ values, place }: Statement, problems: Problems): void {
  const wrong = values.find(value => !isListable(String(value)));
  if (wrong === undefined) return;
  const what = wrong === '' ? 'is empty' : 'holds a comma';
  const message = `the allowed value ${quote(wrong)} ${what}: requests can be for it alone, and in no list with others. Write it otherwise`;
  problems.warningAt(place, 'allowed-values-list', message);
}
