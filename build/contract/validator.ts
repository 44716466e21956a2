/** Shapes to validators, by Ajv. The bundled program has the same validators compiled ahead (`scripts/validators.ts`). */
import { Ajv, type AnySchemaObject, type Options, type ValidateFunction } from 'ajv';

/** What a part of a document must look like: a JSON Schema, and its name among ours. */
export interface Shape {
  readonly name: string;
  readonly schema: AnySchemaObject;
}

/**
 * `verbose` brings the value and the schema into each error: the message needs both. Schemas have no `$ref`: with all
 * errors, Ajv copies what it found so far at each call of a referenced schema, which is quadratic in a list.
 */
export const VALIDATOR_OPTIONS: Options = { allErrors: true, verbose: true, allowUnionTypes: true };

let ajv: Ajv | undefined;

/** Compiled when it is first asked for; Ajv keeps it by its schema. */
export function validatorOf({ schema }: Shape): ValidateFunction {
  ajv ??= new Ajv(VALIDATOR_OPTIONS);
  return ajv.compile(schema);
}
