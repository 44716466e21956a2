/** Random questions about a tree's own values, each of one kind, and none twice. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ValuesDocument } from '../../build/format/documents.ts';
import type { DatasetManifest, TreeManifest } from '../../build/format/manifest.ts';
import { ROOT, schemaPath } from '../../build/format/paths.ts';
import type { SchemaDocument } from '../../build/format/schema.ts';
import type { ColumnStatistics, StatisticsDocument } from '../../build/format/statistics.ts';
import { RandomChoices } from '../random.ts';

type Parameter = readonly [name: string, value: string | number];

interface Place {
  readonly parameters: readonly Parameter[];
  readonly years: readonly number[];
}

interface Group {
  readonly parameter: Parameter;
  /** Years in which it has rows. */
  readonly years: readonly number[];
  /** Of all years. */
  readonly rows: number;
}

interface Measure {
  readonly column: string;
  readonly isInteger: boolean;
  readonly min: number;
  readonly max: number;
  readonly histogram: readonly number[];
}

/** What can be asked of a dataset, at its level with the most rows. */
export interface Subject {
  readonly url: string;
  readonly detail: string;
  readonly slices: readonly { readonly year: number; readonly rows: number }[];
  readonly places: readonly Place[];
  readonly groups: readonly Group[];
  readonly measures: readonly Measure[];
}

export interface QuestionKind {
  readonly name: string;
  readonly format: 'json' | 'csv';
  /**
   * The greatest limit that leaves the answer's rows as they are. Once the questions without a limit run out, the same
   * filters are asked with smaller and smaller limits; null: the questions end.
   */
  readonly limit: number | null;
  draw(subject: Subject, random: RandomChoices): readonly Parameter[];
}

/** About so many rows are a whole group. */
const WHOLE_GROUP = { least: 20_000, most: 80_000 };
/** Of the rows that have a value, a range takes from a thousandth to a fifth; small shares are as frequent as large ones. */
const SHARE = { least: 0.001, most: 0.2 };
/** Draws that bring nothing new before the questions count as used up. */
const PATIENCE = 200;
/** Limits below the greatest one that are tried. */
const LIMITS = 5000;

const json = { format: 'json', limit: 10_000 } as const;

export const QUESTION_KINDS: readonly QuestionKind[] = [
  {
    ...json,
    name: 'a place, one year',
    draw: ({ places }, random) => {
      const { parameters, years } = random.of(places);
      return [['year', random.of(years)], ...parameters];
    },
  },
  { ...json, name: 'a place, all years', draw: ({ places }, random) => random.of(places).parameters },
  {
    ...json,
    name: 'a group, one year',
    draw: ({ groups }, random) => {
      const { parameter, years } = random.of(groups);
      return [['year', random.of(years)], parameter];
    },
  },
  {
    ...json,
    name: '1,000 rows at an offset',
    limit: null,
    draw: ({ slices }, random) => {
      const { year, rows } = random.of(slices);
      return [
        ['year', year],
        ['limit', 1000],
        ['offset', random.below(rows)],
      ];
    },
  },
  {
    ...json,
    name: 'a place and a group',
    draw: ({ places, groups }, random) => [...random.of(places).parameters, random.of(groups).parameter],
  },
  {
    ...json,
    name: 'a range, one year',
    draw: ({ slices, measures }, random) => [
      ['year', random.of(slices).year],
      ...drawRange(random.of(measures), random),
    ],
  },
  {
    ...json,
    name: 'a range, all years',
    draw: ({ measures }, random) => drawRange(random.of(measures), random),
  },
  {
    name: 'a whole group as CSV',
    format: 'csv',
    limit: 1_000_000,
    draw: ({ groups }, random) => {
      const fitting = groups.filter(({ rows }) => rows > WHOLE_GROUP.least && rows < WHOLE_GROUP.most);
      return [random.of(fitting.length > 0 ? fitting : groups).parameter];
    },
  },
];

/** The questions of a kind, in an order that the random choices decide. Each dataset has the same share of them. */
export class QuestionList {
  readonly #kind: QuestionKind;
  readonly #subjects: readonly Subject[];
  readonly #random: RandomChoices;
  readonly #list: string[] = [];
  readonly #known = new Set<string>();
  readonly #below = new Map<Subject, number>();

  constructor(kind: QuestionKind, subjects: readonly Subject[], random: RandomChoices) {
    this.#kind = kind;
    this.#subjects = subjects;
    this.#random = random;
  }

