/**
 * Shapes to validators, by Ajv. The bundled program has the same validators compiled ahead (`scripts/validators.ts`).
 */
import { Ajv, type AnySchemaObject, type Options, type ValidateFunction } from 'ajv';

/** The required form of a part of a document: a JSON Schema with a name. */
export interface Shape {
  readonly name: string;
  readonly schema: AnySchemaObject;
  /** An author hears of all errors. What a program wrote may be huge: its reader hears of the first. */
  readonly errors: keyof typeof VALIDATOR_OPTIONS;
}

/**
 * `verbose` adds the value and the schema to each error: messages need both. The schemas use no `$ref`: with
 * `allErrors`, Ajv copies all earlier errors at each call of a referenced schema, which takes quadratic time in a list.
 */
export const VALIDATOR_OPTIONS = {
  all: { allErrors: true, verbose: true, allowUnionTypes: true },
  first: { allowUnionTypes: true },
} as const satisfies Readonly<Record<string, Options>>;

const compilers = new Map<Shape['errors'], Ajv>();

/** Compiles a shape's validator at the first call; Ajv keeps it by its schema. */
export function validatorOf({ schema, errors }: Shape): ValidateFunction {
  const ajv = compilers.get(errors) ?? new Ajv(VALIDATOR_OPTIONS[errors]);
  compilers.set(errors, ajv);
  return ajv.compile(schema);
}
