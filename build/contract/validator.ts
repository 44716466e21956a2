/**
 * Shapes to validators, by Ajv. The bundled program has the same validators compiled ahead (`scripts/validators.ts`).
 */
import { Ajv, type AnySchemaObject, type Options, type ValidateFunction } from 'ajv';

/** The required form of a part of a document: a JSON Schema with a name. */
export interface Shape {
  readonly name: string;
  readonly schema: AnySchemaObject;
}

/**
 * `verbose` adds the value and the schema to each error: messages need both. The schemas use no `$ref`: with
 * `allErrors`, Ajv copies all earlier errors at each call of a referenced schema, which takes quadratic time in a list.
 */
export const VALIDATOR_OPTIONS: Options = { allErrors: true, verbose: true, allowUnionTypes: true };

let ajv: Ajv | undefined;

/** Compiles a shape's validator at the first call; Ajv keeps it by its schema. */
export function validatorOf({ schema }: Shape): ValidateFunction {
  ajv ??= new Ajv(VALIDATOR_OPTIONS);
  return ajv.compile(schema);
}
