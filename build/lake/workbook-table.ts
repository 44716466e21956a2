/** Finds and loads the table of a workbook. */
import { type CellAddress, utils, type WorkSheet } from '@e965/xlsx';
import type { FileLayout } from '../contract/custom-profile.ts';
import { countOf, someOf } from '../format/shown-text.ts';
import type { Session } from './database.ts';
import { type LoadedRows, loadRecords } from './delimited-table.ts';
import {
  askRows,
  type FoundHeader,
  findHeader,
  isFigure,
  type KnownTable,
  layoutLine,
  questionOf,
  quoteFew,
  type Said,
  type TableRecord,
  type TextFile,
  type Unread,
  UnreadError,
} from './table-header.ts';
import { isFilled, openWorkbook, readCell, type Workbook, type WorkbookSheet } from './workbook.ts';

interface SheetTable {
  readonly sheet: string;
  readonly header: FoundHeader;
  /** All shown rows, with the header and rows above it. */
  readonly records: readonly TableRecord[];
  /** Indices of columns shown as percentages. */
  readonly percent: ReadonlySet<number>;
  /** Indices of columns with fractions. */
  readonly numbers: ReadonlySet<number>;
  readonly faults: readonly CellFault[];
  /** Sentences about what is left out because it isn't shown. */
  readonly unshown: readonly string[];
  /** Visible sheets that aren't read. */
  readonly others: readonly Pick<WorkbookSheet, 'name' | 'rows'>[];
  /** Rows that are one merged cell. */
  readonly headings: readonly TableRecord[];
}

interface CellFault {
  readonly kind: 'error' | 'no result' | 'mixed signs' | 'merged';
  readonly address: string;
  readonly line: number;
  readonly column: number;
  readonly shown: string;
}

/** The sheet is stated in the layout, has the most `expected` names, or is the only one with rows. */
function findSheetTable(
  book: Workbook,
  expected: ReadonlySet<string>,
  layout: FileLayout,
): SheetTable | Unread {
  const full = book.sheets.filter(({ rows }) => rows > 0);
  const visible = full.filter(({ hidden }) => !hidden || layout.hidden === 'read');
  const stated = layout.sheet;
  const named = stated === undefined ? visible : full.filter(({ name }) => name === stated);
  if (named.length === 0) {
    const names = full.map(({ name, hidden }) => `${JSON.stringify(name)}${hidden ? ' (hidden)' : ''}`);
    return stated === undefined
      ? {
          why:
            full.length === 0 ? 'no sheet has a value' : `only hidden sheets have rows (${names.join(', ')})`,
          remedy:
            full.length === 0
              ? 'Fill it, or remove it'
              : `Show one, or name it in the contract: ${layoutLine(layout, { sheet: full[0]?.name ?? '' })}`,
        }
      : {
          why: `it has no sheet ${JSON.stringify(stated)} with rows, which file_layout names; it has ${names.join(', ')}`,
          remedy: 'Correct the name in the contract',
        };
  }
  const tables = named.map(sheet => readSheet(sheet, book, expected, layout));
  const rank = tables.map(one =>
    'why' in one ? -1 : one.header.names.filter(name => expected.has(name)).length,
  );
  const most = Math.max(...rank);
  const best = named.filter((_, i) => rank[i] === most);
  if (best.length > 1 && most > 0)
    return {
      why: `the sheets ${best.map(({ name }) => JSON.stringify(name)).join(', ')} all have columns of the contract`,
      remedy: `Name one in the contract: ${layoutLine(layout, { sheet: best[0]?.name ?? '' })}`,
    };
  const chosen = tables[rank.indexOf(most)];
  if (chosen === undefined || 'why' in chosen) return chosen ?? { why: 'it has no sheet', remedy: 'Fill it' };
  const others = visible.filter(({ name }) => name !== chosen.sheet);
  const hidden = full.filter(one => one.hidden && !visible.includes(one) && one.name !== chosen.sheet);
  const unshown = hidden.map(
    ({ name, rows }) => `the hidden sheet ${JSON.stringify(name)} (${countOf(rows, 'row')})`,
  );
  return { ...chosen, others, unshown: layout.hidden === 'skip' ? [] : [...chosen.unshown, ...unshown] };
}

