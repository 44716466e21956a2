/** Pairs of a query string → a request, or every problem with them and the corrected pairs. */
import { PAGE_ROWS, type RowFormat, type Scalar } from '../../build/format/documents.ts';
import { ROW_FORMATS, type Rule } from '../../build/format/grammar.ts';
import { isListable } from '../../build/format/paths.ts';
import { nearest } from './nearest.ts';
import { compareRows, compareText, compareValues, type Value } from './order.ts';
import type { ColumnParameter, Parameter, RangeParameter } from './parameters.ts';
import { formatPlaceKey } from './place-key.ts';
import { findLevel, readPlace } from './place-value.ts';
import {
  emptyItem,
  type Problem,
  repeatedParameter,
  reversedRange,
  SEVERAL_YEARS,
  TIMELESS,
  unknownParameter,
} from './problems.ts';
import { type Pair, withPair } from './query-string.ts';
import { type Condition, inZone, type RowsRequest } from './request.ts';
import type { Level, Table } from './table.ts';
import { type Reading, readChoice, readInteger, readMoment, readScalar } from './value.ts';

export type ParsedRequest =
  | { readonly request: RowsRequest }
  | { readonly problems: readonly Problem[]; readonly corrected: readonly Pair[] };

/** A query string has room for thousands of problems, and nobody reads more than this. */
const MOST_PROBLEMS = 50;

export function parseRequest(table: Table, pairs: readonly Pair[]): ParsedRequest {
  const given = new Map<string, string[]>();
  for (const { name, value } of pairs) {
    const inputs = given.get(name);
    if (inputs) inputs.push(value);
    else given.set(name, [value]);
  }
  return new Parser(table, given).parse();
}

/** Collects what the pairs say, one after another. */
class Parser {
  private readonly table: Table;
  private readonly given: ReadonlyMap<string, readonly string[]>;
  private readonly problems: Problem[] = [];
  private readonly corrected: Pair[] = [];
  private readonly conditions: Condition[] = [];
  /** It decides which limits are valid. */
  private readonly format: RowFormat;
  /** The level whose places are read. */
  private readonly level: Level | null;
  /** The level that the given places have; null where it is the request's own. */
  private meant: string | null = null;
  /** What the parameters say that no column gives. */
  private readonly plain: Partial<Record<string, string | number>> = {};

  constructor(table: Table, given: ReadonlyMap<string, readonly string[]>) {
    this.table = table;
    this.given = given;
    this.format = this.guess('format', ROW_FORMATS) ?? 'json';
    const parameter = table.parameters.get('detail');
    const level = this.guess('detail', parameter?.kind === 'rule' ? parameter.levels : []);
    this.level = table.levels.get(level ?? table.defaultLevel) ?? null;
  }

  parse(): ParsedRequest {
    for (const [name, inputs] of this.given) this.readParameter(name, inputs);
    this.compareBounds();
    const { problems, corrected, meant, format, plain } = this;
    if (problems.length > 0)
      return { problems, corrected: meant === null ? corrected : withPair(corrected, 'detail', meant) };
    const numberOf = (name: string) => (plain[name] === undefined ? null : Number(plain[name]));
    return {
      request: {
        format,
        detail: String(plain['detail'] ?? this.table.defaultLevel),
        years: { exact: numberOf('year'), min: numberOf('year_min'), max: numberOf('year_max') },
        conditions: this.conditions.sort((a, b) => compareText(a.param, b.param)),
        offset: numberOf('offset') ?? 0,
        limit: numberOf('limit') ?? (format === 'json' ? PAGE_ROWS : null),
        ...(plain['as_of'] !== undefined && { asOf: String(plain['as_of']) }),
        ...(plain['history'] !== undefined && { history: true as const }),
      },
    };
  }

  /** What decides how others are read is looked up first. A misspelt choice counts as the nearest. */
  private guess<Choice extends string>(name: string, choices: readonly Choice[]): Choice | null {
    const [text] = this.given.get(name) ?? [];
    if (text === undefined) return null;
    const meant = choices.includes(text as Choice) ? text : nearest(text, choices);
    return choices.find(choice => choice === meant) ?? null;
  }

