/** Contracts of the tests' publishers: read from folders, and put together from parts. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The contracts of a folder of `test/`, by file name. */
export function readContracts(folder: string): Record<string, string> {
  const root = path.join(import.meta.dirname, '..', folder);
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(name =>
    name.endsWith('.yaml'),
  );
  return Object.fromEntries(names.sort().map(name => [name, readFileSync(path.join(root, name), 'utf8')]));
}

/** How a contract begins whose id is `domain.name`. */
export const contractHead = (id: string) => `apiVersion: v3.1.0
kind: DataContract
id: ${id}
version: 1.0.0
status: active
domain: ${id.split('.')[0]}
`;

type Properties = Readonly<Record<string, string>>;

const listed = (properties: Properties) =>
  Object.entries(properties)
    .map(([name, value]) => `{ property: ${name}, value: ${value} }`)
    .join(', ');

/** An entry of `properties`, with properties of its own by name, as YAML. A type may have further lines. */
export const column = (name: string, type: string, role: string, required = false, own: Properties = {}) => `
      - name: ${name}
        logicalType: ${type}
        required: ${required}
        customProperties: [${listed({ column_role: role, ...own })}]`;

/** A logical type that is stored as another. */
export const stored = (type: string, physical: string) => `${type}\n        physicalType: ${physical}`;

/** A dimension of a domain: its key's columns, and one column besides. `more` are further lines of its customProperties. */
export const dimension = (
  domain: string,
  name: string,
  keys: readonly string[],
  attribute: string,
  more = '',
) => `${contractHead(`${domain}.${name}`)}schema:
  - name: ${name}
    customProperties:
      - { property: entity_kind, value: dimension }
      - { property: scope, value: domain }
${more}    properties:
${keys.map((key, i) => `      - { name: ${key}, logicalType: string, primaryKey: true, primaryKeyPosition: ${i + 1} }\n`).join('')}      - { name: ${attribute}, logicalType: string }
`;

/** A dataset's contract, with properties of its table and of its own by name, as YAML. */
export const datasetContract = (
  id: string,
  columns: readonly string[],
  table: Properties,
  own: Properties = {},
) => `${contractHead(id)}customProperties: [${listed(own)}]
schema:
  - name: ${id.split('.')[1]}
    customProperties: [${listed(table)}]
    properties:${columns.join('')}
`;
