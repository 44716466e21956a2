/** Reads the quality rules of a table, of its columns, and the limits that columns state. */
import type { Scalar } from '../format/documents.ts';
import type { RawObject, RawProperty, RawRule } from './contract-profile.ts';
import type { Expectation, Rule, Severity } from './dataset.ts';
import { quote, quoteList, suggestion } from './diagnostic.ts';
import type { Problems } from './problems.ts';
import type { Path } from './yaml-document.ts';

/**
 * Reads the rules of a table and of its columns in the contract's order, columns first. Text rules can't run.
 * Custom rules belong to another tool and get a `rule-not-run` warning. The default severity is `error`;
 * `info` counts as `warning`. A rule without a name is called `<column>_<metric>` or `rule_<n>`; the second
 * rule of a name `<name>_2`. Limits that columns state come last.
 */
export function readRules(
  object: RawObject,
  owner: Path,
  columns: readonly string[],
  problems: Problems,
): Rule[] {
  const sources: RuleSource[] = [];
  const add = (list: readonly (RawRule | null)[] | undefined, column: string | null, at: Path) => {
    for (const [i, raw] of (list ?? []).entries()) {
      if (raw !== null) sources.push({ raw, column, columns, path: [...at, 'quality', i] });
    }
  };
  for (const [i, property] of (object.properties ?? []).entries()) {
    if (property?.name !== undefined) add(property.quality, property.name, [...owner, 'properties', i]);
  }
  add(object.quality, null, owner);

  const taken = new Map<string, number>();
  const names = new Map<RuleSource, string>();
  for (const source of sources) {
    const { name } = source.raw;
    if (name === undefined || taken.has(name)) continue;
    taken.set(name, problems.placeOf(source.path).line);
    names.set(source, name);
  }
  const rules = sources.flatMap((source, index): Rule[] => {
    const rule = readRule(source, problems);
    if (rule === null) return [];
    const { name: stated } = source.raw;
    const name = names.get(source) ?? freeName(stated ?? rule.name ?? `rule_${index + 1}`, taken);
    if (stated !== undefined && stated !== name) {
      const message = `the rule ${quote(stated)} is already on line ${taken.get(stated)}, so results call this one ${quote(name)}: give it a name of its own`;
      problems.warning([...source.path, 'name'], 'duplicate-rule', message);
    }
    return [{ ...rule, name }];
  });
  const limits = (object.properties ?? []).flatMap((property, i) =>
    property === null ? [] : readLimits(property, [...owner, 'properties', i], problems),
  );
  return [...rules, ...limits.map(limit => ({ ...limit, name: freeName(limit.name, taken) }))];
}

const OTHER_TOOL =
  'a custom rule belongs to another tool and does not run here: write it as sql or library to have it checked';

function readRule(
  source: RuleSource,
  problems: Problems,
): (Omit<Rule, 'name'> & { name: string | null }) | null {
  const { raw, path } = source;
  const { type = raw.query !== undefined && raw.metric === undefined ? 'sql' : 'library' } = raw;
  switch (type) {
    case 'text':
      return null;
    case 'custom': {
      problems.warning(path, 'rule-not-run', OTHER_TOOL);
      return null;
    }
    case 'library':
    case 'sql': {
      // ODCS 3.0 allowed other tools' rules without a type.
      const isForeign = raw.metric === undefined && raw.rule === undefined && raw.query === undefined;
      if (isForeign && !problems.native) {
        problems.warning(path, 'rule-not-run', OTHER_TOOL);
        return null;
      }
      const read = type === 'sql' ? readSqlMeasure(source, problems) : readLibraryMeasure(source, problems);
      const expectation = readExpectation(raw, path, problems);
      if (read === null || expectation === null) return null;
      return {
        name: read.name,
        description: raw.description ?? '',
        dimension: raw.dimension ?? read.dimension,
        severity: readSeverity(raw, path, problems),
        column: read.column,
        measure: read.measure,
        expectation,
        place: problems.placeOf(path),
      };
    }
    default: {
      const message = `type is ${quote(type)}, so the rule does not run: it must be one of 'library', 'sql', 'text', 'custom'`;
      problems.doubt([...path, 'type'], 'contract-value', message);
      return null;
    }
  }
}

