/** Problems with parameters, in the form of FastAPI's 422 body. */
import type { ValidationProblem } from '../../build/format/documents.ts';

/** A problem without the corrected URL, which is known only once all parameters are read. */
export interface Problem {
  readonly type: ProblemType;
  readonly param: string;
  readonly msg: string;
  readonly input: unknown;
  readonly ctx: Readonly<Record<string, unknown>>;
}

export type ProblemType =
  | 'extra_forbidden'
  | 'repeated_parameter'
  | 'enum'
  | 'int_parsing'
  | 'int_parsing_size'
  | 'float_parsing'
  | 'date_parsing'
  | 'datetime_parsing'
  | 'greater_than_equal'
  | 'less_than_equal'
  | 'empty_list_item'
  | 'place_parts'
  | 'string_unicode'
  | 'missing_key';

/** The items of `detail` in a 422. All of them carry the corrected URL. */
export function describeProblems(problems: readonly Problem[], url: string): readonly ValidationProblem[] {
  return problems.map(({ type, param, msg, input, ctx }) => ({
    type,
    loc: ['query', param],
    msg,
    input,
    ctx: { ...ctx, url },
  }));
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
  /** Why there is no such parameter, as a sentence; null where nobody knows what it was to mean. */
  reason: string | null,
): Problem {
  const known = near === null ? `Known: ${orList(expected)}` : `Did you mean '${near}'?`;
  return {
    type: 'extra_forbidden',
    param,
    msg: `Unknown parameter. ${reason ?? known}`,
    input,
    ctx: near === null ? { expected } : { expected, nearest: near },
  };
}

/** A greatest value below the least one. */
export function reversedRange(param: string, input: string, minParam: string, least: string): Problem {
  const msg = `Input should be greater than or equal to ${minParam}, which is ${least}`;
  return { type: 'greater_than_equal', param, msg, input, ctx: { ge: least } };
}

/** How to ask for what `year` cannot have. */
export const SEVERAL_YEARS = 'For several years give year_min and year_max';

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
