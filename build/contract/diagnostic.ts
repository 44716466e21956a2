import type { Place } from './dataset.ts';
import { inert } from './quoting.ts';

/** A problem with an input, as a value. A command collects them and shows them together. */
export interface Diagnostic {
  /** A note tells what the build takes for granted. It refuses nothing, not even with `--strict`. */
  readonly severity: 'error' | 'warning' | 'note';
  /** Stable and kebab-case, for programs and for searches in the documentation. */
  readonly code: string;
  /** What is wrong and what to do, on one line. */
  readonly message: string;
  /** The file; `line` and `column` follow for a place in a contract. */
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  /** Year and level of a file of the lake. */
  readonly slice?: { readonly year: number; readonly detail: string };
}

export function diagnosticAt(
  place: Place,
  severity: Diagnostic['severity'],
  code: string,
  message: string,
): Diagnostic {
  return { severity, code, message, file: place.file, line: place.line, column: place.column };
}

/** `file:line:col code message`, as editors and CI systems read it. */
export function formatDiagnostic(diagnostic: Diagnostic): string {
  const { severity, code, message } = diagnostic;
  // Names of files and columns are untrusted text.
  return inert(`${formatPlace(diagnostic)} ${severity === 'error' ? '' : `${severity} `}${code} ${message}`);
}

/** `file:line:col`, or the file's name without a line. */
export function formatPlace({ file, line, column }: Pick<Diagnostic, 'file' | 'line' | 'column'>): string {
  return line === undefined ? file : `${file}:${line}:${column ?? 1}`;
}

const RANK = { error: 0, warning: 1, note: 2 } as const satisfies Record<Diagnostic['severity'], number>;

/** Sorts errors first and notes last, then by place, so that every machine lists the same inputs in the same order. */
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
