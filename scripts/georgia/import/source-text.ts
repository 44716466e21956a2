import type { Shape } from './importer.ts';
import {
  decodeText,
  delimitersOf,
  findSwallowedRows,
  parseDelimited,
  type SourceRecord,
} from './source-csv.ts';
import { type HeaderMatch, type HeaderProblem, matchHeaders } from './source-headers.ts';
import { findRepeatedKey, parseJsonTable } from './source-json.ts';

/** A file's records, and the positions of a shape's columns. */
export interface SourceText {
  readonly records: readonly SourceRecord[];
  readonly match: HeaderMatch;
  /** The unit that is counted: lines, or items of a JSON document. */
  readonly unit: 'line' | 'item';
}

interface Problem {
  readonly problem: string;
}

/** Other kinds of file that people download or save, by their first bytes. */
const OTHER_KINDS: readonly (readonly [signature: readonly number[], problem: string])[] = [
  [[0x1f, 0x8b], 'is compressed by gzip: unpack it first'],
  [[0x50, 0x4b, 0x03, 0x04], 'is a ZIP archive or a workbook (.xlsx): unpack it, or save its sheet as CSV'],
  [[0xd0, 0xcf, 0x11, 0xe0], 'is a workbook of the old kind (.xls): save its sheet as CSV'],
];

/** Parses delimited text or JSON and finds the header of one of the shapes, or returns the problem. */
export function parseSource(bytes: Uint8Array, shapes: readonly Shape[]): SourceText | Problem {
  const other = OTHER_KINDS.find(([signature]) => signature.every((byte, at) => bytes[at] === byte));
  if (other !== undefined) return { problem: other[1] };
  const content = decodeText(bytes);
  if (content.includes('\0')) {
    return {
      problem:
        'holds NUL characters: it is damaged, or UTF-16 without a byte order mark; save it as CSV in UTF-8',
    };
  }
  return /^\s*[[{]/.test(content) ? parseJson(content, shapes) : parseText(content, shapes);
}

/** The beginning of a table in JSON. Delimited text may begin with a bracket too, in a title such as `[Draft] Rates`. */
const JSON_TABLE = /^\s*[[{][\s[{]*"/;

function parseJson(content: string, shapes: readonly Shape[]): SourceText | Problem {
  let records: SourceRecord[] | undefined;
  try {
    records = parseJsonTable(content);
  } catch (error) {
    // A truncated response of the Census Bureau would pass for delimited text.
    const text = JSON_TABLE.test(content) ? undefined : parseText(content, shapes);
    if (text !== undefined && (!('problem' in text) || text.near)) return text;
    const reason = (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ');
    return {
      problem: `begins like JSON, but is not valid: ${reason}; download it again, or correct it there`,
    };
  }
  if (records === undefined)
    return { problem: 'is JSON, but not a table: expected objects, or arrays under a header' };
  const repeated = findRepeatedKey(content);
  if (repeated !== undefined) return { problem: repeated };
  const match = matchHeaders(shapes, records);
  return 'problem' in match ? match : { records, match, unit: 'item' };
}

/** A title may use another delimiter than the rows, which use the one that yields a header. */
function parseText(content: string, shapes: readonly Shape[]): SourceText | HeaderProblem {
  const problems: HeaderProblem[] = [];
  for (const delimiter of delimitersOf(content)) {
    const text = parseDelimited(content, delimiter);
    if (text.records.length === 0 && text.problem === undefined) return { problem: 'is empty', near: false };
    const match = matchHeaders(shapes, text.records);
    if ('problem' in match) {
      // An unclosed quote may have swallowed the header.
      const quote = problems.length === 0 ? text.problem : undefined;
      problems.push(quote === undefined ? match : { problem: quote, near: true });
      continue;
    }
    const problem = text.problem ?? findSwallowedRows(text, match.record);
    return problem === undefined ? { records: text.records, match, unit: 'line' } : { problem, near: true };
  }
  return problems.find(({ near }) => near) ?? problems[0]!;
}
