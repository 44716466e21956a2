import type { Diagnostic } from '../../../build/contract/diagnostic.ts';

export interface ImportReport {
  readonly importer: string;
  readonly lake: string;
  readonly files: readonly FileReport[];
  /** Problems with files that were left out. */
  readonly leftOut: readonly Diagnostic[];
  readonly written: readonly SliceReport[];
  readonly changes: readonly Change[];
  readonly odd: readonly Finding[];
  readonly notes: readonly string[];
}

export interface FileReport {
  readonly file: string;
  readonly shape: string;
  readonly rowsRead: number;
  /** Headers that the importer doesn't use. */
  readonly unusedColumns: readonly string[];
  readonly dropped: readonly Finding[];
}

export interface SliceReport {
  /** Path below the lake's root. */
  readonly path: string;
  readonly rows: number;
  /** Rows that only earlier imports gave. */
  readonly kept: number;
}

/** Published figures that changed for one reason. */
export interface Change extends Finding {
  /**
   * `withheld`: a file now withholds the figure. `removed`: the whole row is gone; it may have had no figure.
   */
  readonly kind: 'changed' | 'withheld' | 'removed';
}

export interface Finding {
  readonly what: string;
  readonly count: number;
  /** At most five. */
  readonly examples: readonly string[];
}

export function renderReport(report: ImportReport): string {
  const lines = [`${report.importer} -> ${report.lake}`];
  for (const file of report.files) {
    lines.push(`read     ${file.rowsRead} rows of ${file.file} (${file.shape})`);
    for (const finding of file.dropped) lines.push(...renderFinding('dropped', finding));
    if (file.unusedColumns.length > 0) lines.push(renderUnused(file.unusedColumns));
  }
  for (const file of new Set(report.leftOut.map(one => one.file)))
    lines.push(`left out ${file}: the lake keeps what it had of it`);
  for (const slice of report.written) {
    const kept = slice.kept > 0 ? `, ${slice.kept} of them from earlier imports` : '';
    lines.push(`wrote    ${slice.path} (${slice.rows} rows${kept})`);
  }
  for (const change of report.changes) lines.push(...renderFinding(change.kind, change, 'figure'));
  for (const finding of report.odd) lines.push(...renderFinding('odd', finding));
  for (const note of report.notes) lines.push(`note     ${note}`);
  return lines.join('\n') + '\n';
}

/** Files may have hundreds of columns, or labels as long as a line. */
const LONGEST_LIST = 90;

function renderUnused(columns: readonly string[]): string {
  const all = columns.join(', ');
  const shown = all.length > LONGEST_LIST ? `${all.slice(0, 60)}… (${columns.length} in all: --json)` : all;
  return `unused   columns ${shown}`;
}

function renderFinding(label: string, finding: Finding, unit = 'row'): string[] {
  const units = finding.count === 1 ? unit : `${unit}s`;
  return [
    `${label.padEnd(8)} ${finding.count} ${units}: ${finding.what}`,
    ...finding.examples.map(example => `           ${example}`),
  ];
}
