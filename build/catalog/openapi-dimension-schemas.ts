/** JSON Schemas of a dimension's documents, for openapi.json. Pure. */
import type { Json } from '../format/json.ts';
import type { DimensionColumnDescriptor, DimensionSchemaDocument } from '../format/schema.ts';
import { reference } from './openapi-references.ts';
import {
  COLUMN_TYPE,
  COUNT,
  FLAG,
  KEY_POSITION,
  listOf,
  note,
  orNull,
  SCALAR,
  SCOPE,
  STAMP,
  shape,
  TEXT,
  VALUE_LABELS,
} from './openapi-shapes.ts';

export const DIMENSION_SCHEMAS = {
  DimensionSchema: shape<DimensionSchemaDocument>(
    {
      ...STAMP,
      name: TEXT,
      title: TEXT,
      description: TEXT,
      version: note(TEXT, 'Version of the data contract.'),
      scope: SCOPE,
      schema_hash: TEXT,
      primary_key: listOf(TEXT),
      attribute_columns: listOf(TEXT),
      columns: listOf(reference('schemas', 'DimensionColumn')),
      rows: COUNT,
      endpoint: note(TEXT, 'Path of the rows.'),
      link_keys: { description: 'Columns that other publications use, as the contract states them.' },
      semantics: { description: "The publisher's own notes, as the contract states them." },
      shapes: note({ enum: ['areas', 'points'] }, 'What `shapes.json`, beside this document, has.'),
    },
    ['sample', 'link_keys', 'semantics', 'shapes'],
  ),
  DimensionColumn: shape<DimensionColumnDescriptor>(
    {
      name: TEXT,
      type: COLUMN_TYPE,
      role: { type: 'string', enum: ['key', 'attribute'] },
      nullable: FLAG,
      label: TEXT,
      description: TEXT,
      primary_key_position: KEY_POSITION,
      valid_values: orNull(listOf(SCALAR)),
      value_labels: VALUE_LABELS,
      link_key: { type: ['string', 'array', 'object'], description: "The publisher's own notes." },
    },
    ['value_labels', 'link_key'],
  ),
} as const satisfies Readonly<Record<string, Json>>;
