import type { Scalar } from '../format/documents.ts';
import type { Rule } from './dataset.ts';
import { suggestion } from './nearest-name.ts';
import type { Problems } from './problems.ts';
import { quote, quoteList } from './quoting.ts';
import type { ReadMeasure, RuleSource } from './rule-source.ts';
import { sqlName, sqlText } from './sql-text.ts';

type Metric = Exclude<Rule['measure']['kind'], 'sql'>;

/** Each metric of the ODCS library with its quality dimension. A rule may state another dimension. */
const DIMENSION_OF: Readonly<Record<Metric, string>> = {
  nullValues: 'completeness',
  missingValues: 'completeness',
  invalidValues: 'conformity',
  duplicateValues: 'uniqueness',
  rowCount: 'completeness',
};

const METRICS = Object.keys(DIMENSION_OF) as Metric[];

/** Names that ODCS gave metrics before version 3.1, and others' words for the same. */
const FORMER: ReadonlyMap<string, Metric> = new Map([
  ['duplicateCount', 'duplicateValues'],
  ['validValues', 'invalidValues'],
  ['nullCheck', 'nullValues'],
  ['nullCount', 'nullValues'],
  ['missingCount', 'missingValues'],
  ['invalidCount', 'invalidValues'],
  ['uniqueCheck', 'duplicateValues'],
]);

/**
 * Reads the measure of a `type: library` rule. `missingValues` with values and `invalidValues` with a pattern become
 * SQL.
 */
export function readLibraryMeasure(source: RuleSource, problems: Problems): ReadMeasure | null {
  const { raw, path, column } = source;
  const stated = raw.metric ?? raw.rule;
  const metric = METRICS.find(name => name === stated) ?? FORMER.get(stated ?? '');
  if (metric === undefined) {
    const what = stated === undefined ? 'the rule has no metric' : `there is no metric ${quote(stated)}`;
    const message = `${what}${suggestion(stated ?? '', METRICS)}: use ${quoteList(METRICS)}, or type: sql`;
    problems.doubt([...path, raw.metric === undefined ? 'rule' : 'metric'], 'rule-metric', message);
    return null;
  }
  if (raw.unit === 'percent') {
    const message =
      'the build does not measure shares of rows, so this rule does not run: count rows, or write the rule as sql';
    problems.warning([...path, 'unit'], 'rule-not-run', message);
    return null;
  }
  const measure = measureOf(metric, source, problems);
  if (measure === null) return null;
  const name = column === null ? metric : `${column}_${metric}`;
  return { measure, name, dimension: DIMENSION_OF[metric], column };
}

function measureOf(metric: Metric, source: RuleSource, problems: Problems): Rule['measure'] | null {
  if (metric === 'rowCount') return { kind: metric };
  const columns = columnsOf(metric, source, problems);
  if (columns === null) return null;
  const { validValues, missingValues, pattern } = source.raw.arguments ?? {};
  switch (metric) {
    case 'nullValues':
    case 'duplicateValues':
      return { kind: metric, columns };
    case 'missingValues': {
      const texts = (missingValues ?? []).filter(value => value !== null).map(String);
      if (texts.length === 0) return { kind: metric, columns };
      const missing = columns.map(c => `${sqlName(c)} IS NULL OR ${isOneOf(sqlName(c), texts)}`);
      return { kind: 'sql', query: `SELECT COUNT(*) FROM {object} WHERE ${missing.join(' OR ')}` };
    }
    case 'invalidValues': {
      const values = validValues?.filter((value): value is Scalar => value !== null) ?? [];
      if (values.length > 0) return { kind: metric, values };
      if (pattern !== undefined) {
        const test = `NOT regexp_matches(${textOf(sqlName(columns[0]!))}, ${sqlText(pattern)})`;
        return { kind: 'sql', query: `SELECT COUNT(*) FROM {object} WHERE ${test}` };
      }
      const message =
        'the rule does not say which values are valid: add arguments.validValues or arguments.pattern';
      problems.doubt([...source.path, 'arguments'], 'rule-arguments', message);
      return null;
    }
    default:
      return metric satisfies never;
  }
}

/** The rule's own column, or the columns that a table's rule names in `arguments.properties`. */
function columnsOf(metric: Metric, source: RuleSource, problems: Problems): readonly string[] | null {
  const { raw, path, column } = source;
  if (column !== null) return [column];
  const stated = raw.arguments?.properties ?? [];
  if (stated.length === 0 || metric === 'invalidValues') {
    const remedy = metric === 'invalidValues' ? '' : ', or name its columns in arguments.properties';
    const message = `a rule of the whole table does not say which column ${metric} concerns: write the rule under the column${remedy}`;
    problems.doubt(path, 'rule-arguments', message);
    return null;
  }
  const unknown = stated.findIndex(name => !source.columns.includes(name));
  if (unknown < 0) return stated;
  const name = stated[unknown]!;
  const message = `there is no column ${quote(name)}${suggestion(name, source.columns)}: correct the name`;
  problems.doubt([...path, 'arguments', 'properties', unknown], 'rule-arguments', message);
  return null;
}

/**
 * A condition: the column's value is one of the texts or, in a numeric column, one of the numbers that the texts state.
 */
function isOneOf(column: string, texts: readonly string[]): string {
  const listed = `CAST(${column} AS VARCHAR) IN (${texts.map(sqlText).join(', ')})`;
  const numbers = texts.filter(text => text.trim() !== '' && Number.isFinite(Number(text))).map(Number);
  return numbers.length === 0
    ? listed
    : `${listed} OR (typeof(${column}) <> 'VARCHAR' AND TRY_CAST(CAST(${column} AS VARCHAR) AS DOUBLE) IN (${numbers.join(', ')}))`;
}

/** A value as text. A whole number loses the `.0` that the database writes. */
function textOf(column: string): string {
  const text = `CAST(${column} AS VARCHAR)`;
  return `CASE WHEN typeof(${column}) = 'VARCHAR' THEN ${text} ELSE regexp_replace(${text}, '\\.0$', '') END`;
}
