/** Finds the table of a workbook: its sheet, the rows and columns that are shown, and what its cells say. */
import { utils, type WorkSheet } from '@e965/xlsx';
import type { FileLayout } from '../contract/dataset.ts';
import type { TableRecord } from './delimited-records.ts';
import { layoutLine } from './layout-line.ts';
import { type FoundHeader, findHeader, type HeaderProblem, quoteFew } from './table-header.ts';
import type { Workbook, WorkbookSheet } from './workbook.ts';
import { readCell } from './workbook-cell.ts';

export interface SheetTable {
  readonly sheet: string;
  readonly header: FoundHeader;
  /** All rows of the sheet that are shown, with the header and what is above it. */
  readonly records: readonly TableRecord[];
  /** Letters of the sheet's columns, in the order of cells. */
  readonly letters: readonly string[];
  /** Places of columns whose cells show percentages. */
  readonly percent: ReadonlySet<number>;
  /** Places of columns with numbers that have a fraction, and so a point. */
  readonly numbers: ReadonlySet<number>;
  readonly faults: readonly CellFault[];
  /** What is left out because it is not shown, in sentences. */
  readonly unshown: readonly string[];
  /** Visible sheets with rows that are not read. */
  readonly others: readonly Pick<WorkbookSheet, 'name' | 'rows'>[];
  /** Rows that are one merged cell. */
  readonly headings: readonly TableRecord[];
}

export interface CellFault {
  readonly kind: 'error' | 'no result' | 'mixed percent';
  /** Such as `B7`. */
  readonly address: string;
  readonly line: number;
  readonly column: number;
  readonly shown: string;
}

/** Finds the sheet by the layout, else by the `expected` names; the only one with rows needs neither. */
export function findSheetTable(
  book: Workbook,
  expected: ReadonlySet<string>,
  layout: FileLayout,
): SheetTable | HeaderProblem {
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
    ({ name, rows }) => `the hidden sheet ${JSON.stringify(name)} (${count(rows, 'row')})`,
  );
  return { ...chosen, others, unshown: layout.hidden === 'skip' ? [] : [...chosen.unshown, ...unshown] };
}

function readSheet(
  { name, cells: sheet }: WorkbookSheet,
  { from1904 }: Workbook,
  expected: ReadonlySet<string>,
  layout: FileLayout,
): SheetTable | HeaderProblem {
  const data = sheet['!data'] ?? [];
  const merged = mergedCells(sheet);
  const isShown = layout.hidden !== 'read';
  const hiddenRows = new Set([...data.keys()].filter(r => isShown && isHiddenRow(sheet, r)));
  const width = data.reduce((most, row) => Math.max(most, row?.length ?? 0), 0);
  const places = Array.from({ length: width }, (_, i) => i);
  const hidden = places.filter(c => isShown && isHiddenColumn(sheet, c) && hasValue(data, c));
  const columns = places.filter(c => !(isShown && isHiddenColumn(sheet, c)) && hasValue(data, c));
  const records: TableRecord[] = [];
  const headings: TableRecord[] = [];
  const faults: CellFault[] = [];
  const numbers = new Set<number>();
  const percents = columns.map((): string[] => []);
  const figures = columns.map((): string[] => []);
  let unseen = 0;
  let skipped = 0;
  for (const [r, row] of data.entries()) {
    const isFilled = row?.some(cell => cell !== undefined && cell.t !== 'z' && cell.v !== '') === true;
    if (hiddenRows.has(r)) {
      if (isFilled) skipped++;
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
      if (read.percent) percents[i]?.push(address);
      else if (cell?.t === 'n' && cell.v !== 0) figures[i]?.push(address);
      return read.text;
    });
    if (cells.every(cell => cell.trim() === '') && !faults.some(fault => fault.line === line)) continue;
    const wide = new Set(columns.flatMap((c, i) => (merged.isWide(r, c) ? [i] : [])));
    const record = { line, cells, ...(merged.any && wide.size > 0 ? { wide } : {}) };
    records.push(record);
    if (wide.size > 0 && wide.size === columns.length - 1) headings.push(record);
  }
  const header = findHeader(records, expected, layout, 'row');
  if ('why' in header) return { why: `sheet ${JSON.stringify(name)}: ${header.why}`, remedy: header.remedy };
  const start = header.after + 1;
  const mixed = columns.flatMap((c, i): CellFault[] => {
    const isBody = (address: string) => Number(/\d+/.exec(address)?.[0]) >= start;
    const [percent, figure] = [percents[i]?.find(isBody), figures[i]?.find(isBody)];
    if (percent === undefined || figure === undefined) return [];
    return [
      {
        kind: 'mixed percent',
        address: figure,
        line: start,
        column: i,
        shown: `${utils.encode_col(c)}, ${percent}`,
      },
    ];
  });
  const sheetName = JSON.stringify(name);
  return {
    sheet: name,
    header,
    records,
    letters: columns.map(c => utils.encode_col(c)),
    numbers,
    percent: new Set(columns.flatMap((_, i) => ((percents[i]?.length ?? 0) > 0 ? [i] : []))),
    faults: [...faults.filter(({ line }) => line >= start), ...mixed],
    unshown: [
      ...(skipped > 0 ? [`${count(skipped, 'hidden row')} of sheet ${sheetName}`] : []),
      ...(hidden.length > 0
        ? [
            `${count(hidden.length, 'hidden column')} of sheet ${sheetName} (${hidden.map(c => columnTitle(data, c, records[header.first]?.line)).join(', ')})`,
          ]
        : []),
      ...(unseen > 0 ? [`${count(unseen, 'cell')} of sheet ${sheetName} whose format shows nothing`] : []),
    ],
    others: [],
    headings: headings.filter(({ line }) => line >= start),
  };
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

/** Where the values of merged cells are. */
function mergedCells(sheet: WorkSheet) {
  const ranges = sheet['!merges'] ?? [];
  const down = new Map<string, { readonly r: number; readonly c: number }>();
  const wide = new Set<string>();
  for (const { s, e } of ranges) {
    for (let r = s.r + 1; r <= e.r; r++) down.set(`${r} ${s.c}`, s);
    for (let r = s.r; r <= e.r; r++) for (let c = s.c + 1; c <= e.c; c++) wide.add(`${r} ${c}`);
  }
  return {
    any: ranges.length > 0,
    from: (r: number, c: number) => down.get(`${r} ${c}`) ?? { r, c },
    isWide: (r: number, c: number) => wide.has(`${r} ${c}`),
  };
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
}
