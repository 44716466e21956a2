/** A JSON Schema of contracts for editors: every key of ODCS 3.1, and every custom property of this service. Pure. */

import { COLUMN_NOTES } from './column-notes.ts';
import { CONTRACT_SHAPE } from './contract-profile.ts';
import { COLUMN_SHAPE, OBJECT_SHAPE, ROOT_SHAPE } from './custom-profile.ts';
import { type PropertyNote, ROOT_NOTES, TABLE_NOTES } from './property-notes.ts';
import { DEFINITIONS, STANDARD_KEYS } from './standard-keys.ts';
import type { Shape } from './validator.ts';

type Schema = Readonly<Record<string, unknown>>;

/** The schema of one custom property's value; an empty one if the build reads any value. */
export function valueSchema({ schema }: Shape, name: string): Schema {
  return (schema as { properties?: Record<string, Schema> }).properties?.[name] ?? {};
}

export function contractSchema(): Schema {
  const base = structuredClone(CONTRACT_SHAPE.schema) as MutableContract;
  const { properties } = base;
  const table = properties.schema.items.properties;
  const column = table.properties.items.properties;
  for (const rules of [table.quality, column.quality])
    Object.assign(rules.items.properties, STANDARD_KEYS.rule);
  Object.assign(properties, STANDARD_KEYS.contract);
  Object.assign(properties.description.properties, STANDARD_KEYS.description);
  Object.assign(table, STANDARD_KEYS.table);
  Object.assign(column, STANDARD_KEYS.column);
  properties['customProperties'] = customProperties(ROOT_NOTES, ROOT_SHAPE);
  table['customProperties'] = customProperties(TABLE_NOTES, OBJECT_SHAPE);
  column['customProperties'] = customProperties(COLUMN_NOTES, COLUMN_SHAPE);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Contract of Civic Data Service',
    description:
      'A data contract (ODCS version 3) as Civic Data Service reads it: the keys of the standard, and the custom properties of this service. Other keys and properties are allowed.',
    ...base,
    definitions: DEFINITIONS,
  };
}

type Properties = Record<string, unknown>;
interface MutableRules {
  items: { properties: Properties };
}
interface MutableContract {
  properties: Properties & {
    description: { properties: Properties };
    schema: {
      items: {
        properties: Properties & {
          quality: MutableRules;
          properties: { items: { properties: Properties & { quality: MutableRules } } };
        };
      };
    };
  };
}

/** An editor proposes the names, and checks a value by its name. */
function customProperties(notes: Readonly<Record<string, PropertyNote>>, shape: Shape): Schema {
  const entries = Object.entries(notes);
  return {
    type: 'array',
    items: {
      type: 'object',
      required: ['property'],
      properties: {
        id: { type: 'string', description: 'A name that stays the same, for references.' },
        description: { type: 'string', description: 'What it means, for people.' },
        property: {
          anyOf: [
            ...entries.map(([name, note]) => ({ const: name, description: described(note) })),
            { type: 'string', description: 'A property of another tool.' },
          ],
        },
      },
      allOf: entries.map(([name, note]) => ({
        if: { required: ['property'], properties: { property: { const: name } } },
        // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema.
        then: { properties: { value: { ...valueSchema(shape, name), description: described(note) } } },
      })),
    },
  };
}

function described({ about, without }: PropertyNote): string {
  return `${about} Without it: ${without}.`;
}
