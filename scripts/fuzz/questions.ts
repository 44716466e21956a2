/** Random requests to every table, right and wrong, with every filter that it has, for existing and missing rows. */
import type { DuckDBConnection } from '@duckdb/node-api';
import fc from 'fast-check';
import { type Asked, FILTER_KINDS, type Known, type Row } from './filter-kinds.ts';
import { type LakeTable, name } from './lake.ts';

/** A table, with what random questions need to know of its rows. */
export interface Subject {
  readonly table: LakeTable;
  readonly filters: readonly Known[];
  readonly rows: readonly Row[];
}

export interface Question {
  readonly url: string;
  readonly format: 'json' | 'csv' | 'parquet';
  readonly asked: readonly Asked[];
  readonly detail?: string | undefined;
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
  readonly as_of?: string | undefined;
}

/** A wrong parameter, before or after right ones. */
export interface Fault {
  readonly name: string;
  readonly value: string;
  /** The problem that it must be called. */
  readonly type: string;
  readonly first: boolean;
}

const SAMPLED_ROWS = 200;
const SAMPLED_VALUES = 100;

/** Reads from the lake the values that a question may filter by. The same lake gives the same subject. */
export async function describeSubject(connection: DuckDBConnection, table: LakeTable): Promise<Subject> {
  if (table.defaultLevel === null) return { table, filters: [], rows: [] };
  const columnsOf = (one: LakeTable['filters'][number]) =>
    (one.columns ?? [one.column]).flatMap(column => table.columns.find(own => own.name === column) ?? []);
  const columns = [...new Set(table.filters.flatMap(columnsOf).map(column => column.name))];
  const year = table.filters.find(({ kind }) => kind === 'year_exact')?.column;
  const list = columns.map(column => `, ${name(column)}`).join('');
  // By hashes: DuckDB's own samples differ from run to run, and a seed would not repeat a failure.
  const sampled = await connection.runAndReadAll(
    `SELECT "level of detail", ${year === undefined ? '0' : name(year)}${list} FROM ${table.sqlName} "whole row" ORDER BY hash("whole row") LIMIT ${SAMPLED_ROWS}`,
  );
  const rows = sampled.getRows().map(([level, own, ...values]) => ({
    ...{ level: String(level), year: Number(own) },
    values: new Map(columns.map((column, i) => [column, values[i] === null ? null : String(values[i])])),
  }));
  const years = [...new Set([...table.counts.values()].flatMap(counts => [...counts.keys()]))].sort();
  const filters: Known[] = [];
  for (const filter of table.filters) {
    const own = columnsOf(filter);
    const [column] = own.map(one => name(one.name));
    const found = await connection.runAndReadAll(
      `SELECT v FROM (SELECT DISTINCT ${column ?? 'NULL'} AS v FROM ${table.sqlName} WHERE v IS NOT NULL ORDER BY hash(v) LIMIT ${SAMPLED_VALUES}) ORDER BY v`,
    );
    const values = found.getRows().map(row => String(row[0]));
    // A column without any value can't be asked for.
    if (column === undefined || values.length > 0)
      filters.push({ filter, columns: own, values, years, rows });
  }
  return { table, filters, rows };
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
/** All rows of a level, as CSV, are a long answer; a few of them are enough. */
const MOST_UNFILTERED = 500;

function sometimes<T>(arbitrary: fc.Arbitrary<T>, nones: number, somes = 1): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: nones, arbitrary: fc.constant(undefined) }, { weight: somes, arbitrary });
}

/** Chooses every table equally often, whatever its size. */
export function questions(subjects: readonly Subject[]): fc.Arbitrary<Question> {
  return fc.constantFrom(...subjects).chain(subject =>
    selections(subject).chain(({ detail, asked }) =>
      fc
        .record({
          url: fc.constant(subject.table.url),
          format: fc.constantFrom('json', 'csv', 'parquet'),
          asked: fc.constant(asked),
          detail: fc.constant(detail),
          offset: sometimes(OFFSETS, 2),
          limit: sometimes(LIMITS, 1, 4),
          // After every release: the rows of then are those of the lake.
          as_of: sometimes(fc.constant('9999-12-31'), 3),
        })
        .map(question =>
          asked.length > 0 || question.limit !== undefined || subject.rows.length === 0
            ? question
            : { ...question, limit: MOST_UNFILTERED },
        ),
    ),
  );
}

/** A level, and up to five of the table's filters, around one of its rows. */
function selections(subject: Subject): fc.Arbitrary<Pick<Question, 'detail' | 'asked'>> {
  const { table, rows, filters } = subject;
  if (rows.length === 0) return fc.constant({ asked: [] });
  const kinds = [...new Set(filters.map(({ filter }) => filter.kind))];
  // Each kind equally often, however many filters are of it.
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
      const drawn = { row, level: detail ?? table.defaultLevel ?? '', middle };
      const asking = chosen.flatMap(known => FILTER_KINDS[known.filter.kind].ask(known, drawn) ?? []);
      return fc.tuple(...asking).map(asked => ({ detail, asked }));
    });
}

/** The faults that a question may have. */
export function faults({ table, filters }: Subject): fc.Arbitrary<Fault> {
  const of = (param: string, ...pairs: readonly [value: string, type: string][]) =>
    pairs.map(([value, type]) => ({ name: param, value, type }));
  const wrong = [
    ...of('yaer', ['2020', 'extra_forbidden']),
    ...of('no such', ['', 'extra_forbidden']),
    ...of('limit', ['0', 'greater_than_equal'], ['ten', 'int_parsing']),
    ...of('offset', ['-1', 'greater_than_equal'], ['99999999999999999999', 'int_parsing_size']),
    ...of('format', ['jsn', 'enum']),
    ...of('as_of', ['2026-13-01', 'date_parsing']),
    ...(filters.length > 0 && !table.filters.some(({ kind }) => kind === 'year_exact')
      ? of('year', ['20x4', 'extra_forbidden'])
      : []),
    ...filters.flatMap(known =>
      FILTER_KINDS[known.filter.kind].wrong(known).map(one => ({ name: known.filter.param, ...one })),
    ),
  ];
  return fc.tuple(fc.constantFrom(...wrong), fc.boolean()).map(([fault, first]) => ({ ...fault, first }));
}

/** Drops the fault's parameter from the question, so that only the fault is wrong. */
export function withoutFaulty(question: Question, { name: param }: Fault): Question {
  // The level says how many parts a place has.
  const asked = question.asked.filter(
    one => one.param !== param && !(param === 'detail' && one.kind === 'place'),
  );
  const rest = { ...question, asked };
  if (param === 'format') return { ...rest, format: 'json' };
  return param in rest ? { ...rest, [param]: undefined } : rest;
}

export function questionUrl(question: Question, fault: Fault | null = null): string {
  const { url, format, detail, asked, offset, limit, as_of } = question;
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
