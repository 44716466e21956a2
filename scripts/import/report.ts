/** What one import did, for people and for programs. */
export interface ImportReport {
  readonly importer: string;
  readonly lake: string;
  readonly files: readonly FileReport[];
  readonly written: readonly SliceReport[];
  /** Rows that were kept although something about them is odd. */
  readonly odd: readonly Finding[];
  readonly notes: readonly string[];
}

export interface FileReport {
  readonly file: string;
  readonly shape: string;
  readonly rowsRead: number;
  /** Headers of the file that the importer does not use. */
  readonly unusedColumns: readonly string[];
  readonly dropped: readonly Finding[];
}

export interface SliceReport {
  /** Path below the lake's root. */
  readonly path: string;
  readonly rows: number;
  /** Rows that came from earlier imports alone. */
  readonly kept: number;
  /** Rows of the file that the slice replaces whose keys it has no more, where there are any. */
  readonly gone?: Finding;
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
    if (file.unusedColumns.length > 0) lines.push(`unused   columns ${file.unusedColumns.join(', ')}`);
  }
  for (const slice of report.written) {
    const kept = slice.kept > 0 ? `, ${slice.kept} of them from earlier imports` : '';
    const gone = slice.gone === undefined ? '' : `; ${slice.gone.what}`;
    lines.push(`wrote    ${slice.path} (${slice.rows} rows${kept}${gone})`);
    lines.push(...renderExamples(slice.gone?.examples ?? []));
  }
  for (const finding of report.odd) lines.push(...renderFinding('odd', finding));
  for (const note of report.notes) lines.push(`note     ${note}`);
  return lines.join('\n') + '\n';
}

function renderFinding(label: string, finding: Finding): string[] {
  const rows = finding.count === 1 ? 'row' : 'rows';
  return [
    `${label.padEnd(8)} ${finding.count} ${rows}: ${finding.what}`,
    ...renderExamples(finding.examples),
  ];
}

function renderExamples(examples: readonly string[]): string[] {
  return examples.map(example => `           ${example}`);
}
