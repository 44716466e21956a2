/** Finds the header of a table among the first lines of a file, or the first rows of a sheet. Pure. */
import type { FileLayout } from '../contract/custom-profile.ts';
import type { Diagnostic } from '../contract/diagnostic.ts';
import type { LakeFile } from './lake-files.ts';

export interface FoundHeader {
  /** Without outer spaces; joined from several lines. */
  readonly names: readonly string[];
  /** Index of the first record. */
  readonly first: number;
  /** Rows begin after this line. */
  readonly after: number;
  /** The header is one line, the first. */
  readonly plain: boolean;
  readonly said: readonly Said[];
}

/** What a reader of tables assumed, left out, or asks. */
export type Said = Pick<Diagnostic, 'severity' | 'code' | 'message'>;

export function noteOf(message: string): Said {
  return { severity: 'note', code: 'lake-surroundings', message };
}

/** Not every build shows notes, but people must see which rows at the end are left out. */
export function footerOf(message: string): Said {
  return { severity: 'warning', code: 'lake-footer', message };
}

/** Only the contract can answer. The rows in question are left out. */
export function questionOf(message: string): Said {
  return { severity: 'error', code: 'lake-ambiguous', message };
}

export interface Unread {
  readonly why: string;
  readonly remedy: string;
}

/** Its message says why a file can't be read. */
export class UnreadError extends Error {
  readonly remedy: string;
  constructor(why: string, remedy: string) {
    super(why);
    this.remedy = remedy;
  }
}

/** Records in which a header is searched for. */
const FIRST = 50;

/**
 * The header is the line stated in the layout; else the one with most of the `expected` names; else the first
 * as wide as the table and without figures. `unit` names a record in messages.
 */
export function findHeader(
  records: readonly TableRecord[],
  expected: ReadonlySet<string>,
  layout: FileLayout,
  unit = 'line',
): FoundHeader | Unread {
  const { header_line: stated, header_lines: lines = 1 } = layout;
  if (stated !== undefined) {
    const last = records.findIndex(({ line }) => line === stated);
    if (last < 0)
      return {
        why: `${unit} ${stated}, which file_layout calls the header, is blank or not there`,
        remedy: 'Correct header_line in the contract',
      };
    const first = Math.max(0, last - lines + 1);
    return { ...headerAt(records, first, last, true), said: [] };
  }
  if (records.length === 0) return { why: 'it has no rows', remedy: 'Fill it, or remove it' };
  const [first, last] = named(records, expected, layout) ?? guessed(records);
  const found = headerAt(records, Math.max(0, last - Math.max(lines, last - first + 1) + 1), last, false);
  const said: Said[] = [];
  if (found.first > 0) said.push(noteOf(leftOutNote(records, found.first, unit)));
  if (last > found.first)
    said.push(
      noteOf(
        `The header has ${last - found.first + 1} ${unit}s (${lineList(records, found.first, last)}), read as ${quoteFew(found.names)}.`,
      ),
    );
  const below = secondLine(records, last, layout);
  if (below === null) return { ...found, said };
  if (below === 'units')
    said.push(noteOf(`${place(records[last + 1], unit)} has units, not a row, and is left out.`));
  else said.push(questionOf(secondLineQuestion(records, last, unit, layout)));
  return { ...found, said, after: records[last + 1]?.line ?? 0, plain: false };
}

function headerAt(
  records: readonly TableRecord[],
  first: number,
  last: number,
  isStated: boolean,
): Omit<FoundHeader, 'said'> {
  const names = joined(records.slice(first, last + 1));
  return { names, first, after: records[last]?.line ?? 0, plain: last === 0 && !isStated };
}

