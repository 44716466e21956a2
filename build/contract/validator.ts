/**
 * Compiles shapes with Ajv. The bundle contains the compiled validators instead (`scripts/bundle.ts`).
 */
import { Ajv, type AnySchemaObject, type Options, type ValidateFunction } from 'ajv';

/** A JSON Schema with a name. */
export interface Shape {
  readonly name: string;
  readonly schema: AnySchemaObject;
  /** Authors see all errors. Files written by programs may be huge, so their readers see only the first. */
  readonly errors: keyof typeof VALIDATOR_OPTIONS;
}

/**
 * Messages need the value and the schema of each error (`verbose`). The schemas use no `$ref`: with
 * `allErrors`, Ajv copies all earlier errors at each reference, which takes quadratic time in a list.
 */
export const VALIDATOR_OPTIONS = {
  all: { allErrors: true, verbose: true, allowUnionTypes: true },
  first: { allowUnionTypes: true },
} as const satisfies Readonly<Record<string, Options>>;

const compilers = new Map<Shape['errors'], Ajv>();

/** Ajv caches validators by schema. */
export function validatorOf({ schema, errors }: Shape): ValidateFunction {
  const ajv = compilers.get(errors) ?? new Ajv(VALIDATOR_OPTIONS[errors]);
  compilers.set(errors, ajv);
  return ajv.compile(schema);
}
