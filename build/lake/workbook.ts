/** Opens workbooks (.xlsx, .xlsm, .xls) within bounds of memory. Import it only when there is one: the library is large. */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { CFB, read, type WorkSheet } from '@e965/xlsx';
import { openPromise } from 'yauzl';

export interface Workbook {
  readonly sheets: readonly WorkbookSheet[];
  /** Whether days count from 1904, as on old Macs. */
  readonly from1904: boolean;
}

export interface WorkbookSheet {
  readonly name: string;
  readonly hidden: boolean;
  /** Rows with a value. */
  readonly rows: number;
  readonly cells: WorkSheet;
}

/** A workbook that cannot be read: the reason, and what to do. */
export class WorkbookError extends Error {
  readonly remedy: string;
  constructor(why: string, remedy: string) {
    super(why);
    this.remedy = remedy;
  }
}

/** Text that a workbook may unpack: the library holds all of it, and about ten times as much of cells. */
const MOST_BYTES = 100_000_000;
/** A file of the old format is not packed. */
const MOST_OLD_BYTES = 60_000_000;

/** Throws WorkbookError. */
export async function openWorkbook(file: string): Promise<Workbook> {
  const isZip = firstBytes(file) === 'PK';
  const bytes = isZip ? await checkZip(file) : readFileSync(file);
  if (!isZip && bytes.length > MOST_OLD_BYTES) throw tooLarge();
  try {
    if (!isZip) {
      // The library takes any other bytes for text.
      const parts = CFB.read(bytes, { type: 'buffer' });
      if (CFB.find(parts, '/EncryptedPackage') !== null)
        throw new WorkbookError('it has a password', 'Save it without one');
      if (CFB.find(parts, '/Workbook') === null && CFB.find(parts, '/Book') === null)
        throw new Error('no workbook is in it');
    }
    const book = read(bytes, {
      type: 'buffer',
      dense: true,
      cellNF: true,
      cellStyles: true,
      cellFormula: true,
      cellHTML: false,
      sheetStubs: true,
    });
    const sheets = book.SheetNames.flatMap((name, i): WorkbookSheet[] => {
      const cells = book.Sheets[name];
      const hidden = (book.Workbook?.Sheets?.[i]?.Hidden ?? 0) !== 0;
      // A chart or a macro is no table.
      return cells?.['!data'] === undefined ? [] : [{ name, hidden, rows: filledRows(cells), cells }];
    });
    return { sheets, from1904: book.Workbook?.WBProps?.date1904 === true };
  } catch (error) {
    if (error instanceof WorkbookError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    const remedy = 'Open it in a spreadsheet program and save it again, or save the sheet as CSV';
    if (/password|encrypt/i.test(why)) throw new WorkbookError('it has a password', 'Save it without one');
    throw new WorkbookError(`it is no workbook (${why.replace(/\.$/, '')})`, remedy);
  }
}

function filledRows(cells: WorkSheet): number {
  return (cells['!data'] ?? []).filter(row =>
    row?.some(cell => cell !== undefined && cell.t !== 'z' && cell.v !== ''),
  ).length;
}

function firstBytes(file: string): string {
  const descriptor = openSync(file, 'r');
  try {
    const buffer = Buffer.alloc(2);
    readSync(descriptor, buffer, 0, 2, 0);
    return buffer.toString('latin1');
  } finally {
    closeSync(descriptor);
  }
}

/** A small file can pack gigabytes, and its directory can lie about them. */
async function checkZip(file: string): Promise<Buffer> {
  let bytes = 0;
  try {
    const zip = await openPromise(file, { autoClose: false });
    try {
      for await (const entry of zip.eachEntry()) {
        if (!/\.(xml|rels|bin)$/i.test(entry.fileName)) continue;
        if (bytes + entry.uncompressedSize > MOST_BYTES) throw tooLarge();
        for await (const chunk of await zip.openReadStreamPromise(entry)) {
          bytes += (chunk as Uint8Array).length;
          if (bytes > MOST_BYTES) throw tooLarge();
        }
      }
    } finally {
      zip.close();
    }
  } catch (error) {
    if (error instanceof WorkbookError) throw error;
    throw new WorkbookError(
      'it is no whole workbook: its ZIP archive is damaged or cut short',
      'Copy it again, or save it again',
    );
  }
  return readFileSync(file);
}

function tooLarge(): WorkbookError {
  return new WorkbookError(
    `it unpacks to more than ${MOST_BYTES / 1e6} MB, which takes too much memory`,
    'Save the sheet as CSV',
  );
}
