/** Random requests to every table, right and wrong, with all of its filters, for existing and missing rows. */
import fc from 'fast-check';
import type { FilterDescriptor } from '../../build/format/documents.ts';
import { type LakeColumn, type LakeFilter, type LakeRow, type LakeTable, name, text } from './lake.ts';

export interface Question {
  readonly table: LakeTable;
  readonly format: 'json' | 'csv' | 'parquet';
  readonly asked: readonly Asked[];
  readonly detail?: string | undefined;
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
  readonly as_of?: string | undefined;
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
  return fc.oneof({ weight: nones, arbitrary: fc.constant(undefined) }, { weight: somes, arbitrary });
}

/** Questions about each table equally often, whatever its size. */
export function questions(tables: readonly LakeTable[]): fc.Arbitrary<Question> {
  return fc.constantFrom(...tables).chain(table =>
    selections(table).chain(({ detail, asked }) =>
      fc
        .record({
          table: fc.constant(table),
          format: fc.constantFrom('json', 'csv', 'parquet'),
          asked: fc.constant(asked),
          detail: fc.constant(detail),
          offset: sometimes(OFFSETS, 2),
          limit: sometimes(LIMITS, 1, 4),
          // After every release, so the rows are the lake's.
          as_of: sometimes(fc.constant('9999-12-31'), 3),
        })
        .map(question =>
          asked.length > 0 || question.limit !== undefined || table.rows.length === 0
            ? question
            : { ...question, limit: MOST_UNFILTERED },
        ),
    ),
  );
}

/** A level and up to five of the table's filters, around one of its rows. */
function selections(table: LakeTable): fc.Arbitrary<Pick<Question, 'detail' | 'asked'>> {
  const { rows, filters } = table;
  if (rows.length === 0) return fc.constant({ asked: [] });
  const kinds = [...new Set(filters.map(({ filter }) => filter.kind))];
  // Each kind equally often, whatever the number of its filters.
  const one = fc
    .constantFrom(...kinds)
    .chain(kind => fc.constantFrom(...filters.filter(({ filter }) => filter.kind === kind)));
  return fc
    .record({
      row: fc.constantFrom(...rows),
      other: sometimes(fc.constantFrom(undefined, ...table.counts.keys()), 6),
      middle: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      chosen: fc.uniqueArray(one, { maxLength: 5, selector: ({ filter }) => filter.param }),
      isDefault: fc.integer({ min: 0, max: 12 }).map(n => n === 0),
    })
    .chain(({ row, other, middle, chosen, isDefault }) => {
      const detail = isDefault ? undefined : (other ?? row.level);
      const drawn = { table, row, level: detail ?? table.defaultLevel ?? '', middle };
      const asking = chosen.flatMap(known => FILTER_KINDS[known.filter.kind].ask(known, drawn) ?? []);
      return fc.tuple(...asking).map(asked => ({ detail, asked }));
    });
}

export function faults({ filters }: LakeTable): fc.Arbitrary<Fault> {
  const of = (param: string, ...pairs: readonly [value: string, type: string][]) =>
    pairs.map(([value, type]) => ({ name: param, value, type }));
  const wrong = [
    ...of('yaer', ['2020', 'extra_forbidden']),
    ...of('no such', ['', 'extra_forbidden']),
    ...of('limit', ['0', 'greater_than_equal'], ['ten', 'int_parsing']),
    ...of('offset', ['-1', 'greater_than_equal'], ['99999999999999999999', 'int_parsing_size']),
    ...of('format', ['jsn', 'enum']),
    ...of('as_of', ['2026-13-01', 'date_parsing']),
    ...(filters.length > 0 && !filters.some(({ filter }) => filter.kind === 'year_exact')
      ? of('year', ['20x4', 'extra_forbidden'])
      : []),
    ...filters.flatMap(known =>
      FILTER_KINDS[known.filter.kind].wrong(known).map(one => ({ name: known.filter.param, ...one })),
    ),
  ];
  return fc.tuple(fc.constantFrom(...wrong), fc.boolean()).map(([fault, first]) => ({ ...fault, first }));
}

/** Drops the fault's own parameter from the question. */
export function withoutFaulty(question: Question, { name: param }: Fault): Question {
  // Without the level, a place may have a wrong number of parts.
  const asked = question.asked.filter(
    one => one.param !== param && !(param === 'detail' && one.kind === 'place'),
  );
  const rest = { ...question, asked };
  if (param === 'format') return { ...rest, format: 'json' };
  return param in rest ? { ...rest, [param]: undefined } : rest;
}

