/** The formats of a lake's tables, by the names of their files. */

/** `csv` also stands for text with another delimiter; `jsonl` is one JSON object per line. */
export type TableFormat = 'parquet' | 'csv' | 'tsv' | 'jsonl';

const FORMATS: ReadonlyMap<string, TableFormat> = new Map([
  ['parquet', 'parquet'],
  ['csv', 'csv'],
  ['tsv', 'tsv'],
  ['jsonl', 'jsonl'],
  ['ndjson', 'jsonl'],
]);

/** Null for a file of any other format. */
export function tableFormat(path: string): TableFormat | null {
  return FORMATS.get(/\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '') ?? null;
}

/** The path without the ending of a table's format. */
export function tableStem(path: string): string {
  return tableFormat(path) === null ? path : path.replace(/\.[^./]+$/, '');
}
