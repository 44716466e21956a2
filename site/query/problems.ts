/**
 * Problems with parameters, as FastAPI's 422 body has them. Hosts that only rewrite run these functions too,
 * so they keep to the language that site/edge/adapters/rewrite/rules.ts names.
 */
import type { ValidationProblem } from '../../build/format/documents.ts';

/** The corrected URL is known only when all parameters are read. */
export interface Problem extends Omit<ValidationProblem, 'loc'> {
  readonly param: string;
}

/** Each item has the corrected URL. */
export function describeProblems(problems: readonly Problem[], url: string): readonly ValidationProblem[] {
  return problems.map(({ type, param, msg, input, ctx }) => {
    return { type, loc: ['query', param], msg, input, ctx: { ...ctx, url } };
  });
}

/** `'a', 'b' or 'c'` */
export function orList(values: readonly string[]): string {
  const quoted = values.map(value => `'${value}'`);
  const last = quoted.pop() ?? '';
  return quoted.length === 0 ? last : `${quoted.join(', ')} or ${last}`;
}

export function unknownParameter(
  param: string,
  input: string,
  near: string | null,
  expected: readonly string[],
  /** Why there is no such parameter, as a sentence; null if its meaning is unknown. */
  reason: string | null,
): Problem {
  const known = near === null ? `Known: ${orList(expected)}` : `Did you mean '${near}'?`;
  const msg = `Unknown parameter. ${reason ?? known}`;
  return { type: 'extra_forbidden', param, msg, input, ctx: expecting(expected, near) };
}

function expecting(expected: readonly string[], near: string | null) {
  return near === null ? { expected: expected } : { expected: expected, nearest: near };
}

export function reversedRange(param: string, input: string, minParam: string, least: string): Problem {
  const msg = `Input should be greater than or equal to ${minParam}, which is ${least}`;
  return { type: 'greater_than_equal', param, msg, input, ctx: { ge: least } };
}

export const SEVERAL_YEARS = 'For several years give year_min and year_max';

export const TIMELESS = 'This dataset has no time, so it has no years';

export function besideHistory(param: string, input: string): Problem {
  const msg = "'history' gives every value that a figure had, at all times. Leave out one of the two";
  return { type: 'extra_forbidden', param, msg, input, ctx: {} };
}

/** Null if the text is one of the choices. `near`: the choice that was probably meant. */
export function choiceProblem(
  param: string,
  input: string,
  choices: readonly string[],
  near: string | null,
): Problem | null {
  if (choices.indexOf(input) >= 0) return null;
  const msg = `Input should be ${orList(choices)}${near === null ? '' : `. Did you mean '${near}'?`}`;
  return { type: 'enum', param, msg, input, ctx: expecting(choices, near) };
}

/** Null if the text is an integer below 2^53, with an optional sign, within the bounds. */
export function integerProblem(
  param: string,
  input: string,
  least: number | undefined,
  greatest: number | undefined,
): Problem | null {
  // Two steps, because in njs `$` also matches before a final line feed.
  if (/\D/.test(input.replace(/^[+-]/, '') || '?')) {
    const msg = 'Input should be a valid integer, unable to parse string as an integer';
    return { type: 'int_parsing', param, msg, input, ctx: {} };
  }
  const value = Number(input);
  if (!Number.isSafeInteger(value)) {
    const msg = 'Input should be an integer between -9007199254740991 and 9007199254740991';
    return { type: 'int_parsing_size', param, msg, input, ctx: {} };
  }
  if (least !== undefined && value < least) {
    const msg = `Input should be greater than or equal to ${least}`;
    return { type: 'greater_than_equal', param, msg, input, ctx: { ge: least } };
  }
  if (greatest !== undefined && value > greatest) {
    const msg = `Input should be less than or equal to ${greatest}`;
    return { type: 'less_than_equal', param, msg, input, ctx: { le: greatest } };
  }
  return null;
}

/** `index` counts from 0. */
export function emptyItem(param: string, input: string, index: number): Problem {
  const msg = `Item ${index + 1} of the list is empty`;
  return { type: 'empty_list_item', param, msg, input, ctx: {} };
}

export function repeatedParameter(
  param: string,
  inputs: readonly string[],
  list: boolean,
  isYear: boolean,
): Problem {
  const once = list ? 'Give it once, with its values separated by commas' : 'Give it once';
  const how = isYear ? `${once}. ${SEVERAL_YEARS}` : once;
  return { type: 'repeated_parameter', param, msg: `Parameter is repeated. ${how}`, input: inputs, ctx: {} };
}
