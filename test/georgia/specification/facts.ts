/**
 * What the specification says of our datasets and dimensions, as a person wrote it into the YAML files beside this one:
 * by hand from its text, and never from the contracts.
 *
 *     alike: statements that sister datasets share, by name; a dataset names its own under `alike`
 *     facts: what the schema document must say; `columns` only what the text states of each
 *     sentences: a sentence that rows can be held to, and the rules that do
 *     unchecked: a sentence that they cannot be held to, and why
 *     breaks: for each SQL rule of the contract the smallest change to the sample that breaks it
 *
 * Names are separated by blanks. A break is SQL over a table `t` with all rows of the sample (the
 * contract's columns and `detail`). `set X where Y` changes the first row for which Y is true, or the first of all.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

interface Facts {
  readonly version?: string;
  readonly years: readonly [first: number, last: number];
  readonly gaps?: readonly number[];
  readonly levels: readonly string[];
  readonly defaultDetail?: string;
  readonly grain: readonly string[];
  readonly keyMetric?: string;
  readonly updateFrequency?: string;
  /** Years at which something that the summary names begins or ends, so that it doesn't promise too much. */
  readonly summaryYears?: readonly number[];
  /** False if a zero may mean a withheld figure. */
  readonly zeroIsReal?: boolean;
  readonly columns: Readonly<Record<string, ColumnFacts>>;
}

interface ColumnFacts {
  readonly type?: 'integer' | 'string' | 'number' | 'boolean';
  readonly nullable?: boolean;
  readonly role?: string;
  readonly unit?: string;
  readonly values?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  readonly component?: 'numerator' | 'denominator';
  /** Years after which figures are no longer comparable. */
  readonly breaks?: readonly number[];
}

const metric: ColumnFacts = { type: 'number', nullable: true, role: 'metric' };
const count: ColumnFacts = { ...metric, type: 'integer', unit: 'count' };
/** Columns that many datasets have. After `groups` and `category` their values follow. */
const SHAPES: Readonly<Record<string, ColumnFacts>> = {
  proportion: { ...metric, unit: 'proportion' },
  count,
  numerator: { ...count, component: 'numerator' },
  denominator: { ...count, component: 'denominator' },
  score: { ...metric, unit: 'score' },
  score_to_100: { ...metric, unit: 'score', min: 0, max: 100 },
  ratio: { ...metric, unit: 'ratio' },
  currency: { ...metric, unit: 'currency' },
  groups: { type: 'string', nullable: false, role: 'fk_demographic' },
  category: { type: 'string', nullable: false, role: 'categorical' },
};

type Texts = Readonly<Record<string, string>>;
type Written = Readonly<Record<string, unknown>>;

/** What a file says of one or several datasets. */
interface Statements {
  readonly alike?: string;
  readonly facts?: Written;
  readonly columns?: Readonly<Record<string, string | Written>>;
  readonly sentences?: Texts;
  readonly unchecked?: Texts;
  readonly breaks?: Texts;
}

const FACTS = names(
  'version years gaps levels defaultDetail grain keyMetric updateFrequency summaryYears zeroIsReal',
);
const STATEMENTS = names('alike facts columns sentences unchecked breaks');

function names(text = ''): string[] {
  return text.split(/\s+/).filter(name => name !== '');
}

function read(file: string): Readonly<Record<string, never>> {
  return parse(readFileSync(path.join(import.meta.dirname, file), 'utf8')) as never;
}

/** The thirty datasets, by domain. */
export const specifications = ['census', 'education', 'immigration'].flatMap(domain => {
  const { alike, datasets } = read(`${domain}.yaml`) as Record<string, Record<string, Statements>>;
  return Object.entries(datasets!).map(([topic, own]) => {
    const shared = names(own.alike).map(name => known(alike!, name, `${domain}/${topic}`));
    return completed(`${domain}/${topic}`, [...shared, own]);
  });
});