/** Joins names from top to bottom; a name above several columns belongs to each. */
function joined(lines: readonly TableRecord[]): string[] {
  const width = Math.max(...lines.map(({ cells }) => cells.length));
  const below = lines.at(-1);
  const upper = lines.slice(0, -1).map(({ cells, wide }) => {
    const full: string[] = [];
    for (let i = 0; i < width; i++) {
      const own = (cells[i] ?? '').trim();
      const before = (below?.cells[i - 1] ?? '').trim();
      const isCarried = own === '' && i > 0 && (wide === undefined ? before !== '' : wide.has(i));
      full.push(isCarried && (below?.cells[i] ?? '').trim() !== '' ? (full[i - 1] ?? '') : own);
    }
    return full;
  });
  return Array.from({ length: width }, (_, i) => {
    const parts = [...upper.map(cells => cells[i] ?? ''), (below?.cells[i] ?? '').trim()];
    return parts.filter((part, at) => part !== '' && parts.indexOf(part) === at).join(' ');
  });
}

/** Null if the contract's names don't decide. */
function named(
  records: readonly TableRecord[],
  expected: ReadonlySet<string>,
  { year_columns: forms = {} }: FileLayout,
): readonly [first: number, last: number] | null {
  const ofYears = Object.values(forms).map(form => form.split('{year}'));
  const isKnown = (name: string) =>
    expected.has(name) ||
    ofYears.some(([before = '', after = '']) => name.startsWith(before) && name.endsWith(after));
  const known = (names: readonly string[]) => new Set(names.map(name => name.trim()).filter(isKnown)).size;
  let best: { readonly at: readonly [number, number]; readonly known: number } = { at: [0, 0], known: 0 };
  for (let i = 0; i < Math.min(records.length, FIRST); i++) {
    const own = known(records[i]?.cells ?? []);
    if (own > best.known) best = { at: [i, i], known: own };
    const two = i === 0 ? 0 : known(joined(records.slice(i - 1, i + 1)));
    if (two > best.known) best = { at: [i - 1, i], known: two };
  }
  return best.known >= 2 || (best.known === 1 && (expected.size === 1 || best.at[1] === 0)) ? best.at : null;
}

function guessed(records: readonly TableRecord[]): readonly [first: number, last: number] {
  const widest = Math.max(...records.map(filled));
  if (widest < 2) return [0, 0];
  const widths = records.map(filled);
  const countOf = (width: number) => widths.filter(one => one === width).length;
  const usual = widths.reduce((best, one) => (countOf(one) > countOf(best) ? one : best));
  // A title with commas has fewer cells than rows have texts.
  const isWide = (record: TableRecord) =>
    filled(record) >= Math.max(2, widest * 0.6) && record.cells.length >= usual;
  // Lines above a header may be wide, but rows are as wide as the table.
  const at = records
    .slice(0, FIRST)
    .findIndex(record => isWide(record) && (isNames(record) || filled(record) === widest));
  const record = records[at];
  const below = records.slice(at + 1);
  if (record === undefined || !isNames(record)) return [0, 0];
  // In a narrow table of texts, the first row looks like a header.
  if (at > 0 && widest < 3 && !below.some(({ cells }) => cells.some(isFigure))) return [0, 0];
  const next = below[0];
  const rest = below.slice(1);
  const isUpper =
    next !== undefined &&
    (record.wide !== undefined || hasBlanksOrTwins(record, next)) &&
    isNames(next) &&
    filled(next) > 1 &&
    new Set(joined([record, next])).size === Math.max(record.cells.length, next.cells.length) &&
    rest.length > 0 &&
    next.cells.some((cell, i) => cell.trim() !== '' && areFigures(rest, i));
  if (isUpper) return [at, at + 1];
  const above = records[at - 1];
  const isGroups =
    above !== undefined &&
    above.line === record.line - 1 &&
    filled(above) > 1 &&
    isNames(above) &&
    (above.wide !== undefined || above.cells[0]?.trim() === '' || hasTwins(record));
  return [isGroups ? at - 1 : at, at];
}

/** Names of column groups leave blanks or repeat. */
function hasBlanksOrTwins({ cells }: TableRecord, next: TableRecord): boolean {
  const own = cells.map(cell => cell.trim());
  const lower = next.cells.map(cell => cell.trim());
  const blank = lower.some((name, i) => name !== '' && (own[i] ?? '') === '');
  return blank || hasTwins({ cells });
}

