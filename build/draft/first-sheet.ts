/** Reads the first sheet of an XLSX workbook as rows of texts: the parts of ECMA-376 that hold values. */
import { readZip } from '../archive/zip-reader.ts';

export type Sheet = readonly (readonly string[])[];

/** Bytes that one part may have unpacked: a small file can pack gigabytes. */
const MOST_BYTES = 400_000_000;
const MOST_COLUMNS = 16_384;

/** Rows in order, without empty ones; dates in ISO 8601, an empty text for a missing value. Throws Error with the reason. */
export async function readFirstSheet(file: string): Promise<Sheet> {
  const books = await readParts(file, name => /^xl\/(workbook\.xml|_rels\/workbook\.xml\.rels)$/.test(name));
  const book = books.get('xl/workbook.xml');
  if (book === undefined) throw new Error('it is no XLSX workbook');
  const [first] = elements(book, 'sheet');
  if (first === undefined) throw new Error('the workbook has no sheet');
  const link = elements(books.get('xl/_rels/workbook.xml.rels') ?? '', 'Relationship').find(
    one => attribute(one, 'Id') === attribute(first, 'r:id'),
  );
  const target = attribute(link ?? '', 'Target') ?? 'worksheets/sheet1.xml';
  const sheetName = target.startsWith('/') ? target.slice(1) : `xl/${target}`;
  const parts = await readParts(file, name =>
    [sheetName, 'xl/sharedStrings.xml', 'xl/styles.xml'].includes(name),
  );
  const sheet = parts.get(sheetName);
  if (sheet === undefined) throw new Error('its first sheet is missing, or is a chart');
  const shared = blocks(parts.get('xl/sharedStrings.xml') ?? '', 'si').map(textOf);
  const dated = datedStyles(parts.get('xl/styles.xml') ?? '');
  const from1904 = /date1904="(1|true)"/.test(book);
  const rows = blocks(sheet, 'row').map(row => rowOf(row, shared, dated, from1904));
  const width = Math.max(0, ...rows.map(row => row.length));
  const filled = rows.filter(row => row.some(value => value !== ''));
  return filled.map(row => Array.from({ length: width }, (_, i) => row[i] ?? ''));
}

async function readParts(file: string, wanted: (name: string) => boolean): Promise<Map<string, string>> {
  const parts = new Map<string, string>();
  for await (const entry of readZip(file)) {
    if (!wanted(entry.name)) continue;
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of entry.read()) {
      bytes += chunk.length;
      if (bytes > MOST_BYTES) throw new Error('the sheet is too large; save it as CSV');
      chunks.push(chunk);
    }
    parts.set(entry.name, Buffer.concat(chunks).toString('utf8'));
  }
  return parts;
}

/** The start tags of a name, with any prefix of a namespace. */
function elements(xml: string, name: string): string[] {
  return xml.match(new RegExp(`<(?:[\\w.-]+:)?${name}(?=[\\s/>])[^>]*>`, 'g')) ?? [];
}

/** Whole elements of a name that does not nest, with their tags. */
function blocks(xml: string, name: string): string[] {
  const found: string[] = [];
  const start = new RegExp(`<((?:[\\w.-]+:)?${name})(?=[\\s/>])[^>]*>`, 'g');
  for (let match = start.exec(xml); match !== null; match = start.exec(xml)) {
    if (match[0].endsWith('/>')) {
      found.push(match[0]);
      continue;
    }
    const end = xml.indexOf(`</${match[1]}>`, start.lastIndex);
    if (end < 0) break;
    found.push(xml.slice(match.index, end));
    start.lastIndex = end;
  }
  return found;
}

function attribute(tag: string, name: string): string | null {
  const found = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  return found === undefined ? null : decoded(found);
}

/** The text of a shared or inline string: its runs, without phonetic hints. */
function textOf(block: string): string {
  const plain = block.replace(/<(?:[\w.-]+:)?rPh[\s>][\s\S]*?<\/(?:[\w.-]+:)?rPh>/g, '');
  return [...plain.matchAll(/<(?:[\w.-]+:)?t(?:\s[^>]*)?>([^<]*)/g)]
    .map(match => decoded(match[1] ?? ''))
    .join('');
}

