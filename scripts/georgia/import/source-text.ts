import type { Shape } from './importer.ts';
import {
  decodeText,
  delimitersOf,
  findSwallowedRows,
  parseDelimited,
  type SourceRecord,
} from './source-csv.ts';
import { type HeaderMatch, type HeaderProblem, matchHeaders, type Renamed } from './source-headers.ts';
import { findRepeatedKey, parseJsonTable } from './source-json.ts';
import type { SourcePart } from './source-parts.ts';

/** A file's records, and the positions of a shape's columns. */
export interface SourceText {
  readonly records: readonly SourceRecord[];
  readonly match: HeaderMatch;
  /** The unit that is counted: lines, rows of a sheet, or items of a JSON document. */
  readonly unit: 'line' | 'row' | 'item';
}

/** Finds the header of one of the shapes in a table, delimited text or JSON, or returns the problem. */
export function parseSource(
  content: SourcePart['content'],
  shapes: readonly Shape[],
  renamed: Renamed = new Map(),
): SourceText | HeaderProblem {
  if (!(content instanceof Uint8Array)) {
    const match = matchHeaders(shapes, content, renamed);
    return 'problem' in match ? match : { records: content, match, unit: 'row' };
  }
  const text = decodeText(content);
  if (text.includes('\0')) {
    const problem =
      'holds NUL characters: it is damaged, or UTF-16 without a byte order mark; save it as CSV in UTF-8';
    return { problem, near: true };
  }
  const other = otherDownload(text);
  if (other !== undefined) return { problem: other, near: true };
  return /^\s*[[{]/.test(text) ? parseJson(text, shapes, renamed) : parseText(text, shapes, renamed);
}

/** Downloads that people take for the file. */
function otherDownload(text: string): string | undefined {
  if (/^\s*<(!doctype|html)/i.test(text)) return 'is a web page: download the file that it links';
  return /^\ufeff?"?Label \(Grouping\)/i.test(text)
    ? 'is a table as data.census.gov shows it, without codes of places: download its archive (ZIP)'
    : undefined;
}

/** The beginning of a table in JSON. Delimited text may begin with a bracket too, in a title such as `[Draft] Rates`. */
const JSON_TABLE = /^\s*[[{][\s[{]*"/;

function parseJson(content: string, shapes: readonly Shape[], renamed: Renamed): SourceText | HeaderProblem {
  let records: SourceRecord[] | undefined;
  try {
    records = parseJsonTable(content);
  } catch (error) {
    // A truncated response of the Census Bureau would pass for delimited text.
    const text = JSON_TABLE.test(content) ? undefined : parseText(content, shapes, renamed);
    if (text !== undefined && (!('problem' in text) || text.near)) return text;
    const reason = (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ');
    return {
      problem: `begins like JSON, but is not valid: ${reason}; download it again, or correct it there`,
      near: true,
    };
  }
  if (records === undefined)
    return { problem: 'is JSON, but not a table: expected objects, or arrays under a header', near: true };
  const repeated = findRepeatedKey(content);
  if (repeated !== undefined) return { problem: repeated, near: true };
  const match = matchHeaders(shapes, records, renamed);
  return 'problem' in match ? match : { records, match, unit: 'item' };
}

/** A title may use another delimiter than the rows, which use the one that yields a header. */
function parseText(content: string, shapes: readonly Shape[], renamed: Renamed): SourceText | HeaderProblem {
  const problems: HeaderProblem[] = [];
  for (const delimiter of delimitersOf(content)) {
    const text = parseDelimited(content, delimiter);
    if (text.records.length === 0 && text.problem === undefined) return { problem: 'is empty', near: false };
    const match = matchHeaders(shapes, text.records, renamed);
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