  private readParameter(name: string, inputs: readonly string[]): void {
    const parameter = this.table.parameters.get(name);
    const input = inputs[0] ?? '';
    if (!parameter) {
      if (this.full) return;
      const known = [...this.table.parameters.keys()];
      const near = nearest(name, known);
      this.problems.push(unknownParameter(name, input, near, known, absenceOf(this.table, name)));
      if (near !== null && !this.given.has(near)) this.proposeRenamed(near, input);
      return;
    }
    const list = parameter.kind === 'place' || (parameter.kind === 'column' && parameter.list);
    if (inputs.length > 1)
      this.complain(repeatedParameter(name, inputs, list, parameter.kind === 'rule' && name === 'year'));
    const text = list ? inputs.join(',') : input;
    this.propose(name, this.read(name, parameter, text));
  }

  /** Proposes a misspelt parameter under its right name, if its value is right too. */
  private proposeRenamed(name: string, input: string): void {
    const parameter = this.table.parameters.get(name);
    if (!parameter || this.corrected.some(pair => pair.name === name)) return;
    const found = this.problems.length;
    this.propose(name, this.read(name, parameter, input));
    this.problems.length = found;
  }

  private propose(name: string, value: string | null): void {
    if (value !== null) this.corrected.push({ name, value });
  }

  /** Reads one value into the request. Returns the corrected text; null where the parameter is best left out. */
  private read(name: string, parameter: Parameter, text: string): string | null {
    switch (parameter.kind) {
      case 'rule':
        return this.readRule(parameter.rule, parameter.levels, text);
      case 'column':
        return this.readCondition(name, parameter, text);
      case 'place':
        return this.readPlaces(name, text);
      case 'range':
        return this.readBound(name, parameter, text);
      default:
        return parameter satisfies never;
    }
  }

  private readRule(rule: Rule, levels: readonly string[], text: string): string | null {
    const { name } = rule;
    const put = (value: string | number) => {
      this.plain[name] = value;
    };
    switch (rule.kind) {
      case 'integer': {
        const greatest = this.format === 'json' ? rule.mostAsJson : undefined;
        const reading = readInteger(name, text, rule.least, greatest);
        const run = 'problem' in reading && name === 'year' ? readRun(text) : null;
        return run ? this.proposeRun(reading, run) : this.keep(reading, text, put);
      }
      case 'choice':
        return this.keep(readChoice(name, text, rule.choices), text, put);
      case 'level':
        return this.keep(readChoice(name, text, levels), text, put);
      case 'moment':
        return this.keep(readMoment(name, text), text, put);
      default:
        return rule satisfies never;
    }
  }

  /** Several years are asked for by their bounds. */
  private proposeRun(reading: Reading<number>, run: YearRun): null {
    if ('problem' in reading)
      this.complain({ ...reading.problem, msg: `${reading.problem.msg}. ${SEVERAL_YEARS}` });
    if (run.isWhole && !this.given.has('year_min') && !this.given.has('year_max')) {
      this.propose('year_min', String(run.first));
      this.propose('year_max', String(run.last));
    }
    return null;
  }

  private readCondition(name: string, parameter: ColumnParameter, text: string): string | null {
    const { choices } = parameter;
    // A listed value may contain a comma or be empty. A request can ask for it alone.
    const alone = choices?.includes(text) === true;
    const items = parameter.list && !alone ? text.split(',') : [text];
    const values = new Map<Scalar, string>();
    for (const [index, item] of items.entries()) {
      if (item === '' && !alone) {
        const problem = emptyItem(name, text, index);
        this.complain(parameter.list ? problem : { ...problem, msg: 'Value is empty' });
        continue;
      }
      // Finding the nearest value takes time, and the list of problems is full.
      if (this.full && choices?.includes(item) === false) continue;
      const reading = readScalar(name, item, parameter, parameter.choices);
      const right = this.keep(reading, item, value => values.set(value, item));
      if ('problem' in reading && right !== null) values.set(right, right);
    }
    const sorted = [...values.keys()].sort(compareValues);
    const keys = sorted.map(value => [value]);
    const texts = sorted.map(value => inZone(value, parameter));
    this.conditions.push({ bound: 'key', param: name, ...columnOf(parameter), texts, keys });
    const right = [...new Set(values.values())];
    const listed = right.length > 1 ? right.filter(isListable) : right;
    return listed.length > 0 ? listed.join(',') : null;
  }

  private readBound(name: string, parameter: RangeParameter, text: string): string | null {
    const { bound } = parameter;
    return this.keep(readScalar(name, text, parameter, null), text, value =>
      this.conditions.push({
        bound,
        param: name,
        ...columnOf(parameter),
        texts: [inZone(value, parameter)],
        value,
      }),
    );
  }