/** Another tool's word, such as `critical`, counts as a warning. */
function readSeverity({ severity }: RawRule, path: Path, problems: Problems): Severity {
  if (severity === undefined || severity === 'error') return 'error';
  if (severity === 'warning' || severity === 'info') return 'warning';
  const message = `severity is ${quote(severity)}, and the build takes it for a warning: it must be one of 'error', 'warning', 'info'`;
  problems.doubt([...path, 'severity'], 'contract-value', message);
  return 'warning';
}

/** Appends _2, _3, … until no other rule has the name. */
function freeName(name: string, taken: Map<string, number>): string {
  let free = name;
  for (let n = 2; taken.has(free); n++) free = `${name}_${n}`;
  taken.set(free, 0);
  return free;
}

interface RuleSource {
  readonly raw: RawRule;
  /** Null for a rule of the table. */
  readonly column: string | null;
  readonly columns: readonly string[];
  readonly path: Path;
}

/** With defaults for the rule's name, dimension and column. */
interface ReadMeasure {
  readonly measure: Rule['measure'];
  readonly name: string | null;
  readonly dimension: string;
  readonly column: string | null;
}

const COMPARISONS = [
  'mustBe',
  'mustNotBe',
  'mustBeGreaterThan',
  'mustBeGreaterOrEqualTo',
  'mustBeLessThan',
  'mustBeLessOrEqualTo',
] as const;
const INTERVALS = ['mustBeBetween', 'mustNotBeBetween'] as const;
const OPERATORS: readonly string[] = [...COMPARISONS, ...INTERVALS];

/** Returns null and reports `rule-operator` if there is no operator, several or an unknown one. */
function readExpectation(rule: object, path: Path, problems: Problems): Expectation | null {
  const found = Object.keys(rule).filter(key => /^must/i.test(key));
  const fail = (at: Path, message: string) => {
    problems.doubt(at, 'rule-operator', message);
    return null;
  };
  const unknown = found.find(key => !OPERATORS.includes(key));
  if (unknown !== undefined) {
    const message = `${quote(unknown)} is not an operator${suggestion(unknown, OPERATORS)}: use ${OPERATORS.join(', ')}`;
    problems.atKey(problems.native ? 'error' : 'warning', [...path, unknown], 'rule-operator', message);
    return null;
  }
  if (found.length !== 1) {
    const what = found.length === 0 ? 'the rule has no operator' : `the rule has ${found.length} operators`;
    return fail(path, `${what}: write exactly one, such as mustBe: 0`);
  }
  const operator = found[0]!;
  const value = (rule as Record<string, unknown>)[operator];
  const comparison = COMPARISONS.find(name => name === operator);
  if (comparison !== undefined) {
    if (typeof value === 'number' && Number.isFinite(value)) return { operator: comparison, value };
    const message = `${operator} is ${quote(value)}: a rule measures a number, so write a number`;
    return fail([...path, operator], message);
  }
  const interval = INTERVALS.find(name => name === operator)!;
  const [low, high, ...rest]: unknown[] = Array.isArray(value) ? value : [];
  if (typeof low !== 'number' || typeof high !== 'number' || !(low <= high) || rest.length > 0) {
    const message = `${operator} is ${quote(value)}: write two numbers, the smaller first, such as [0, 1]`;
    return fail([...path, operator], message);
  }
  return { operator: interval, low, high };
}

/** Whether a single row breaks the rule. */
export function expectsNone(expectation: Expectation): boolean {
  switch (expectation.operator) {
    case 'mustBe':
    case 'mustBeLessOrEqualTo':
      return expectation.value === 0;
    case 'mustBeLessThan':
      return expectation.value > 0 && expectation.value <= 1;
    default:
      return false;
  }
}

type Metric = Exclude<Rule['measure']['kind'], 'sql'>;

/** The quality dimension of each metric of the ODCS library, unless the rule states another. */
const DIMENSION_OF: Readonly<Record<Metric, string>> = {
  nullValues: 'completeness',
  missingValues: 'completeness',
  invalidValues: 'conformity',
  duplicateValues: 'uniqueness',
  rowCount: 'completeness',
};

const METRICS = Object.keys(DIMENSION_OF) as Metric[];

/** Names of metrics before ODCS 3.1, and other tools' names. */
const FORMER: ReadonlyMap<string, Metric> = new Map([
  ['duplicateCount', 'duplicateValues'],
  ['validValues', 'invalidValues'],
  ['nullCheck', 'nullValues'],
  ['nullCount', 'nullValues'],
  ['missingCount', 'missingValues'],
  ['invalidCount', 'invalidValues'],
  ['uniqueCheck', 'duplicateValues'],
]);

