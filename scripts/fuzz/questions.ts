/** Random requests to every table, right and wrong, with all of its parameters, for existing and missing rows. */
import fc from 'fast-check';
import { type ColumnType, ROW_FORMATS } from '../../build/format/documents.ts';
import { GRAMMAR, type PlainName } from '../../build/format/grammar.ts';
import type { RowColumn } from '../../build/format/manifest.ts';
import { identifier as name, literal as text } from '../../build/lake/sql.ts';
import type { Bound } from '../../site/query/condition.ts';
import type { ColumnParameter, Parameter, TableRule } from '../../site/query/parameters.ts';
import type { LakeRow, LakeTable } from './lake.ts';

const OFFSETS = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 40 }) },
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 12_000 }) },
  { weight: 1, arbitrary: fc.constantFrom(0, 4096, 10_000, 20_000, 9_007_199_254_730_991) },
);
const LIMITS = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 60 }) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 2000 }) },
  { weight: 1, arbitrary: fc.constantFrom(1, 4096, 10_000) },
);
/** A question without filters gets this limit: all rows of a level as CSV would be long. */
const MOST_UNFILTERED = 500;

function sometimes<T>(arbitrary: fc.Arbitrary<T>, nones: number, somes = 1): fc.Arbitrary<T | undefined> {
  const none = { weight: nones, arbitrary: fc.constant(undefined) };
  return fc.oneof({ withCrossShrink: true }, none, { weight: somes, arbitrary });
}

/** What right questions give the parameters that every table has. */
const PLAIN = {
  offset: sometimes(OFFSETS, 2),
  limit: sometimes(LIMITS, 1, 4),
  // After every release, so the rows are the lake's.
  as_of: sometimes(fc.constant('9999-12-31'), 3),
  format: fc.constantFrom(undefined, ...ROW_FORMATS),
  // It asks for another kind of answer.
  history: fc.constant(undefined),
} satisfies Record<PlainName, fc.Arbitrary<unknown>>;

type Plain = {
  readonly [Name in PlainName]?: (typeof PLAIN)[Name] extends fc.Arbitrary<infer V> ? V : never;
};

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
  readonly value: string;
  /** A condition that the selected rows meet. */
  readonly sql: string;
  /** In the page's `filters`; null: it isn't there. */
  readonly echo: readonly string[] | null;
}