function readSheet(
  { name, cells: sheet }: WorkbookSheet,
  { from1904 }: Workbook,
  expected: ReadonlySet<string>,
  layout: FileLayout,
): SheetTable | Unread {
  const data = sheet['!data'] ?? [];
  const merged = mergedCells(sheet);
  const isShown = layout.hidden !== 'read';
  const width = data.reduce((most, row) => Math.max(most, row?.length ?? 0), 0);
  const places = Array.from({ length: width }, (_, i) => i);
  const hidden = places.filter(c => isShown && isHiddenColumn(sheet, c) && hasValue(data, c));
  const columns = places.filter(c => !(isShown && isHiddenColumn(sheet, c)) && hasValue(data, c));
  const records: TableRecord[] = [];
  const headings: TableRecord[] = [];
  const faults: CellFault[] = [];
  const numbers = new Set<number>();
  /** By column, the places of each sign. */
  const signs = columns.map(() => new Map<string, Pick<CellFault, 'line' | 'address'>[]>());
  let unseen = 0;
  let skipped = 0;
  for (const [r, row] of data.entries()) {
    if (isShown && isHiddenRow(sheet, r)) {
      if (isFilled(row)) skipped++;
      continue;
    }
    const line = r + 1;
    const cells = columns.map((c, i) => {
      const from = merged.from(r, c);
      const cell = data[from.r]?.[from.c];
      const read = readCell(cell, from1904);
      const address = `${utils.encode_col(c)}${line}`;
      if ('fault' in read) {
        if (read.fault !== 'not shown')
          faults.push({ kind: read.fault, address, line, column: i, shown: read.shown });
        else if (isShown) unseen++;
        return read.fault === 'not shown' && !isShown ? read.shown : '';
      }
      if (cell?.t === 'n' && read.text.includes('.')) numbers.add(i);
      const isNumber = cell?.t === 'n' || (isFigure(read.text) && !read.text.includes('%'));
      if (read.sign !== '' || (isNumber && Number(read.text) !== 0)) {
        const places = signs[i]?.get(read.sign) ?? [];
        places.push({ line, address });
        signs[i]?.set(read.sign, places);
      }
      return read.text;
    });
    if (cells.every(cell => cell.trim() === '') && !faults.some(fault => fault.line === line)) continue;
    const wide = new Set(columns.flatMap((c, i) => (merged.over(r, c) === undefined ? [] : [i])));
    const isHeading = wide.size > 0 && wide.size === columns.length - 1;
    for (const column of isHeading ? [] : wide) {
      const { r: top = 0, c: left = 0 } = merged.over(r, columns[column] ?? 0) ?? {};
      const address = utils.encode_cell({ r: top, c: left });
      if (data[top]?.[left]?.t === 'n') faults.push({ kind: 'merged', address, line, column, shown: '' });
    }
    const record = { line, cells, ...(wide.size > 0 ? { wide } : {}) };
    records.push(record);
    if (isHeading) headings.push(record);
  }
  const header = findHeader(records, expected, layout, 'row');
  if ('why' in header) return { why: `sheet ${JSON.stringify(name)}: ${header.why}`, remedy: header.remedy };
  const start = header.after + 1;
  const mixed = signs.flatMap((of, column): CellFault[] => {
    const seen = [...of].flatMap(([sign, places]) => {
      const first = places.find(({ line }) => line >= start);
      // The first row alone may show a currency, but not a percentage.
      return first === undefined || (sign === '' && !of.has('%')) ? [] : [{ sign, ...first }];
    });
    const [a, b] = seen.sort((x, y) => (x.sign < y.sign ? -1 : 1));
    if (a === undefined || b === undefined) return [];
    const why = [a, b].some(({ sign }) => sign === '%')
      ? 'a figure could be off by a hundred'
      : 'the figures have two units';
    const shown = `${signText(a.sign)}, but ${b.address} in the same column ${utils.encode_col(columns[column] ?? 0)} ${signText(b.sign)}, so ${why}`;
    return [{ kind: 'mixed signs', address: a.address, line: start, column, shown }];
  });
  const sheetName = JSON.stringify(name);
  return {
    sheet: name,
    header,
    records,
    numbers,
    percent: new Set(signs.flatMap((of, i) => (of.has('%') ? [i] : []))),
    faults: [...faults.filter(({ line }) => line >= start), ...mixed],
    unshown: [
      ...(skipped > 0 ? [`${countOf(skipped, 'hidden row')} of sheet ${sheetName}`] : []),
      ...(hidden.length > 0
        ? [
            `${countOf(hidden.length, 'hidden column')} of sheet ${sheetName} (${hidden.map(c => columnTitle(data, c, records[header.first]?.line)).join(', ')})`,
          ]
        : []),
      ...(unseen > 0 ? [`${countOf(unseen, 'cell')} of sheet ${sheetName} whose format shows nothing`] : []),
    ],
    others: [],
    headings: headings.filter(({ line }) => line >= start),
  };
}

function signText(sign: string): string {
  if (sign === '%') return 'shows a percentage';
  return sign === '' ? 'is a plain number' : `shows ${JSON.stringify(sign)}`;
}

type Cells = NonNullable<WorkSheet['!data']>;

function columnTitle(data: Cells, column: number, line = 1): string {
  const letter = utils.encode_col(column);
  const text = data.slice(line - 1).find(row => row?.[column]?.v !== undefined)?.[column]?.v;
  return text === undefined ? letter : `${letter} ${quoteFew([String(text)])}`;
}

function hasValue(data: Cells, column: number): boolean {
  return data.some(row => {
    const cell = row?.[column];
    return cell !== undefined && (cell.t !== 'z' || cell.f !== undefined) && cell.v !== '';
  });
}

