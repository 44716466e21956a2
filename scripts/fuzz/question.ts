/** Random requests to every table, with every kind of parameter, for existing and missing rows. */
import type { DuckDBConnection } from '@duckdb/node-api';
import fc from 'fast-check';
import { type LakeTable, name } from './lake-tables.ts';

export const FORMATS = ['json', 'csv', 'parquet'] as const;
export const EXECUTORS = ['hyparquet', 'duckdb'] as const;

/** A table, as the generator of questions sees it. */
export interface Subject {
  readonly table: LakeTable;
  /** Parameters of columns, with values as a URL writes them. */
  readonly parameters: readonly SubjectParameter[];
  readonly levels: readonly string[];
  readonly years: readonly number[];
  /** Values of some rows, by parameter, without NULLs. */
  readonly rows: readonly SampledRow[];
}

export interface SubjectParameter {
  readonly name: string;
  readonly values: readonly string[];
  /** True if the edge accepts no other value. */
  readonly enforced: boolean;
}

interface SampledRow {
  readonly level: string;
  readonly year: number;
  readonly values: ReadonlyMap<string, string>;
}

export interface Question {
  readonly url: string;
  readonly executor: (typeof EXECUTORS)[number];
  readonly format: (typeof FORMATS)[number];
  readonly detail?: string | undefined;
  readonly year?: number | undefined;
  readonly year_min?: number | undefined;
  readonly year_max?: number | undefined;
  readonly filters: Readonly<Record<string, readonly string[]>>;
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
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
  readonly enum_enforced: boolean;
}

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
  if (table.kind === 'dimension') return { table, parameters: [], levels: [], years: [], rows: [] };
  const columns = filters.filter(filter =>
    /^(foreign_key|categorical|dimension_attribute)$/.test(filter.kind),
  );
  const parameters: SubjectParameter[] = [];
  for (const { param, column = param, enum_enforced: enforced } of columns) {
    const found = await connection.runAndReadAll(
      `SELECT v FROM (SELECT DISTINCT ${name(column)} AS v FROM ${table.sqlName} WHERE v IS NOT NULL)
       ORDER BY hash(v) LIMIT ${SAMPLED_VALUES}`,
    );
    const values = found.getRows().map(row => String(row[0]));
    if (values.length > 0) parameters.push({ name: param, values, enforced });
  }
  const picked = columns.map(({ param, column = param }) => `, ${name(column)}`).join('');
  const sampled = await connection.runAndReadAll(
    `SELECT "level of detail", "year"${picked} FROM ${table.sqlName} USING SAMPLE reservoir(${SAMPLED_ROWS} ROWS) REPEATABLE (1)`,
  );
  const rows = sampled.getRows().map(([level, year, ...values]) => ({
    level: String(level),
    year: Number(year),
    values: new Map(
      columns.flatMap(({ param }, index) =>
        values[index] === null ? [] : [[param, String(values[index])] as const],
      ),
    ),
  }));
  return { table, parameters, levels, years, rows };
}

const EXECUTOR = fc.constantFrom(...EXECUTORS);
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

function dimension({ table }: Subject): fc.Arbitrary<Question> {
  return fc.record({
    url: fc.constant(table.url),
    executor: EXECUTOR,
    format: FORMAT,
    filters: fc.constant({}),
    offset: sometimes(offsets, 1),
    limit: sometimes(limits, 1, 4),
  });
}

function facts(subject: Subject): fc.Arbitrary<Question> {
  const { table, years, levels } = subject;
  const year = fc.integer({ min: (years[0] ?? 0) - 1, max: (years.at(-1) ?? 0) + 1 });
  return fc.constantFrom(...subject.rows).chain(row =>
    fc
      .record({
        url: fc.constant(table.url),
        executor: EXECUTOR,
        format: FORMAT,
        detail: fc.oneof(
          { weight: 6, arbitrary: fc.constant(row.level) },
          { weight: 1, arbitrary: fc.constantFrom(undefined, ...levels) },
        ),
        year: sometimes(
          fc.oneof({ weight: 3, arbitrary: fc.constant(row.year) }, { weight: 1, arbitrary: year }),
          2,
        ),
        year_min: sometimes(year, 4),
        year_max: sometimes(year, 4),
        filters: filters(subject, row),
        offset: sometimes(offsets, 2),
        limit: sometimes(limits, 1, 4),
      })
      .map(keepSmall),
  );
}

/** Values of an existing row, alone or with others. */
function filters({ parameters }: Subject, row: SampledRow): fc.Arbitrary<Record<string, readonly string[]>> {
  if (parameters.length === 0) return fc.constant({});
  return fc
    .uniqueArray(fc.constantFrom(...parameters), { maxLength: 4, selector: one => one.name })
    .chain(chosen =>
      fc
        .tuple(
          ...chosen.map(({ name: param, values, enforced }) => {
            const own = row.values.get(param);
            const some = fc.uniqueArray(fc.constantFrom(...values, ...(enforced ? [] : ['no such'])), {
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
  const narrowed = Object.keys(question.filters).length > 0 || question.year !== undefined;
  return narrowed || question.limit !== undefined ? question : { ...question, limit: 500 };
}

export function questionUrl(question: Question, fault: Fault | null = null): string {
  const { url, format, detail, year, year_min, year_max, filters: chosen, offset, limit } = question;
  const pairs: (readonly [string, string | number | undefined])[] = [
    ['detail', detail],
    ['year', year],
    ['year_min', year_min],
    ['year_max', year_max],
    ...Object.entries(chosen).map(([param, values]) => [param, values.join(',')] as const),
    ['offset', offset],
    ['limit', limit],
    ['format', format === 'json' ? undefined : format],
  ];
  if (fault) pairs.splice(fault.first ? 0 : pairs.length, 0, [fault.name, fault.value]);
  const given = pairs.filter(pair => pair[1] !== undefined);
  if (given.length === 0) return url;
  return `${url}?${given.map(([param, value]) => `${encodeURIComponent(param)}=${encodeURIComponent(String(value))}`).join('&')}`;
}

/** The faults that a question may have. A parameter that the question has too is then repeated. */
export function faults(subject: Subject): fc.Arbitrary<Fault> {
  const { parameters, levels } = subject;
  const wrong: Omit<Fault, 'first'>[] = [
    { name: 'yaer', value: '2020', type: 'extra_forbidden' },
    { name: 'no such', value: '', type: 'extra_forbidden' },
    { name: 'limit', value: '0', type: 'greater_than_equal' },
    { name: 'limit', value: 'ten', type: 'int_parsing' },
    { name: 'offset', value: '-1', type: 'greater_than_equal' },
    { name: 'offset', value: '99999999999999999999', type: 'int_parsing_size' },
    { name: 'format', value: 'jsn', type: 'enum' },
  ];
  if (levels.length > 0) {
    wrong.push({ name: 'detail', value: 'everywhere', type: 'enum' });
    wrong.push({ name: 'year', value: '20x4', type: 'int_parsing' });
    wrong.push({ name: 'year_min', value: '', type: 'int_parsing' });
  }
  for (const { name: param, values, enforced } of parameters) {
    wrong.push({ name: param, value: `${values[0]},,`, type: 'empty_list_item' });
    if (enforced) wrong.push({ name: param, value: `${values[0]},nonsense`, type: 'enum' });
  }
  return fc.tuple(fc.constantFrom(...wrong), fc.boolean()).map(([fault, first]) => ({ ...fault, first }));
}
