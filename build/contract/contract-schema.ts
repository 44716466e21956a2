/** A JSON Schema of contracts for editors: the keys of ODCS that a build reads, and every custom property. Pure. */
import { CONTRACT_SHAPE } from './contract-profile.ts';
import { COLUMN_SHAPE, OBJECT_SHAPE, ROOT_SHAPE } from './custom-profile.ts';
import { COLUMN_NOTES, type PropertyNote, ROOT_NOTES, TABLE_NOTES } from './property-notes.ts';
import type { Shape } from './validator.ts';

type Schema = Readonly<Record<string, unknown>>;

/** The schema of one custom property's value; an empty one if the build reads any value. */
export function valueSchema({ schema }: Shape, name: string): Schema {
  return ((schema as { properties?: Record<string, Schema> }).properties ?? {})[name] ?? {};
}

export function contractSchema(): Schema {
  const base = structuredClone(CONTRACT_SHAPE.schema) as MutableContract;
  const table = base.properties.schema.items;
  base.properties.customProperties = customProperties(ROOT_NOTES, ROOT_SHAPE);
  table.properties.customProperties = customProperties(TABLE_NOTES, OBJECT_SHAPE);
  table.properties.properties.items.properties.customProperties = customProperties(
    COLUMN_NOTES,
    COLUMN_SHAPE,
  );
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Contract of Civic Data Service',
    description:
      'A data contract (ODCS version 3) as Civic Data Service reads it: the keys of the standard that a build reads, and the custom properties of this service. Other keys and properties are allowed.',
    ...base,
  };
}

interface MutableContract {
  properties: Record<string, unknown> & {
    schema: {
      items: {
        properties: Record<string, unknown> & {
          properties: { items: { properties: Record<string, unknown> } };
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
