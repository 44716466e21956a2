import { type BookType, utils, write } from '@e965/xlsx';

export type Cell = string | number | null;

/** A workbook of sheets, each an array of rows. `merges` are ranges such as C2:J2 in every sheet. */
export function workbook(
  sheets: Readonly<Record<string, readonly (readonly Cell[])[]>>,
  type: Extract<BookType, 'xlsx' | 'biff8'> = 'xlsx',
  merges: readonly string[] = [],
): Uint8Array {
  const book = utils.book_new();
  for (const [name, rows] of Object.entries(sheets)) {
    const sheet = utils.aoa_to_sheet(rows.map(row => [...row]));
    sheet['!merges'] = merges.map(range => utils.decode_range(range));
    utils.book_append_sheet(book, sheet, name);
  }
  return new Uint8Array(write(book, { type: 'buffer', bookType: type }) as Buffer);
}