function hasTwins({ cells }: Pick<TableRecord, 'cells'>): boolean {
  const own = cells.map(cell => cell.trim());
  return own.some((name, i) => name !== '' && own.indexOf(name) < i);
}

function secondLine(
  records: readonly TableRecord[],
  last: number,
  layout: FileLayout,
): 'units' | 'names' | null {
  const next = records[last + 1];
  const rest = records.slice(last + 2);
  const labels = next?.cells.filter(isCensusLabel) ?? [];
  if (next === undefined || rest.length < (labels.length > 0 ? 1 : 2) || layout.header_lines !== undefined)
    return null;
  const first = next.cells.find(cell => cell.trim() !== '')?.trim() ?? '';
  if ((layout.skip_rows ?? []).some(start => first.startsWith(start))) return null;
  if (labels.length > 0) return 'names';
  // The widths and kinds of columns, as the Geological Survey writes them.
  if (next.cells.every(cell => /^\d+[dns]$/.test(cell))) return 'units';
  if (next.cells.some((cell, i) => isFigure(cell) || (/\d/.test(cell) && !areFigures(rest, i)))) return null;
  const texts = next.cells.flatMap((cell, i) =>
    cell.trim() !== '' && areFigures(rest, i) ? [cell.trim()] : [],
  );
  if (texts.length === 0) return null;
  // A row of marks has a name.
  const isUnnamed = [next, ...rest].every(({ cells }, i) => ((cells[0] ?? '').trim() === '') === (i === 0));
  if (texts.every(text => UNIT.test(text) || (isUnnamed && /^[([].*[)\]]$/.test(text)))) return 'units';
  // Marks of missing figures are shorter, or say so.
  const words = new Set(texts.filter(text => /\p{L}{3}/u.test(text) && !ABSENT.test(text)));
  const isLong = texts.every(text => /\p{L}{3}.*[\s!_].*\p{L}{3}/u.test(text));
  return words.size === texts.length && (words.size > 1 || isLong) ? 'names' : null;
}

/** Below the codes, as in "Estimate!!Total!!Under 5 years". */
function isCensusLabel(cell: string): boolean {
  return /\p{L}!!\p{L}/u.test(cell);
}

const ABSENT = /suppress|withheld|confidential|missing|unknown|unavailable|\b(not?|few|less|fewer)\b/i;

/** Not (D), (S) or (NA), which mark withheld or missing figures. */
const UNIT =
  /^([([](?![A-Z]{1,2}[)\]]).*[)\]]|%|#|n|no\.?|[$€£]|usd|eur|percent|pct\.?|number|count|years?|km2?|kg|mm|°[cf])$/iu;

function secondLineQuestion(
  records: readonly TableRecord[],
  last: number,
  unit: string,
  layout: FileLayout,
): string {
  const header = records[last];
  const next = records[last + 1];
  const at = next?.line ?? 0;
  const start = next?.cells.find(cell => cell.trim() !== '')?.trim() ?? '';
  return `${place(next, unit)} (${quoteFew(next?.cells ?? [])}) holds texts above figures: it is a second line of the header, or the header itself, or not a row. Say which in the contract: ${layoutLine(layout, { header_line: at, header_lines: 2 })} joins the two, ${layoutLine(layout, { header_line: at })} reads it alone, ${layoutLine(layout, { header_line: header?.line ?? 0, skip_rows: [start] })} leaves it out, ${layoutLine(layout, { header_line: header?.line ?? 0 })} publishes it as a row.`;
}

function leftOutNote(records: readonly TableRecord[], count: number, unit: string): string {
  const above = records.slice(0, count);
  const [plural, verb] = count === 1 ? ['', 'is'] : ['s', 'are'];
  return `${capital(unit)}${plural} ${lineList(records, 0, count - 1)} above the header ${verb} left out: ${quoteFew(above.flatMap(({ cells }) => cells))}.`;
}

