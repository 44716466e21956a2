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
  | 'greater_than_equal'
  | 'less_than_equal'
  | 'empty_list_item'
  | 'place_parts'
  | 'string_unicode';

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
): Problem {
  const hint = near === null ? `Known: ${orList(expected)}` : `Did you mean '${near}'?`;
  return {
    type: 'extra_forbidden',
    param,
    msg: `Unknown parameter. ${hint}`,
    input,
    ctx: near === null ? { expected } : { expected, nearest: near },
  };
}

export function repeatedParameter(param: string, inputs: readonly string[], list: boolean): Problem {
  const how = list ? 'Give it once, with its values separated by commas' : 'Give it once';
  return { type: 'repeated_parameter', param, msg: `Parameter is repeated. ${how}`, input: inputs, ctx: {} };
}
