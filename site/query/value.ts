/** The text of a parameter → a typed value, or the problem and a guess at the right text. */
import type { ColumnType, Scalar } from '../../build/format/documents.ts';
import { isRelease } from '../../build/format/paths.ts';
import { canonicalTimestamp, isDate } from '../../build/format/time-text.ts';
import { type Bound, isEnd } from './condition.ts';
import { nearest } from '../../build/format/nearest.ts';
import { choiceProblem, integerProblem, type Problem } from './problems.ts';

export type Reading<Value> =
  | { readonly value: Value }
  | {
      readonly problem: Problem;
      /** Null if the parameter is best left out. */
      readonly repaired: string | null;
    };

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;

/** An integer below 2^53 with an optional sign. */
export function readInteger(
  param: string,
  input: string,
  least?: number,
  greatest?: number,
): Reading<number> {
  const problem = integerProblem(param, input, least, greatest);
  if (problem === null) return { value: Number(input) + 0 };
  const { ge, le } = problem.ctx as { ge?: number; le?: number };
  const repaired = ge ?? le;
  return { problem, repaired: repaired === undefined ? null : String(repaired) };
}

export function readChoice<Choice extends string>(
  param: string,
  input: string,
  choices: readonly Choice[],
): Reading<Choice> {
  const value = choices.find(choice => choice === input);
  if (value !== undefined) return { value };
  const near = nearest(input, choices);
  return { problem: choiceProblem(param, input, choices, near)!, repaired: near };
}

/** YYYY-MM-DD; proposes zeros that are missing. `form`: what the input should be. */
function readDate(
  param: string,
  input: string,
  form = 'a valid date in the format YYYY-MM-DD',
): Reading<string> {
  if (isDate(input)) return { value: input };
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ].*)?$/.exec(input) ?? [];
  const meant = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const repaired = isDate(meant) ? meant : null;
  const msg = `Input should be ${form}${repaired === null ? '' : `. Did you mean '${repaired}'?`}`;
  const ctx = repaired === null ? {} : { nearest: repaired };
  return { problem: { type: 'date_parsing', param, msg, input, ctx }, repaired };
}

/** A date, or a release's name, which starts with its date. */
export function readMoment(param: string, input: string): Reading<string> {
  if (isRelease(input) && isDate(input.slice(0, 10))) return { value: input };
  return readDate(param, input, 'a date, YYYY-MM-DD, or the name of a release');
}

/** A date as a bound of timestamps is the first or last moment of its day. */
const DAY = { min: 'T00:00:00', max: 'T23:59:59.999999' } as const;

/** YYYY-MM-DDThh:mm:ss, with a Z only if the column is in UTC. */
function readTimestamp(
  param: string,
  input: string,
  { utc, bound }: Pick<ValueKind, 'utc' | 'bound'>,
): Reading<string> {
  if (isEnd(bound) && isDate(input)) return { value: input + DAY[bound] };
  const value = canonicalTimestamp(utc ? input.replace(/Z$/, '') : input);
  if (value !== null) return { value };
  const form = `YYYY-MM-DDThh:mm:ss${utc ? 'Z' : ''}`;
  const zoned = !utc && canonicalTimestamp(input.replace(/Z$/, ''));
  const why = zoned ? ', without Z: the column is not in UTC' : isEnd(bound) ? ', or a date' : '';
  const repaired = zoned || (isDate(input) ? input + DAY.min : null);
  const msg = `Input should be a valid timestamp in the format ${form}${why}`;
  return { problem: { type: 'datetime_parsing', param, msg, input, ctx: {} }, repaired };
}

export interface ValueKind {
  readonly type: ColumnType;
  /** Whether a column of timestamps is in UTC. */
  readonly utc: boolean;
  readonly bound: Bound;
  /** The only accepted values; null accepts any value of the type. */
  readonly choices: readonly string[] | null;
}

export function readScalar(param: string, input: string, kind: ValueKind): Reading<Scalar> {
  const { type, choices } = kind;
  if (choices) {
    const choice = readChoice(param, input, choices);
    return 'problem' in choice ? choice : { value: CONVERTERS[type](choice.value) };
  }
  if (type === 'integer') return readInteger(param, input);
  if (type === 'boolean') return readScalar(param, input, { ...kind, choices: ['false', 'true'] });
  if (type === 'date') return readDate(param, input);
  if (type === 'timestamp') return readTimestamp(param, input, kind);
  if (type === 'number' && !(NUMBER.test(input) && Number.isFinite(Number(input)))) {
    const msg = 'Input should be a valid number, unable to parse string as a number';
    return { problem: { type: 'float_parsing', param, msg, input, ctx: {} }, repaired: null };
  }
  return { value: CONVERTERS[type](input) };
}

const CONVERTERS: Readonly<Record<ColumnType, (text: string) => Scalar>> = {
  string: String,
  date: String,
  timestamp: String,
  integer: text => Number(text) + 0,
  number: text => Number(text) + 0,
  boolean: text => text === 'true',
};
