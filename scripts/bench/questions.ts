/** Random questions about a tree's rows, none of them twice. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { DuckDBInstance, type JS } from '@duckdb/node-api';
import type { SchemaDocument, ValuesDocument } from '../../build/format/documents.ts';
import type { DatasetManifest, TreeManifest } from '../../build/format/manifest.ts';
import { ROOT, schemaPath, valuesPath } from '../../build/format/paths.ts';
import { identifier, parquetRows } from '../../build/lake/sql.ts';
import { RandomChoices } from '../random.ts';

type Parameter = readonly [name: string, value: JS];

/** Rows that the same parameters select. */
interface Selection {
  readonly parameters: readonly Parameter[];
  /** The years in which it has rows. */
  readonly years: readonly JS[];
  /** In all years and levels. */
  readonly rows: number;
}

/** What questions about a dataset choose from, at the level with the most rows. */
export interface Subject {
  readonly url: string;
  readonly detail: string;
  readonly slices: readonly { readonly year: number; readonly rows: number }[];
  readonly places: readonly Selection[];
  readonly groups: readonly Selection[];
  readonly measures: readonly Measure[];
}

interface Measure {
  readonly column: string;
  /** The least of each of `PARTS` equal parts of its values, ascending. */
  readonly values: readonly JS[];
}

interface QuestionKind {
  readonly name: string;
  readonly format?: 'csv';
  draw(subject: Subject, random: RandomChoices): readonly Parameter[];
}

const WHOLE_GROUP = { least: 20_000, most: 80_000 };
/** The share of a column's values that a range selects, drawn on a logarithmic scale. */
const SHARE = { least: 0.001, most: 0.2 };
/** Few rows have places and groups, so questions also differ in their limits, which few answers reach. */
const LIMITS = 1000;
const MOST_ROWS = { json: 10_000, csv: 1_000_000 };
/** So many questions are asked before one of them is repeated. */
const BLOCK = 64;
/** Repeated questions in a row before a kind counts as used up. */
const MOST_REPEATED = 200;
/** Parts of equal size that a column's values are cut into. */
const PARTS = 1000;

export const QUESTION_KINDS: readonly QuestionKind[] = [
  { name: 'a place, one year', draw: ({ places }, random) => drawYear(random.of(places), random) },
  { name: 'a place, all years', draw: ({ places }, random) => random.of(places).parameters },
  { name: 'a group, one year', draw: ({ groups }, random) => drawYear(random.of(groups), random) },
  {
    name: '1,000 rows at an offset',
    draw: ({ slices }, random) => {
      const { year, rows } = random.of(slices);
      return Object.entries({ year, limit: 1000, offset: random.below(rows) });
    },
  },
  {
    name: 'a place and a group',
    draw: ({ places, groups }, random) =>
      [places, groups].flatMap(selections => random.of(selections).parameters),
  },
  {
    name: 'a range, one year',
    draw: (subject, random) => [['year', random.of(subject.slices).year], ...drawRange(subject, random)],
  },
  { name: 'a range, all years', draw: drawRange },
  {
    name: 'a whole group as CSV',
    format: 'csv',
    draw: ({ groups }, random) => {
      const fitting = groups.filter(({ rows }) => rows > WHOLE_GROUP.least && rows < WHOLE_GROUP.most);
      return random.of(fitting.length > 0 ? fitting : groups).parameters;
    },
  },
];

function drawYear({ parameters, years }: Selection, random: RandomChoices): Parameter[] {
  return [['year', random.of(years)], ...parameters];
}

function drawRange({ measures }: Subject, random: RandomChoices): Parameter[] {
  const { column, values } = random.of(measures);
  const share = SHARE.least * (SHARE.most / SHARE.least) ** random.next();
  const from = random.next() * (1 - share);
  return Object.entries({ min: from, max: from + share }).map(([bound, at]) => [
    `${column}_${bound}`,
    values[Math.floor(at * values.length)]!,
  ]);
}

/**
 * The questions of a kind in a random order; each dataset gets the same share. `times`: how often each is asked, in
 * blocks, so that others come between.
 */
