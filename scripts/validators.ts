/**
 * Compiles the validators of contracts and manifests into the bundle, so that `civic` loads no Ajv and compiles no
 * schema. The bundle uses them in place of `build/contract/validator.ts`.
 */
import { Ajv } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import { CONTRACT_SHAPE } from '../build/contract/contract-profile.ts';
import { COLUMN_SHAPE, OBJECT_SHAPE, ROOT_SHAPE } from '../build/contract/custom-profile.ts';
import { PUBLISHER_SHAPE } from '../build/contract/publisher.ts';
import { VALIDATOR_OPTIONS } from '../build/contract/validator.ts';
import { DATASET_MANIFEST, DIMENSION_MANIFEST, TREE_MANIFEST } from '../build/tree/manifest-shape.ts';

const SHAPES = [
  CONTRACT_SHAPE,
  ROOT_SHAPE,
  OBJECT_SHAPE,
  COLUMN_SHAPE,
  PUBLISHER_SHAPE,
  TREE_MANIFEST,
  DATASET_MANIFEST,
  DIMENSION_MANIFEST,
];

/** Renders a CommonJS module that exports `validatorOf`: Ajv's generated code uses `require`. */
export function renderValidators(): string {
  const groups = (['all', 'first'] as const).map(errors => {
    const ajv = new Ajv({ ...VALIDATOR_OPTIONS[errors], code: { source: true } });
    const shapes = SHAPES.filter(shape => shape.errors === errors);
    for (const { name, schema } of shapes) ajv.addSchema(schema, name);
    const names = Object.fromEntries(shapes.map(({ name }) => [name, name]));
    // Both modules use the same names for their constants.
    return `(() => {\n${standalone.default(ajv, names)}\n})();\n`;
  });
  return `${groups.join('')}exports.validatorOf = shape => exports[shape.name];\n`;
}