/** `missingValues` with values and `invalidValues` with a pattern become SQL. */
function readLibraryMeasure(source: RuleSource, problems: Problems): ReadMeasure | null {
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

/** The rule's own column, or the columns in `arguments.properties` of a table's rule. */
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

/** SQL: the value is one of the texts or, in a numeric column, one of the numbers among them. */
function isOneOf(column: string, texts: readonly string[]): string {
  const listed = `CAST(${column} AS VARCHAR) IN (${texts.map(sqlText).join(', ')})`;
  const numbers = texts.filter(text => text.trim() !== '' && Number.isFinite(Number(text))).map(Number);
  return numbers.length === 0
    ? listed
    : `${listed} OR (typeof(${column}) <> 'VARCHAR' AND TRY_CAST(CAST(${column} AS VARCHAR) AS DOUBLE) IN (${numbers.join(', ')}))`;
}

/** A whole number loses the `.0` that the database writes. */
function textOf(column: string): string {
  const text = `CAST(${column} AS VARCHAR)`;
  return `CASE WHEN typeof(${column}) = 'VARCHAR' THEN ${text} ELSE regexp_replace(${text}, '\\.0$', '') END`;
}

/**
 * Normalizes the placeholder of the table to `{object}` and fills in the column's. A bare `col NOT IN (…)`
 * becomes a count.
 */
function readSqlMeasure(source: RuleSource, problems: Problems): ReadMeasure | null {
  const { raw, path, column, columns } = source;
  const stated = raw.query?.trim() ?? '';
  const fail = (message: string) => {
    problems.doubt([...path, 'query'], 'rule-query', message);
    return null;
  };
  if (stated === '') return fail('the rule has no query: add a SELECT that returns one number');
  if (column === null && /\$?\{(?:property|column)\}/.test(stated)) {
    return fail('{property} stands for a column, but this is a rule of the whole table: name the column');
  }
  const query = stated
    .replace(/\$?\{(?:object|table)\}/g, '{object}')
    .replace(/\$?\{(?:property|column)\}/g, () => `"${column}"`);
  const list = parseNotIn(query);
  if (list?.bare === true) {
    const about = column ?? (columns.includes(list.column) ? list.column : null);
    if (about === null || about !== list.column) {
      return fail('the condition concerns another column than the rule: write the rule under that column');
    }
    const measure = { kind: 'invalidValues', values: list.values } as const;
    return { measure, name: `${about}_invalidValues`, dimension: 'conformity', column: about };
  }
  // The database checks later that it is one SELECT over known columns.
  if (!/^\(*\s*(?:select|with|from)\b/i.test(stripComments(query))) {
    return fail(
      'the query is not a SELECT: write one that returns one number, such as SELECT COUNT(*) FROM {object} WHERE …',
    );
  }
  return { measure: { kind: 'sql', query }, name: null, dimension: 'accuracy', column };
}

function stripComments(query: string): string {
  let rest = query;
  for (;;) {
    const end = rest.startsWith('--')
      ? rest.indexOf('\n')
      : rest.startsWith('/*')
        ? rest.indexOf('*/') + 1
        : -1;
    if (end <= 0) return rest;
    rest = rest.slice(end + 1).trimStart();
  }
}

interface Limit {
  /** Logical types that the limit applies to. */
  readonly of: readonly string[];
  readonly isOne: (limit: unknown) => boolean;
  /** SQL that is true for rows that break the limit. */
  readonly broken: (column: string, limit: unknown) => string;
}

const isNumber = (limit: unknown) => Number.isFinite(limit);
const ofNumbers = (operator: string): Limit => ({
  of: ['integer', 'number'],
  isOne: isNumber,
  broken: (column, limit) => `${column} ${operator} ${limit}`,
});
const ofLengths = (operator: string): Limit => ({
  of: ['string'],
  isOne: isNumber,
  broken: (column, limit) => `length(${column}) ${operator} ${limit}`,
});

const LIMITS: ReadonlyMap<string, Limit> = new Map([
  ['minimum', ofNumbers('<')],
  ['maximum', ofNumbers('>')],
  ['exclusiveMinimum', ofNumbers('<=')],
  ['exclusiveMaximum', ofNumbers('>=')],
  [
    'multipleOf',
    {
      of: ['integer'],
      isOne: limit => isNumber(limit) && Number(limit) > 0,
      broken: (column, limit) => `${column} % ${limit} <> 0`,
    },
  ],
  ['minLength', ofLengths('<')],
  ['maxLength', ofLengths('>')],
  [
    'pattern',
    {
      of: ['string'],
      isOne: limit => typeof limit === 'string',
      broken: (column, limit) => `NOT regexp_matches(${column}, ${sqlText(String(limit))})`,
    },
  ],
]);

/**
 * Turns `unique` and `logicalTypeOptions` of a column into rules. A limit that can't be checked gets a
 * `rule-not-run` warning.
 */
function readLimits(raw: RawProperty, path: Path, problems: Problems): Rule[] {
  const { name } = raw;
  if (name === undefined) return [];
  const rule = (key: string, at: Path, description: string, measure: Rule['measure']): Rule => ({
    name: `${name}_${key}`,
    description,
    dimension: key === 'unique' ? 'uniqueness' : 'conformity',
    severity: 'error',
    column: name,
    measure,
    expectation: { operator: 'mustBe', value: 0 },
    place: problems.placeOf(at),
  });
  const rules: Rule[] = [];
  if (raw.unique === true) {
    const description = `No two rows share ${name}.`;
    rules.push(
      rule('unique', [...path, 'unique'], description, { kind: 'duplicateValues', columns: [name] }),
    );
  }
  for (const [key, limit] of Object.entries(raw.logicalTypeOptions ?? {})) {
    const known = LIMITS.get(key);
    // A format or a time zone isn't a limit.
    if (known === undefined || limit === null) continue;
    const at = [...path, 'logicalTypeOptions', key];
    if (!known.of.includes(raw.logicalType ?? '') || !known.isOne(limit)) {
      const message = `${key} ${quote(limit)} is not checked, because a column of type ${raw.logicalType ?? 'unknown'} has no such limit: write a rule for it`;
      problems.warning(at, 'rule-not-run', message);
      continue;
    }
    const description = `${name} keeps to ${key} ${quote(limit)}.`;
    const query = `SELECT COUNT(*) FROM {object} WHERE ${known.broken(sqlName(name), limit)}`;
    rules.push(rule(key, at, description, { kind: 'sql', query }));
  }
  return rules;
}

/** `col NOT IN ('a', 'b')`. `bare`: without a SELECT around it. */
interface NotInRule {
  readonly column: string;
  readonly values: readonly Scalar[];
  readonly bare: boolean;
}

const COLUMN = /[A-Za-z_]\w*|"(?:[^"]|"")*"/.source;
const VALUE = /'(?:[^']|'')*'|-?\d+(?:\.\d+)?|true|false/.source;

