/**
 * Reads what a reader asks of a table: pairs of a query string → a request, or every problem and the
 * corrected pairs.
 */
import { ANSWER_FORMATS, type AnswerFormat, isPaged, PAGE_ROWS } from '../../build/format/documents.ts';
import { type Condition, describeConditions, inZone, isEnd } from './condition.ts';
import { nearest } from '../../build/format/nearest.ts';
import { compareRows, compareText, compareValues, type Value } from './order.ts';
import type { ColumnParameter, FilterParameter, Parameter, TableRule } from './parameters.ts';
import {
  besideHistory,
  emptyItem,
  orList,
  type Problem,
  repeatedParameter,
  reversedRange,
  SEVERAL_YEARS,
  TIMELESS,
  unknownParameter,
} from './problems.ts';
import { joinItems, type Pair, withPair } from './query-string.ts';
import type { Level, Table } from './table.ts';
import { type Reading, readChoice, readInteger, readMoment, readScalar } from './value.ts';

export interface RowsRequest {
  readonly format: AnswerFormat;
  readonly detail: string;
  readonly years: YearRange;
  /** Sorted by parameter. All must hold. */
  readonly conditions: readonly Condition[];
  readonly offset: number;
  /** Null means all rows; never null on a page. */
  readonly limit: number | null;
  /** A date or a release; absent for current rows. */
  readonly asOf?: string;
  /** Whether every value that one figure had is requested. */
  readonly history?: true;
  /** The column of the figure that is requested with all that is known about it. */
  readonly figure?: string;
}

/** All bounds must hold; null sets no bound. */
export interface YearRange {
  readonly exact: number | null;
  readonly min: number | null;
  readonly max: number | null;
}

export const ALL_YEARS: YearRange = { exact: null, min: null, max: null };

export function holdsYear({ exact, min, max }: YearRange, year: number): boolean {
  return (exact === null || year === exact) && (min === null || year >= min) && (max === null || year <= max);
}

/** One text for equal requests, however they were written. ETags are made of it. */
export function canonicalText(table: string, request: RowsRequest): string {
  const { format, detail, years, conditions, offset, limit, asOf } = request;
  const { exact, min, max } = years;
  const filters = describeConditions(conditions);
  const all = [table, format, detail, exact, min, max, filters, offset, limit];
  return JSON.stringify(asOf === undefined ? all : [...all, asOf]);
}

export interface WrongRequest {
  readonly problems: readonly Problem[];
  readonly corrected: readonly Pair[];
}

export type ParsedRequest = { readonly request: RowsRequest } | WrongRequest;

/** A query has room for thousands of problems, and nobody reads more than this. */
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

class Parser {
  private readonly table: Table;
  private readonly given: ReadonlyMap<string, readonly string[]>;
  private readonly problems: Problem[] = [];
  private readonly corrected: Pair[] = [];
  private readonly conditions: Condition[] = [];
  /** It decides which limits are valid. */
  private readonly format: AnswerFormat;
  /** The level whose places are read. */
  private readonly level: Level;
  /** The level that the given places have; null if it is the requested one. */
  private meant: string | null = null;
  /** Values of parameters that aren't columns. */
  private readonly plain: Partial<Record<string, string | number>> = {};

