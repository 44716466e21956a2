/** The stage that turns CSV, TSV, JSON lines and tables of several years into Parquet files, one for each slice. */
import type { Prepare } from '../input/compiled-input.ts';
import { prepareTables, type TableOptions } from '../memory/kept-tables.ts';
import type { Reporter } from '../report.ts';

export function tablePreparation(options: Omit<TableOptions, 'onPrepared'>, report: Reporter): Prepare {
  return contracts =>
    prepareTables(contracts, {
      ...options,
      onPrepared: (done, total, what) => report({ kind: 'progress', stage: 'table', done, total, what }),
    });
}
