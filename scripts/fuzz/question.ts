/** Random requests to every table, with every kind of parameter, for existing and missing rows. */
import type { DuckDBConnection } from '@duckdb/node-api';
import fc from 'fast-check';
import { type LakeTable, name } from './lake-tables.ts';
import { type AskedRange, askedRanges, describeRanges, type SubjectRange } from './ranges.ts';

export const FORMATS = ['json', 'csv', 'parquet'] as const;

/** A table, as the generator of questions sees it. */
export interface Subject {
  readonly table: LakeTable;
  /** Parameters of columns, with values as a URL writes them. */
  readonly parameters: readonly SubjectParameter[];
  readonly levels: readonly string[];
  readonly years: readonly number[];
  /** Values of some rows, by parameter, without NULLs. */
  readonly rows: readonly SampledRow[];
  readonly ranges: readonly SubjectRange[];
  /** Whole keys of places; null if the table has none. */
  readonly place: SubjectPlace | null;
}

interface SubjectPlace {
  readonly param: string;
  /** The columns that hold codes at a level, by level. */
  readonly columns: ReadonlyMap<string, readonly string[]>;
}

export interface SubjectParameter {
  readonly name: string;
  readonly values: readonly string[];
  /** A value that no row has; null if the edge accepts only those that it lists. */
  readonly absent: string | null;
  /** True if the edge accepts no other value. */
  readonly enforced: boolean;
}

interface SampledRow {
  readonly level: string;
  readonly year: number;
  readonly values: ReadonlyMap<string, string>;
  /** The codes of its place, one for each column that the level has of it. */
  readonly place: readonly (string | null)[];
}

export interface Question {
  readonly url: string;
  readonly format: (typeof FORMATS)[number];
  readonly detail?: string | undefined;
  readonly year?: number | undefined;
  readonly year_min?: number | undefined;
  readonly year_max?: number | undefined;
  readonly filters: Readonly<Record<string, readonly string[]>>;
  readonly places?: AskedPlaces | undefined;
  readonly ranges?: readonly AskedRange[] | undefined;
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
  readonly as_of?: string | undefined;
}

/** Places of one level by their codes; null stands for NULL. */
export interface AskedPlaces {
  readonly param: string;
  readonly columns: readonly string[];
  readonly keys: readonly (readonly (string | null)[])[];
}

/** A wrong parameter, before or after right ones. */
export interface Fault {
  readonly name: string;
  readonly value: string;
  readonly type: string;
  readonly first: boolean;
}

interface Filter {
  readonly param: string;
  readonly kind: string;
  readonly column?: string;
  readonly columns?: readonly string[];
  readonly type?: string;
  readonly bound?: 'min' | 'max';
  readonly enum_enforced: boolean;
}

const ABSENT = new Map([
  ['date', '1901-01-01'],
  ['integer', '123456789'],
  ['number', '0.123456789'],
  ['timestamp', '1901-01-01T00:00:00'],
]);

const SAMPLED_ROWS = 200;
const SAMPLED_VALUES = 100;

