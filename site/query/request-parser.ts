/** Pairs of a query string → a request, or every problem with them and the corrected pairs. */
import { PAGE_ROWS, type RowFormat, type Scalar } from '../../build/format/documents.ts';
import { type PlainName, type PlainRule, ROW_FORMATS } from '../../build/format/grammar.ts';
import { isListable } from '../../build/format/paths.ts';
import { nearest } from './nearest.ts';
import { compareRows, compareText, compareValues, type Value } from './order.ts';
import { absenceOf } from './parameter-absence.ts';
import type { ColumnParameter, Parameter, RangeParameter } from './parameters.ts';
import { formatPlaceKey } from './place-key.ts';
import { findLevel, readPlace } from './place-value.ts';
import {
  emptyItem,
  type Problem,
  repeatedParameter,
  reversedRange,
  SEVERAL_YEARS,
  unknownParameter,
} from './problems.ts';
import { type Pair, withPair } from './query-string.ts';
import type { BoundCondition, Condition, RowsRequest } from './request.ts';
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
  const parser = new Parser(table, given);
  return parser.parse();
}

/** Collects what the pairs say, one after another. */
class Parser {
  private readonly table: Table;
  private readonly given: ReadonlyMap<string, readonly string[]>;
  private readonly problems: Problem[] = [];
  private readonly corrected: Pair[] = [];
  private readonly conditions: Condition[] = [];
  private readonly years = {
    exact: null as number | null,
    min: null as number | null,
    max: null as number | null,
  };
  private format: RowFormat = 'json';
  private detail: string;
  /** The level whose places are read; a misspelt one counts as the nearest. */
  private level: Level | null = null;
  /** The level that the given places have; null where it is the request's own. */
  private meant: string | null = null;
  /** What the parameters of every table say. */
  private readonly plain: { [Name in PlainName]?: string | number } = {};

  constructor(table: Table, given: ReadonlyMap<string, readonly string[]>) {
    this.table = table;
    this.given = given;
    this.detail = table.defaultLevel;
  }

  parse(): ParsedRequest {
    const [format] = this.given.get('format') ?? [];
    if (format !== undefined) this.format = this.guessFormat(format);
    this.level = this.guessLevel();
    for (const [name, inputs] of this.given) this.readParameter(name, inputs);
    this.compareBounds();
    if (this.problems.length > 0) {
      const { problems, corrected, meant } = this;
      return { problems, corrected: meant === null ? corrected : withPair(corrected, 'detail', meant) };
    }
    const { years, detail, plain } = this;
    const offset = Number(plain.offset ?? 0);
    const limit = Number(plain.limit ?? 0) || (this.format === 'json' ? PAGE_ROWS : null);
    const conditions = this.conditions.sort((a, b) => compareText(a.param, b.param));
    const request = { format: this.format, detail, years, conditions, offset, limit };
    const moment = plain.as_of === undefined ? {} : { asOf: String(plain.as_of) };
    return { request: { ...request, ...moment, ...(plain.history && { history: true as const }) } };
  }

  /** The format decides which limits are valid, so it is read first. A misspelt format counts as the nearest one. */
  private guessFormat(text: string): RowFormat {
    const meant = nearest(text, ROW_FORMATS);
    return (
      ROW_FORMATS.find(format => format === text) ?? ROW_FORMATS.find(format => format === meant) ?? 'json'
    );
  }

  /** The level decides which parts a place has, so it is read before the places. */
  private guessLevel(): Level | null {
    const { levels, parameters, defaultLevel } = this.table;
    const [text] = this.given.get('detail') ?? [];
    const parameter = parameters.get('detail');
    const choices = parameter?.kind === 'detail' ? parameter.choices : [];
    const name = text === undefined || choices.includes(text) ? text : nearest(text, choices);
    return levels.get(name ?? defaultLevel) ?? null;
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
    if (inputs.length > 1) {
      const isYear = parameter.kind === 'year' && parameter.bound === 'exact';
      this.complain(repeatedParameter(name, inputs, list, isYear));
    }
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
    if ('rule' in parameter) return this.readPlain(parameter.rule, text);
    switch (parameter.kind) {
      case 'year':
        return this.readYear(name, parameter.bound, text);
      case 'detail':
        return this.keep(readChoice(name, text, parameter.choices), text, detail => {
          this.detail = detail;
        });
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

  private readPlain(rule: PlainRule, text: string): string | null {
    const { name } = rule;
    const put = (value: string | number) => {
      this.plain[name] = value;
    };
    switch (rule.kind) {
      case 'integer': {
        const greatest = this.format === 'json' ? rule.mostAsJson : undefined;
        return this.keep(readInteger(name, text, { least: rule.least, greatest }), text, put);
      }
      case 'choice':
        return this.keep(readChoice(name, text, rule.choices), text, put);
      case 'moment':
        return this.keep(readMoment(name, text), text, put);
      default:
        return rule satisfies never;
    }
  }

  private readYear(name: string, bound: 'exact' | 'min' | 'max', text: string): string | null {
    const reading = readInteger(name, text);
    const run = 'problem' in reading && bound === 'exact' ? readRun(text) : null;
    if (!run || !('problem' in reading))
      return this.keep(reading, text, year => {
        this.years[bound] = year;
      });
    const { problem } = reading;
    this.complain({ ...problem, msg: `${problem.msg}. ${SEVERAL_YEARS}` });
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
    const { column, position, key } = parameter;
    const zone = parameter.utc ? { utc: true as const } : {};
    const sorted = [...values.keys()].sort(compareValues);
    this.conditions.push({ bound: 'list', param: name, column, position, key, ...zone, values: sorted });
    const right = [...new Set(values.values())];
    const listed = right.length > 1 ? right.filter(isListable) : right;
    return listed.length > 0 ? listed.join(',') : null;
  }

  private readBound(name: string, parameter: RangeParameter, text: string): string | null {
    const { bound, column, position, key, utc } = parameter;
    const zone = utc ? { utc: true as const } : {};
    return this.keep(readScalar(name, text, parameter, null), text, value =>
      this.conditions.push({ bound, param: name, column, position, key, ...zone, value }),
    );
  }

  /** A least value above the greatest is a mistake: no row can satisfy both. The right URL has them the other way. */
  private compareBounds(): void {
    const bounds = this.conditions.filter(
      (one): one is BoundCondition => one.bound === 'min' || one.bound === 'max',
    );
    for (const max of bounds.filter(one => one.bound === 'max')) {
      const min = bounds.find(one => one.bound === 'min' && one.position === max.position);
      if (!min || compareValues(min.value, max.value) <= 0) continue;
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
    const { places: parts } = level;
    const places = [...found.values()].sort(compareRows(parts.map((_, index) => index)));
    this.conditions.push({ bound: 'place', param: name, parts, places });
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
