/**
 * The validators of contracts, compiled when the program is bundled: `civic` need not load Ajv, nor compile a schema, to read
 * a contract. They stand in for `build/contract/validator.ts`, which compiles the same schemas when they are asked for.
 */
import { Ajv } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import { CONTRACT_SHAPE } from '../build/contract/contract-profile.ts';
import { COLUMN_SHAPE, OBJECT_SHAPE, ROOT_SHAPE } from '../build/contract/custom-profile.ts';
import { PUBLISHER_SHAPE } from '../build/contract/publisher.ts';
import { VALIDATOR_OPTIONS } from '../build/contract/validator.ts';

const SHAPES = [CONTRACT_SHAPE, ROOT_SHAPE, OBJECT_SHAPE, COLUMN_SHAPE, PUBLISHER_SHAPE];

/** A CommonJS module, since Ajv's own code requires parts of its package. It exports `validatorOf`. */
export function renderValidators(): string {
  const ajv = new Ajv({ ...VALIDATOR_OPTIONS, code: { source: true } });
  for (const { name, schema } of SHAPES) ajv.addSchema(schema, name);
  const validators = standalone.default(ajv, Object.fromEntries(SHAPES.map(({ name }) => [name, name])));
  return `${validators}\nexports.validatorOf = shape => exports[shape.name];\n`;
}
