/**
 * Writes rows as an Excel workbook, for edges and pages: codes and dates are text, an empty cell is NULL, no cell is a
 * formula, and a second sheet has notes.
 */
import { type CellValue, rangeRef, type WriteSheet, writeXlsx, XLSX_MAX_ROWS_PER_SHEET } from 'hucre/xlsx';
import type { Batch } from '../rows/parquet.ts';

export interface Workbook {
  /** Names of the sheets. */
  readonly names: { readonly rows: string; readonly notes: string };
  readonly columns: readonly SheetColumn[];
  /** The notes: facts about the rows, of which empty ones are left out, then a table with its titles. */
  readonly facts: readonly (readonly [string, string])[];
  readonly meanings: readonly (readonly string[])[];
  readonly mostCells: number;
  /** Of the file's last change. */
  readonly modified: Date;
  /** What to throw if a workbook can't hold the rows; `most`: rows. */
  refuse(most: number): Error;
}

interface SheetColumn {
  readonly title: string;
  /** Characters. */
  readonly width: number;
  /** Whether it has timestamps in UTC, which a batch has without their Z. */
  readonly utc?: boolean | undefined;
  /** The words of codes, for a column that follows; absent if there are none. */
  readonly words?: { readonly title: string; readonly of: ReadonlyMap<string, string> };
}

/** Characters that a cell holds. */
const LONGEST_TEXT = 32_767;

export async function renderWorkbook(book: Workbook, batches: AsyncIterable<Batch>): Promise<Uint8Array> {
  const { names, columns, modified, meanings } = book;
  const sheetColumns = columns.flatMap(({ title, width, words }) => [
    { title, width },
    ...(words ? [{ title: words.title, width }] : []),
  ]);
  const most = Math.min(Math.floor(book.mostCells / sheetColumns.length), XLSX_MAX_ROWS_PER_SHEET - 1);
  const rows: CellValue[][] = [sheetColumns.map(({ title }) => title)];
  for await (const batch of batches) {
    if (rows.length - 1 + batch.rows > most) throw book.refuse(most);
    for (let row = 0; row < batch.rows; row++)
      rows.push(
        columns.flatMap(({ utc, words }, i) => {
          const value = batch.columns[i]![row] ?? null;
          if (typeof value === 'string' && value.length > LONGEST_TEXT) throw book.refuse(most);
          const cell = utc && value !== null ? `${value}Z` : value;
          return words ? [cell, words.of.get(String(value)) ?? null] : [cell];
        }),
      );
  }
  const facts = book.facts.filter(([, value]) => value !== '');
  const notes = meanings.length > 0 ? [...facts, [], ...meanings] : facts;
  const widths = sheetColumns.map(({ width }) => width);
  return writeXlsx({
    sheets: [
      {
        ...sheetOf(names.rows, rows, widths, 0),
        freezePane: { rows: 1 },
        autoFilter: { range: rangeRef(0, 0, rows.length - 1, widths.length - 1) },
      },
      sheetOf(names.notes, notes, [24, 40, 12, 50, 80], facts.length + 1),
    ],
    properties: { modified },
  });
}

/** `head` is the row of titles. */
function sheetOf(
  name: string,
  rows: readonly (readonly CellValue[])[],
  widths: readonly number[],
  head: number,
): WriteSheet {
  // An edited cell of a column of texts stays a text.
  const texts = widths.map((_, i) => rows.some((row, at) => at > head && typeof row[i] === 'string'));
  return {
    name,
    rows: rows.map(row => row.map(escapeText)),
    columns: widths.map((width, i) => ({ width, ...(texts[i] && { numFmt: '@' }) })),
    cells: new Map((rows[head] ?? []).map((_, i) => [`${head},${i}`, { style: { font: { bold: true } } }])),
  };
}

/** A text that looks like an escape of the format (`_x0041_`) is escaped. */
function escapeText(value: CellValue): CellValue {
  return typeof value === 'string' ? value.replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_') : value;
}