export function* drawQuestions(
  kind: QuestionKind,
  subjects: readonly Subject[],
  seed: number,
  times: number,
): Generator<string> {
  const random = new RandomChoices(seed);
  const known = new Set<string>();
  const block: string[] = [];
  for (let repeated = 0; repeated < MOST_REPEATED; ) {
    // If a dataset has no new question, it's the next one's turn.
    const subject = subjects[(known.size + repeated) % subjects.length]!;
    const question = drawQuestion(kind, subject, random);
    repeated = known.has(question) ? repeated + 1 : 0;
    if (repeated > 0) continue;
    known.add(question);
    block.push(question);
    yield question;
    if (block.length < BLOCK) continue;
    for (let again = 1; again < times; again++) yield* block;
    block.length = 0;
  }
}

function drawQuestion({ draw, format }: QuestionKind, subject: Subject, random: RandomChoices): string {
  const limit = MOST_ROWS[format ?? 'json'] - random.below(LIMITS);
  const own = new Map<string, JS>([
    ...Object.entries({ detail: subject.detail, limit }),
    ...draw(subject, random),
  ]);
  if (format !== undefined) own.set('format', format);
  const texts = [...own].map(([name, value]) => [name, String(value)]);
  return `${subject.url}?${new URLSearchParams(texts)}`;
}

/** The datasets of a tree that have years, places, groups and measures. Throws if none has. */
export async function readSubjects(tree: string): Promise<Subject[]> {
  const read = async <Document>(file: string) =>
    JSON.parse(await readFile(path.join(tree, file), 'utf8')) as Document;
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  const subjects: Subject[] = [];
  for (const { key, path: file } of (await read<TreeManifest>(ROOT.manifest)).datasets) {
    const [domain = '', topic = ''] = key.split('/');
    const folder = path.posix.dirname(file);
    const { slices: all, place } = await read<DatasetManifest>(file);
    const { filters } = await read<SchemaDocument>(schemaPath(domain, topic));
    const { columns } = await read<ValuesDocument>(valuesPath(domain, topic));
    const ranges = filters.flatMap(({ kind, type, column, bound }) =>
      kind === 'range' && bound === 'min' && /^(integer|number)$/.test(type) && column ? [column] : [],
    );
    const [largest] = [...all].sort((a, b) => b.rows - a.rows);
    if (!largest?.year || ranges.length === 0) continue;
    const slices = all.filter(({ detail }) => detail === largest.detail);
    const files = slices.flatMap(slice =>
      slice.files.parquet.map(one => path.join(path.resolve(tree), folder, one.path)),
    );
    const parts = Array.from({ length: PARTS }, (_, part) => part / PARTS);
    const quantiles = ranges.map(column => `quantile_disc(${identifier(column)}, [${parts}])`);
    const found = await connection.runAndReadAll(`SELECT ${quantiles} FROM ${parquetRows(files)}`);
    const [values = []] = found.getRowsJS() as JS[][][];
    const measures = ranges.flatMap((column, i): Measure[] =>
      new Set(values[i]).size > 1 ? [{ column, values: values[i]! }] : [],
    );
    const select = ({ column, values }: (typeof columns)[number]) =>
      values.map(({ value, keys = {}, years, rows }): Selection => {
        return { parameters: [...Object.entries(keys), [column, value]], years, rows };
      });
    const isGroup = ({ kind, column }: (typeof columns)[number]) =>
      /^(foreign_key|categorical|dimension_attribute)$/.test(kind) && !place.includes(column);
    const places = columns.filter(({ column }) => column === place.at(-1)).flatMap(select);
    const groups = columns.filter(isGroup).flatMap(select);
    if ([places, groups, measures].every(list => list.length > 0))
      subjects.push({ url: `/${folder}`, detail: largest.detail, slices, places, groups, measures });
  }
  instance.closeSync();
  if (subjects.length === 0)
    throw new Error('No dataset of the tree has years, places, groups and measures.');
  return subjects;
}