export function questionUrl(question: Question, fault: Fault | null = null): string {
  const {
    table: { url },
    format,
    detail,
    asked,
    offset,
    limit,
    as_of,
  } = question;
  const pairs: (readonly [string, string | number | undefined])[] = [
    ['detail', detail],
    ...asked.map(({ param, value }) => [param, value] as const),
    ...Object.entries({ offset, limit, as_of, format: format === 'json' ? undefined : format }),
  ];
  if (fault) pairs.splice(fault.first ? 0 : pairs.length, 0, [fault.name, fault.value]);
  const given = pairs.filter(([, value]) => value !== undefined);
  const encoded = given.map(pair => pair.map(one => encodeURIComponent(String(one))).join('='));
  return given.length === 0 ? url : `${url}?${encoded.join('&')}`;
}

/** A parameter of a question. */
export interface Asked {
  readonly kind: FilterDescriptor['kind'];
  readonly param: string;
  /** In the URL, not yet encoded. */
  readonly value: string;
  /** A condition that the selected rows meet. */
  readonly sql: string;
  /** In the page's `filters`; null: it isn't there. */
  readonly echo: readonly string[] | null;
  /** Only of parameters of years. */
  readonly hasYear?: (year: number) => boolean;
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

type Wrong = Pick<Fault, 'value' | 'type'>;

interface Kind {
  /** Null if the filter can't be used, such as a place at a level without places. */
  ask(known: LakeFilter, drawn: Drawn): fc.Arbitrary<Asked> | null;
  wrong(known: LakeFilter): readonly Wrong[];
}

const LIST: Kind = { ask: askList, wrong: wrongList };

/** Each kind of filter: how a question uses it, what DuckDB then compares, and its wrong values. */
const FILTER_KINDS: Readonly<Record<FilterDescriptor['kind'], Kind>> = {
  year_exact: { ask: (known, drawn) => askYear(known, drawn, '='), wrong: () => [parsing('20x4')] },
  year_range: {
    ask: (known, drawn) => askYear(known, drawn, known.filter.param.endsWith('min') ? '>=' : '<='),
    wrong: () => [parsing('')],
  },
  // Questions choose a level apart from the filters.
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

/** The row's year, another of the table, or the one before or after all. */
function askYear(
  { filter }: LakeFilter,
  { table, row }: Drawn,
  sign: '=' | '>=' | '<=',
): fc.Arbitrary<Asked> {
  const years = [...table.counts.values()].flatMap(counts => [...counts.keys()]).sort();
  const any = fc.integer({ min: (years[0] ?? 0) - 1, max: (years.at(-1) ?? 0) + 1 });
  return fc
    .oneof(
      { weight: 2, arbitrary: fc.constant(Number(row.values.get(filter.column ?? ''))) },
      { weight: 1, arbitrary: any },
    )
    .map(year => ({
      ...{ kind: filter.kind, param: filter.param, value: String(year), echo: null },
      sql: `${name(filter.column ?? '')} ${sign} ${year}`,
      hasYear: one => (sign === '=' ? one === year : sign === '>=' ? one >= year : one <= year),
    }));
}

/** The row's value, alone or with others. */
function askList({ filter, columns, values }: LakeFilter, { row }: Drawn): fc.Arbitrary<Asked> {
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

function wrongList({ filter, values }: LakeFilter): Wrong[] {
  const listed = { value: `${values[0]},nonsense`, type: 'enum' };
  return [{ value: `${values[0]},,`, type: 'empty_list_item' }, ...(filter.enum_enforced ? [listed] : [])];
}

/** The API sorts texts by their bytes; JavaScript wouldn't. */
function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** Places of some rows, and mixtures of their codes that no row may have. */
function askPlaces(
  { filter, columns: all }: LakeFilter,
  { table, row, level }: Drawn,
): fc.Arbitrary<Asked> | null {
  const alike = table.rows.filter(one => one.level === level);
  // A level has those columns of the key in which any of its rows has a code.
  const columns = all.filter(column => alike.some(one => (one.values.get(column.name) ?? null) !== null));
  if (columns.length === 0) return null;
  const codesOf = (one: LakeRow) => columns.map(column => one.values.get(column.name) ?? null);
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

function wrongPlaces({ columns }: LakeFilter): Wrong[] {
  const long = Array(columns.length + 1)
    .fill('1')
    .join(':');
  return [
    { value: ',', type: 'empty_list_item' },
    { value: long, type: 'place_parts' },
    { value: '%', type: 'string_unicode' },
  ];
}

function writeKey(codes: readonly (string | null)[]): string {
  const encode = (code: string) => code.replaceAll('%', '%25').replaceAll(':', '%3A').replaceAll(',', '%2C');
  return codes.map(code => encode(code ?? '')).join(':');
}

function askRange({ filter, columns, values }: LakeFilter, { middle }: Drawn): fc.Arbitrary<Asked> {
  const column = columns[0]!;
  const at = Math.floor(middle * values.length);
  const allowed = filter.bound === 'min' ? values.slice(0, at + 1) : values.slice(at);
  // The Z would sort after the decimals of a second.
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