  constructor(table: Table, given: ReadonlyMap<string, readonly string[]>) {
    this.table = table;
    this.given = given;
    this.format = this.guess('format', ANSWER_FORMATS) ?? 'json';
    const { detail_levels: levels, default_detail: otherwise } = table.schema;
    // A table has all levels of its schema, with or without slices.
    this.level = table.levels.get(this.guess('detail', levels) ?? otherwise)!;
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
        detail: String(plain['detail'] ?? this.table.schema.default_detail),
        years: { exact: numberOf('year'), min: numberOf('year_min'), max: numberOf('year_max') },
        conditions: this.conditions.sort((a, b) => compareText(a.param, b.param)),
        offset: numberOf('offset') ?? 0,
        limit: numberOf('limit') ?? (isPaged(format) ? PAGE_ROWS : null),
        ...(plain['as_of'] !== undefined && { asOf: String(plain['as_of']) }),
        ...(plain['history'] !== undefined && { history: true as const }),
        ...(plain['figure'] !== undefined && { figure: String(plain['figure']) }),
      },
    };
  }

  /** Reads what decides how others are read. A misspelt choice counts as the nearest one. */
  private guess<Choice extends string>(name: string, choices: readonly Choice[]): Choice | null {
    const [text] = this.given.get(name) ?? [];
    return text === undefined ? null : (choices.find(choice => choice === text) ?? nearest(text, choices));
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
    this.propose(name, this.read(name, parameter, list ? inputs.join(',') : input));
  }

  /** Proposes the right name of a misspelt parameter if its value is valid. */
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

  /** Returns the corrected text; null if the parameter is best left out. */
  private read(name: string, parameter: Parameter, text: string): string | null {
    return parameter.kind === 'rule'
      ? this.readRule(parameter.rule, text)
      : this.readCondition(name, parameter, text);
  }

  private readRule(rule: TableRule, text: string): string | null {
    if (/^(as_of|figure)$/.test(rule.name) && this.given.get('history')?.[0] === 'true') {
      this.complain(besideHistory(rule.name, text));
      return null;
    }
    const reading = this.readPlain(rule, text);
    if ('value' in reading) {
      this.plain[rule.name] = reading.value;
      return text;
    }
    const { problem, repaired } = reading;
    const run = rule.name === 'year' ? readRun(text) : null;
    this.complain(run ? { ...problem, msg: `${problem.msg}. ${SEVERAL_YEARS}` } : problem);
    if (!run) return repaired;
    if (run.isWhole && !this.given.has('year_min') && !this.given.has('year_max')) {
      this.propose('year_min', String(run.first));
      this.propose('year_max', String(run.last));
    }
    return null;
  }

  private readPlain(rule: TableRule, text: string): Reading<string | number> {
    switch (rule.kind) {
      case 'integer':
        return readInteger(rule.name, text, rule.least, isPaged(this.format) ? rule.mostOnPage : undefined);
      case 'choice':
        return readChoice(rule.name, text, rule.choices);
      case 'moment':
        return readMoment(rule.name, text);
      default:
        return rule satisfies never;
    }
  }

  private readCondition(name: string, parameter: FilterParameter, text: string): string | null {
    const { table, level } = this;
    const isPlace = parameter.kind === 'place';
    const keys = new Map<string, readonly Value[]>();
    const right = new Map<string, string>();
    const items = splitItems(parameter, text);
    for (const [index, item] of items.entries()) {
      // Finding the nearest value is slow, and the list of problems is full.
      if (this.full && (isPlace || parameter.choices?.includes(item) === false)) continue;
      const reading = isPlace
        ? readPlace(table, level, name, item, index)
        : readItem(name, parameter, items, index);
      if ('value' in reading) {
        const key = reading.value;
        const written = isPlace ? formatPlaceKey(key) : inZone(key[0]!, parameter);
        keys.set(written, key);
        right.set(written, isPlace ? written : item);
      } else {
        this.complain(reading.problem);
        if (reading.repaired !== null) right.set(reading.repaired, reading.repaired);
      }
    }
    if (keys.size > 0) this.conditions.push(conditionOf(name, parameter, level, keys));
    const all = [...new Set(right.values())];
    const listed = all.length > 1 ? all.filter(item => item !== '') : all;
    if (listed.length > 0) return isPlace ? listed.join(',') : joinItems(listed);
    if (!isPlace) return null;
    this.meant = this.full ? null : findLevel(table, level, items);
    return this.meant === null ? null : text;
  }

  /** A minimum above the maximum can't match any row. The corrected URL swaps them. */
  private compareBounds(): void {
    for (const max of this.conditions.filter(({ bound }) => bound === 'max')) {
      const min = this.conditions.find(one => one.bound === 'min' && one.columns[0] === max.columns[0]);
      if (!min || compareValues(min.keys[0]![0]!, max.keys[0]![0]!) <= 0) continue;
      const [least = ''] = this.given.get(min.param) ?? [];
      const [greatest = ''] = this.given.get(max.param) ?? [];
      this.complain(reversedRange(max.param, greatest, min.param, least));
      for (const [index, { name }] of this.corrected.entries()) {
        if (name === min.param) this.corrected[index] = { name, value: greatest };
        if (name === max.param) this.corrected[index] = { name, value: least };
      }
    }
  }

  private get full(): boolean {
    return this.problems.length >= MOST_PROBLEMS;
  }

  private complain(problem: Problem): void {
    if (!this.full) this.problems.push(problem);
  }
}

/** A comma in a value is written as %2C, or as it is if the contract lists the value and it is the only one. */
function splitItems(parameter: FilterParameter, text: string): readonly string[] {
  if (parameter.kind === 'place') return text.split(',');
  if (!parameter.list || parameter.choices?.includes(text)) return [text];
  return text.split(',').map(item => item.replaceAll('%2C', ','));
}

function readItem(
  name: string,
  parameter: ColumnParameter,
  items: readonly string[],
  index: number,
): Reading<readonly Value[]> {
  const { bound, choices, list } = parameter;
  const item = items[index]!;
  if (item === '' && !isEnd(bound) && !(items.length === 1 && choices?.includes(item))) {
    const problem = emptyItem(name, items.join(','), index);
    return { problem: list ? problem : { ...problem, msg: 'Value is empty' }, repaired: null };
  }
  const reading = readScalar(name, item, parameter);
  return 'problem' in reading ? reading : { value: [reading.value] };
}