  /** Null after the last one. */
  at(index: number): string | null {
    while (this.#list.length <= index) if (!this.#add()) return null;
    return this.#list[index] ?? null;
  }

  #add(): boolean {
    const first = this.#list.length % this.#subjects.length;
    const order = [...this.#subjects.slice(first), ...this.#subjects.slice(0, first)];
    const question = order.map(subject => this.#draw(subject)).find(one => one !== null);
    if (question === undefined) return false;
    this.#known.add(question);
    this.#list.push(question);
    return true;
  }

  #draw(subject: Subject): string | null {
    const { draw, limit, format } = this.#kind;
    for (;;) {
      const below = this.#below.get(subject) ?? 0;
      for (let tried = 0; tried < PATIENCE; tried++) {
        const parameters: Parameter[] = [['detail', subject.detail], ...draw(subject, this.#random)];
        if (format !== 'json') parameters.push(['format', format]);
        if (limit !== null && below > 0) parameters.push(['limit', limit - below]);
        const url = renderUrl(subject.url, parameters);
        if (!this.#known.has(url)) return url;
      }
      if (limit === null || below === LIMITS) return null;
      this.#below.set(subject, below + 1);
    }
  }
}

function renderUrl(url: string, parameters: readonly Parameter[]): string {
  return `${url}?${new URLSearchParams(parameters.map(([name, value]) => [name, String(value)]))}`;
}

function drawRange(measure: Measure, random: RandomChoices): Parameter[] {
  const share = SHARE.least * (SHARE.most / SHARE.least) ** random.next();
  const from = random.next() * (1 - share);
  return (['min', 'max'] as const).map(bound => {
    const value = quantile(measure, bound === 'min' ? from : from + share);
    return [`${measure.column}_${bound}`, measure.isInteger ? Math.round(value) : Number(value.toFixed(4))];
  });
}

/** Within a part of the histogram, values count as evenly spread. */
function quantile({ min, max, histogram }: Measure, share: number): number {
  let left = share * histogram.reduce((sum, rows) => sum + rows, 0);
  for (const [part, rows] of histogram.entries()) {
    if (left <= rows && rows > 0) return min + ((part + left / rows) / histogram.length) * (max - min);
    left -= rows;
  }
  return max;
}

/** The datasets of a tree that have years, places, groups and measures. Throws if there are none. */
export async function readSubjects(tree: string): Promise<Subject[]> {
  const read = async <Document>(file: string) =>
    JSON.parse(await readFile(path.join(tree, file), 'utf8')) as Document;
  const subjects: Subject[] = [];
  for (const { key, path: file } of (await read<TreeManifest>(ROOT.manifest)).datasets) {
    const [domain = '', topic = ''] = key.split('/');
    const folder = path.posix.dirname(file);
    const manifest = await read<DatasetManifest>(file);
    const detail = largestLevel(manifest);
    const subject = describeSubject({
      ...{ folder, manifest, detail, schema: await read<SchemaDocument>(schemaPath(domain, topic)) },
      values: await read<ValuesDocument>(`${folder}/values.json`),
      statistics: await read<StatisticsDocument>(`${folder}/statistics/${detail}.json`),
    });
    const { slices, places, groups, measures } = subject;
    if ([slices, places, groups, measures].every(list => list.length > 0)) subjects.push(subject);
  }
  if (subjects.length === 0)
    throw new Error('No dataset of the tree has years, places, groups and measures.');
  return subjects;
}

interface Documents {
  readonly folder: string;
  readonly manifest: DatasetManifest;
  readonly detail: string;
  readonly schema: SchemaDocument;
  readonly values: ValuesDocument;
  readonly statistics: StatisticsDocument;
}

function describeSubject({ folder, manifest, detail, schema, values, statistics }: Documents): Subject {
  const slices = manifest.slices.filter(slice => slice.detail === detail && slice.rows > 0);
  const own = new Set(slices.map(slice => slice.year));
  const places = values.columns
    .filter(({ param }) => manifest.place.includes(param))
    .flatMap(({ param, values: list }) =>
      list.map(({ value, keys = {}, years }) => ({
        parameters: [...Object.entries(keys), [param, String(value)]] as Parameter[],
        years: years.filter(year => own.has(year)),
      })),
    )
    .filter(({ years }) => years.length > 0);
  const groups = schema.filters
    .filter(({ kind }) => kind === 'foreign_key' || kind === 'categorical' || kind === 'dimension_attribute')
    .flatMap(({ param, column }) =>
      column === undefined || manifest.place.includes(column)
        ? []
        : (statistics.columns.find(({ name }) => name === column)?.values ?? []).map(({ value, rows }) => ({
            parameter: [param, String(value)] as const,
            years: statistics.years.filter((_, i) => (rows[i] ?? 0) > 0),
            rows: rows.reduce((sum, count) => sum + count, 0),
          })),
    );
  const bounded = new Set(schema.filters.flatMap(({ kind, column }) => (kind === 'range' ? [column] : [])));
  const measures = statistics.columns.flatMap(column => {
    const type = manifest.columns.find(({ name }) => name === column.name)?.type;
    return bounded.has(column.name) ? describeMeasure(column, type === 'integer') : [];
  });
  return { url: `/${folder}`, detail, slices, places, groups, measures };
}

function describeMeasure(
  { name: column, min, max, histogram = [] }: ColumnStatistics,
  isInteger: boolean,
): Measure[] {
  if (typeof min !== 'number' || typeof max !== 'number' || min === max) return [];
  return [{ column, isInteger, min, max, histogram }];
}

function largestLevel({ slices }: DatasetManifest): string {
  const rows = new Map<string, number>();
  for (const slice of slices) rows.set(slice.detail, (rows.get(slice.detail) ?? 0) + slice.rows);
  return [...rows].sort((a, b) => b[1] - a[1])[0]?.[0] ?? '';
}

/** The first questions of each kind. */
export async function someQuestions(tree: string, count: number, seed = 1): Promise<string[]> {
  const subjects = await readSubjects(tree);
  return QUESTION_KINDS.flatMap((kind, at) => {
    const list = new QuestionList(kind, subjects, new RandomChoices(seed + at));
    return Array.from({ length: count }, (_, i) => list.at(i) ?? []).flat();
  });
}
