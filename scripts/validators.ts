/**
 * Compiles the validators of contracts into the bundle, so that `civic` loads no Ajv and compiles no schema. The bundle
 * uses them in place of `build/contract/validator.ts`.
 */
import { Ajv } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import { CONTRACT_SHAPE } from '../build/contract/contract-profile.ts';
import { COLUMN_SHAPE, OBJECT_SHAPE, ROOT_SHAPE } from '../build/contract/custom-profile.ts';
import { PUBLISHER_SHAPE } from '../build/contract/publisher.ts';
import { VALIDATOR_OPTIONS } from '../build/contract/validator.ts';

const SHAPES = [CONTRACT_SHAPE, ROOT_SHAPE, OBJECT_SHAPE, COLUMN_SHAPE, PUBLISHER_SHAPE];

/** Renders a CommonJS module that exports `validatorOf`: Ajv's generated code uses `require`. */
export function renderValidators(): string {
  const ajv = new Ajv({ ...VALIDATOR_OPTIONS, code: { source: true } });
  for (const { name, schema } of SHAPES) ajv.addSchema(schema, name);
  const validators = standalone.default(ajv, Object.fromEntries(SHAPES.map(({ name }) => [name, name])));
  return `${validators}\nexports.validatorOf = shape => exports[shape.name];\n`;
}