/** `keys`: one or more, by their texts. */
function conditionOf(
  param: string,
  parameter: FilterParameter,
  { places }: Level,
  keys: ReadonlyMap<string, readonly Value[]>,
): Condition {
  const isPlace = parameter.kind === 'place';
  const columns = isPlace ? places : [parameter.column];
  const compare = compareRows([...columns.keys()]);
  const sorted = [...keys].sort(([, a], [, b]) => compare(a, b));
  return {
    param,
    columns,
    bound: isPlace ? 'key' : parameter.bound,
    keys: sorted.map(([, key]) => key),
    texts: sorted.map(([text]) => text),
    ...(!isPlace && parameter.utc && { utc: true as const }),
  };
}

/**
 * Why a table lacks a parameter that a reader could expect, without a full stop; null if its meaning is
 * unknown.
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

const YEAR_LIST = /^\s*\d{4}(?:(?:\s*[,;|]\s*|\s+)\d{4})+\s*$/;
const YEAR_SPAN = /^\s*\d{4}\s*(?:-|–|:|\.{2,3}|to)\s*\d{4}\s*$/;

/** Several years, such as `2021,2022` or `2019-2022`; null for other texts. `isWhole`: no year in between is missing. */
function readRun(text: string) {
  const isSpan = YEAR_SPAN.test(text);
  if (!isSpan && !YEAR_LIST.test(text)) return null;
  const years = new Set(text.match(/\d{4}/g)?.map(Number));
  const [first, last] = [Math.min(...years), Math.max(...years)];
  return { first, last, isWhole: isSpan || last - first === years.size - 1 };
}

const RESERVED = /[%:,]/g;

/**
 * Writes a place's key: its codes from the largest part to the smallest, joined by `:`; `%`, `:` and `,` are
 * percent-encoded, and an empty part means NULL. FORMAT.md, section 3.
 */
export function formatPlaceKey(codes: readonly Value[]): string {
  return codes.map(code => String(code ?? '').replace(RESERVED, encodeURIComponent)).join(':');
}

/** Null if the percent-encoding isn't UTF-8. An empty part gives null. */
export function splitPlaceKey(text: string): readonly (string | null)[] | null {
  try {
    return text.split(':').map(part => (part === '' ? null : decodeURIComponent(part)));
  } catch {
    return null;
  }
}

/** `index` counts the items of the list from 0. */
function readPlace(
  table: Table,
  level: Level,
  param: string,
  item: string,
  index: number,
): Reading<readonly Value[]> {
  const fail = (type: string, msg: string, repaired: string | null, ctx = {}): Reading<never> => ({
    problem: { type, param, msg, input: item, ctx },
    repaired,
  });
  const codes = splitPlaceKey(item);
  if (codes === null) {
    const msg = `'${item}' is not a key: in a code, write % as %25, : as %3A and , as %2C`;
    const encoded = item.replaceAll('%', '%25');
    const again = readPlace(table, level, param, encoded, index);
    return fail('string_unicode', msg, 'problem' in again ? again.repaired : encoded);
  }
  if (codes.every(code => code === null)) return { problem: emptyItem(param, item, index), repaired: null };
  const { places: parts } = level;
  if (codes.length !== parts.length)
    return fail('place_parts', explainParts(table, level, item, codes.length), null, { expected: parts });
  const values: Value[] = [];
  for (const [at, code] of codes.entries()) {
    const reading = code === null ? { value: null } : readCode(table, parts[at]!, param, code);
    if ('problem' in reading) {
      const { problem, repaired } = reading;
      const right = repaired && formatPlaceKey(codes.map((one, i) => (i === at ? repaired : one)));
      return { problem: { ...problem, input: item }, repaired: right };
    }
    values.push(reading.value);
  }
  return { value: values };
}

/** A code takes the values of its column's own filter. */
function readCode({ columns, parameters }: Table, column: string, param: string, code: string) {
  for (const parameter of parameters.values()) {
    if (parameter.kind === 'column' && parameter.bound === 'key' && parameter.column === column)
      return readScalar(param, code, parameter);
  }
  const { type = 'string', utc = false } = columns.find(({ name }) => name === column) ?? {};
  return readScalar(param, code, { type, utc, bound: 'key', choices: null });
}

/** The first other level at which all items can be keys. */
function findLevel(table: Table, { name }: Level, items: readonly string[]): string | null {
  const others = [...table.levels.values()].filter(level => level.name !== name);
  const fits = (level: Level) =>
    items.every((item, index) => !('problem' in readPlace(table, level, '', item, index)));
  return others.find(fits)?.name ?? null;
}

function explainParts({ levels }: Table, { name, places }: Level, item: string, parts: number): string {
  const columns = places.join(':');
  const has =
    places.length === 0
      ? `The level '${name}' is the whole: it has no places`
      : `A place of the level '${name}' has ${count(places.length)}, ${columns}, and '${item}' has ${parts}`;
  const others = [...levels.values()].filter(one => one.places.length === parts).map(one => one.name);
  return others.length === 0 ? has : `${has}. Places of ${count(parts)} are of the level ${orList(others)}`;
}

function count(parts: number): string {
  return parts === 1 ? 'one part' : `${parts} parts`;
}
