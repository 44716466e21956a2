/** How a random question asks for each kind of filter, what DuckDB then compares, and what is wrong to ask. */
import fc from 'fast-check';
import type { FilterDescriptor } from '../../build/format/documents.ts';
import { type LakeColumn, name, text } from './lake.ts';

/** A parameter of a question. */
export interface Asked {
  readonly kind: FilterDescriptor['kind'];
  readonly param: string;
  /** As the URL has it. */
  readonly value: string;
  /** What holds for rows that it selects. */
  readonly sql: string;
  /** As the page repeats it; null: not among its filters. */
  readonly echo: readonly string[] | null;
  /** On parameters of years. */
  readonly hasYear?: (year: number) => boolean;
}

export interface Row {
  readonly level: string;
  readonly year: number;
  /** Texts of the columns with filters; null is NULL. */
  readonly values: ReadonlyMap<string, string | null>;
}

/** What the lake has for a filter. */
export interface Known {
  readonly filter: FilterDescriptor;
  readonly columns: readonly LakeColumn[];
  /** Some values of a filter of one column, ascending. */
  readonly values: readonly string[];
  readonly years: readonly number[];
  readonly rows: readonly Row[];
}

/** What the filters of one question have in common. */
export interface Drawn {
  /** The row that it is about. */
  readonly row: Row;
  /** The level that it asks for. */
  readonly level: string;
  /** Bounds stand on their sides of this share of the values: the other way round they are a mistake. */
  readonly middle: number;
}

export interface Wrong {
  readonly value: string;
  /** The problem that it must be called. */
  readonly type: string;
}

interface Kind {
  /** Null where the filter has no meaning, as a place at a level without places. */
  ask(known: Known, drawn: Drawn): fc.Arbitrary<Asked> | null;
  wrong(known: Known): readonly Wrong[];
}

const LIST: Kind = { ask: askList, wrong: wrongList };

/** Each kind of filter that a schema document may list: the compiler asks for a new one. */
export const FILTER_KINDS: Readonly<Record<FilterDescriptor['kind'], Kind>> = {
  year_exact: { ask: (known, drawn) => askYear(known, drawn, '='), wrong: () => [parsing('20x4')] },
  year_range: {
    ask: (known, drawn) => askYear(known, drawn, known.filter.param.endsWith('min') ? '>=' : '<='),
    wrong: () => [parsing('')],
  },
  // Every question has a level anyway.
  detail: { ask: () => null, wrong: () => [{ value: 'everywhere', type: 'enum' }] },
  foreign_key: LIST,
  categorical: LIST,
  dimension_attribute: LIST,
  time: LIST,
  place: { ask: askPlaces, wrong: wrongPlaces },
  range: {
    ask: askRange,
    wrong: ({ filter }) => [{ value: 'much', type: RANGE_PROBLEMS[filter.type] }],
  },
};

const parsing = (value: string): Wrong => ({ value, type: 'int_parsing' });

const RANGE_PROBLEMS: Readonly<Record<FilterDescriptor['type'], string>> = {
  integer: 'int_parsing',
  number: 'float_parsing',
  string: 'float_parsing',
  date: 'date_parsing',
  timestamp: 'datetime_parsing',
};

/** A value that no row has. */
const ABSENT: Readonly<Record<LakeColumn['type'], string>> = {
  string: 'no such',
  boolean: 'no such',
  date: '1901-01-01',
  integer: '123456789',
  number: '0.123456789',
  timestamp: '1901-01-01T00:00:00',
};

/** The row's year, one of the table or one beside them. */
function askYear({ filter, years }: Known, { row }: Drawn, sign: '=' | '>=' | '<='): fc.Arbitrary<Asked> {
  const any = fc.integer({ min: (years[0] ?? 0) - 1, max: (years.at(-1) ?? 0) + 1 });
  return fc
    .oneof({ weight: 2, arbitrary: fc.constant(row.year) }, { weight: 1, arbitrary: any })
    .map(year => ({
      ...{ kind: filter.kind, param: filter.param, value: String(year), echo: null },
      sql: `${name(filter.column ?? '')} ${sign} ${year}`,
      hasYear: one => (sign === '=' ? one === year : sign === '>=' ? one >= year : one <= year),
    }));
}