/** Questions about each table equally often, whatever its size. */
export function questions(tables: readonly LakeTable[]): fc.Arbitrary<Question> {
  return fc.constantFrom(...tables).chain(table =>
    fc.tuple(selections(table), fc.record(PLAIN)).map(([selection, plain]): Question => {
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
  /** A share of the sorted values: lower bounds are below it and upper bounds above, so that no range is empty. */
  readonly middle: number;
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
      other: sometimes(fc.constantFrom(...new Set(rows.map(({ level }) => level))), 6),
      middle: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      chosen: fc.uniqueArray(one, { maxLength: 5, selector: ([param]) => param }),
      isDefault: fc.integer({ min: 0, max: 12 }).map(n => n === 0),
    })
    .chain(({ row, other, middle, chosen, isDefault }) => {
      const detail = isDefault ? undefined : (other ?? row.level);
      const drawn = { table, row, level: detail ?? defaultLevel, middle };
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
      const column = drawn.table.columns.find(one => one.name === parameter.column)!;
      const values = valuesOf(drawn.table, column);
      if (values.length === 0) return null;
      return parameter.bound === 'key'
        ? askList(parameter, column, values, drawn)
        : askEnd(parameter.bound, column, values, drawn);
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
    return { value: String(year), sql: `${name(column)} ${sign} ${year}`, echo: null };
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

/** The row's value, alone or with others. */
function askList(
  { list, choices }: ColumnParameter,
  column: RowColumn,
  values: readonly string[],
  { row }: Drawn,
): fc.Arbitrary<Condition> {
  const { absent } = choices ? {} : TYPES[column.type];
  const all = absent === undefined ? values : [...values, absent];
  const some = fc.uniqueArray(fc.constantFrom(...all), { minLength: 1, maxLength: list ? 5 : 1 });
  const own = row.values.get(column.name) ?? null;
  const chosen =
    own === null
      ? some
      : fc.oneof(
          { weight: 3, arbitrary: fc.constant([own]) },
          { weight: 2, arbitrary: some.map(others => [...new Set(list ? [...others, own] : [own])]) },
          { weight: 1, arbitrary: some },
        );
  return chosen.map(several => ({
    value: several.map(one => written(column, one)).join(','),
    sql: several.map(one => equals(column, one)).join(' OR '),
    echo: several.map(one => written(column, one)).sort(byBytes),
  }));
}

function askEnd(
  bound: 'min' | 'max',
  column: RowColumn,
  values: readonly string[],
  { middle }: Drawn,
): fc.Arbitrary<Condition> {
  const at = Math.floor(middle * values.length);
  return fc.constantFrom(...(bound === 'min' ? values.slice(0, at + 1) : values.slice(at))).map(end => {
    const value = written(column, end);
    return { value, sql: `${name(column.name)} ${SIGNS[bound]} ${literal(column, end)}`, echo: [value] };
  });
}

/** Places of some rows, and mixtures of their codes that no row may have. */
function askPlaces({ table, row, level }: Drawn): fc.Arbitrary<Condition> | null {
  const alike = table.rows.filter(one => one.level === level);
  const codeOf = (one: LakeRow, column: string) => one.values.get(column) ?? null;
  // A level has those columns of the key in which any of its rows has a code.
  const parts = table.place.filter(column => alike.some(one => codeOf(one, column) !== null));
  if (parts.length === 0) return null;
  const columns = parts.map(part => table.columns.find(column => column.name === part)!);
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
      const texts = keys.map(writeKey);
      const sql = keys.map(codes => codes.map((code, i) => equals(columns[i]!, code)).join(' AND '));
      return { value: texts.join(','), sql: sql.join(' OR '), echo: [...new Set(texts)].sort(byBytes) };
    });
}

function writeKey(codes: readonly (string | null)[]): string {
  const encode = (code: string) => code.replaceAll('%', '%25').replaceAll(':', '%3A').replaceAll(',', '%2C');
  return codes.map(code => encode(code ?? '')).join(':');
}

/** Of a column in the table's sampled rows, ascending. */
function valuesOf({ rows }: LakeTable, { name: column, type }: RowColumn): readonly string[] {
  const values = [...new Set(rows.flatMap(row => row.values.get(column) ?? []))];
  return values.sort(type === 'integer' || type === 'number' ? (a, b) => Number(a) - Number(b) : undefined);
}

/** The API sorts texts by their bytes; JavaScript wouldn't. */
function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function equals(column: RowColumn, value: string | null): string {
  return value === null ? `${name(column.name)} IS NULL` : `${name(column.name)} = ${literal(column, value)}`;
}

/** As the API writes a value. */
function written({ utc }: RowColumn, value: string): string {
  return utc ? `${value}Z` : value;
}

function literal({ type }: RowColumn, value: string): string {
  return type === 'string' || type === 'date' || type === 'timestamp' ? text(value) : value;
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
      const { choices, list } = parameter;
      const column = table.columns.find(one => one.name === parameter.column)!;
      const [first] = choices ?? valuesOf(table, column);
      if (first === undefined) return [];
      const value = written(column, first);
      const parsing = choices ? 'enum' : TYPES[column.type].parsing;
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
      // If `history` is misspelt, the corrected URL asks for a whole key.
      const misspelt = rule.choices.length > 1 ? rule.choices.slice(0, 1).map(one => `${one}x`) : [];
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
    ...asked.map(({ param, value }) => [param, value]),
    ...Object.entries(plain),
  ];
  if (fault) pairs.splice(fault.first ? 0 : pairs.length, 0, [fault.name, fault.value]);
  const given = pairs.filter(([, value]) => value !== undefined).map(pair => pair.map(String));
  return given.length === 0 ? table.url : `${table.url}?${new URLSearchParams(given)}`;
}