/** Reads from the lake the values that a question may filter by. */
export async function describeSubject(
  connection: DuckDBConnection,
  table: LakeTable,
  filters: readonly Filter[],
): Promise<Subject> {
  const levels = [...table.counts.keys()];
  const years = [...new Set([...table.counts.values()].flatMap(counts => [...counts.keys()]))].sort();
  if (table.kind === 'dimension')
    return { table, parameters: [], ranges: [], levels: [], years: [], rows: [], place: null };
  const columns = filters.filter(filter =>
    /^(foreign_key|categorical|dimension_attribute|time)$/.test(filter.kind),
  );
  const parameters: SubjectParameter[] = [];
  for (const { param, column = param, enum_enforced: enforced } of columns) {
    const { type = 'string', utc = false } = table.columns.find(one => one.name === column) ?? {};
    const absent = enforced ? null : `${ABSENT.get(type) ?? 'no such'}${utc ? 'Z' : ''}`;
    const found = await connection.runAndReadAll(
      `SELECT v FROM (SELECT DISTINCT ${name(column)} AS v FROM ${table.sqlName} WHERE v IS NOT NULL)
       ORDER BY hash(v) LIMIT ${SAMPLED_VALUES}`,
    );
    const values = found.getRows().map(row => String(row[0]));
    if (values.length > 0) parameters.push({ name: param, values, absent, enforced });
  }
  const place = await describePlace(connection, table, filters);
  const picked = columns.map(({ param, column = param }) => `, ${name(column)}`).join('');
  const placed = filters.find(filter => filter.kind === 'place')?.columns ?? [];
  const codes = placed.map(column => `, ${name(column)}`).join('');
  // By the hash of the whole row: DuckDB's own samples differ from run to run, and a seed would not repeat a failure.
  const sampled = await connection.runAndReadAll(
    `SELECT "level of detail", ${table.year === null ? '0' : name(table.year)} AS "year of slice"${picked}${codes} FROM ${table.sqlName} "whole row" ORDER BY hash("whole row") LIMIT ${SAMPLED_ROWS}`,
  );
  const rows = sampled.getRows().map(([level, year, ...values]) => ({
    level: String(level),
    year: Number(year),
    place: (place?.columns.get(String(level)) ?? []).map(column => {
      const code = values[columns.length + placed.indexOf(column)] ?? null;
      return code === null ? null : String(code);
    }),
    values: new Map(
      columns.flatMap(({ param }, index) =>
        values[index] === null ? [] : [[param, String(values[index])] as const],
      ),
    ),
  }));
  const ranges = await describeRanges(connection, table, filters);
  return { table, parameters, ranges, levels, years, rows, place };
}

/** A level has the columns of a key that any of its rows has a code in. */
async function describePlace(
  connection: DuckDBConnection,
  table: LakeTable,
  filters: readonly Filter[],
): Promise<SubjectPlace | null> {
  const filter = filters.find(({ kind }) => kind === 'place');
  if (!filter) return null;
  const { columns = [] } = filter;
  const counts = columns.map(column => `, count(${name(column)})`).join('');
  const counted = await connection.runAndReadAll(
    `SELECT "level of detail"${counts} FROM ${table.sqlName} GROUP BY ALL ORDER BY ALL`,
  );
  return {
    param: filter.param,
    columns: new Map(
      counted
        .getRows()
        .map(([level, ...held]) => [String(level), columns.filter((_, index) => Number(held[index]) > 0)]),
    ),
  };
}

const FORMAT = fc.constantFrom(...FORMATS);

const offsets = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 40 }) },
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 12_000 }) },
  { weight: 1, arbitrary: fc.constantFrom(0, 4096, 10_000, 20_000, 9_007_199_254_730_991) },
);
const limits = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 60 }) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 2000 }) },
  { weight: 1, arbitrary: fc.constantFrom(1, 4096, 10_000) },
);

function sometimes<T>(arbitrary: fc.Arbitrary<T>, nones: number, somes = 1): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: nones, arbitrary: fc.constant(undefined) }, { weight: somes, arbitrary });
}

/** Chooses every table equally often, whatever its size. */
export function questions(subjects: readonly Subject[]): fc.Arbitrary<Question> {
  return fc
    .constantFrom(...subjects)
    .chain(subject => (subject.levels.length === 0 ? dimension(subject) : facts(subject)));
}

/** A moment after every release: the rows of then are those of the lake. */
const LATE = fc.constant('9999-12-31');

function dimension({ table }: Subject): fc.Arbitrary<Question> {
  return fc.record({
    url: fc.constant(table.url),
    format: FORMAT,
    filters: fc.constant({}),
    offset: sometimes(offsets, 1),
    limit: sometimes(limits, 1, 4),
    as_of: sometimes(LATE, 3),
  });
}

function facts(subject: Subject): fc.Arbitrary<Question> {
  const { table, years, levels } = subject;
  const year =
    table.year === null
      ? fc.constant(undefined)
      : fc.integer({ min: (years[0] ?? 0) - 1, max: (years.at(-1) ?? 0) + 1 });
  return fc.constantFrom(...subject.rows).chain(row =>
    fc
      .record({
        url: fc.constant(table.url),
        format: FORMAT,
        detail: fc.oneof(
          { weight: 6, arbitrary: fc.constant(row.level) },
          { weight: 1, arbitrary: fc.constantFrom(undefined, ...levels) },
        ),
        year: sometimes(
          fc.oneof(
            { weight: 3, arbitrary: fc.constant(table.year === null ? undefined : row.year) },
            { weight: 1, arbitrary: year },
          ),
          2,
        ),
        year_min: sometimes(year, 4),
        year_max: sometimes(year, 4),
        filters: filters(subject, row),
        places: sometimes(places(subject, row), 3),
        ranges: sometimes(askedRanges(subject.ranges), 3),
        offset: sometimes(offsets, 2),
        limit: sometimes(limits, 1, 4),
        as_of: sometimes(LATE, 3),
      })
      .map(({ places: asked, ...question }) =>
        keepSmall(asked && question.detail === row.level ? { ...question, places: asked } : question),
      ),
  );
}