function lineList(records: readonly TableRecord[], from: number, to: number): string {
  const [a, b] = [records[from]?.line ?? 0, records[to]?.line ?? 0];
  return a === b ? `${a}` : `${a} to ${b}`;
}

function place(record: TableRecord | undefined, unit: string): string {
  return `${capital(unit)} ${record?.line ?? 0}`;
}

export function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

export function quoteFew(cells: readonly string[], most = 3): string {
  const texts = cells.map(cell => cell.trim()).filter(cell => cell !== '');
  const few = texts
    .slice(0, most)
    .map(text => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text));
  return `${few.join(', ')}${texts.length > most ? ', …' : ''}`;
}

function filled({ cells }: TableRecord): number {
  return cells.filter(cell => cell.trim() !== '').length;
}

const FIGURE = /^[-+(−–]?\s*[$€£]?\s*[\d.][\d.,'\u00a0\u202f ]*\s*%?\)?$/;

export function isFigure(cell: string): boolean {
  return FIGURE.test(cell.trim());
}

function areFigures(records: readonly TableRecord[], column: number): boolean {
  const own = records.map(({ cells }) => (cells[column] ?? '').trim()).filter(cell => cell !== '');
  return own.length > 0 && own.filter(isFigure).length >= own.length * 0.8;
}

/** Years and days can be names, other figures can't. */
function isNames({ cells }: TableRecord): boolean {
  const texts = cells.map(cell => cell.trim()).filter(cell => cell !== '');
  return texts.length > 0 && texts.every(text => !isFigure(text) || /^(..\...\.)?(19|20)\d\d$/.test(text));
}

/** The `file_layout` line for a contract, including what it already states. */
export function layoutLine(stated: FileLayout, settled: FileLayout): string {
  const entries = Object.entries({ ...stated, ...settled }).map(([key, value]) => `${key}: ${flow(value)}`);
  return `{ property: file_layout, value: { ${entries.join(', ')} } }`;
}

function flow(value: NonNullable<FileLayout[keyof FileLayout]>): string {
  if (typeof value === 'number' || value === 'skip' || value === 'read') return String(value);
  if (typeof value === 'string') return JSON.stringify(value);
  if (isList(value)) return `[${value.map(one => JSON.stringify(one)).join(', ')}]`;
  const entries = Object.entries(value).map(pair => pair.map(one => JSON.stringify(one)).join(': '));
  return `{ ${entries.join(', ')} }`;
}

function isList(value: unknown): value is readonly string[] {
  return Array.isArray(value);
}

export function askRows(what: string, texts: readonly string[], stated: FileLayout): string {
  const skipped = [...(stated.skip_rows ?? []), ...texts.map(text => text.slice(0, 40).trim())];
  return `${what}. Say in the contract whether it is a row: ${layoutLine(stated, { skip_rows: skipped })} leaves out rows that begin so, ${layoutLine(stated, { skip_rows: [] })} publishes all rows.`;
}

export function settleFooter(texts: readonly string[], stated: FileLayout): string {
  const starts = texts.map(text => text.trim().slice(0, 20).trim());
  const skipped = [...new Set([...(stated.skip_rows ?? []), ...starts.filter(Boolean)])];
  return `If that is right, say so in the contract: ${layoutLine(stated, { skip_rows: skipped })}.`;
}

export type TextFile = Pick<LakeFile, 'path' | 'absolute' | 'bytes'>;

export interface KnownTable {
  readonly expected: ReadonlySet<string>;
  readonly layout: FileLayout;
  /** A total among these values is a row. */
  readonly values: ReadonlySet<string>;
}

export const UNKNOWN_TABLE: KnownTable = { expected: new Set(), layout: {}, values: new Set() };

/** A line of text, or a row of a sheet. */
export interface TableRecord {
  /** Counts from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  /** Indices of cells merged with the one on their left. */
  readonly wide?: ReadonlySet<number>;
}
