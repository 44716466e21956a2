/** Opens workbooks (.xlsx, .xlsm, .xls) within bounds of memory, and reads their cells. */
import { readFileSync } from 'node:fs';
import { type CellObject, CFB, read, SSF, type WorkSheet } from '@e965/xlsx';
import { openPromise } from 'yauzl';
import { readFirst } from './delimited-table.ts';
import { UnreadError } from './table-header.ts';

export interface Workbook {
  readonly sheets: readonly WorkbookSheet[];
  /** Days count from 1904, as on old Macs. */
  readonly from1904: boolean;
}

export interface WorkbookSheet {
  readonly name: string;
  readonly hidden: boolean;
  /** Rows with a value. */
  readonly rows: number;
  readonly cells: WorkSheet;
}

const AGAIN = 'Open it in a spreadsheet program and save it again, or save the sheet as CSV';

/** Unpacked size: the library holds all of it, and cells take about ten times as much. */
const MOST_BYTES = 100_000_000;
/** The old format isn't compressed. */
const MOST_OLD_BYTES = 60_000_000;

export async function openWorkbook(file: string): Promise<Workbook> {
  const isZip = readFirst(file, 2).toString('latin1') === 'PK';
  const bytes = isZip ? await checkZip(file) : readFileSync(file);
  if (!isZip && bytes.length > MOST_OLD_BYTES) throw tooLarge();
  try {
    if (!isZip) {
      // The library reads any other bytes as text.
      const parts = CFB.read(bytes, { type: 'buffer' });
      if (CFB.find(parts, '/EncryptedPackage') !== null)
        throw new UnreadError('it has a password', 'Save it without one');
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
      // Charts and macros aren't tables.
      return cells?.['!data'] === undefined
        ? []
        : [{ name, hidden, rows: cells['!data'].filter(isFilled).length, cells }];
    });
    return { sheets, from1904: book.Workbook?.WBProps?.date1904 === true };
  } catch (error) {
    if (error instanceof UnreadError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    if (/password|encrypt/i.test(why)) throw new UnreadError('it has a password', 'Save it without one');
    throw new UnreadError(`it isn't a workbook (${why.replace(/\.$/, '')})`, AGAIN);
  }
}

export function isFilled(row: readonly (CellObject | undefined)[] | undefined): boolean {
  return row?.some(cell => cell !== undefined && cell.t !== 'z' && cell.v !== '') === true;
}

/** A small file can unpack to gigabytes, and its directory can lie about sizes. */
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
          // The library makes plain numbers of these.
          if (/ t="d"/.test(String(chunk)) && /worksheets/.test(entry.fileName))
            throw new UnreadError('it has dates as texts in ISO 8601', AGAIN);
        }
      }
    } finally {
      zip.close();
    }
  } catch (error) {
    if (error instanceof UnreadError) throw error;
    throw new UnreadError(
      "it isn't a complete workbook: its ZIP archive is damaged or cut short",
      'Copy it again, or save it again',
    );
  }
  return readFileSync(file);
}

function tooLarge(): UnreadError {
  return new UnreadError(
    `it unpacks to more than ${MOST_BYTES / 1e6} MB, which takes too much memory`,
    'Save the sheet as CSV',
  );
}

type CellReading =
  /** `sign`: `%`, or the letters, currency and bounds that the format adds to the number. */
  | { readonly text: string; readonly sign: string }
  /** The cell has no readable value, or its format hides it. */
  | { readonly fault: 'error' | 'no result' | 'not shown'; readonly shown: string };

const BLANK: CellReading = { text: '', sign: '' };

/**
 * Numbers keep all digits, even if the cell rounds them; codes, dates, times and percentages are read as
 * shown.
 */
export function readCell(cell: CellObject | undefined, from1904: boolean): CellReading {
  if (cell === undefined) return BLANK;
  const plain = (text: string): CellReading => ({ text, sign: '' });
  switch (cell.t) {
    case 'z':
      return cell.f === undefined ? BLANK : { fault: 'no result', shown: `=${cell.f}` };
    case 'e':
      return { fault: 'error', shown: String(cell.w ?? cell.v) };
    case 'b':
      return plain(cell.v === true ? 'true' : 'false');
    case 's':
      return isUnseen(String(cell.z ?? ''), 3) ? unseen(String(cell.v)) : plain(String(cell.v ?? ''));
    case 'n':
      return numberText(Number(cell.v), String(cell.z ?? 'General'), from1904);
    case 'd':
      return plain(cell.v instanceof Date ? cell.v.toISOString().slice(0, 19) : String(cell.v ?? ''));
    default:
      return cell.t satisfies never;
  }
}