/** The place of an existing row and some of other rows, with codes exchanged among them: pairs that no row has. */
function places({ place, rows }: Subject, row: SampledRow): fc.Arbitrary<AskedPlaces | undefined> {
  const columns = place?.columns.get(row.level) ?? [];
  if (!place || columns.length === 0) return fc.constant(undefined);
  const alike = rows.filter(({ level }) => level === row.level);
  const mixed = fc
    .tuple(...columns.map(() => fc.constantFrom(...alike)))
    .map(chosen => chosen.map((one, index) => one.place[index] ?? null));
  const other = fc.oneof(
    fc.constantFrom(...alike).map(one => one.place),
    mixed,
  );
  return fc.array(other, { maxLength: 4 }).map(others => ({
    param: place.param,
    columns,
    keys: [row.place, ...others].filter(codes => codes.some(code => code !== null)),
  }));
}

/** As the API writes a key. */
export function writeKey(codes: readonly (string | null)[]): string {
  const encode = (code: string) => code.replaceAll('%', '%25').replaceAll(':', '%3A').replaceAll(',', '%2C');
  return codes.map(code => encode(code ?? '')).join(':');
}

/** Values of an existing row, alone or with others. */
function filters({ parameters }: Subject, row: SampledRow): fc.Arbitrary<Record<string, readonly string[]>> {
  if (parameters.length === 0) return fc.constant({});
  return fc
    .uniqueArray(fc.constantFrom(...parameters), { maxLength: 4, selector: one => one.name })
    .chain(chosen =>
      fc
        .tuple(
          ...chosen.map(({ name: param, values, absent }) => {
            const own = row.values.get(param);
            const some = fc.uniqueArray(fc.constantFrom(...values, ...(absent === null ? [] : [absent])), {
              minLength: 1,
              maxLength: 5,
            });
            return own === undefined
              ? some
              : fc.oneof(
                  { weight: 3, arbitrary: fc.constant([own]) },
                  { weight: 2, arbitrary: some.map(others => [...new Set([...others, own])]) },
                  { weight: 1, arbitrary: some },
                );
          }),
        )
        .map(lists =>
          Object.fromEntries(chosen.map(({ name: param }, index) => [param, lists[index] ?? []])),
        ),
    )
    .filter(chosen => Object.values(chosen).every(values => values.length > 0));
}

/** Asks for all rows of a level, as CSV, only if a filter narrows them: a few long answers are enough. */
function keepSmall(question: Question): Question {
  const narrowed =
    Object.keys(question.filters).length > 0 ||
    question.places ||
    question.ranges ||
    question.year !== undefined;
  return narrowed || question.limit !== undefined ? question : { ...question, limit: 500 };
}

export function questionUrl(question: Question, fault: Fault | null = null): string {
  const {
    url,
    format,
    detail,
    year,
    year_min,
    year_max,
    filters: chosen,
    places,
    ranges: bounds,
    offset,
    limit,
    as_of,
  } = question;
  const pairs: (readonly [string, string | number | undefined])[] = [
    ['detail', detail],
    ['year', year],
    ['year_min', year_min],
    ['year_max', year_max],
    ...Object.entries(chosen).map(([param, values]) => [param, values.join(',')] as const),
    [places?.param ?? '', places?.keys.map(writeKey).join(',')],
    ...(bounds ?? []).map(({ param, value }) => [param, value] as const),
    ['offset', offset],
    ['limit', limit],
    ['as_of', as_of],
    ['format', format === 'json' ? undefined : format],
  ];
  if (fault) pairs.splice(fault.first ? 0 : pairs.length, 0, [fault.name, fault.value]);
  const given = pairs.filter(pair => pair[1] !== undefined);
  if (given.length === 0) return url;
  return `${url}?${given.map(([param, value]) => `${encodeURIComponent(param)}=${encodeURIComponent(String(value))}`).join('&')}`;
}