/** Values of the row, alone or with others. */
function askList({ filter, columns, values }: Known, { row }: Drawn): fc.Arbitrary<Asked> {
  const column = columns[0]!;
  const absent = filter.enum_enforced ? [] : [`${ABSENT[column.type]}${column.utc ? 'Z' : ''}`];
  const some = fc.uniqueArray(fc.constantFrom(...values, ...absent), { minLength: 1, maxLength: 5 });
  const own = row.values.get(column.name) ?? null;
  const chosen =
    own === null
      ? some
      : fc.oneof(
          { weight: 3, arbitrary: fc.constant([own]) },
          { weight: 2, arbitrary: some.map(others => [...new Set([...others, own])]) },
          { weight: 1, arbitrary: some },
        );
  return chosen.map(list => ({
    ...{ kind: filter.kind, param: filter.param, value: list.join(',') },
    sql: list.map(one => equals(column, one)).join(' OR '),
    echo: [...new Set(list)].sort(byBytes),
  }));
}

function wrongList({ filter, values }: Known): Wrong[] {
  const listed = { value: `${values[0]},nonsense`, type: 'enum' };
  return [{ value: `${values[0]},,`, type: 'empty_list_item' }, ...(filter.enum_enforced ? [listed] : [])];
}

/** Texts are sorted by their bytes, which is not JavaScript's own order. */
function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** Places of some rows, with codes exchanged among them: pairs that no row has. */
function askPlaces({ filter, columns: all, rows }: Known, { row, level }: Drawn): fc.Arbitrary<Asked> | null {
  const alike = rows.filter(one => one.level === level);
  // A level has the columns of a key that any of its rows has a code in.
  const columns = all.filter(column => alike.some(one => (one.values.get(column.name) ?? null) !== null));
  if (columns.length === 0) return null;
  const codesOf = (one: Row) => columns.map(column => one.values.get(column.name) ?? null);
  const other = fc.oneof(
    fc.constantFrom(...alike).map(codesOf),
    fc
      .tuple(...columns.map(() => fc.constantFrom(...alike)))
      .map(list => list.map((one, i) => codesOf(one)[i]!)),
  );
  const own = row.level === level ? [codesOf(row)] : [];
  return fc
    .array(other, { minLength: 1, maxLength: 4 })
    .map(others => [...own, ...others].filter(codes => codes.some(code => code !== null)))
    .filter(keys => keys.length > 0)
    .map(keys => {
      const texts = keys.map(writeKey);
      const isPlace = (codes: readonly (string | null)[]) =>
        codes.map((code, i) => equals(columns[i]!, code)).join(' AND ');
      return {
        ...{
          kind: filter.kind,
          param: filter.param,
          value: texts.join(','),
          sql: keys.map(isPlace).join(' OR '),
        },
        echo: [...new Set(texts)].sort(byBytes),
      };
    });
}

function wrongPlaces({ columns }: Known): Wrong[] {
  const long = Array(columns.length + 1)
    .fill('1')
    .join(':');
  return [
    { value: ',', type: 'empty_list_item' },
    { value: long, type: 'place_parts' },
    { value: '%', type: 'string_unicode' },
  ];
}

/** As the API writes a key. */
function writeKey(codes: readonly (string | null)[]): string {
  const encode = (code: string) => code.replaceAll('%', '%25').replaceAll(':', '%3A').replaceAll(',', '%2C');
  return codes.map(code => encode(code ?? '')).join(':');
}

function askRange({ filter, columns, values }: Known, { middle }: Drawn): fc.Arbitrary<Asked> {
  const column = columns[0]!;
  const at = Math.floor(middle * values.length);
  const allowed = filter.bound === 'min' ? values.slice(0, at + 1) : values.slice(at);
  // Without the Z, which sorts after the decimals of a second.
  const bare = (value: string) => literal(column, column.utc ? value.replace(/Z$/, '') : value);
  const left = column.utc ? `rtrim(${name(column.name)}, 'Z')` : name(column.name);
  return fc.constantFrom(...allowed).map(value => ({
    ...{ kind: filter.kind, param: filter.param, value, echo: [value] },
    sql: `${left} ${filter.bound === 'min' ? '>=' : '<='} ${bare(value)}`,
  }));
}

function equals(column: LakeColumn, value: string | null): string {
  return value === null ? `${name(column.name)} IS NULL` : `${name(column.name)} = ${literal(column, value)}`;
}

function literal({ type }: LakeColumn, value: string): string {
  return type === 'string' || type === 'date' || type === 'timestamp' ? text(value) : value;
}