function decoded(text: string): string {
  return text
    .replace(
      /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|lt|gt|quot|apos|amp);/gi,
      (whole, hex?: string, decimal?: string) => {
        const code = hex === undefined ? Number(decimal ?? Number.NaN) : Number.parseInt(hex, 16);
        if (Number.isNaN(code)) return NAMED[whole.toLowerCase()] ?? whole;
        return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
      },
    )
    .replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

const NAMED: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&amp;': '&',
};

function rowOf(
  row: string,
  shared: readonly string[],
  dated: ReadonlySet<number>,
  from1904: boolean,
): string[] {
  const values: string[] = [];
  for (const cell of blocks(row, 'c')) {
    const [tag = ''] = /^<[^>]*>/.exec(cell) ?? [];
    const at = columnOf(attribute(tag, 'r')) ?? values.length;
    if (at >= MOST_COLUMNS) continue;
    while (values.length < at) values.push('');
    values[at] = cellValue(cell, tag, shared, dated, from1904);
  }
  return values;
}

/** `AB12` is the column 27, counted from 0. */
function columnOf(reference: string | null): number | null {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0];
  if (letters === undefined) return null;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function cellValue(
  cell: string,
  tag: string,
  shared: readonly string[],
  dated: ReadonlySet<number>,
  from1904: boolean,
): string {
  const kind = attribute(tag, 't');
  if (kind === 'inlineStr') return textOf(cell);
  const stored = decoded(/<(?:[\w.-]+:)?v(?:\s[^>]*)?>([^<]*)/.exec(cell)?.[1] ?? '');
  if (kind === 's') return shared[Number(stored)] ?? '';
  if (kind === 'b') return stored === '1' ? 'true' : stored === '0' ? 'false' : '';
  // An error such as #N/A is a missing value.
  if (kind === 'e') return '';
  if (kind === 'str' || kind === 'd' || stored === '') return stored;
  if (dated.has(Number(attribute(tag, 's') ?? 0))) return dateOf(Number(stored), from1904) ?? stored;
  return plainNumber(stored);
}

/** Excel stores 0.1 + 0.2 with 17 digits, and shows 15. */
function plainNumber(stored: string): string {
  const value = Number(stored);
  return Number.isFinite(value) && !Number.isInteger(value) ? String(Number(value.toPrecision(15))) : stored;
}

/** Days since 1900 as ISO 8601; Excel counts a 29 February 1900. Null for a time of day alone. */
function dateOf(days: number, from1904: boolean): string | null {
  if (!Number.isFinite(days) || days < 1 || days > 2_958_465) return null;
  const offset = from1904 ? 24_107 : days < 60 ? 25_568 : 25_569;
  const moment = new Date(Math.round((days - offset) * 86_400) * 1000).toISOString();
  return moment.endsWith('T00:00:00.000Z') ? moment.slice(0, 10) : moment.slice(0, 19);
}

/** Indexes of the cell styles that show dates. */
function datedStyles(styles: string): ReadonlySet<number> {
  const custom = new Map(
    elements(styles, 'numFmt').map(tag => [
      attribute(tag, 'numFmtId') ?? '',
      attribute(tag, 'formatCode') ?? '',
    ]),
  );
  const [formats = ''] = blocks(styles, 'cellXfs');
  return new Set(
    elements(formats, 'xf').flatMap((tag, i) => {
      const id = Number(attribute(tag, 'numFmtId'));
      // What is in quotes or brackets, or escaped, is no part of a date.
      const code = (custom.get(String(id)) ?? '').replace(/"[^"]*"|\[[^\]]*\]|\\./g, '');
      const isBuiltIn = (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58);
      return isBuiltIn || /[yd]/i.test(code) || /m.*h|h.*m/i.test(code) ? [i] : [];
    }),
  );
}

/** RFC 4180. */
export function sheetCsv(sheet: Sheet): string {
  const field = (value: string) => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
  return sheet.map(row => `${row.map(field).join(',')}\n`).join('');
}