function unseen(value: string): CellReading {
  return value === '' ? BLANK : { fault: 'not shown', shown: value };
}

/** Sections: positive, negative, zero, text. An empty one hides the value. */
function isUnseen(format: string, section: number): boolean {
  const sections = format.split(';');
  return sections.length > section && sections[section]?.trim() === '';
}

function numberText(value: number, format: string, from1904: boolean): CellReading {
  if (!Number.isFinite(value)) return BLANK;
  const sections = format.split(';');
  const at = value < 0 ? 1 : value === 0 ? 2 : 0;
  if (isUnseen(format, at)) return unseen(String(value));
  // Quoted, bracketed and escaped characters are literal.
  const section = sections[at] ?? sections[0] ?? '';
  const code = section.replace(/"[^"]*"|\[[^\]]*\]/g, '');
  const bare = code.replace(/\\./g, '');
  if (bare.includes('%')) return { text: shortest(value * 100), sign: '%' };
  const elapsed = /\[(h+|m+|s+)\]/i.test(format);
  if (elapsed || SSF.is_date(format)) return { text: timeText(value, format, bare, from1904), sign: '' };
  const isCode = /^[^.#?,]*0\s*0/.test(bare) || /[0#?](\\-|-)[0#?]/.test(code);
  const shown = isCode || /["\\[]/.test(format) ? shownAs(format, value) : '0';
  // A format can show a mark such as <5 or "n/a" in place of the number. A dash is zero.
  const isMark = /[<>≤≥]/.test(shown) || (/^[^-–—\d]+$/.test(shown) && !/[#?]/.test(bare));
  if (isMark || (isCode && Number.isInteger(value))) return { text: shown, sign: '' };
  return { text: shortest(value), sign: /,(?![0#?])/.test(bare) ? '' : literalsOf(section) };
}

/** The library takes a star in quotes for one that fills the cell. */
function shownAs(format: string, value: number): string {
  const escaped = format.replace(/"([^"]*)"/g, (_, text: string) => text.replace(/./g, '\\$&'));
  return String(SSF.format(escaped, value)).trim();
}

/** Letters and currencies. `_€` is a space as wide as €. */
function literalsOf(section: string): string {
  const found = section.match(/"[^"]*"|\[[^\]]*\]|[\\_*].|\p{Sc}/gu) ?? [];
  const shown = found.filter(one => !/^([_*]|\[[^$])/.test(one)).map(one => one.replace(/^\[\$|-.*\]$/g, ''));
  return shown.join('').replace(/[^\p{L}\p{Sc}]/gu, '');
}

/** 0.1 + 0.2 is stored as 0.30000000000000004, but a third needs all its digits. */
function shortest(value: number): string {
  const rounded = Number(value.toPrecision(15));
  const digits = String(rounded).replace(/e.*$|\D/g, '');
  // The greatest double, which some programs write for missing values, has no rounded one.
  return plainDigits(digits.length < 14 && Number.isFinite(rounded) ? rounded : value);
}

/** Without an exponent. */
function plainDigits(value: number): string {
  const text = String(value);
  return /e/.test(text) && Number.isInteger(value) && Math.abs(value) < 1e21
    ? BigInt(value).toString()
    : text;
}

function timeText(value: number, format: string, bare: string, from1904: boolean): string {
  const [elapsed] = /\[(h+|m+|s+)\]/i.exec(format) ?? [];
  if (elapsed !== undefined) return String(SSF.format(format, value)).trim();
  const letters = bare.toLowerCase().replace(/am\/pm|a\/p/g, '');
  const isDay = /[yde]/.test(letters) || (/m/.test(letters) && !/[hs]/.test(letters));
  const options = { date1904: from1904 };
  const shown = (as: string) => String(SSF.format(as, value, options)).trim();
  if (!isDay) return shown(letters.includes('s') ? 'hh:mm:ss' : 'hh:mm');
  // A year, month or weekday alone isn't a date.
  if (!/[hs]/.test(letters) && /^[^a-z]*(y+|m{3,}|d{3,})[^a-z]*$/.test(letters)) return shown(format);
  const parts: { H: number; M: number; S: number } | null = SSF.parse_date_code(value, options);
  if (parts === null) return String(value);
  const hasTime = parts.H + parts.M + parts.S > 0 || /[hs]/.test(letters);
  return shown(hasTime ? 'yyyy-mm-dd hh:mm:ss' : 'yyyy-mm-dd');
}
