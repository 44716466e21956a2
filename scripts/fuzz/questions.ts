/** Random requests to every table, right and wrong, with all of its parameters, for existing and missing rows. */
import fc from 'fast-check';
import { type ColumnType, ROW_FORMATS } from '../../build/format/documents.ts';
import { GRAMMAR, type PlainName } from '../../build/format/grammar.ts';
import { identifier as name, literal as text } from '../../build/lake/sql.ts';
import type { Bound } from '../../site/query/condition.ts';
import type { ColumnParameter, Parameter, TableRule } from '../../site/query/parameters.ts';
import { joinItems } from '../../site/query/query-string.ts';
import type { LakeRow, LakeTable } from './lake.ts';

/** A question without filters gets this limit: all rows of a level as CSV would be long. */
const MOST_UNFILTERED = 500;

/** What right questions give the parameters that every table has. */
const PLAIN = fc.record({
  offset: fc.oneof(
    { withCrossShrink: true },
    { weight: 14, arbitrary: fc.constant(undefined) },
    { weight: 3, arbitrary: fc.integer({ min: 0, max: 40 }) },
    { weight: 3, arbitrary: fc.integer({ min: 0, max: 12_000 }) },
    { weight: 1, arbitrary: fc.constantFrom(0, 4096, 10_000, 20_000, 9_007_199_254_730_991) },
  ),
  limit: fc.oneof(
    { withCrossShrink: true },
    { weight: 3, arbitrary: fc.constant(undefined) },
    { weight: 8, arbitrary: fc.integer({ min: 1, max: 60 }) },
    { weight: 3, arbitrary: fc.integer({ min: 1, max: 2000 }) },
    { weight: 1, arbitrary: fc.constantFrom(1, 4096, 10_000) },
  ),
  // After every release, so the rows are the lake's.
  as_of: fc.constantFrom(undefined, undefined, undefined, '9999-12-31'),
  format: fc.constantFrom(undefined, ...ROW_FORMATS),
  // They ask for another kind of answer.
  history: fc.constant(undefined),
  figure: fc.constant(undefined),
} satisfies Record<PlainName, fc.Arbitrary<unknown>>);

type Plain = Partial<typeof PLAIN extends fc.Arbitrary<infer Drawn> ? Drawn : never>;

interface Selection {
  readonly detail?: string | undefined;
  readonly asked: readonly Asked[];
}

export interface Question extends Plain, Selection {
  readonly table: LakeTable;
  /** Absent in a right question. */
  readonly fault?: Fault;
}

/** A year or a filter. */
interface Asked {
  readonly param: string;
  /** In the URL, not yet encoded. */
  readonly values: readonly string[];
  /** A condition that the selected rows meet. */
  readonly sql: string;
}

/** Questions about each table equally often, whatever its size. */
export function questions(tables: readonly LakeTable[]): fc.Arbitrary<Question> {
  return fc.constantFrom(...tables).chain(table =>
    fc.tuple(selections(table), PLAIN).map(([selection, plain]): Question => {
      const isLong = selection.asked.length === 0 && table.defaultLevel !== null;
      return { table, ...selection, ...plain, limit: plain.limit ?? (isLong ? MOST_UNFILTERED : undefined) };
    }),
  );
}

/** What the filters of one question share. */
interface Drawn {
  readonly table: LakeTable;
  /** The row that the question is about. */
  readonly row: LakeRow;
  readonly level: string;
}

/** A level and up to five of the table's filters, around one of its rows. */
function selections(table: LakeTable): fc.Arbitrary<Selection> {
  const { rows, parameters, defaultLevel } = table;
  const filters = [...parameters].filter(([, one]) => one.kind !== 'rule' || one.rule.of === 'time');
  if (rows.length === 0 || filters.length === 0 || defaultLevel === null) return fc.constant({ asked: [] });
  const kindOf = ([, one]: (typeof filters)[number]) => (one.kind === 'column' ? one.bound : one.kind);
  // Each kind equally often, whatever the number of its filters.
  const one = fc
    .constantFrom(...new Set(filters.map(kindOf)))
    .chain(kind => fc.constantFrom(...filters.filter(filter => kindOf(filter) === kind)));
  return fc
    .record({
      row: fc.constantFrom(...rows),
      asDetail: fc.oneof(
        { withCrossShrink: true },
        { weight: 1, arbitrary: fc.constant(undefined) },
        { weight: 10, arbitrary: fc.constant('of the row') },
        { weight: 2, arbitrary: fc.constantFrom(...new Set(rows.map(({ level }) => level))) },
      ),
      chosen: fc.uniqueArray(one, { maxLength: 5, selector: ([param]) => param }),
    })
    .chain(({ row, asDetail, chosen }) => {
      const detail = asDetail === 'of the row' ? row.level : asDetail;
      const drawn = { table, row, level: detail ?? defaultLevel };
      const asking = chosen.flatMap(([param, parameter]): fc.Arbitrary<Asked>[] => {
        const condition = askParameter(parameter, drawn);
        return condition ? [condition.map(one => ({ param, ...one }))] : [];
      });
      return fc.tuple(...asking).map(asked => ({ detail, asked }));
    });
}

