/** `npm run docs`: writes the properties in docs/contracts.md, and contract.schema.json for editors. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { contractSchema, valueSchema } from '../build/contract/contract-schema.ts';
import { COLUMN_SHAPE, OBJECT_SHAPE, ROOT_SHAPE } from '../build/contract/custom-profile.ts';
import {
  COLUMN_NOTES,
  OF_DIMENSIONS,
  type PropertyNote,
  ROOT_NOTES,
  TABLE_NOTES,
} from '../build/contract/property-notes.ts';
import type { Shape } from '../build/contract/validator.ts';

const PROJECT = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '..' : '../..', import.meta.url));

export const CONTRACTS_PAGE = path.join(PROJECT, 'docs/contracts.md');
export const CONTRACT_SCHEMA = path.join(PROJECT, 'docs/contract.schema.json');

type Entry = readonly [name: string, note: PropertyNote, shape: Shape];

const entriesOf = (notes: Readonly<Record<string, PropertyNote>>, shape: Shape): Entry[] =>
  Object.entries(notes).map(([name, note]) => [name, note, shape] as const);

const tables = entriesOf(TABLE_NOTES, OBJECT_SHAPE);

/** The parts of the page that are made, by the name in their marks. */
export const PARTS: Readonly<Record<string, readonly Entry[]>> = {
  contract: entriesOf(ROOT_NOTES, ROOT_SHAPE),
  dataset: tables.filter(([name]) => !OF_DIMENSIONS.has(name)),
  dimension: tables.filter(([name]) => OF_DIMENSIONS.has(name)),
  column: entriesOf(COLUMN_NOTES, COLUMN_SHAPE),
};

/** The page with every part between its marks made anew. */
export function contractsPage(page: string): string {
  return Object.entries(PARTS).reduce((text, [name, entries]) => {
    const [start, end] = [`<!-- properties: ${name} -->\n`, '<!-- end -->'];
    const from = text.indexOf(start);
    const to = text.indexOf(end, from);
    if (from < 0 || to < 0) throw new Error(`docs/contracts.md has no marks around the properties: ${name}`);
    return `${text.slice(0, from + start.length)}\n${entries.map(section).join('\n')}\n${text.slice(to)}`;
  }, page);
}

export function schemaText(): string {
  return `${JSON.stringify(contractSchema(), null, 2)}\n`;
}

function section([name, { about, without, example }, shape]: Entry): string {
  const lines = ['```yaml', `- property: ${name}`, `  value: ${example}`, '```'];
  return `### \`${name}\`\n\n${about} *Value:* ${kindOf(valueSchema(shape, name))}. *Without it:* ${without}.\n\n${lines.join('\n')}\n`;
}

const WORDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: '`true` or `false`',
  array: 'a list',
  object: 'a mapping',
};

function kindOf(schema: Readonly<Record<string, unknown>>): string {
  const { description, enum: allowed, type } = schema;
  if (typeof description === 'string') return description;
  if (Array.isArray(allowed)) return allowed.map(value => `\`${value}\``).join(', ');
  return typeof type === 'string' ? (WORDS[type] ?? type) : 'any';
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  writeFileSync(CONTRACTS_PAGE, contractsPage(readFileSync(CONTRACTS_PAGE, 'utf8')));
  writeFileSync(CONTRACT_SCHEMA, schemaText());
}
