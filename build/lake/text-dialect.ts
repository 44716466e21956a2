/** Finds how a text file separates its columns, and their names, from its first line. */
import { closeSync, openSync, readSync } from 'node:fs';

export interface TextDialect {
  readonly delimiter: string;
  /** Names as the header states them, without spaces at either end. */
  readonly columns: readonly string[];
}

const DELIMITERS = [',', ';', '\t', '|'];

/** Bytes in which the header must end. */
const HEADER_BYTES = 1 << 20;

/**
 * The delimiter is the one under which the header has most of the `expected` names; of equals, the one that gives most
 * columns. Returns null for a file without a header.
 */
export function readDialect(
  file: string,
  delimiters: readonly string[] = DELIMITERS,
  expected: ReadonlySet<string> = new Set(),
): TextDialect | null {
  const text = firstBytes(file).replace(/^\ufeff/, '');
  let best: { dialect: TextDialect; known: number } | null = null;
  for (const delimiter of delimiters) {
    const columns = firstRecord(text, delimiter).map(name => name.trim());
    const known = columns.filter(name => expected.has(name)).length;
    if (
      best === null ||
      known > best.known ||
      (known === best.known && columns.length > best.dialect.columns.length)
    )
      best = { dialect: { delimiter, columns }, known };
  }
  return best === null || best.dialect.columns.every(name => name === '') ? null : best.dialect;
}

export function delimitersOf(format: 'csv' | 'tsv'): readonly string[] {
  return format === 'tsv' ? ['\t'] : DELIMITERS;
}

function firstBytes(file: string): string {
  const descriptor = openSync(file, 'r');
  try {
    const buffer = Buffer.alloc(HEADER_BYTES);
    return buffer.toString('utf8', 0, readSync(descriptor, buffer, 0, HEADER_BYTES, 0));
  } finally {
    closeSync(descriptor);
  }
}

/** The fields of the first line that is not empty; a quoted field may hold delimiters, quotes and line ends. */
function firstRecord(text: string, delimiter: string): string[] {
  const fields: string[] = [];
  let field = '';
  let quoted = false;
  for (let i = text.search(/[^\r\n]/); i >= 0 && i < text.length; i++) {
    const character = text[i]!;
    if (quoted) {
      if (character !== '"') field += character;
      else if (text[i + 1] === '"') field += text[i++];
      else quoted = false;
    } else if (character === '"' && field === '') quoted = true;
    else if (character === delimiter) {
      fields.push(field);
      field = '';
    } else if (character === '\n' || character === '\r') break;
    else field += character;
  }
  return [...fields, field];
}