type Condition = Omit<Asked, 'param'>;

/** Null if the filter can't be used, such as a place at a level without places. */
function askParameter(parameter: Parameter, drawn: Drawn): fc.Arbitrary<Condition> | null {
  switch (parameter.kind) {
    case 'rule':
      return askYear(parameter.rule, drawn);
    case 'place':
      return askPlaces(drawn);
    case 'column': {
      const values = valuesOf(drawn.table, parameter);
      const own = drawn.row.values.get(parameter.column) ?? null;
      if (values.length === 0) return null;
      return parameter.bound === 'key' ? askList(parameter, values, own) : askEnd(parameter, values, own);
    }
    default:
      return parameter satisfies never;
  }
}

const SIGNS: Readonly<Record<Bound, string>> = { key: '=', min: '>=', max: '<=' };

/** The row's year, another of the table, or the one before or after all. */
function askYear(rule: TableRule, { table, row }: Drawn): fc.Arbitrary<Condition> {
  const column = table.year!;
  const years = table.rows.map(one => Number(one.values.get(column)));
  const any = fc.integer({ min: Math.min(...years) - 1, max: Math.max(...years) + 1 });
  const own = fc.constant(Number(row.values.get(column)));
  const sign = SIGNS[rule.name.endsWith('_min') ? 'min' : rule.name.endsWith('_max') ? 'max' : 'key'];
  return fc.oneof({ weight: 2, arbitrary: own }, { weight: 1, arbitrary: any }).map(year => {
    return { values: [String(year)], sql: compare(column, sign, String(year)) };
  });
}

/** A value that no row has, and the problem of a text that isn't of the type. Booleans and texts lack one. */
const TYPES: Readonly<Record<ColumnType, { readonly absent?: string; readonly parsing?: string }>> = {
  string: { absent: 'no such' },
  boolean: { parsing: 'enum' },
  date: { absent: '1901-01-01', parsing: 'date_parsing' },
  integer: { absent: '123456789', parsing: 'int_parsing' },
  number: { absent: '0.123456789', parsing: 'float_parsing' },
  timestamp: { absent: '1901-01-01T00:00:00', parsing: 'datetime_parsing' },
};

/** `own`: the row's value, asked alone or with others. */
function askList(
  { list, choices, column, type, utc }: ColumnParameter,
  values: readonly string[],
  own: string | null,
): fc.Arbitrary<Condition> {
  const { absent } = choices ? {} : TYPES[type];
  const all = absent === undefined ? values : [...values, `${absent}${utc ? 'Z' : ''}`];
  const some = fc.uniqueArray(fc.constantFrom(...all), { minLength: 1, maxLength: list ? 5 : 1 });
  const chosen =
    own === null
      ? some
      : fc.oneof(
          { weight: 3, arbitrary: fc.constant([own]) },
          { weight: 2, arbitrary: some.map(others => [...new Set(list ? [...others, own] : [own])]) },
          { weight: 1, arbitrary: some },
        );
  return chosen.map(several => ({
    values: several,
    sql: several.map(one => compare(column, '=', one)).join(' OR '),
  }));
}

/** The range has the row's own value, or the middle one if that is NULL, so that no range is empty. */
function askEnd({ bound, column }: ColumnParameter, values: readonly string[], own: string | null) {
  const at = own === null ? values.length >> 1 : values.indexOf(own);
  const ends = bound === 'min' ? values.slice(0, at + 1) : values.slice(at);
  return fc.constantFrom(...ends).map(end => ({ values: [end], sql: compare(column, SIGNS[bound], end) }));
}

/** Places of some rows, and mixtures of their codes that no row may have. */
function askPlaces({ table, row, level }: Drawn): fc.Arbitrary<Condition> | null {
  const alike = table.rows.filter(one => one.level === level);
  const codeOf = (one: LakeRow, column: string) => one.values.get(column) ?? null;
  // A level has those columns of the key in which any of its rows has a code.
  const parts = table.place.filter(column => alike.some(one => codeOf(one, column) !== null));
  if (parts.length === 0) return null;
  const codesOf = (one: LakeRow) => parts.map(column => codeOf(one, column));
  const other = fc.oneof(
    fc.constantFrom(...alike).map(codesOf),
    fc
      .tuple(...parts.map(() => fc.constantFrom(...alike)))
      .map(list => list.map((one, i) => codeOf(one, parts[i]!))),
  );
  const own = row.level === level ? [codesOf(row)] : [];
  return fc
    .array(other, { minLength: 1, maxLength: 4 })
    .map(others => [...own, ...others].filter(codes => codes.some(code => code !== null)))
    .filter(keys => keys.length > 0)
    .map(keys => {
      const matching = keys.map(codes => codes.map((code, i) => compare(parts[i]!, '=', code)).join(' AND '));
      return { values: keys.map(writeKey), sql: matching.join(' OR ') };
    });
}