function isHiddenRow(sheet: WorkSheet, row: number): boolean {
  const info = sheet['!rows']?.[row];
  return info?.hidden === true || info?.hpt === 0;
}

function isHiddenColumn(sheet: WorkSheet, column: number): boolean {
  const info = sheet['!cols']?.[column] as
    | { hidden?: boolean; width?: unknown; customwidth?: unknown }
    | undefined;
  return info?.hidden === true || (info?.width === 0 && info.customwidth !== undefined);
}

function mergedCells(sheet: WorkSheet) {
  const down = new Map<string, CellAddress>();
  const wide = new Map<string, CellAddress>();
  for (const { s, e } of sheet['!merges'] ?? []) {
    for (let r = s.r + 1; r <= e.r; r++) down.set(`${r} ${s.c}`, s);
    for (let r = s.r; r <= e.r; r++) for (let c = s.c + 1; c <= e.c; c++) wide.set(`${r} ${c}`, s);
  }
  return {
    from: (r: number, c: number) => down.get(`${r} ${c}`) ?? { r, c },
    /** The cell that covers this one from the left. */
    over: (r: number, c: number) => wide.get(`${r} ${c}`),
  };
}

export interface WorkbookRows extends LoadedRows {
  readonly percent: ReadonlySet<number>;
  readonly numbers: ReadonlySet<number>;
  readonly sheet: string;
}

/** Visible sheets with rows, in order. Throws UnreadError. */
export async function sheetsOf(file: string): Promise<readonly string[]> {
  const { sheets } = await openWorkbook(file);
  return sheets.filter(({ hidden, rows }) => !hidden && rows > 1).map(({ name }) => name);
}

/** Throws UnreadError. */
export async function loadWorkbook(
  session: Session,
  file: TextFile,
  table: string,
  { expected, layout }: KnownTable,
): Promise<WorkbookRows> {
  const found = findSheetTable(await openWorkbook(file.absolute), expected, layout);
  if ('why' in found) throw new UnreadError(found.why, found.remedy);
  const { header, records, sheet } = found;
  const faults = found.faults.filter(
    ({ column }) => expected.size === 0 || expected.has(header.names[column] ?? ''),
  );
  const broken = faults.find(fault => isBroken(fault));
  if (broken !== undefined) throw brokenCell(sheet, broken, faults.filter(isBroken).length);
  const rows = records.filter(({ line }) => line > header.after);
  const loaded = await loadRecords(session, table, header, rows, layout, 'row');
  const say = (severity: Said['severity'], code: string, messages: readonly string[]) =>
    messages.map((message): Said => ({ severity, code, message }));
  return {
    ...loaded,
    said: [
      ...say('warning', 'lake-hidden', unshownWarning(found, layout)),
      ...say('warning', 'lake-cell', missingWarning(sheet, faults)),
      ...say('note', 'lake-sheets', layout.sheet === undefined ? otherSheets(found, layout) : []),
      ...loaded.said,
      ...found.headings.slice(0, 1).flatMap(one => headingQuestion(one, sheet, layout).map(questionOf)),
    ],
    percent: found.percent,
    numbers: found.numbers,
    sheet,
  };
}

/** Spreadsheets show these for missing values; other errors are mistakes. */
const ABSENT = /^#(N\/A|DIV\/0!)$/;

function isBroken({ kind, shown }: CellFault): boolean {
  return kind !== 'error' || !ABSENT.test(shown);
}

function brokenCell(sheet: string, { kind, address, shown }: CellFault, count: number): UnreadError {
  const cell = `cell ${address} of sheet ${JSON.stringify(sheet)}`;
  const more = count === 1 ? '' : ` (and ${(count - 1).toLocaleString('en')} more)`;
  switch (kind) {
    case 'error':
      return new UnreadError(`${cell} shows ${shown}${more}`, 'Correct its formula, or empty the cell');
    case 'no result':
      return new UnreadError(
        `${cell} holds a formula (${shown.slice(0, 60)}) without its result${more}`,
        'Open the workbook in a spreadsheet program and save it, which stores the results',
      );
    case 'merged':
      return new UnreadError(`${cell} is a number of several columns`, 'Divide the merged cells');
    case 'mixed signs':
      return new UnreadError(`${cell} ${shown}`, 'Give the cells of the column one format');
    default:
      return kind satisfies never;
  }
}

function missingWarning(sheet: string, faults: readonly CellFault[]): string[] {
  const absent = faults.filter(fault => !isBroken(fault));
  if (absent.length === 0) return [];
  const cells = absent.map(({ address, shown }) => `${address} (${shown})`);
  return [
    `${countOf(absent.length, 'cell')} of sheet ${JSON.stringify(sheet)} ${absent.length === 1 ? 'shows an error, and is' : 'show an error, and are'} read as missing: ${someOf(cells, 5)}. Empty them if nothing is there, or correct their formulas.`,
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
