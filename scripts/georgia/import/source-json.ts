import type { SourceRecord } from './source-csv.ts';

/**
 * Records of a JSON document, the first of them the header. Three layouts are read: an object of objects by key
 * (`{"13001": {"fips": "13001", …}}`), an array of objects, and an array of arrays whose first row is the header,
 * as the Census Bureau's API responds. Nested values and null are blank cells. Undefined for any other layout.
 *
 * @throws SyntaxError if the text is not JSON
 */
export function parseJsonTable(content: string): SourceRecord[] | undefined {
  const document: unknown = JSON.parse(content);
  if (typeof document !== 'object' || document === null) return undefined;
  const items: unknown[] = Array.isArray(document) ? document : Object.values(document);
  if (items.length === 0) return undefined;
  if (items.every(item => Array.isArray(item))) {
    return items.map((row, index) => ({ line: index + 1, cells: row.map(cellText) }));
  }
  if (!items.every(isPlainObject)) return undefined;
  const header = [...new Set(items.flatMap(item => Object.keys(item)))];
  const rows = items.map((item, index) => ({
    line: index + 1,
    cells: header.map(name => cellText(item[name])),
  }));
  return [{ line: 0, cells: header }, ...rows];
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function cellText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value).trim()
    : '';
}

/**
 * Finds a key that an object has twice: a parser silently drops the first. The document must be valid JSON.
 */
export function findRepeatedKey(content: string): string | undefined {
  // The lines of each open object's keys; arrays have none.
  const open: (Map<string, number> | undefined)[] = [];
  let line = 1;
  let atKey = false;
  for (const [token] of content.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],\n]/g)) {
    const keys = open.at(-1);
    if (token === '\n') line++;
    else if (token === '{' || token === '[') {
      open.push(token === '{' ? new Map() : undefined);
      atKey = token === '{';
    } else if (token === '}' || token === ']') open.pop();
    else if (token === ',') atKey = keys !== undefined;
    else if (atKey && keys !== undefined) {
      const key = JSON.parse(token) as string;
      const before = keys.get(key);
      if (before !== undefined)
        return `holds ${token} twice in one object (lines ${before}, ${line}): remove the wrong one`;
      keys.set(key, line);
      atKey = false;
    }
  }
  return undefined;
}
