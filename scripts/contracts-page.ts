/**
 * `npm run docs`: writes the custom properties in docs/contracts.md and in contract.schema.json, a JSON Schema for
 * editors whose other keys are those of ODCS 3.1.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  COLUMN_PROPERTIES,
  type CustomProperty,
  OF_DIMENSIONS,
  ROOT_PROPERTIES,
  TABLE_PROPERTIES,
} from '../build/contract/custom-profile.ts';

const PROJECT = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '..' : '../..', import.meta.url));

export const CONTRACTS_PAGE = path.join(PROJECT, 'docs/contracts.md');
export const CONTRACT_SCHEMA = path.join(PROJECT, 'docs/contract.schema.json');

type Entry = readonly [name: string, property: CustomProperty];

const tables = Object.entries<CustomProperty>(TABLE_PROPERTIES);

/** The generated parts of the page, by the name in their marks. */
export const PARTS: Readonly<Record<string, readonly Entry[]>> = {
  contract: Object.entries<CustomProperty>(ROOT_PROPERTIES),
  dataset: tables.filter(([name]) => !OF_DIMENSIONS.has(name)),
  dimension: tables.filter(([name]) => OF_DIMENSIONS.has(name)),
  column: Object.entries<CustomProperty>(COLUMN_PROPERTIES),
};

/** The page with new text between its marks. */
export function contractsPage(page: string): string {
  return Object.entries(PARTS).reduce((text, [name, entries]) => {
    const [start, end] = [`<!-- properties: ${name} -->\n`, '<!-- end -->'];
    const from = text.indexOf(start);
    const to = text.indexOf(end, from);
    if (from < 0 || to < 0) throw new Error(`docs/contracts.md has no marks around the properties: ${name}`);
    return `${text.slice(0, from + start.length)}\n${entries.map(section).join('\n')}\n${text.slice(to)}`;
  }, page);
}

interface Properties {
  customProperties: unknown;
}
interface EditorSchema {
  readonly properties: Properties & {
    readonly schema: {
      readonly items: {
        readonly properties: Properties & {
          readonly properties: { readonly items: { properties: Properties } };
        };
      };
    };
  };
}

/** The schema with every list of custom properties made anew. */
export function schemaText(text: string): string {
  const schema = JSON.parse(text) as EditorSchema;
  const table = schema.properties.schema.items.properties;
  schema.properties.customProperties = customProperties(ROOT_PROPERTIES);
  table.customProperties = customProperties(TABLE_PROPERTIES);
  table.properties.items.properties.customProperties = customProperties(COLUMN_PROPERTIES);
  return `${JSON.stringify(schema, null, 2)}\n`;
}

/** Editors suggest the names and check values by name. */
function customProperties(properties: Readonly<Record<string, CustomProperty>>): object {
  const entries = Object.entries(properties).map(([name, { schema, about, without }]) => ({
    name,
    schema,
    description: sentences(about, without),
  }));
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
            ...entries.map(({ name, description }) => ({ const: name, description })),
            { type: 'string', description: 'A property of another tool.' },
          ],
        },
      },
      allOf: entries.map(({ name, schema, description }) => ({
        if: { required: ['property'], properties: { property: { const: name } } },
        // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema.
        then: { properties: { value: { ...schema, description } } },
      })),
    },
  };
}

function section([name, { about, without, example }]: Entry): string {
  return `### \`${name}\`\n\n\`${example}\`: ${sentences(about, without)}\n`;
}

function sentences(about: string, without: string | undefined): string {
  return without === undefined ? about : `${about} Default: ${without}.`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  writeFileSync(CONTRACTS_PAGE, contractsPage(readFileSync(CONTRACTS_PAGE, 'utf8')));
  writeFileSync(CONTRACT_SCHEMA, schemaText(readFileSync(CONTRACT_SCHEMA, 'utf8')));
}
