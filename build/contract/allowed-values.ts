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

/** One list of a column's allowed values and its place. */
interface Statement {
  readonly values: readonly Scalar[];
  readonly place: Place;
}

/**
 * Reads a column's allowed values from any of three forms: `enum` on the property, a library rule `invalidValues` with
 * `validValues`, or a SQL rule `col NOT IN (…)`. A rule counts if it allows no exception and its severity is error.
 * Two lists that differ are a problem; the first sets the order. Returns null if no form states a list. `isFilter`:
 * whether requests can filter by the values.
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
    const message = `the allowed values differ from those on line ${first.place.line} (${parts.join('; ')}): make them agree`;
    problems.doubtAt(other.place, 'allowed-values-disagree', message);
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

/** Whether a rule allows only the values that it names. */
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
  const remedy =
    type === 'string' ? 'write each in quotes, as the files have it' : 'give every value that type';
  const message = `the allowed value ${quote(wrong)} is not of type ${type}: ${remedy}`;
  problems.doubtAt(statement.place, 'allowed-values-type', message);
  return false;
}

/**
 * Matches a text that cannot be published: it contains a control character other than tab and line feed, or begins with
 * U+FEFF.
 */
const UNFIT = /[\0-\x08\x0b-\x1f]|^\ufeff/;

function checkTexts(statement: Statement, problems: Problems): boolean {
  const wrong = statement.values.find(value => UNFIT.test(String(value)));
  if (wrong === undefined) return true;
  const message = `the allowed value ${quote(wrong)} contains a control character or begins with U+FEFF: remove the character`;
  problems.doubtAt(statement.place, 'allowed-values-text', message);
  return false;
}

/** A request separates the values of a list with commas, and no item of the list is empty. */
function checkListable({ values, place }: Statement, problems: Problems): void {
  const wrong = values.find(value => !isListable(String(value)));
  if (wrong === undefined) return;
  const what = wrong === '' ? 'is empty' : 'contains a comma';
  const message = `the allowed value ${quote(wrong)} ${what}: requests can ask for it alone but not in a list with other values. Change the value`;
  problems.warningAt(place, 'allowed-values-list', message);
}
