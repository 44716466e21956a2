/** The formats of a lake's tables, by the names of their files. */

/** `csv` is also text with another delimiter; `jsonl` is one JSON object per line; `workbook` is a sheet of Excel's. */
export type TableFormat = 'parquet' | 'csv' | 'tsv' | 'jsonl' | 'workbook';

const FORMATS: ReadonlyMap<string, TableFormat> = new Map([
  ['parquet', 'parquet'],
  ['csv', 'csv'],
  ['tsv', 'tsv'],
  ['jsonl', 'jsonl'],
  ['ndjson', 'jsonl'],
  ['xlsx', 'workbook'],
  ['xlsm', 'workbook'],
  ['xls', 'workbook'],
]);

/** Null for a file of any other format. */
export function tableFormat(path: string): TableFormat | null {
  return FORMATS.get(/\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '') ?? null;
}

/** The path without the ending of a table's format. */
export function tableStem(path: string): string {
  return tableFormat(path) === null ? path : path.replace(/\.[^./]+$/, '');
}
