import { type CellObject, CFB, read, SSF } from '@e965/xlsx';
import type { SourceRecord } from './source-csv.ts';

/** A sheet with at least one filled cell. */
export interface Sheet {
  readonly name: string;
  /** All as wide as the sheet, without blank rows; `line` is the row's number. */
  readonly records: readonly SourceRecord[];
}

/**
 * Sheets of a workbook (.xlsx, or .xls of any age). A number keeps its stored digits, however its cell is formatted, but
 * for two formats that change its meaning: percentages are multiplied by 100, and dates become 2024-06-30, with 10:00:00 behind
 * them unless it is midnight. Of merged
 * cells, the first holds the text and the others are blank. Formulas give their saved results.
 *
 * @throws Error if the bytes aren't a workbook
 */
export function parseWorkbook(bytes: Uint8Array): Sheet[] {
  // The library takes any other bytes for text.
  if (bytes[0] === 0xd0 && CFB.find(CFB.read(bytes, { type: 'buffer' }), '/Workbook') === null)
    if (CFB.find(CFB.read(bytes, { type: 'buffer' }), '/Book') === null)
      throw new Error('no workbook is in it');
  const book = read(bytes, { dense: true, cellHTML: false, cellFormula: false, cellNF: true });
  return book.SheetNames.flatMap(name => {
    const rows = (book.Sheets[name]?.['!data'] ?? []) as readonly (readonly (CellObject | undefined)[])[];
    const texts = rows.map(row => Array.from(row ?? [], cellText));
    const width = texts.reduce((most, cells) => Math.max(most, filledWidth(cells)), 0);
    const records = texts.flatMap((cells, index) =>
      cells.some(cell => cell !== '')
        ? [{ line: index + 1, cells: Array.from({ length: width }, (_, at) => cells[at] ?? '') }]
        : [],
    );
    return records.length > 0 ? [{ name, records }] : [];
  });
}

function filledWidth(cells: readonly string[]): number {
  return cells.findLastIndex(cell => cell !== '') + 1;
}

function cellText(cell: CellObject | undefined): string {
  if (cell === undefined || cell.v === undefined || cell.v === null) return '';
  if (cell.t === 'n' && typeof cell.v === 'number') return numberText(cell.v, String(cell.z ?? ''));
  if (cell.t === 'e') return String(cell.w ?? '#N/A');
  return String(cell.v).replace(/\s+/g, ' ').trim();
}

function numberText(value: number, format: string): string {
  if (format.includes('%')) return String(Number((value * 100).toPrecision(15)));
  if (SSF.is_date(format)) {
    const { y, m, d, H, M, S } = SSF.parse_date_code(value) as Record<
      'y' | 'm' | 'd' | 'H' | 'M' | 'S',
      number
    >;
    const joined = (parts: readonly number[], by: string) =>
      parts.map(part => String(part).padStart(2, '0')).join(by);
    return `${joined([y, m, d], '-')}${H + M + S > 0 ? ` ${joined([H, M, S], ':')}` : ''}`;
  }
  return String(value);
}