function writeKey(codes: readonly (string | null)[]): string {
  return codes.map(code => (code ?? '').replace(/[%:,]/g, encodeURIComponent)).join(':');
}

/** Of a column in the table's sampled rows, ascending. */
function valuesOf({ rows }: LakeTable, { column, type }: ColumnParameter): readonly string[] {
  const values = [...new Set(rows.flatMap(row => row.values.get(column) ?? []))];
  const rank = (text: string) =>
    type === 'integer' || type === 'number' ? Number(text) : text.replace(/Z$/, '');
  return values.sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
}

/** DuckDB reads the text as the column's type. */
function compare(column: string, sign: string, value: string | null): string {
  return value === null ? `${name(column)} IS NULL` : `${name(column)} ${sign} ${text(value)}`;
}

/** A wrong parameter. */
export interface Fault {
  readonly name: string;
  readonly value: string;
  /** The problem that the edge must report. */
  readonly type: string;
  /** Whether it comes before the right ones. */
  readonly first: boolean;
}

const wrong = (type: string, ...values: string[]) => values.map(value => ({ value, type }));

function listFaults(table: LakeTable): Omit<Fault, 'first'>[] {
  const { parameters } = table;
  const known = ['yaer', 'no such', ...GRAMMAR.map(rule => rule.name), ...parameters.keys()];
  return [...new Set(known)].flatMap(param => {
    const parameter = parameters.get(param);
    const own = parameter ? wrongValues(parameter, table) : wrong('extra_forbidden', '20x4');
    return own.map(one => ({ name: param, ...one }));
  });
}

function wrongValues(parameter: Parameter, table: LakeTable) {
  switch (parameter.kind) {
    case 'rule':
      return wrongPlain(parameter.rule);
    case 'place':
      return [
        ...wrong('empty_list_item', ','),
        ...wrong('place_parts', [...table.place, ''].fill('1').join(':')),
        ...wrong('string_unicode', '%'),
      ];
    case 'column': {
      const { choices, list, type } = parameter;
      const [value] = choices ?? valuesOf(table, parameter);
      if (value === undefined) return [];
      const parsing = choices ? 'enum' : TYPES[type].parsing;
      return [
        ...(list ? wrong('empty_list_item', `${value},,`) : []),
        ...(parsing ? wrong(parsing, list ? `${value},nonsense` : 'nonsense') : []),
      ];
    }
    default:
      return parameter satisfies never;
  }
}

function wrongPlain(rule: TableRule) {
  switch (rule.kind) {
    case 'integer':
      return [
        ...wrong('int_parsing', 'ten', ''),
        ...wrong('int_parsing_size', '99999999999999999999'),
        ...(rule.least === undefined ? [] : wrong('greater_than_equal', String(rule.least - 1))),
      ];
    case 'choice': {
      // If `history` or `figure` is misspelt, the corrected URL asks for a whole key.
      const misspelt = rule.of === 'past' ? [] : rule.choices.slice(0, 1).map(one => `${one}x`);
      return wrong('enum', 'nonsense', ...misspelt);
    }
    case 'moment':
      return wrong('date_parsing', '2026-13-01');
    default:
      return rule satisfies never;
  }
}

/** Questions with one fault each, in place of its own parameter. */
export function wrongQuestions(tables: readonly LakeTable[]): fc.Arbitrary<Question & { fault: Fault }> {
  return questions(tables).chain(question =>
    fc.tuple(fc.constantFrom(...listFaults(question.table)), fc.boolean()).map(([fault, first]) => {
      const { parameters } = question.table;
      // Without the level, a place may have a wrong number of parts.
      const isDropped = (one: string) =>
        one === fault.name || (fault.name === 'detail' && parameters.get(one)?.kind === 'place');
      const asked = question.asked.filter(one => !isDropped(one.param));
      return { ...question, [fault.name]: undefined, asked, fault: { ...fault, first } };
    }),
  );
}

export function questionUrl({ table, detail, asked, fault, ...plain }: Question): string {
  const pairs = [
    ['detail', detail],
    ...asked.map(({ param, values }) => [param, joinItems(values)]),
    ...Object.entries(plain),
  ];
  if (fault) pairs.splice(fault.first ? 0 : pairs.length, 0, [fault.name, fault.value]);
  const given = pairs.filter(([, value]) => value !== undefined).map(pair => pair.map(String));
  return given.length === 0 ? table.url : `${table.url}?${new URLSearchParams(given)}`;
}