/** The parts begin with different characters, so matching takes linear time. */
const NOT_IN = new RegExp(
  [
    /^(select\s+count\s*\(\s*\*\s*\)\s*from\s*\{object\}\s*where\s+)?/.source,
    `(?:(${COLUMN})\\s+is\\s+not\\s+null\\s+and\\s+)?`,
    `(${COLUMN})\\s+not\\s+in\\s*\\(\\s*((?:${VALUE})(?:\\s*,\\s*(?:${VALUE}))*)\\s*\\)`,
    `(?:\\s*and\\s+(${COLUMN})\\s+is\\s+not\\s+null)?\\s*;?$`,
  ].join(''),
  'i',
);

const MAX_LENGTH = 50_000;

/**
 * Parses `col NOT IN ('a', 'b')`, alone or as the condition of `SELECT COUNT(*) FROM {object} WHERE`, with or
 * without `col IS NOT NULL`. Returns null for other SQL: a rule that says more isn't a list of allowed
 * values.
 */
export function parseNotIn(query: string): NotInRule | null {
  const text = query.trim();
  const [, whole, before, name = '', list = '', behind] =
    (text.length > MAX_LENGTH ? null : NOT_IN.exec(text)) ?? [];
  const column = unquoted(name, '"');
  if (name === '' || [before, behind].some(one => one !== undefined && unquoted(one, '"') !== column))
    return null;
  const values = [...list.matchAll(new RegExp(VALUE, 'gi'))].map(([value]): Scalar => {
    if (value.startsWith("'")) return unquoted(value, "'");
    const word = value.toLowerCase();
    return word === 'true' || (word !== 'false' && Number(word));
  });
  return { column, values, bare: whole === undefined };
}

function unquoted(text: string, mark: '"' | "'"): string {
  return text.startsWith(mark) ? text.slice(1, -1).replaceAll(mark + mark, mark) : text;
}

function sqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
