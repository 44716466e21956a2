/** Random questions about a tree's own values, each of one kind, and none twice. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ValuesDocument } from '../../build/format/documents.ts';
import type { DatasetManifest, TreeManifest } from '../../build/format/manifest.ts';
import { ROOT, schemaPath } from '../../build/format/paths.ts';
import type { SchemaDocument } from '../../build/format/schema.ts';
import type { StatisticsDocument } from '../../build/format/statistics.ts';
import { RandomChoices } from '../random.ts';

type Parameter = readonly [name: string, value: string | number];

/** What can be asked of a dataset, at its level with the most rows. */
export interface Subject {
  readonly url: string;
  readonly detail: string;
  readonly slices: readonly { readonly year: number; readonly rows: number }[];
  readonly places: readonly {
    readonly parameters: readonly Parameter[];
    readonly years: readonly number[];
  }[];
  readonly groups: readonly {
    readonly parameter: Parameter;
    readonly years: readonly number[];
    /** Of all years. */
    readonly rows: number;
  }[];
  readonly measures: readonly Measure[];
}

interface Measure {
  readonly column: string;
  readonly isInteger: boolean;
  readonly min: number;
  readonly max: number;
  readonly histogram: readonly number[];
}

export interface QuestionKind {
  readonly name: string;
  readonly format?: 'csv';
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

export const QUESTION_KINDS: readonly QuestionKind[] = [
  {
    name: 'a place, one year',
    limit: 10_000,
    draw: ({ places }, random) => {
      const { parameters, years } = random.of(places);
      return [['year', random.of(years)], ...parameters];
    },
  },
  {
    name: 'a place, all years',
    limit: 10_000,
    draw: ({ places }, random) => random.of(places).parameters,
  },
  {
    name: 'a group, one year',
    limit: 10_000,
    draw: ({ groups }, random) => {
      const { parameter, years } = random.of(groups);
      return [['year', random.of(years)], parameter];
    },
  },
  {
    name: '1,000 rows at an offset',
    limit: null,
    draw: ({ slices }, random) => {
      const { year, rows } = random.of(slices);
      return Object.entries({ year, limit: 1000, offset: random.below(rows) });
    },
  },
  {
    name: 'a place and a group',
    limit: 10_000,
    draw: ({ places, groups }, random) => [...random.of(places).parameters, random.of(groups).parameter],
  },
  {
    name: 'a range, one year',
    limit: 10_000,
    draw: ({ slices, measures }, random) => [
      ['year', random.of(slices).year],
      ...drawRange(random.of(measures), random),
    ],
  },
  {
    name: 'a range, all years',
    limit: 10_000,
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
  readonly #known = new Set<string>();
  readonly #list: string[] = [];
  readonly #below = new Map<Subject, number>();

  constructor(kind: QuestionKind, subjects: readonly Subject[], seed: number) {
    this.#kind = kind;
    this.#subjects = subjects;
    this.#random = new RandomChoices(seed);
  }

  /** Null after the last one. */
  at(index: number): string | null {
    while (this.#list.length <= index) {
      const first = this.#list.length % this.#subjects.length;
      const order = [...this.#subjects.slice(first), ...this.#subjects.slice(0, first)];
      const question = order.map(subject => this.#draw(subject)).find(one => one !== null);
      if (question === undefined) return null;
      this.#known.add(question);
      this.#list.push(question);
    }
    return this.#list[index] ?? null;
  }

  #draw(subject: Subject): string | null {
    const { draw, limit, format } = this.#kind;
    for (let below = this.#below.get(subject) ?? 0; below < LIMITS; this.#below.set(subject, ++below)) {
      for (let tried = 0; tried < PATIENCE; tried++) {
        const parameters: Parameter[] = [['detail', subject.detail], ...draw(subject, this.#random)];
        if (format !== undefined) parameters.push(['format', format]);
        if (limit !== null && below > 0) parameters.push(['limit', limit - below]);
        const texts = parameters.map(([name, value]) => [name, String(value)]);
        const url = `${subject.url}?${new URLSearchParams(texts)}`;
        if (!this.#known.has(url)) return url;
      }
      if (limit === null) return null;
    }
    return null;
  }
}

/** The first questions of each kind. */
export async function someQuestions(tree: string, count: number): Promise<string[]> {
  const subjects = await readSubjects(tree);
  return QUESTION_KINDS.flatMap((kind, at) => {
    const list = new QuestionList(kind, subjects, at);
    return Array.from({ length: count }, (_, i) => list.at(i) ?? []).flat();
  });
}

function drawRange(measure: Measure, random: RandomChoices): Parameter[] {
  const share = SHARE.least * (SHARE.most / SHARE.least) ** random.next();
  const from = random.next() * (1 - share);
  return Object.entries({ min: from, max: from + share }).map(([bound, at]) => {
    const value = quantile(measure, at);
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
    const [largest] = [...manifest.slices].sort((a, b) => b.rows - a.rows);
    if (largest === undefined) continue;
    const { detail } = largest;
    const schema = await read<SchemaDocument>(schemaPath(domain, topic));
    const values = await read<ValuesDocument>(`${folder}/values.json`);
    const statistics = await read<StatisticsDocument>(`${folder}/statistics/${detail}.json`);
    const subject = {
      ...{ url: `/${folder}`, detail, slices: manifest.slices.filter(slice => slice.detail === detail) },
      ...{ places: placesOf(manifest, values, statistics), groups: groupsOf(manifest, schema, statistics) },
      measures: measuresOf(schema, statistics),
    };
    const { slices, places, groups, measures } = subject;
    if ([slices, places, groups, measures].every(list => list.length > 0)) subjects.push(subject);
  }
  if (subjects.length === 0)
    throw new Error('No dataset of the tree has years, places, groups and measures.');
  return subjects;
}

function placesOf(
  { place }: DatasetManifest,
  { columns }: ValuesDocument,
  statistics: StatisticsDocument,
): Subject['places'] {
  const known = columns.filter(({ param }) => place.includes(param));
  const all = known.flatMap(({ param, values }) =>
    values.map(({ value, keys = {}, years }) => ({
      parameters: [...Object.entries(keys), [param, value]].map(
        ([name, one]): Parameter => [String(name), String(one)],
      ),
      years: years.filter(year => statistics.years.includes(year)),
    })),
  );
  return all.filter(({ years }) => years.length > 0);
}

function groupsOf(
  { place }: DatasetManifest,
  { filters }: SchemaDocument,
  { columns, years }: StatisticsDocument,
): Subject['groups'] {
  const kinds = new Set(['foreign_key', 'categorical', 'dimension_attribute']);
  return filters
    .filter(({ kind, column }) => kinds.has(kind) && !place.includes(column ?? ''))
    .flatMap(({ param, column }) =>
      (columns.find(({ name }) => name === column)?.values ?? []).map(({ value, rows }) => ({
        parameter: [param, String(value)] as const,
        years: years.filter((_, i) => (rows[i] ?? 0) > 0),
        rows: rows.reduce((sum, count) => sum + count, 0),
      })),
    );
}

function measuresOf({ filters }: SchemaDocument, { columns }: StatisticsDocument): Measure[] {
  return columns.flatMap(({ name: column, min, max, histogram = [] }) => {
    const filter = filters.find(one => one.kind === 'range' && one.column === column);
    if (filter === undefined || typeof min !== 'number' || typeof max !== 'number' || min === max) return [];
    return [{ column, isInteger: filter.type === 'integer', min, max, histogram }];
  });
}