  /** A least value above the greatest is a mistake: no row can satisfy both. The right URL has them the other way. */
  private compareBounds(): void {
    for (const max of this.conditions) {
      const min = this.conditions.find(
        one => one.bound === 'min' && max.bound === 'max' && one.columns[0] === max.columns[0],
      );
      if (min?.bound !== 'min' || max.bound !== 'max' || compareValues(min.value, max.value) <= 0) continue;
      const [least = ''] = this.given.get(min.param) ?? [];
      const [greatest = ''] = this.given.get(max.param) ?? [];
      this.complain(reversedRange(max.param, greatest, min.param, least));
      for (const [index, { name }] of this.corrected.entries()) {
        if (name === min.param) this.corrected[index] = { name, value: greatest };
        if (name === max.param) this.corrected[index] = { name, value: least };
      }
    }
  }

  private readPlaces(name: string, text: string): string | null {
    const { level } = this;
    if (level === null) return null;
    const items = text.split(',');
    const found = new Map<string, readonly Value[]>();
    for (const [index, item] of items.entries()) {
      if (this.full) break;
      const reading = readPlace(this.table, level, name, item, index);
      const key = this.keep(reading, item, place => found.set(formatPlaceKey(place), place));
      if ('problem' in reading && key !== null) found.set(key, []);
    }
    const { places: columns } = level;
    const keys = [...found.values()].sort(compareRows([...columns.keys()]));
    this.conditions.push({ bound: 'key', param: name, columns, texts: keys.map(formatPlaceKey), keys });
    if (found.size > 0) return [...found.keys()].join(',');
    this.meant = this.full ? null : findLevel(this.table, level, items);
    return this.meant === null ? null : text;
  }

  private get full(): boolean {
    return this.problems.length >= MOST_PROBLEMS;
  }

  private complain(problem: Problem): void {
    if (!this.full) this.problems.push(problem);
  }

  private keep<Value>(reading: Reading<Value>, text: string, put: (value: Value) => unknown): string | null {
    if ('problem' in reading) {
      this.complain(reading.problem);
      return reading.repaired;
    }
    put(reading.value);
    return text;
  }
}

/** The column of a filter, as conditions say it. */
function columnOf({ column, utc }: ColumnParameter | RangeParameter) {
  return { columns: [column], ...(utc && { utc: true as const }) };
}

/**
 * Why a table has no parameter that a reader can have expected: a sentence without its full stop. Null where nobody knows
 * what the parameter was to mean.
 */
function absenceOf({ kind, year, columns }: Table, name: string): string | null {
  if (kind === 'dataset' && year < 0 && /^year(_min|_max)?$/.test(name)) return TIMELESS;
  const [, ranged] = /^(.+)_(?:min|max)$/.exec(name) ?? [];
  const found = columns.find(one => one.name === ranged);
  if (!found) return null;
  if (columns.some(one => one.name === name))
    return `'${name}' is a column of its own, and requests do not filter by it`;
  if (found.from !== null)
    return `'${ranged}' is a column of ${found.from}, and requests cannot ask for a range of it`;
  return found.type === 'string' || found.type === 'boolean'
    ? `'${ranged}' is a ${found.type}: only dates and numbers have a range`
    : `'${ranged}' has no range`;
}

interface YearRun {
  readonly first: number;
  readonly last: number;
  /** Whether no year between them is left out. */
  readonly isWhole: boolean;
}

/** The years of a list or a span, such as `2021,2022` or `2019-2022`; null where the text is neither. */
function readRun(text: string): YearRun | null {
  const [, from, to] = /^\s*(\d{4})\s*(?:-|–|:|\.{2,3}|to)\s*(\d{4})\s*$/.exec(text) ?? [];
  if (from !== undefined && to !== undefined)
    return Number(from) <= Number(to) ? { first: Number(from), last: Number(to), isWhole: true } : null;
  const years = text.split(/\s*[,;|]\s*|\s+/);
  if (years.length < 2 || !years.every(year => /^\d{4}$/.test(year))) return null;
  const sorted = [...new Set(years.map(Number))].sort((a, b) => a - b);
  const [first = 0, last = 0] = [sorted[0], sorted.at(-1)];
  return { first, last, isWhole: last - first === sorted.length - 1 };
}
