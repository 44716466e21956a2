/** Loads the table of a workbook into a database, and tells of cells that hold no value. */
import type { FileLayout } from '../contract/dataset.ts';
import type { Diagnostic } from '../contract/diagnostic.ts';
import type { Session } from './database.ts';
import { type LoadedRows, loadRecords, type Unread } from './delimited-table.ts';
import type { KnownTable, TextFile } from './known-table.ts';
import { askRows, layoutLine } from './layout-line.ts';
import { openWorkbook, WorkbookError } from './workbook.ts';
import { type CellFault, findSheetTable, type SheetTable } from './workbook-table.ts';

export interface WorkbookRows extends LoadedRows {
  readonly percent: ReadonlySet<number>;
  readonly numbers: ReadonlySet<number>;
  readonly sheet: string;
  readonly warnings: readonly Diagnostic[];
}

/** Sheets of a workbook that have rows and are shown, in order. Throws WorkbookError. */
export async function sheetsOf(file: string): Promise<readonly string[]> {
  const { sheets } = await openWorkbook(file);
  return sheets.filter(({ hidden, rows }) => !hidden && rows > 1).map(({ name }) => name);
}

export async function loadWorkbook(
  session: Session,
  file: TextFile,
  table: string,
  { expected, layout }: KnownTable,
): Promise<WorkbookRows | Unread> {
  let found: SheetTable | Unread;
  try {
    found = findSheetTable(await openWorkbook(file.absolute), expected, layout);
  } catch (error) {
    if (error instanceof WorkbookError) return { why: error.message, remedy: error.remedy };
    throw error;
  }
  if ('why' in found) return found;
  const { header, records, sheet } = found;
  const faults = found.faults.filter(
    ({ column }) => expected.size === 0 || expected.has(header.names[column] ?? ''),
  );
  const broken = faults.find(fault => isBroken(fault));
  if (broken !== undefined) return brokenCell(sheet, broken, faults.filter(isBroken).length);
  const rows = records.filter(({ line }) => line > header.after);
  const loaded = await loadRecords(session, table, header, rows, layout, 'row');
  if ('why' in loaded) return loaded;
  const [heading] = found.headings.filter(({ line }) => line > header.after);
  const warn = (code: string, message: string): Diagnostic => ({
    severity: 'warning',
    code,
    file: file.path,
    message,
  });
  return {
    ...loaded,
    questions: [
      ...loaded.questions,
      ...(heading === undefined ? [] : headingQuestion(heading, sheet, layout)),
    ],
    percent: found.percent,
    numbers: found.numbers,
    sheet,
    warnings: [
      ...unshownWarning(found, layout).map(message => warn('lake-hidden', message)),
      ...missingWarning(sheet, faults).map(message => warn('lake-cell', message)),
      ...(layout.sheet === undefined ? otherSheets(found, layout) : []).map(
        (message): Diagnostic => ({ ...warn('lake-sheets', message), severity: 'note' }),
      ),
    ],
  };
}

/** What a spreadsheet shows if a value is not there; other errors are faults of the workbook. */
const ABSENT = /^#(N\/A|DIV\/0!)$/;

function isBroken({ kind, shown }: CellFault): boolean {
  return kind !== 'error' || !ABSENT.test(shown);
}

function brokenCell(sheet: string, { kind, address, shown }: CellFault, count: number): Unread {
  const cell = `cell ${address} of sheet ${JSON.stringify(sheet)}`;
  const more = count === 1 ? '' : ` (and ${(count - 1).toLocaleString('en')} more)`;
  switch (kind) {
    case 'error':
      return { why: `${cell} shows ${shown}${more}`, remedy: 'Correct its formula, or empty the cell' };
    case 'no result':
      return {
        why: `${cell} holds a formula (${shown.slice(0, 60)}) without its result${more}`,
        remedy: 'Open the workbook in a spreadsheet program and save it, which stores the results',
      };
    case 'mixed percent': {
      const [column, percent] = shown.split(', ');
      return {
        why: `${cell} is a plain number, but ${percent} in the same column ${column} shows a percentage, so a figure could be off by a hundred`,
        remedy: 'Give the cells of the column one format',
      };
    }
    default:
      return kind satisfies never;
  }
}

function missingWarning(sheet: string, faults: readonly CellFault[]): string[] {
  const absent = faults.filter(fault => !isBroken(fault));
  if (absent.length === 0) return [];
  const cells = absent.slice(0, 5).map(({ address, shown }) => `${address} (${shown})`);
  const more = absent.length > cells.length ? ` and ${absent.length - cells.length} more` : '';
  return [
    `${absent.length === 1 ? '1 cell' : `${absent.length.toLocaleString('en')} cells`} of sheet ${JSON.stringify(sheet)} ${absent.length === 1 ? 'shows an error, and is' : 'show an error, and are'} read as missing: ${cells.join(', ')}${more}. Empty them if nothing is there, or correct their formulas.`,
  ];
}

function unshownWarning({ unshown }: SheetTable, layout: FileLayout): string[] {
  if (unshown.length === 0) return [];
  return [
    `What the workbook does not show is left out: ${unshown.join(', ')}. If that is right, say so in the contract (${layoutLine(layout, { hidden: 'skip' })}); hidden: read publishes it.`,
  ];
}

function otherSheets({ others, sheet }: SheetTable, layout: FileLayout): string[] {
  if (others.length === 0) return [];
  const names = others.map(({ name, rows }) => `${JSON.stringify(name)} (${rows.toLocaleString('en')} rows)`);
  return [
    `The rows are those of sheet ${JSON.stringify(sheet)}; not read: ${names.join(', ')}. For another, write ${layoutLine(layout, { sheet: others[0]?.name ?? '' })} in the contract of its table.`,
  ];
}

function headingQuestion(
  { line, cells }: SheetTable['headings'][number],
  sheet: string,
  layout: FileLayout,
): string[] {
  const { skip_rows: skipped } = layout;
  const text = cells.find(cell => cell.trim() !== '')?.trim() ?? '';
  if (skipped?.length === 0 || skipped?.some(start => text.startsWith(start)) || text === '') return [];
  const what = `Row ${line} of sheet ${JSON.stringify(sheet)} is one merged cell (${JSON.stringify(text.slice(0, 60))}), as headings are`;
  return [askRows(what, [text], layout)];
}
