/** Problems with an input, as values, and how they are shown: quoted, sorted and grouped by cause. */
import { nearest } from '../format/nearest.ts';
import { levelsByYears, spellYears } from '../format/time-text.ts';
import type { Place } from './dataset.ts';

export interface Diagnostic {
  /** A note says what the build assumes. It never refuses anything, even with `--strict`. */
  readonly severity: 'error' | 'warning' | 'note';
  readonly code: string;
  /** What is wrong and what to do, on one line. */
  readonly message: string;
  /** `line` and `column` follow for a place in a contract. */
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  readonly slice?: { readonly year: number; readonly detail: string };
}

/** `place`: in a contract, or the path of a file in the lake. */
export function diagnosticAt(
  place: Place | string,
  severity: Diagnostic['severity'],
  code: string,
  message: string,
): Diagnostic {
  if (typeof place === 'string') return { severity, code, message, file: place };
  return { severity, code, message, file: place.file, line: place.line, column: place.column };
}

/** `file:line:col code message`, which editors and CI systems parse. */
export function formatDiagnostic(diagnostic: Diagnostic): string {
  const { severity, code, message } = diagnostic;
  // Names of files and columns are untrusted.
  return inert(`${formatPlace(diagnostic)} ${severity === 'error' ? '' : `${severity} `}${code} ${message}`);
}

export function formatPlace({ file, line, column }: Pick<Diagnostic, 'file' | 'line' | 'column'>): string {
  return line === undefined ? file : `${file}:${line}:${column ?? 1}`;
}

const RANK = { error: 0, warning: 1, note: 2 } as const satisfies Record<Diagnostic['severity'], number>;

/** Errors first, notes last, then by place, so that every machine shows the same order. */
export function sortDiagnostics(list: readonly Diagnostic[]): Diagnostic[] {
  const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  return [...list].sort(
    (a, b) =>
      RANK[a.severity] - RANK[b.severity] ||
      order(a.file, b.file) ||
      (a.line ?? 0) - (b.line ?? 0) ||
      (a.column ?? 0) - (b.column ?? 0) ||
      order(a.code, b.code) ||
      order(a.message, b.message),
  );
}

export function hasErrors(list: readonly Diagnostic[]): boolean {
  return list.some(d => d.severity === 'error');
}

/** Characters that break a line, hide text or reverse its direction in a terminal or an editor. */
const UNPRINTABLE =
  /[\u0000-\u001f\u007f-\u009f\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]/g;

const LONGEST = 80;

/** Makes a text safe for a terminal: one line, unprintable characters escaped. */
export function inert(text: string): string {
  const escaped = (match: string) => `\\u${match.charCodeAt(0).toString(16).padStart(4, '0')}`;
  // A surrogate pair is one character and stays; half a pair is escaped.
  return [...text].map(c => (c.length === 2 ? c : c.replace(UNPRINTABLE, escaped))).join('');
}

/** Quotes a value for a message: one line, escaped, cut to 80 characters. */
export function quote(value: unknown): string {
  const whole = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  const characters = [...whole.slice(0, 2 * LONGEST + 1)];
  const shown = inert(characters.length > LONGEST ? `${characters.slice(0, LONGEST).join('')}…` : whole);
  return typeof value === 'string' ? `'${shown}'` : shown;
}

/** `'a', 'b' and 'c'`, at most twelve of them. */
export function quoteList(items: readonly unknown[]): string {
  const shown = items.slice(0, 12).map(quote);
  if (items.length > shown.length) return `${shown.join(', ')} and ${items.length - shown.length} more`;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

/** ` (did you mean 'x'?)`, or an empty text. */
export function suggestion(name: string, candidates: Iterable<string>): string {
  const near = nearest(name, candidates);
  return near === null ? '' : ` (did you mean ${quote(near)}?)`;
}

const NAMED = 3;

/**
 * One line for each cause, in the order of its first diagnostic. Warnings with the same text share a cause;
 * so do errors with the same text in the lake's files, since one job wrote them. Other errors get their own
 * lines: each place needs its own correction.
 */
export function formatCauses(diagnostics: readonly Diagnostic[]): string[] {
  const groups = new Map<string, [Diagnostic, ...Diagnostic[]]>();
  for (const [i, one] of diagnostics.entries()) {
    const isAlone = one.severity === 'error' && !one.code.startsWith('lake-');
    const key = isAlone ? String(i) : JSON.stringify([one.severity, one.code, causeText(one)]);
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return [...groups.values()].map(group => `${formatDiagnostic(group[0])}${others(group)}`);
}

/** Without the year, so that the files of several years share a cause. */
function causeText({ message, slice }: Diagnostic): string {
  return slice === undefined ? message : message.replaceAll(String(slice.year), 'year');
}

function others(group: readonly [Diagnostic, ...Diagnostic[]]): string {
  const [, ...more] = group;
  if (more.length === 0) return '';
  const slices = group.flatMap(({ slice }) => slice ?? []);
  const files = new Set(group.map(({ file }) => file)).size;
  if (slices.length === group.length) return ` In ${files} files: ${spellSlices(slices)}.`;
  const years = yearsOfNames(group);
  if (years !== null) return ` In ${files} files: ${spellYears(years)}.`;
  const named = more.slice(0, NAMED).map(formatPlace).join(', ');
  const rest = more.length > NAMED ? `, and ${more.length - NAMED} more, which --json lists` : '';
  return ` The same at ${named}${rest}.`;
}

/** The years of files whose names differ only in the year, ascending; otherwise null. */
function yearsOfNames(group: readonly Diagnostic[]): number[] | null {
  const found = group.map(({ file, line }) => (line === undefined ? YEAR.exec(file) : null));
  const rest = new Set(found.map(match => (match === null ? null : match.input.replace(YEAR, ''))));
  const years = new Set(found.flatMap(match => (match === null ? [] : Number(match[0]))));
  if (rest.size !== 1 || rest.has(null) || years.size !== group.length) return null;
  return [...years].sort((a, b) => a - b);
}

const YEAR = /(?<!\d)(?:1[5-9]|20|21)\d{2}(?!\d)/;

/** `2000 to 2024 (counties, states), 2010 (tracts)` */
function spellSlices(slices: readonly NonNullable<Diagnostic['slice']>[]): string {
  const yearsOf = new Map<string, Set<number>>();
  for (const { year, detail } of slices) yearsOf.set(detail, (yearsOf.get(detail) ?? new Set()).add(year));
  return levelsByYears([...yearsOf].map(([detail, years]) => [detail, [...years].sort((a, b) => a - b)]))
    .map(([years, levels]) => (years === '' ? levels.join(', ') : `${years} (${levels.join(', ')})`))
    .join(', ');
}
