/** Schemas that others publish for their formats. Tests that need a missing one are skipped. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv, type AnySchemaObject } from 'ajv';

const FOLDER = path.resolve(import.meta.dirname, '../../../shared/schemas');

export const SCHEMAS_ABSENT = !existsSync(FOLDER);

export function readSchemaText(name: string): string {
  return readFileSync(path.join(FOLDER, name), 'utf8');
}

/** Formats of the RFCs, as far as these documents use them. */
const FORMATS = {
  iri: /^[a-z][a-z0-9+.-]*:[^\s<>"{}|\\^`]+$/i,
  uri: /^[a-z][a-z0-9+.-]*:[^\s<>"{}|\\^`]+$/i,
  email: /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
  date: /^\d{4}-\d\d-\d\d$/,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/,
  textarea: true,
} as const;

/** Errors of a document, one per line. */
export type Problems = (document: unknown) => string[];

function compile(schema: AnySchemaObject): Problems {
  const validate = new Ajv({ strict: false, allErrors: true, formats: FORMATS }).compile(schema);
  return document =>
    validate(document) ? [] : (validate.errors ?? []).map(one => `${one.instancePath} ${one.message}`);
}

export function schemaProblems(name: string): Problems {
  const { $schema: _, ...schema } = JSON.parse(readSchemaText(name)) as AnySchemaObject;
  return compile(schema);
}

/** DCAT-US 3 has its classes in files of their own. Classes that it names but doesn't define may only be given by address. */
export function dcatProblems(): Problems {
  const folder = 'dcat-us-3/definitions';
  const definitions: Record<string, unknown> = {};
  const named = new Set<string>();
  for (const file of readdirSync(path.join(FOLDER, folder))) {
    const text = readSchemaText(`${folder}/${file}`);
    for (const [, name] of text.matchAll(/#\/definitions\/(\w+)/g)) if (name !== undefined) named.add(name);
    definitions[path.basename(file, '.json')] = JSON.parse(text, (key, value) =>
      key === '$id' || key === '$schema' ? undefined : value,
    );
  }
  for (const name of named) definitions[name] ??= { not: {} };
  return compile({ $ref: '#/definitions/Catalog', definitions });
}