/** `joinedBy` is the column that joins it; `own` are attributes that no join adds; `lists` are filters. */
export const dimensionSpecifications = Object.entries(
  read('dimensions.yaml') as Record<string, Readonly<Record<string, string & Texts>>>,
).map(([key, { joinedBy, primaryKey, attributes, own, scope, linkKeys, semantics, lists, breaks }]) => ({
  key,
  joinedBy: joinedBy!,
  primaryKey: names(primaryKey),
  attributes: names(attributes),
  own: names(own),
  scope: `${scope}`,
  linkKeys: names(linkKeys),
  hasSemantics: semantics !== undefined,
  lists: mapped(lists ?? {}, names),
  breaks: mapped(breaks!, breakOf),
}));

/** Throws if a name is unknown, a fact is stated twice, or a required fact is missing. */
function completed(key: string, all: readonly Statements[]) {
  const one = <T extends object>(part: keyof Statements): T => {
    const tables = all.map(statements => statements[part] ?? {});
    const stated = tables.flatMap(Object.keys);
    const twice = stated.filter((name, i) => stated.indexOf(name) !== i);
    if (twice.length > 0) throw new Error(`${key} states twice: ${twice.join(', ')}`);
    return Object.assign({}, ...tables) as T;
  };
  for (const statements of all) onlyKnown(key, statements, STATEMENTS);
  const { years, levels, grain, ...facts } = one<Record<string, string>>('facts');
  if (years === undefined || levels === undefined || grain === undefined)
    throw new Error(`${key} must state its years, its levels and its grain`);
  onlyKnown(key, facts, FACTS);
  const columns = one<Record<string, string | Written>>('columns');
  const stated: Facts = {
    ...(facts as Partial<Facts>),
    years: years as unknown as Facts['years'],
    levels: names(levels),
    grain: names(grain),
    columns: mapped(columns, column => columnOf(key, column)),
  };
  return {
    /** `<domain>/<topic>` */
    key,
    facts: stated,
    // A repeated sentence is kept, and a test reports it.
    sentences: all.flatMap(({ sentences = {}, unchecked = {} }) => [
      ...Object.entries(sentences).map(([says, rules]) => ({ says, rules: names(rules), why: '' })),
      ...Object.entries(unchecked).map(([says, why]) => ({ says, rules: names(), why })),
    ]),
    breaks: mapped(one<Record<string, string>>('breaks'), breakOf),
  };
}

/** `proportion`, `category high middle`, or a list of facts, which may add to a shape (`is`). */
function columnOf(key: string, written: string | Written): ColumnFacts {
  const [name, ...listed] = typeof written === 'string' ? names(written) : [];
  if (name !== undefined)
    return { ...known(SHAPES, name, key), ...(listed.length > 0 && { values: listed }) };
  const { is, values, ...facts } = written as Record<string, string>;
  return {
    ...(is !== undefined && known(SHAPES, is, key)),
    ...(facts as ColumnFacts),
    ...(values !== undefined && { values: names(values) }),
  };
}

function breakOf(written: string): string {
  if (!written.startsWith('set ')) return written;
  const [set, ...where] = written.slice(4).split(' where ');
  const condition = where.length > 0 ? ` WHERE ${where.join(' where ')}` : '';
  return `UPDATE t SET ${set} WHERE rowid = (SELECT min(rowid) FROM t${condition})`;
}

function mapped<T, U>(record: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}

function known<T>(all: Readonly<Record<string, T>>, name: string, key: string): T {
  const found = all[name];
  if (found === undefined) throw new Error(`${key} names ${name}, which nothing describes`);
  return found;
}

function onlyKnown(key: string, stated: object, allowed: readonly string[]): void {
  const unknown = Object.keys(stated).filter(name => !allowed.includes(name));
  if (unknown.length > 0) throw new Error(`${key} states ${unknown.join(', ')}, which no test reads`);
}
